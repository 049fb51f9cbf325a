"""Runs work under a deadline. When the deadline passes, the caller continues and the work is abandoned.

Abandoned work may still finish, perhaps much later if the process was frozen in between. So it must do no
harm then: a turn, for example, is stored under its lease or not at all.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import copy_context
from typing import NamedTuple, TypeVar

from conversation.errors import DomainError

DEADLINE_MARGIN_S = 0.6
"""How long before its timeout a function ends its work, so that it can still respond."""

Item = TypeVar("Item")
Result = TypeVar("Result")


class DeadlineExceeded(DomainError):
    """The work took too long; its outcome is unknown."""

    code = "timeout"

    def __init__(self) -> None:
        super().__init__("This took too long. What became of it is not known here.")


class _End(NamedTuple):
    error: BaseException | None


def run_with_deadline(work: Callable[[], Result], seconds: float) -> Result:
    """What the work returns or raises. The work is not started when no time is left.

    Raises:
        OutOfTime: the work is not finished after that many seconds.
    """

    def single() -> Iterator[Result]:
        yield work()

    return next(iterate_with_deadline(single(), seconds))


def iterate_with_deadline(items: Iterator[Item], seconds: float) -> Iterator[Item]:
    """Yields the items as a separate thread produces them; raises what producing them raises.

    Raises:
        OutOfTime: the last item did not arrive within that many seconds.
    """
    if seconds <= 0:
        raise DeadlineExceeded
    made: queue.SimpleQueue[tuple[Item] | _End] = queue.SimpleQueue()
    until = time.monotonic() + seconds
    making, caller = (_make, items, made), threading.current_thread()
    threading.Thread(target=copy_context().run, args=making, name=caller.name, daemon=True).start()
    while True:
        try:
            item = made.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            raise DeadlineExceeded from None
        if isinstance(item, _End):
            break
        yield item[0]
    if item.error is not None:
        raise item.error


def _make(items: Iterator[Item], made: queue.SimpleQueue[tuple[Item] | _End]) -> None:
    try:
        for item in items:
            made.put((item,))
    except BaseException as error:  # noqa: BLE001 - raised again in the thread that takes the items
        made.put(_End(error))
    else:
        made.put(_End(None))
