"""Work that is over in time, whatever it hangs on: who waits for it goes on, and it is left to itself.

What is left behind may still end, in a process that was stopped meanwhile perhaps much later. So it must be
such as does no harm then: a turn is stored under its lease or not at all.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import copy_context
from typing import NamedTuple, TypeVar

from conversation.errors import DomainError

SPARE_S = 0.6
"""How long before a function would be stopped it ends, with an answer."""

Item = TypeVar("Item")
Result = TypeVar("Result")


class OutOfTime(DomainError):
    """It took too long; what became of it is not known."""

    code = "timeout"

    def __init__(self) -> None:
        super().__init__("This took too long. What became of it is not known here.")


class _End(NamedTuple):
    error: BaseException | None


def in_time(work: Callable[[], Result], seconds: float) -> Result:
    """What the work returns or raises; it is not begun where there is no time.

    Raises:
        OutOfTime: it is not over after so many seconds.
    """

    def single() -> Iterator[Result]:
        yield work()

    return next(told_in_time(single(), seconds))


def told_in_time(items: Iterator[Item], seconds: float) -> Iterator[Item]:
    """The items as they come, made by a thread of its own, and what making them raises.

    Raises:
        OutOfTime: the last one did not come within so many seconds.
    """
    if seconds <= 0:
        raise OutOfTime
    made: queue.SimpleQueue[tuple[Item] | _End] = queue.SimpleQueue()
    until = time.monotonic() + seconds
    making, caller = (_make, items, made), threading.current_thread()
    threading.Thread(target=copy_context().run, args=making, name=caller.name, daemon=True).start()
    while True:
        try:
            item = made.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            raise OutOfTime from None
        if isinstance(item, _End):
            break
        yield item[0]
    if item.error is not None:
        raise item.error


def _make(items: Iterator[Item], made: queue.SimpleQueue[tuple[Item] | _End]) -> None:
    try:
        for item in items:
            made.put((item,))
    except BaseException as error:  # noqa: BLE001 - belongs to whoever takes the items
        made.put(_End(error))
    else:
        made.put(_End(None))
