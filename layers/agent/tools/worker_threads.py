"""Worker threads for work that may hang: the caller waits up to a timeout, then the work is abandoned."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from time import monotonic
from typing import TypeVar

Result = TypeVar("Result")


class DeadlineExceeded(Exception):
    """The work did not end in time. It continues in its thread, and its result is discarded."""


class NoWorkerFree(Exception):
    """All threads are busy, some of them possibly hung for good."""


class WorkerThreads:
    """Runs at most ``limit`` pieces of work at once; abandoned work counts until it ends."""

    def __init__(self, limit: int) -> None:
        self._free = threading.BoundedSemaphore(limit)

    def run(self, work: Callable[[], Result], seconds: float) -> Result:
        """Runs the work in a thread of its own and returns or raises what the work does.

        Raises:
            LeftBehind: the work took longer than that many seconds.
            NoHandFree: no thread became free in that time.
        """
        if seconds <= 0:
            raise DeadlineExceeded
        until = monotonic() + seconds
        if not self._free.acquire(timeout=seconds):
            raise NoWorkerFree
        outcome: Future[Result] = Future()
        # A daemon thread, so that a hung tool doesn't keep the process from ending.
        context = copy_context()
        threading.Thread(target=lambda: context.run(self._work, work, outcome), daemon=True).start()
        try:
            return outcome.result(timeout=max(0.0, until - monotonic()))
        except TimeoutError:
            if outcome.done():  # the work itself timed out
                raise
            raise DeadlineExceeded from None

    def _work(self, work: Callable[[], Result], outcome: Future[Result]) -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
            outcome.set_exception(error)
        finally:
            self._free.release()
