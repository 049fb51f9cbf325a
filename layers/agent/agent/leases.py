"""Keeping a lease alive while a long turn is answered."""

from __future__ import annotations

import threading
from types import TracebackType

from conversation.leading import Led
from conversation.turns import TurnProtocol

RENEW_EVERY_S = 10.0


class LeaseKeeper:
    """Renews a lease every ten seconds while the block runs; a turn that is answered sooner costs no request.

    ``lost`` is True once a renewal was refused: somebody else answers the message, so what is being thought
    is to be discarded.
    """

    def __init__(self, protocol: TurnProtocol, led: Led, *, every_s: float = RENEW_EVERY_S) -> None:
        self._protocol = protocol
        self._led = led
        self._every_s = every_s
        self._ended = threading.Event()
        self._lost = threading.Event()
        self._timer = self._next()

    @property
    def lost(self) -> bool:
        """Whether somebody else leads now."""
        return self._lost.is_set()

    def __enter__(self) -> LeaseKeeper:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._timer.cancel()

    def _next(self) -> threading.Timer:
        timer = threading.Timer(self._every_s, self._tick)
        timer.daemon = True
        return timer

    def _tick(self) -> None:
        if self._ended.is_set():
            return
        if not self._protocol.renew(self._led):
            self._lost.set()
            return
        self._timer = self._next()
        self._timer.start()
