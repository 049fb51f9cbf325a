"""A limit on processor time that can really end what exceeds it: it ends the process.

Python can't end a thread. A thread that computes without end would slow down every later request of its
process, long after its caller has gone. So the process ends, as it does in a crash: what it had not stored is
made good by another one. Code that never releases the interpreter lock can't be seen from here: Lambda's
timeout ends that, and `local.supervision` in the local twin.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LOG = logging.getLogger("omniforge.resilience")

CPU_LIMIT_S = 15.0
"""A turn takes a hundredth of a second, or a few seconds when it is the first to import a model's client."""

LOOK_EVERY_S = 1.0
EXIT_OVER_LIMIT = 70


class CpuLimit:
    """Limits the processor time of pieces of work, each in a thread of its own; safe to use from several
    threads.

    Without clocks of threads, as on macOS, it limits nothing.
    """

    def __init__(
        self,
        seconds: float = CPU_LIMIT_S,
        *,
        look_every_s: float = LOOK_EVERY_S,
        end_process: Callable[[int], object] = os._exit,
    ) -> None:
        self._seconds = seconds
        self._look_every_s = look_every_s
        self._end_process = end_process
        self._lock = threading.Lock()
        self._works: dict[int, tuple[int, float]] = {}
        self._some = threading.Event()
        self._is_watched = False

    @contextmanager
    def enforced(self) -> Iterator[None]:
        """Count the processor time that the current thread takes inside the ``with`` block."""
        clock_of = getattr(time, "pthread_getcpuclockid", None)
        if clock_of is None:
            yield
            return
        thread = threading.get_ident()
        clock: int = clock_of(thread)
        self._begin(thread, clock)
        try:
            yield
        finally:
            with self._lock:
                self._works.pop(thread, None)

    def _begin(self, thread: int, clock: int) -> None:
        with self._lock:
            self._works[thread] = (clock, time.clock_gettime(clock) + self._seconds)
            begins, self._is_watched = not self._is_watched, True
        if begins:
            # Not in the constructor: a snapshot or a fork would not have the thread.
            threading.Thread(target=self._watch, name="cpu-limit", daemon=True).start()
        self._some.set()

    def _watch(self) -> None:
        while True:
            self._some.wait()
            time.sleep(self._look_every_s)
            with self._lock:
                works = list(self._works.values())
                if not works:
                    self._some.clear()
            if any(_is_over(clock, limit) for clock, limit in works):
                self._end()

    def _end(self) -> None:
        # Nothing about the work: what it was given may be what a user wrote.
        LOG.critical("process ended, a piece of work took too much processor time")
        sys.stdout.flush()
        self._end_process(EXIT_OVER_LIMIT)


def _is_over(clock: int, limit: float) -> bool:
    try:
        return time.clock_gettime(clock) > limit
    except OSError:  # the thread has ended
        return False
