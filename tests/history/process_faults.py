"""Faults in real processes: each storage request may meet a fault, including a real SIGKILL."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from random import Random
from typing import TypeVar

from storage.errors import StorageError, StorageUnavailable
from storage.table import Table
from tests.fakes.aws.tables import ObservedTable
from tests.history.faults import FAILURES, KILLS, WAITS, Fault, Faults
from tests.history.journal import Journal
from tests.history.records import FaultOccurred

LONGEST_WAIT_S = 0.2

Result = TypeVar("Result")


class FaultInjector:
    """Injects faults into requests of any thread of this process."""

    def __init__(self, faults: Faults, *, draw: Random, journal: Journal) -> None:
        self._faults = faults
        self._draw = draw
        self._journal = journal
        self._lock = threading.Lock()

    def around(self, name: str, request: Callable[[], Result]) -> Result:
        """Run the request with its fault, if it meets one."""

        def timed() -> Result:
            with self._journal.time_request():
                return request()

        with self._lock:
            fault, wait_s = self._faults.draw_fault(), self._draw.uniform(0, LONGEST_WAIT_S)
        if fault in (Fault.LOST_RESPONSE, Fault.KILLED_AFTER):
            _attempted(timed)
        if fault is not None:
            self._journal.note(FaultOccurred(fault, time.monotonic()))
        if fault in KILLS:
            os.kill(os.getpid(), signal.SIGKILL)
        if fault in FAILURES:
            raise StorageUnavailable
        if fault in WAITS:
            time.sleep(wait_s)
        if fault is Fault.RESENT and _attempted(timed) and name == "transact":
            # A transaction carries a token by which the table recognises a repetition.
            return None  # type: ignore[return-value]
        return timed()


class FaultInjectedTable(ObservedTable):
    """A table whose requests may meet faults."""

    def __init__(self, table: Table, striker: FaultInjector) -> None:
        super().__init__(table, lambda name, when: None)
        self._striker = striker

    def _do(self, name: str, request: Callable[[], Result]) -> Result:
        return self._striker.around(name, request)


def _attempted(request: Callable[[], object]) -> bool:
    try:
        request()
    except StorageError:
        return False
    return True
