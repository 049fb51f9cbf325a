"""Renewal of a lease while a long turn is answered; a renewal also shows whether the turn is to stop."""

from __future__ import annotations

import logging
import threading
from datetime import timedelta
from types import TracebackType

from conversation.clock import Clock, Deadline
from conversation.messages.items import ConversationHead
from conversation.turns.admission import LEASE_DURATION
from conversation.turns.lease import HeldLease, LeaseLost
from conversation.turns.turn_protocol import TurnProtocol
from resilience import timers
from storage.errors import StorageUnavailable

LOG = logging.getLogger("omniforge.turns")

RENEW_EVERY_S = 10.0
RENEW_FOR_S = 180.0
"""Longer than any function may run that answers messages."""


class LeaseRenewer:
    """Renews a lease every ten seconds while the block runs; a turn that is answered sooner costs no request.

    Nothing is renewed after `RENEW_FOR_S`: work that hangs must not keep its lease for good.

    ``lost`` is True once a renewal was refused: another process answers the message, so the draft must be
    discarded. ``stop`` is set once the turn is to end.

    Raises:
        LeaseLost: from ``__enter__``, before any work is done.
    """

    def __init__(
        self,
        protocol: TurnProtocol,
        led: HeldLease,
        *,
        clock: Clock,
        stop: threading.Event,
        every_s: float = RENEW_EVERY_S,
    ) -> None:
        self._protocol = protocol
        self._led = led
        self._clock = clock
        self._renew_until = Deadline.after(clock, RENEW_FOR_S)
        self._stop = stop
        self._every_s = every_s
        self._ended = threading.Event()
        self._lost = threading.Event()

    @property
    def lost(self) -> bool:
        """Whether another process leads now."""
        return self._lost.is_set()

    def __enter__(self) -> LeaseRenewer:
        head: ConversationHead | None = self._led.head
        # When storage was slow or this process stood still, the lease may be nearly or fully over, and so may
        # the renewed one.
        while head is not None and self._is_short(head):
            head = self._renew()
        if head is None:
            raise LeaseLost
        self._timer = timers.SHARED.start_in(self._every_s, self._tick, name="lease")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._timer.cancel()

    def _is_short(self, head: ConversationHead) -> bool:
        """Whether the lease is older than the renewal interval."""
        left = head.lease.until - self._clock.now() if head.lease else timedelta()
        return left < LEASE_DURATION - timedelta(seconds=self._every_s)

    def _tick(self) -> None:
        if self._ended.is_set() or self._renew_until.remaining() <= 0:
            return
        try:
            self._renew()
        except StorageUnavailable:
            # There are two more tries before the lease runs out.
            LOG.warning("lease_not_renewed", extra={"turn_id": str(self._led.turn_id)})
        if not self.lost:
            self._timer = timers.SHARED.start_in(self._every_s, self._tick, name="lease")

    def _renew(self) -> ConversationHead | None:
        head = self._protocol.renew(self._led)
        if head is None:
            self._lost.set()
        elif self._led.entry.ulid in head.stopped:
            self._stop.set()
        return head
