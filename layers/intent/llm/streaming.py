"""An answer on its way, delta by delta, from the thread that reads it to the one that waits for it.

Where the deltas come from is `llm.completion`'s business.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future
from queue import Empty, SimpleQueue

from llm.errors import ModelTooLate
from llm.types import Completed, Timer

LOOK_EVERY_S = 0.1
"""How often a silent stream is looked up from, to see whether it is still wanted."""


class Stopped(Exception):
    """Nobody wants the rest of the answer."""


class Flow:
    """The deltas of one call; each is handed on as it comes."""

    def __init__(self, timer: Timer, is_stopped: Callable[[], bool]) -> None:
        self._timer = timer
        self._is_stopped = is_stopped
        self._deltas: SimpleQueue[str | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._hang_up: Callable[[], None] | None = None
        self._given_up = False

    @property
    def is_given_up(self) -> bool:
        """Whether nobody waits any more."""
        return self._given_up

    def say(self, delta: str) -> None:
        """Hand a delta on; never waits."""
        self._deltas.put(delta)

    def connected(self, hang_up: Callable[[], None]) -> None:
        """From here on, giving up calls ``hang_up``, which wakes the thread that reads."""
        with self._lock:
            self._hang_up = hang_up
            if self._given_up:
                hang_up()

    def disconnected(self) -> None:
        """The connection is the reader's to close: it must not be touched any more."""
        with self._lock:
            self._hang_up = None

    def deltas(
        self, ending: Future[Completed], until: float, silent_s: float
    ) -> Generator[str, None, Completed]:
        """The deltas as they come, then what ``ending`` comes to. Left early, it gives the call up.

        Raises:
            Stopped: it was stopped.
            ModelTooLate: nothing came for ``silent_s`` seconds, or before ``until``.
        """
        ending.add_done_callback(lambda _: self._deltas.put(None))
        try:
            while (delta := self._next(until, silent_s)) is not None:
                yield delta
            return ending.result()
        finally:
            if not ending.done():
                self._give_up()

    def _next(self, until: float, silent_s: float) -> str | None:
        until = min(until, self._timer.monotonic() + silent_s)
        while not self._is_stopped():
            left_s = until - self._timer.monotonic()
            try:
                return self._deltas.get(timeout=max(0.0, min(left_s, LOOK_EVERY_S)))
            except Empty:
                if left_s <= 0:
                    raise ModelTooLate from None
        raise Stopped

    def _give_up(self) -> None:
        with self._lock:
            self._given_up = True
            if self._hang_up is not None:
                self._hang_up()
