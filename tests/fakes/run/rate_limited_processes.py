"""Processes of one deployment that share a table and a clock, as far as limits go."""

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
    """Limits that are always at hand."""

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
    """The turnstile of one process."""
    return Turnstile(tables=Tables(table), clock=clock, most=pace, limits=KnownLimits(limits or {}))


def sends(turnstile: Turnstile, caller: Caller) -> int:
    """A turn that is over at once: 0, or after how many seconds it may be tried again."""
    try:
        turnstile.enter(caller, content_bytes=0).leave()
    except RateLimited as limited:
        return limited.retry_after_s or 0
    return 0
