"""The rate limiters of several processes that share a table and a clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from conversation.clock import Clock
from conversation.errors import RateLimited
from conversation.identity import Caller
from conversation.limits.limiter import Turnstile
from conversation.limits.rates import Pace, TenantLimits
from conversation.tenants.policy import Grant, Limits
from storage.keys import TenantId
from storage.table import Table
from storage.tenant import Tables


@dataclass
class KnownLimits:
    """A source of limits that are always known."""

    known: Mapping[TenantId, Limits] = field(default_factory=dict)
    granted: Mapping[TenantId, Grant] = field(default_factory=dict)

    def at_hand(self, tenant: TenantId) -> TenantLimits | None:
        return self._of(tenant)

    def read(self, tenant: TenantId) -> TenantLimits:
        return self._of(tenant)

    def _of(self, tenant: TenantId) -> TenantLimits:
        return TenantLimits(self.known.get(tenant, Limits()), self.granted.get(tenant, Grant()))


def process(
    table: Table, clock: Clock, pace: Pace, limits: Mapping[TenantId, Limits] | None = None
) -> Turnstile:
    """Return the turn limiter of one process."""
    return Turnstile(tables=Tables(table), clock=clock, most=pace, limits=KnownLimits(limits or {}))


def sends(turnstile: Turnstile, caller: Caller) -> int:
    """Run a turn that ends at once. Returns 0, or the seconds after which a rejected turn may be retried."""
    try:
        turnstile.enter(caller, content_bytes=0).leave()
    except RateLimited as limited:
        return limited.retry_after_s or 0
    return 0
