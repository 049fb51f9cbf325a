"""Work that may hang, done in a thread of its own and left behind when its time is over."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from time import monotonic
from typing import TypeVar

Result = TypeVar("Result")


class LeftBehind(Exception):
    """The work did not end in time; it goes on in its thread, and nobody waits for what comes out."""


class NoHandFree(Exception):
    """As much work as allowed is under way, some of it perhaps for ever."""


class Hands:
    """At most ``limit`` pieces of work at once; one that was left behind counts until it ends."""

    def __init__(self, limit: int) -> None:
        self._free = threading.BoundedSemaphore(limit)

    def do(self, work: Callable[[], Result], seconds: float) -> Result:
        """What the work returns or raises.

        Raises:
            LeftBehind: it took longer than that many seconds.
            NoHandFree: none became free in that time.
        """
        if seconds <= 0:
            raise LeftBehind
        until = monotonic() + seconds
        if not self._free.acquire(timeout=seconds):
            raise NoHandFree
        outcome: Future[Result] = Future()
        # A daemon: a process may end although a hung tool never does.
        context = copy_context()
        threading.Thread(target=lambda: context.run(self._work, work, outcome), daemon=True).start()
        try:
            return outcome.result(timeout=max(0.0, until - monotonic()))
        except TimeoutError:
            if outcome.done():  # the work itself ran into a time limit
                raise
            raise LeftBehind from None

    def _work(self, work: Callable[[], Result], outcome: Future[Result]) -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
            outcome.set_exception(error)
        finally:
            self._free.release()
