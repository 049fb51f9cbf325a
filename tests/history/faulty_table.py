"""The table as seen by a simulated process: requests have latency both ways and may meet a fault."""

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
"""The maximal delay before a request takes effect. A frozen process stalls before the request."""
LONGEST_TIMEOUT_S = 6.0
LATEST_S = 8.0
"""The maximal time for which a belated request is still under way."""

Result = TypeVar("Result")


class FaultyProcess(Protocol):
    """The process that faults happen to: `tests.history.processes.Process`."""

    scheduler: Scheduler
    draw: Random
    faults: Faults

    def rest(self, seconds: float) -> None:
        """Wait."""

    def travel(self) -> None:
        """Wait for the latency of one way to the table or back."""

    def apply_fault(self, fault: Fault) -> None:
        """Record the fault, and apply it when it affects the whole process."""


class FaultyTable(ObservedTable):
    """Passes on the requests that no fault stops."""

    def __init__(self, table: Table, process: FaultyProcess) -> None:
        super().__init__(table, lambda name, when: None)
        self._process = process

    def _do(self, name: str, request: Callable[[], Result]) -> Result:
        process = self._process
        process.travel()
        fault = process.faults.draw_fault()
        if fault in (Fault.LOST_RESPONSE, Fault.KILLED_AFTER):
            _attempted(request)
        if fault is not None:
            process.apply_fault(fault)
        if fault in FAILURES:
            self._fail(fault, name, request)
        # A transaction has no result and carries a token by which the table recognises a repetition.
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
    """Send the request. Returns whether it took effect."""
    try:
        request()
    except StorageError:
        return False
    return True
