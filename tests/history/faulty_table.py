"""The table as a simulated process reaches it: each request takes a while both ways, and may meet a fault."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import NoReturn, Protocol, TypeVar

from storage.errors import StorageError, StorageUnavailable
from storage.table import Table
from tests.fakes.aws.tables import ObservedTable
from tests.history.faults import FAILURES, Fault, Faults
from tests.history.scheduler import Scheduler

DELAYS = {Fault.THROTTLED: 3.0, Fault.CONFLICT: 0.4, Fault.RESENT: 3.0, Fault.FROZEN: 0.0}
"""After how long a request takes effect at the latest; who stands still does so before."""
LONGEST_TIMEOUT_S = 6.0
LATEST_S = 8.0
"""How long a request may still be on its way."""

Result = TypeVar("Result")


class Sufferer(Protocol):
    """The process that faults happen to: `tests.history.processes.Process`."""

    scheduler: Scheduler
    draw: Random
    faults: Faults

    def rest(self, seconds: float) -> None:
        """Wait."""

    def travel(self) -> None:
        """One way to the table or back."""

    def struck(self, fault: Fault) -> None:
        """Take note of the fault, and suffer it where it is not the request's alone."""


class FaultyTable(ObservedTable):
    """Passes requests on, those that the faults let through."""

    def __init__(self, table: Table, process: Sufferer) -> None:
        super().__init__(table, lambda name, when: None)
        self._process = process

    def _do(self, name: str, request: Callable[[], Result]) -> Result:
        process = self._process
        process.travel()
        fault = process.faults.strike()
        if fault in (Fault.LOST_RESPONSE, Fault.KILLED_AFTER):
            _attempted(request)
        if fault is not None:
            process.struck(fault)
        if fault in FAILURES:
            self._fail(fault, name, request)
        # A transaction, which has no result, carries a token by which the table knows it again.
        took_effect = fault is Fault.RESENT and _attempted(request) and name == "transact"
        if fault in DELAYS:
            process.rest(process.draw.uniform(0.0, DELAYS[fault]))
        result = None if took_effect else request()
        process.travel()
        return result  # type: ignore[return-value]

    def _fail(self, fault: Fault | None, name: str, request: Callable[[], object]) -> NoReturn:
        process = self._process
        if fault is Fault.BELATED and name not in ("get", "query"):
            process.scheduler.spawn(partial(_attempted, request), after=process.draw.uniform(0.0, LATEST_S))
        process.rest(process.draw.uniform(0.0, LONGEST_TIMEOUT_S))
        raise StorageUnavailable


def _attempted(request: Callable[[], object]) -> bool:
    """Whether the request took effect."""
    try:
        request()
    except StorageError:
        return False
    return True
