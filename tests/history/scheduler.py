"""A deterministic scheduler that runs tasks one at a time, in virtual time.

Every task is a real thread, so it can run any code, but only one of them runs at any time. It yields by
waiting. Then the task with the earliest wake-up time continues, and the clock jumps to that time.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable
from itertools import count
from typing import Any

STUCK_AFTER_S = 60.0
MOST_STEPS = 50_000


class Stuck(Exception):
    """A task blocks on something other than the scheduler, or the run does not end."""


class Task:
    """Work that starts at a given time unless it is cancelled before. ``context`` is what it works for."""

    def __init__(self, work: Callable[[], object], context: Any) -> None:
        self.context = context
        self.is_cancelled = False
        self.gate = threading.Lock()
        self.gate.acquire()
        self._work = work
        self.thread: threading.Thread | None = None

    def cancel(self) -> None:
        """Cancel the task unless it has started."""
        self.is_cancelled = self.thread is None

    def run(self) -> None:
        """Do the work."""
        self._work()


class Scheduler:
    """Decides which task runs, and owns the virtual clock. `now` is in seconds since the start."""

    def __init__(self) -> None:
        self.now = 0.0
        self.steps = 0
        self.failure: BaseException | None = None
        self._waiting: list[tuple[float, int, Task]] = []
        self._numbers = count()
        self._current: Task | None = None
        self._over = threading.Event()

    @property
    def current(self) -> Task:
        """The running task."""
        if self._current is None:
            raise Stuck("nothing runs")
        return self._current

    def spawn(self, work: Callable[[], object], *, after: float = 0.0, context: Any = None) -> Task:
        """Start a new task after a delay."""
        task = Task(work, context)
        self._wait(task, after)
        return task

    def sleep(self, seconds: float) -> None:
        """Let other tasks run until this task's wake-up time."""
        task = self.current
        self._wait(task, seconds)
        following = self._next()
        # When this task is the next one as well, no switch of threads is needed.
        if following is not task:
            self._hand_over(following)
            task.gate.acquire()

    def run(self) -> None:
        """Run all tasks, including those they spawn, to their end.

        Raises:
            Stuck: a task blocks, or the run does not end.
        """
        first = self._next()
        if first is None:
            return
        self._over.clear()
        seen = self.steps
        self._hand_over(first)
        while not self._over.wait(STUCK_AFTER_S):
            if self.steps == seen:
                raise Stuck("a task blocks the others")
            seen = self.steps
        if self.failure is not None:
            raise self.failure

    def _wait(self, task: Task, seconds: float) -> None:
        heapq.heappush(self._waiting, (self.now + max(0.0, seconds), next(self._numbers), task))

    def _next(self) -> Task | None:
        while self._waiting:
            moment, _, task = heapq.heappop(self._waiting)
            if not task.is_cancelled:
                self.now = max(self.now, moment)
                self.steps += 1
                return task
        return None

    def _hand_over(self, task: Task | None) -> None:
        self._current = task
        if task is None or self.steps > MOST_STEPS:
            self.failure = self.failure or (Stuck("there is no end to it") if task else None)
            self._over.set()
        elif task.thread is None:
            task.thread = threading.Thread(target=self._work, args=(task,), daemon=True)
            task.thread.start()
        else:
            task.gate.release()

    def _work(self, task: Task) -> None:
        try:
            task.run()
        except BaseException as error:  # noqa: BLE001 - told by `run`
            self.failure = self.failure or error
        self._hand_over(self._next())
