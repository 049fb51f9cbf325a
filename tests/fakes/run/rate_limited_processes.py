"""The rate limiters of several processes that share a table and a clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from conversation.clock import Clock
from conversation.errors import RateLimited
from conversation.identity import Caller
from conversation.limits.limiter import TurnLimiter
from conversation.limits.rates import RateLimits, TenantLimits
from conversation.tenants.policy import Grant, Limits
from storage.keys import TenantId
from storage.table import Table
from storage.tenant_table import Tables


@dataclass
class KnownLimits:
    """A source of limits that are always known."""

    known: Mapping[TenantId, Limits] = field(default_factory=dict)
    granted: Mapping[TenantId, Grant] = field(default_factory=dict)

    def cached(self, tenant: TenantId) -> TenantLimits | None:
        return self._of(tenant)

    def load(self, tenant: TenantId) -> TenantLimits:
        return self._of(tenant)

    def _of(self, tenant: TenantId) -> TenantLimits:
        return TenantLimits(self.known.get(tenant, Limits()), self.granted.get(tenant, Grant()))


def turn_limiter(
    table: Table, clock: Clock, pace: RateLimits, limits: Mapping[TenantId, Limits] | None = None
) -> TurnLimiter:
    """Return the turn limiter of one process."""
    return TurnLimiter(tables=Tables(table), clock=clock, defaults=pace, limits=KnownLimits(limits or {}))


def retry_seconds(turnstile: TurnLimiter, caller: Caller) -> int:
    """Run a turn that ends at once. Returns 0, or the seconds after which a rejected turn may be retried."""
    try:
        turnstile.acquire(caller, content_bytes=0).release()
    except RateLimited as limited:
        return limited.retry_after_s or 0
    return 0
