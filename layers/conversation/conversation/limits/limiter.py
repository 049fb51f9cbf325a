"""Applies a tenant's and a user's limits before a turn starts: rate, concurrent turns, bytes per day.

The limiter never waits, and admits a turn when it can't reach the table. The cost of models is limited in
`conversation.usage.budgets`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from conversation.clock import Clock
from conversation.errors import DailyQuotaExceeded
from conversation.identity import Caller
from conversation.limits.concurrency import ActiveTurn, ConcurrencyLimiter
from conversation.limits.local_bucket import LocalBucket
from conversation.limits.rates import RateLimits, TenantLimits, to_microseconds, until_midnight_s
from conversation.limits.stored_bytes import StoredBytes
from conversation.limits.token_bucket import TokenBuckets, UnreportedUse
from conversation.limits.user_shares import share_name
from resilience.cache import Cache
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from storage.tenant_table import Tables

LOG = logging.getLogger("omniforge.limits")

MAX_TENANTS = 4_096
"""Tenants whose local state is kept; an evicted tenant starts with fresh state when it returns."""


class LimitsSource(Protocol):
    """Provides the limits of tenants."""

    def cached(self, tenant: TenantId) -> TenantLimits | None:
        """The tenant's limits if they are cached and fresh; never makes a request."""

    def load(self, tenant: TenantId) -> TenantLimits:
        """The tenant's limits, at most a minute old."""


class TurnLimiter:
    """Limits the turns of all tenants in this process; safe to use from several threads."""

    def __init__(self, *, tables: Tables, clock: Clock, defaults: RateLimits, limits: LimitsSource) -> None:
        """``defaults``: the limits that the deployment allows every tenant without a grant of its own."""
        self._buckets = TokenBuckets(tables=tables)
        self._stored_bytes = StoredBytes(tables=tables, clock=clock, rates=defaults)
        self._concurrency = ConcurrencyLimiter(tables=tables, clock=clock)
        self._clock = clock
        self._defaults = defaults
        self._limits = limits
        self._tenants = Cache[TenantId, _TenantState](MAX_TENANTS)

    def acquire(self, caller: Caller, *, content_bytes: int) -> TurnPermit:
        """Admit a turn and return its permit, which must be released (`TurnPermit.release`) in every case.

        ``content_bytes`` is the size of the message; 0: nothing of the turn is stored.

        Raises:
            RateLimited: the tenant's users send too fast, and this one more than a share.
            DailyQuotaExceeded: the tenant's or the user's storage quota of the day is used up.
            TooManyTurns: the user has too many turns under way.
        """
        rates, bucket = self._tenant_state(caller.tenant)
        now = self._clock.now()
        if content_bytes:
            self._require_bytes(caller.tenant, rates, bucket, content_bytes, now)
            self._require_user_bytes(caller, rates, content_bytes)
        bucket.check_rate(rates, share_name(caller), to_microseconds(now))
        permit = TurnPermit(
            self._concurrency,
            self._concurrency.acquire(caller, rates.turns_at_once),
            bucket,
            content_bytes,
            lambda stored: self._stored_bytes.record_turn(caller, stored, rates),
        )
        try:
            self._draw(caller, rates, bucket, now)
        except BaseException:  # raised again: no slot stays taken
            permit.release()
            raise
        return permit

    @contextmanager
    def permit(self, caller: Caller) -> Iterator[None]:
        """A context manager that counts its block as a turn of which nothing is stored.

        Raises:
            RateLimited, TooManyTurns: see `acquire`; the block is not run.
        """
        permit = self.acquire(caller, content_bytes=0)
        try:
            yield
        finally:
            permit.release()

    def check_rate(self, caller: Caller) -> None:
        """Refuse, without a request, a turn that `acquire` is known to refuse; called before anything is read
        for it.

        Raises:
            RateLimited: see `acquire`.
        """
        rates, bucket = self._tenant_state(caller.tenant)
        bucket.check_rate(rates, share_name(caller), to_microseconds(self._clock.now()))

    def _draw(self, caller: Caller, rates: RateLimits, bucket: LocalBucket, now: datetime) -> None:
        unreported = bucket.admit(rates, share_name(caller), to_microseconds(now))
        if unreported is not None:
            self._ask(caller, rates, bucket, unreported, now)

    def _ask(
        self, caller: Caller, rates: RateLimits, bucket: LocalBucket, unreported: UnreportedUse, now: datetime
    ) -> None:
        tenant, user, now_us = caller.tenant, share_name(caller), to_microseconds(now)
        begun = bucket.begun(rates, user, now_us)
        try:
            state, was_taken = self._buckets.draw(
                tenant, rates, unreported, now, seen=bucket.state, begun=begun
            )
        except StorageUnavailable:
            LOG.warning("limits_not_shared", extra={"tenant": tenant})
            bucket.record_outage(rates, user, unreported, now_us)
        else:
            bucket.record(rates, user, state, now_us, was_taken=was_taken)

    def _require_bytes(
        self, tenant: TenantId, rates: RateLimits, bucket: LocalBucket, content_bytes: int, now: datetime
    ) -> None:
        stored = bucket.stored_bytes(now.date().isoformat()) + content_bytes
        if stored <= rates.bytes_per_day:
            return
        # While every turn is refused, nothing else reads the policy, and the limit may have been raised.
        with suppress(StorageUnavailable):
            if stored <= self._limits.load(tenant).effective(self._defaults).bytes_per_day:
                return
        raise DailyQuotaExceeded(until_midnight_s(now))

    def _require_user_bytes(self, caller: Caller, rates: RateLimits, content_bytes: int) -> None:
        try:
            self._stored_bytes.require_for_turn(caller, content_bytes, rates)
        except DailyQuotaExceeded:
            with suppress(StorageUnavailable):
                latest = self._limits.load(caller.tenant).effective(self._defaults)
                return self._stored_bytes.require_for_turn(caller, content_bytes, latest)
            raise

    def _tenant_state(self, tenant: TenantId) -> tuple[RateLimits, LocalBucket]:
        state = self._tenants.get_or_put(tenant, lambda: _TenantState(self._defaults, LocalBucket()))
        limits = self._limits.cached(tenant)
        if limits is not None:
            state.rates = limits.effective(self._defaults)
        return state.rates, state.bucket


@dataclass(slots=True)
class _TenantState:
    """A tenant's limits as they were seen last, and its bucket."""

    rates: RateLimits
    bucket: LocalBucket


class TurnPermit:
    """The permit of an admitted turn."""

    def __init__(
        self,
        concurrency: ConcurrencyLimiter,
        active_turn: ActiveTurn,
        bucket: LocalBucket,
        content_bytes: int,
        record_for_user: Callable[[int], None],
    ) -> None:
        self._concurrency = concurrency
        self._presence = active_turn
        self._tenant_state = bucket
        self._content_bytes = content_bytes
        self._record_for_user = record_for_user

    def keep_alive(self) -> None:
        """Report that the turn continues; to be called now and then."""
        self._concurrency.keep_alive(self._presence)

    def record_stored(self, answer: str = "") -> None:
        """Report that the message was stored, with this answer."""
        if self._content_bytes:
            stored = self._content_bytes + len(answer.encode())
            self._tenant_state.record_stored(stored)
            self._record_for_user(stored)

    def release(self) -> None:
        """Report the end of the turn."""
        self._concurrency.release(self._presence)
