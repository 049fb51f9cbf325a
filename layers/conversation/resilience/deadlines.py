"""Runs work under a deadline. When the deadline passes, the caller goes on and the work is abandoned in its
thread.

Abandoned work may still finish, perhaps much later in a process that was frozen meanwhile. So it must do no
harm then: a turn, for example, is stored under its lease or not at all.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextvars import Context, copy_context
from enum import Enum
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar

DEADLINE_MARGIN_S = 0.6
"""How long before its time limit a function stops waiting, so that it can still answer."""

Item = TypeVar("Item")
Result = TypeVar("Result")


class DeadlineExceeded(Exception):
    """The work did not end in time. It may still be running, and its outcome is unknown."""


class NoWorkerFree(Exception):
    """As much work as allowed is running, and none of it ended in time."""


class _Silence(Enum):
    SILENCE = "silence"


SILENCE: Final = _Silence.SILENCE
"""Stands for an item that did not come within the timeout."""
Silence: TypeAlias = Literal[_Silence.SILENCE]


class _End(NamedTuple):
    error: BaseException | None


def run_with_deadline(work: Callable[[], Result], seconds: float) -> Result:
    """Return what ``work`` returns, or raise what it raises.

    Raises:
        DeadlineExceeded: it did not end within so many seconds. Without any time left it is not started.
    """

    def single() -> Iterator[Result]:
        yield work()

    return next(iterate_with_deadline(single(), seconds))


def iterate_with_deadline(items: Iterator[Item], seconds: float) -> Iterator[Item]:
    """Yield the items as they come, produced by a thread of their own; raise what producing them raises.

    Raises:
        DeadlineExceeded: the last item did not come within so many seconds. Without any time left the
        iterator
            is not started.
    """
    if seconds <= 0:
        raise DeadlineExceeded
    until = time.monotonic() + seconds
    name = threading.current_thread().name
    for item in iterate_in_background(items, lambda: until - time.monotonic(), name=name):
        if item is SILENCE:
            raise DeadlineExceeded
        yield item


def iterate_in_background(
    items: Iterator[Item], timeout_s: Callable[[], float], *, name: str, context: Context | None = None
) -> Iterator[Item | Silence]:
    """Yield the items as they come, and `SILENCE` each time none came within ``timeout_s()`` seconds.

    A daemon thread of that name starts to produce them at once and goes on whether or not they are consumed.
    It runs in ``context``, by default a copy of the caller's. What producing them raises is raised in its
    turn.
    """
    produced: queue.SimpleQueue[tuple[Item] | _End] = queue.SimpleQueue()
    run = (context if context is not None else copy_context()).run
    threading.Thread(target=run, args=(_produce, items, produced), name=name, daemon=True).start()
    return _consume(produced, timeout_s)


def _produce(items: Iterator[Item], produced: queue.SimpleQueue[tuple[Item] | _End]) -> None:
    try:
        for item in items:
            produced.put((item,))
    except BaseException as error:  # noqa: BLE001 - raised again where the items are consumed
        produced.put(_End(error))
    else:
        produced.put(_End(None))


def _consume(
    produced: queue.SimpleQueue[tuple[Item] | _End], timeout_s: Callable[[], float]
) -> Iterator[Item | Silence]:
    while True:
        try:
            item = produced.get(timeout=max(0.0, timeout_s()))
        except queue.Empty:
            yield SILENCE
            continue
        if not isinstance(item, _End):
            yield item[0]
        elif item.error is not None:
            raise item.error
        else:
            return


class WorkerThreads:
    """Runs at most ``limit`` pieces of work at once, each in a daemon thread of its own.

    Abandoned work counts until it ends. The threads are daemons, so that a process can end although one
    hangs.
    """

    def __init__(self, limit: int, *, name: str = "worker") -> None:
        self._free = threading.BoundedSemaphore(limit)
        self._name = name

    def run(self, work: Callable[[], Result], seconds: float) -> Result:
        """Return what ``work`` returns, or raise what it raises.

        Raises:
            DeadlineExceeded: it did not end within so many seconds.
            NoWorkerFree: no thread became free in that time.
        """
        if seconds <= 0:
            raise DeadlineExceeded
        until = time.monotonic() + seconds
        outcome = self.start(work, wait_s=seconds)
        try:
            return outcome.result(timeout=max(0.0, until - time.monotonic()))
        except TimeoutError:
            if outcome.done():  # the work itself raised it
                raise
            raise DeadlineExceeded from None

    def start(self, work: Callable[[], Result], *, wait_s: float) -> Future[Result]:
        """Start ``work``, and return what it will come to.

        Raises:
            NoWorkerFree: no thread became free within ``wait_s`` seconds.
        """
        if not self._free.acquire(timeout=max(0.0, wait_s)):
            raise NoWorkerFree
        outcome: Future[Result] = Future()
        target = (copy_context().run, self._work, work, outcome)
        threading.Thread(target=target[0], args=target[1:], name=self._name, daemon=True).start()
        return outcome

    def _work(self, work: Callable[[], Result], outcome: Future[Result]) -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
            outcome.set_exception(error)
        finally:
            self._free.release()
