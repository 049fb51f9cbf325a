"""A stream of answer deltas from the thread that reads them to the thread that waits for them.

`llm.completion` produces the deltas.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future
from queue import Empty, SimpleQueue

from llm.errors import ModelTimeout
from llm.request_types import ModelResponse, Timer

POLL_INTERVAL_S = 0.1
"""How often a silent stream checks whether it was stopped."""


class StreamStopped(Exception):
    """The caller stopped the answer."""


class ResponseStream:
    """The deltas of one call, each passed on as it arrives."""

    def __init__(self, timer: Timer, is_stopped: Callable[[], bool]) -> None:
        self._timer = timer
        self._is_stopped = is_stopped
        self._deltas: SimpleQueue[str | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._hang_up: Callable[[], None] | None = None
        self._given_up = False

    @property
    def is_abandoned(self) -> bool:
        """Whether the caller has stopped waiting."""
        return self._given_up

    def write(self, delta: str) -> None:
        """Pass a delta on without blocking."""
        self._deltas.put(delta)

    def attach(self, hang_up: Callable[[], None]) -> None:
        """Register ``hang_up``, which is called on giving up and wakes the reading thread."""
        with self._lock:
            self._hang_up = hang_up
            if self._given_up:
                hang_up()

    def detach(self) -> None:
        """Unregister ``hang_up``: the reading thread closes the connection itself from here on."""
        with self._lock:
            self._hang_up = None

    def deltas(
        self, ending: Future[ModelResponse], until: float, max_silence_s: float
    ) -> Generator[str, None, ModelResponse]:
        """Yield the deltas as they arrive, then return the result of ``ending``.

        Closing the generator early abandons the call.

        Raises:
            StreamStopped: the caller stopped the answer.
            ModelTimeout: nothing arrived for ``max_silence_s`` seconds, or before ``until``.
        """
        ending.add_done_callback(lambda _: self._deltas.put(None))
        try:
            while (delta := self._next(until, max_silence_s)) is not None:
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
                return self._deltas.get(timeout=max(0.0, min(left_s, POLL_INTERVAL_S)))
            except Empty:
                if left_s <= 0:
                    raise ModelTimeout from None
        raise StreamStopped

    def _give_up(self) -> None:
        with self._lock:
            self._given_up = True
            if self._hang_up is not None:
                self._hang_up()
