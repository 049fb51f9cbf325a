"""Calls functions some time later, in one thread for all of them.

A `threading.Timer` is a thread of its own, which takes a fifth of a millisecond. Here one thread waits for
the next call that is due, and ends when none is left.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

Call = Callable[[], object]


class Timers:
    """The calls that wait for their time; safe to use from several threads."""

    def __init__(self, *, name: str) -> None:
        """``name`` is that of the thread that waits."""
        self._name = name
        self._changed = threading.Condition()
        self._waiting: list[tuple[float, int, Call]] = []
        self._numbers = count()
        self._thread: threading.Thread | None = None

    def call_in(self, seconds: float, call: Call) -> None:
        """Have ``call`` called in so many seconds. It has to be quick: others wait behind it."""
        with self._changed:
            due = (time.monotonic() + seconds, next(self._numbers), call)
            heappush(self._waiting, due)
            # A process that was forked meanwhile has the object and not its thread.
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            elif self._waiting[0] is due:
                self._changed.notify()

    def _run(self) -> None:
        while (call := self._next_due()) is not None:
            call()

    def _next_due(self) -> Call | None:
        """The next call, when it is due; None: there is none."""
        with self._changed:
            while self._waiting:
                left = self._waiting[0][0] - time.monotonic()
                if left <= 0:
                    return heappop(self._waiting)[2]
                self._changed.wait(left)
            self._thread = None
            return None
