"""Where a turn begins, or is told to wait because its tenant or user has had too much: how fast, how many at
once, how much in a day.

A turnstile never waits itself, and lets pass what it can't ask the table about. What models cost is
`conversation.usage.budgets`'s business.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Protocol

from conversation.clock import Clock
from conversation.errors import DailyBytesReached
from conversation.identity import Caller
from conversation.limits.concurrency import Crowds, Presence
from conversation.limits.local_bucket import Gauge
from conversation.limits.rates import Pace, TenantLimits, to_micros, until_midnight_s
from conversation.limits.token_bucket import Buckets, Owed
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from storage.tenant import Tables

LOG = logging.getLogger("omniforge.limits")

MAX_TENANTS = 4_096
"""Whose gauges are kept; a tenant that comes back later begins with a new one."""


class LimitsOf(Protocol):
    """Where the limits of tenants are found."""

    def at_hand(self, tenant: TenantId) -> TenantLimits | None:
        """The tenant's limits if they are known and fresh; never a request."""

    def read(self, tenant: TenantId) -> TenantLimits:
        """The tenant's limits, at most a minute old."""


class Turnstile:
    """One per process, for all its tenants; safe to use from several threads."""

    def __init__(self, *, tables: Tables, clock: Clock, most: Pace, limits: LimitsOf) -> None:
        """``most``: what the deployment lets every tenant have that was granted nothing else."""
        self._buckets = Buckets(tables=tables)
        self._crowds = Crowds(tables=tables, clock=clock)
        self._clock = clock
        self._most = most
        self._limits = limits
        self._kept: OrderedDict[TenantId, tuple[Pace, Gauge]] = OrderedDict()
        self._lock = threading.Lock()

    def enter(self, caller: Caller, *, content_bytes: int) -> Passage:
        """Let a turn begin whose message has so many bytes; 0: nothing of it is stored. The passage has to be
        left, whatever becomes of the turn.

        Raises:
            RateLimited: the tenant's users send too fast.
            DailyBytesReached: too much was stored for the tenant today.
            TooManyTurns: too many of the user's are under way.
        """
        pace, gauge = self._gauge(caller.tenant)
        now = self._clock.now()
        if content_bytes:
            self._require_bytes(caller.tenant, pace, gauge, content_bytes, now)
        gauge.require_open(to_micros(now))
        passage = Passage(self._crowds, self._crowds.enter(caller, pace.turns_at_once), gauge, content_bytes)
        try:
            self._draw(caller.tenant, pace, gauge, now)
        except BaseException:
            passage.leave()
            raise
        return passage

    @contextmanager
    def passed(self, caller: Caller) -> Iterator[None]:
        """What is done in the block counts as a turn of which nothing is stored.

        Raises:
            RateLimited, TooManyTurns: see `enter`; the block is not run.
        """
        passage = self.enter(caller, content_bytes=0)
        try:
            yield
        finally:
            passage.leave()

    def require_open(self, caller: Caller) -> None:
        """Refuse, without a request, what is known to be refused by `enter`: before anything is read for it.

        Raises:
            RateLimited: see `enter`.
        """
        _, gauge = self._gauge(caller.tenant)
        gauge.require_open(to_micros(self._clock.now()))

    def _draw(self, tenant: TenantId, pace: Pace, gauge: Gauge, now: datetime) -> None:
        owed = gauge.begin(pace, to_micros(now))
        if owed is not None:
            self._ask(tenant, pace, gauge, owed, now)

    def _ask(self, tenant: TenantId, pace: Pace, gauge: Gauge, owed: Owed, now: datetime) -> None:
        try:
            level, was_taken = self._buckets.draw(tenant, pace, owed, now, seen=gauge.level)
        except StorageUnavailable:
            LOG.warning("limits_not_shared", extra={"tenant": tenant})
            gauge.saw_nothing(pace, owed, to_micros(now))
        else:
            gauge.saw(pace, level, to_micros(now), was_taken=was_taken)

    def _require_bytes(
        self, tenant: TenantId, pace: Pace, gauge: Gauge, content_bytes: int, now: datetime
    ) -> None:
        stored = gauge.stored_bytes(now.date().isoformat()) + content_bytes
        if stored <= pace.bytes_per_day:
            return
        # Nobody else reads the policy of a tenant whose every turn is refused, and it may have been raised.
        with suppress(StorageUnavailable):
            if stored <= self._limits.read(tenant).of(self._most).bytes_per_day:
                return
        raise DailyBytesReached(until_midnight_s(now))

    def _gauge(self, tenant: TenantId) -> tuple[Pace, Gauge]:
        limits = self._limits.at_hand(tenant)
        with self._lock:
            pace, gauge = self._kept.get(tenant) or (self._most, Gauge())
            if limits is not None:
                pace = limits.of(self._most)
            self._kept[tenant] = (pace, gauge)
            self._kept.move_to_end(tenant)
            while len(self._kept) > MAX_TENANTS:
                self._kept.popitem(last=False)
            return pace, gauge


class Passage:
    """A turn that was let begin."""

    def __init__(self, crowds: Crowds, presence: Presence, gauge: Gauge, content_bytes: int) -> None:
        self._crowds = crowds
        self._presence = presence
        self._gauge = gauge
        self._content_bytes = content_bytes

    def lasts(self) -> None:
        """To be told every now and then while the turn goes on."""
        self._crowds.lasts(self._presence)

    def stored(self, answer: str = "") -> None:
        """The message was stored, and the answer with it."""
        if self._content_bytes:
            self._gauge.stored(self._content_bytes + len(answer.encode()))

    def leave(self) -> None:
        """The turn is over."""
        self._crowds.leave(self._presence)
