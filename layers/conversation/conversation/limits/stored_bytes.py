"""Counts the bytes that are stored for a user in a UTC day, and what copies store for user and tenant.

Of turns, each process reports a user's bytes when they reach a two-hundredth of the day's limit, so that most
turns take no request for it. Forks and imports report at once. `conversation.limits.token_bucket` counts the
bytes of a tenant's turns.
"""

from __future__ import annotations

import logging
import threading
from datetime import datetime
from typing import cast

from conversation.clock import Clock
from conversation.errors import DailyQuotaExceeded
from conversation.identity import Caller
from conversation.limits.quotas import KEPT
from conversation.limits.rates import RateLimits, TenantLimits, until_midnight_s
from conversation.limits.token_bucket import TokenBuckets
from conversation.tenants.store import TenantRecord
from resilience.cache import Cache
from storage import keys
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from storage.table import Add, Set, Update
from storage.tenant_table import Tables

LOG = logging.getLogger("omniforge.limits")

MAX_USERS = 4_096
REPORT_DIVISOR = 200
_BYTES = "bytes"


class StoredBytes:
    """The stored bytes of all users; safe to use from several threads and processes."""

    def __init__(self, *, tables: Tables, clock: Clock, rates: RateLimits | None = None) -> None:
        """``rates``: the limits that the deployment allows every tenant without a grant of its own."""
        self._tables = tables
        self._clock = clock
        self._rates = rates or RateLimits()
        self._buckets = TokenBuckets(tables=tables)
        self._users = Cache[tuple[TenantId, str], _UserBytes](MAX_USERS)

    def require_for_turn(self, caller: Caller, content_bytes: int, rates: RateLimits) -> None:
        """Refuse a message that does not fit into the user's day, as far as this process knows; no request.

        Raises:
            DailyQuotaExceeded: the user's storage quota of the day is used up.
        """
        now = self._clock.now()
        if self._user(caller).total(now) + content_bytes > rates.bytes_per_user_per_day:
            raise DailyQuotaExceeded(until_midnight_s(now), of_user=True)

    def record_turn(self, caller: Caller, content_bytes: int, rates: RateLimits) -> None:
        """Count what a turn stored; a request only once there is enough to report."""
        now, user = self._clock.now(), self._user(caller)
        if user.add(content_bytes, now) * REPORT_DIVISOR >= rates.bytes_per_user_per_day:
            try:
                self._report(caller, user, now)
            except StorageUnavailable:
                LOG.warning("bytes_not_counted", extra={"tenant": caller.tenant})

    def require_for_copy(self, caller: Caller, record: TenantRecord) -> None:
        """Refuse a copy while the day's bytes of the user or of the tenant are used up. A copy that has begun
        is made to its end. Two requests.

        Raises:
            DailyQuotaExceeded: nothing may be copied.
        """
        now = self._clock.now()
        rates = TenantLimits(record.policy.limits, record.grant).effective(self._rates)
        try:
            item = self._tables.for_tenant(caller.tenant).get(
                keys.user_quota(caller.tenant, caller.user, now.date())
            )
            of_tenant = self._buckets.stored_bytes(caller.tenant, now)
        except StorageUnavailable:
            return
        is_user_full = cast("int", (item or {}).get(_BYTES, 0)) >= rates.bytes_per_user_per_day
        if is_user_full or of_tenant >= rates.bytes_per_day:
            raise DailyQuotaExceeded(until_midnight_s(now), of_user=is_user_full)

    def record_copy(self, caller: Caller, content_bytes: int) -> None:
        """Count what a copy stored, for the user and for the tenant; two requests."""
        if not content_bytes:
            return
        now, user = self._clock.now(), self._user(caller)
        user.add(content_bytes, now)
        try:
            self._report(caller, user, now)
            self._buckets.add_bytes(caller.tenant, content_bytes, now)
        except StorageUnavailable:
            LOG.warning("bytes_not_counted", extra={"tenant": caller.tenant})

    def _user(self, caller: Caller) -> _UserBytes:
        return self._users.get_or_put((caller.tenant, caller.user), _UserBytes)

    def _report(self, caller: Caller, user: _UserBytes, now: datetime) -> None:
        amount = user.take_unreported(now)
        changes = (Add(_BYTES, amount), Set("expires_at", int((now + KEPT).timestamp())))
        key = keys.user_quota(caller.tenant, caller.user, now.date())
        try:
            item = self._tables.for_tenant(caller.tenant).update(Update(key, changes))
        except StorageUnavailable:
            user.restore_unreported(amount)
            raise
        user.record_reported(cast("int", item[_BYTES]), now)


class _UserBytes:
    """One process's view of a user's day; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._day = ""
        self._reported = 0
        self._unreported = 0

    def total(self, now: datetime) -> int:
        """The bytes of the day, as far as this process knows."""
        with self._lock:
            self._turn_page(now)
            return self._reported + self._unreported

    def add(self, content_bytes: int, now: datetime) -> int:
        """Count bytes and return how many are to be reported."""
        with self._lock:
            self._turn_page(now)
            self._unreported += content_bytes
            return self._unreported

    def take_unreported(self, now: datetime) -> int:
        """The bytes to report, which from now on count as reported."""
        with self._lock:
            self._turn_page(now)
            amount, self._unreported = self._unreported, 0
            self._reported += amount
            return amount

    def restore_unreported(self, amount: int) -> None:
        """Take back `take_unreported`."""
        with self._lock:
            self._reported -= amount
            self._unreported += amount

    def record_reported(self, total: int, now: datetime) -> None:
        """Remember the total that the table has."""
        with self._lock:
            self._turn_page(now)
            self._reported = max(self._reported, total)

    def _turn_page(self, now: datetime) -> None:
        day = now.date().isoformat()
        if day != self._day:
            self._day, self._reported, self._unreported = day, 0, 0
