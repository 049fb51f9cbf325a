"""What a run draws from the machine, replaced by what the seed and the virtual clock say."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from functools import partial
from random import Random
from typing import Any
from unittest.mock import patch

from tests.history.scheduler import Scheduler, Task


@contextmanager
def determined(scheduler: Scheduler, draw: Random) -> Iterator[None]:
    """Within the block ids, jitter, timers and work beside a turn depend on the seed alone."""
    before = random.getstate()
    random.seed(draw.getrandbits(64))
    with ExitStack() as replaced:
        replaced.callback(random.setstate, before)
        replaced.enter_context(patch("conversation.identity.secrets", DrawnSecrets(draw)))
        replaced.enter_context(patch("agent.turns.responder.ThreadPoolExecutor", AtOnce))
        replaced.enter_context(patch.object(threading, "Timer", partial(VirtualTimer, scheduler)))
        yield


class VirtualTimer:
    """A `threading.Timer` of the virtual clock. It works for whom the task works that makes it, whose
    ``guard`` says how what is to be done begins and what may become of it.
    """

    daemon = True

    def __init__(self, scheduler: Scheduler, interval: float, function: Callable[[], None]) -> None:
        self._scheduler = scheduler
        self._interval = interval
        self._context = scheduler.current.context
        self._function = function
        self._task: Task | None = None

    def start(self) -> None:
        """Begin to count."""
        work = partial(self._context.guard, self._function)
        self._task = self._scheduler.spawn(work, after=self._interval, context=self._context)

    def cancel(self) -> None:
        """Don't, if it has not begun."""
        if self._task is not None:
            self._task.cancel()


class AtOnce:
    """An executor that does the work where it is submitted: beside it nothing runs."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """The work, done."""
        future: Future[Any] = Future()
        try:
            future.set_result(work(*arguments))
        except Exception as error:  # noqa: BLE001 - raised by result()
            future.set_exception(error)
        return future


class DrawnSecrets:
    """`secrets`, from the seed: the same run has the same ids."""

    def __init__(self, draw: Random) -> None:
        self._draw = draw

    def token_hex(self, count: int) -> str:
        return self._draw.randbytes(count).hex()

    def randbits(self, count: int) -> int:
        return self._draw.getrandbits(count)
