"""Calls functions some time later, in one thread for all of them.

A `threading.Timer` is a thread of its own, which takes a fifth of a millisecond. Here one thread waits for
the next call that is due, and ends when none is left. Work that takes longer gets a thread when it is due.
In a process that was frozen, everything that was due meanwhile is called once it goes on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from heapq import heappop, heappush
from itertools import count

Call = Callable[[], object]


class Timer:
    """A call that waits for its time."""

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call: Call | None = call

    @property
    def is_cancelled(self) -> bool:
        """Whether nothing is to be called any more."""
        return self._call is None

    def cancel(self) -> None:
        """Let go of the call, unless it has been made."""
        self._call = None

    def make(self) -> None:
        """Make the call, unless it is cancelled."""
        if (call := self._call) is not None:
            call()


class Timers:
    """The calls that wait for their time; safe to use from several threads."""

    def __init__(self, *, name: str) -> None:
        """``name`` is that of the thread that waits."""
        self._name = name
        self._changed = threading.Condition()
        self._waiting: list[tuple[float, int, Timer]] = []
        self._numbers = count()
        self._thread: threading.Thread | None = None

    def call_in(self, seconds: float, call: Call) -> Timer:
        """Have ``call`` called in so many seconds. It has to be quick: others wait behind it."""
        timer = Timer(call)
        with self._changed:
            due = (time.monotonic() + seconds, next(self._numbers), timer)
            heappush(self._waiting, due)
            # A process that was forked meanwhile has the object and not its thread.
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            elif self._waiting[0] is due:
                self._changed.notify()
        return timer

    def start_in(self, seconds: float, work: Call, *, name: str) -> Timer:
        """Have ``work`` done in so many seconds, in a thread of that name which begins then."""
        return self.call_in(seconds, partial(_begin, work, name))

    def _run(self) -> None:
        while (timer := self._next_due()) is not None:
            timer.make()

    def _next_due(self) -> Timer | None:
        """The next call, when it is due; None: there is none."""
        with self._changed:
            while self._waiting:
                due_at, _, timer = self._waiting[0]
                # Most are cancelled long before: the thread wakes up for the first of them alone.
                left = 0.0 if timer.is_cancelled else due_at - time.monotonic()
                if left <= 0:
                    heappop(self._waiting)
                    if not timer.is_cancelled:
                        return timer
                else:
                    self._changed.wait(left)
            self._thread = None
            return None


def _begin(work: Call, name: str) -> None:
    threading.Thread(target=work, name=name, daemon=True).start()


SHARED = Timers(name="timers")
"""The timers of turns, which start with each of them and are cancelled at its end."""
