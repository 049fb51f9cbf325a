"""Deterministic replacements for randomness, timers and executors, driven by seed and virtual clock."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from functools import partial
from random import Random
from typing import Any
from unittest.mock import patch

from tests.history.scheduler import Scheduler, Task


@contextmanager
def deterministic(scheduler: Scheduler, draw: Random) -> Iterator[None]:
    """Make ids, jitter, timers and background work depend on the seed alone inside the ``with`` block."""
    before = random.getstate()
    random.seed(draw.getrandbits(64))
    with ExitStack() as replaced:
        replaced.callback(random.setstate, before)
        replaced.enter_context(patch("conversation.identity.secrets", DrawnSecrets(draw)))
        replaced.enter_context(patch("agent.turns.responder.ThreadPoolExecutor", InlineExecutor))
        replaced.enter_context(patch("resilience.timers.SHARED", VirtualTimers(scheduler)))
        yield


class VirtualTimers:
    """`resilience.timers.Timers` on the virtual clock.

    Work belongs to the process of the task that starts the timer, and runs through that process's ``guard``.
    """

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler

    def start_in(self, seconds: float, work: Callable[[], object], *, name: str) -> Task:
        """Start a task after the delay; it can be cancelled until then."""
        context = self._scheduler.current.context
        return self._scheduler.spawn(partial(context.guard, work), after=seconds, context=context)


class InlineExecutor:
    """An executor that runs the work at once, in the submitting thread."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Run the work and return its completed future."""
        future: Future[Any] = Future()
        try:
            future.set_result(work(*arguments))
        except Exception as error:  # noqa: BLE001 - raised by result()
            future.set_exception(error)
        return future


class DrawnSecrets:
    """A replacement of `secrets` that draws from the seed, so that ids are reproducible."""

    def __init__(self, draw: Random) -> None:
        self._draw = draw

    def token_hex(self, count: int) -> str:
        return self._draw.randbytes(count).hex()

    def randbits(self, count: int) -> int:
        return self._draw.getrandbits(count)
