"""Processes of one deployment that share a table and a clock, as far as limits go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from conversation.clock import Clock
from conversation.errors import RateLimited
from conversation.identity import Caller
from conversation.pace import Pace
from conversation.policy import Limits
from conversation.turnstile import Turnstile
from storage.keys import TenantId
from storage.table import Table
from storage.tenant import Tables


@dataclass
class KnownLimits:
    """Limits that are always at hand."""

    known: Mapping[TenantId, Limits] = field(default_factory=dict)

    def at_hand(self, tenant: TenantId) -> Limits | None:
        return self.known.get(tenant, Limits())

    def read(self, tenant: TenantId) -> Limits:
        return self.known.get(tenant, Limits())


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
