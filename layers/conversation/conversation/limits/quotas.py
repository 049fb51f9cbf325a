"""Quotas: how many things of each kind a user and a tenant may make or start in a UTC day, and may have.

Each kind has a default (`DAILY`, `StockLimits`). Operators set others for a tenant, its admins may only lower
them. A quota is counted in one item per user and one per tenant and day, each with one conditional update, so
concurrent processes never let more through than the limit. A process remembers what is used up and sends no
request for what it knows to be refused. While the table is out of reach, nobody is refused.

Turns have limits of their own (`conversation.limits.limiter`), and so has what models cost
(`conversation.usage`).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple, cast

from conversation.clock import Clock
from conversation.errors import QuotaExceeded
from conversation.identity import Caller
from conversation.limits.rates import until_midnight_s
from conversation.tenants.policy import DailyCaps
from conversation.tenants.store import PolicyCache, TenantRecord
from resilience.cache import Cache
from storage import keys
from storage.errors import ConditionRefused, StorageUnavailable
from storage.table import Add, AnyOf, AtMost, Key, NotExists, Set, Update
from storage.tenant_table import Tables

LOG = logging.getLogger("omniforge.limits")

KEPT = timedelta(days=2)
"""How long the counters of a day are kept at least."""
MAX_REMEMBERED = 4_096
"""Counters that a process remembers; a forgotten one costs one more request."""


class QuotaKind(StrEnum):
    """What is counted; the values are fields of `conversation.tenants.policy.DailyCaps`."""

    RUNS = "runs"
    FORKS = "forks"
    IMPORTS = "imports"
    EXPORTS = "exports"
    SKILL_CHECKS = "skill_checks"
    CHECKS = "checks"
    AGENTS = "agents"
    SKILLS = "skills"
    TASKS = "tasks"
    CONVERSATIONS = "conversations"
    ERASURES = "erasures"
    ATTACHMENTS = "attachments"


class Quota(NamedTuple):
    """The default limits of a kind in a UTC day, and what an error calls it."""

    per_user: int
    per_tenant: int
    what: str


DAILY: Mapping[QuotaKind, Quota] = {
    QuotaKind.RUNS: Quota(500, 5_000, "runs"),
    QuotaKind.FORKS: Quota(100, 1_000, "forks"),
    QuotaKind.IMPORTS: Quota(10_000, 100_000, "imported conversations"),
    QuotaKind.EXPORTS: Quota(2_000, 20_000, "exported pages"),
    QuotaKind.SKILL_CHECKS: Quota(100, 1_000, "checks of skills"),
    QuotaKind.CHECKS: Quota(3_000, 30_000, "scheduled checks of web addresses"),
    QuotaKind.AGENTS: Quota(100, 1_000, "new agents"),
    QuotaKind.SKILLS: Quota(50, 200, "new skills"),
    QuotaKind.TASKS: Quota(500, 10_000, "new tasks"),
    QuotaKind.CONVERSATIONS: Quota(500, 10_000, "new conversations"),
    QuotaKind.ERASURES: Quota(1_000, 5_000, "erasures"),
    QuotaKind.ATTACHMENTS: Quota(200, 5_000, "attachments"),
}
"""What every tenant has that operators granted nothing else."""


class Used(NamedTuple):
    """How many things of a kind were made or started in a UTC day."""

    of_user: int
    of_tenant: int


class StockLimits(NamedTuple):
    """How much a tenant may have at a time; the defaults are the deployment's."""

    agents: int = 1_000
    skills: int = 100
    skills_per_user: int = 25
    runs_at_once: int = 10

    @classmethod
    def of(cls, record: TenantRecord) -> StockLimits:
        """The effective limits of the tenant."""
        grant, own, most = record.grant, record.policy.limits, cls()
        return cls(
            agents=_lower(most.agents, grant.agents, own.agents),
            skills=_lower(most.skills, grant.skills, own.skills),
            skills_per_user=_lower(most.skills_per_user, grant.skills_per_user, own.skills_per_user),
            runs_at_once=_lower(most.runs_at_once, grant.runs_at_once, own.runs_at_once),
        )


class Quotas:
    """The quotas of all tenants; safe to use from several threads and processes."""

    def __init__(self, *, tables: Tables, clock: Clock, policies: PolicyCache | None = None) -> None:
        """``policies`` None: a cache of its own."""
        self._tables = tables
        self._clock = clock
        self._policies = policies or PolicyCache(tables=tables, clock=clock)
        self._used = Cache[tuple[Key, QuotaKind], int](MAX_REMEMBERED)

    def take(
        self, caller: Caller, kind: QuotaKind, amount: int = 1, *, record: TenantRecord | None = None
    ) -> None:
        """Count so many things of the kind for the caller and the caller's tenant, before they are made. What
        is counted and not made in the end stays counted.

        Two requests; one when the user's limit is reached, none when this process knows it.

        ``record``: the tenant's record where the caller has just read it; None: one that is at most five
        seconds old, which may take another request.

        Raises:
            QuotaExceeded: nothing may be made; the user's or the tenant's limit is reached.
        """
        now = self._clock.now()
        try:
            known = record or self._policies.record(caller.tenant)
            most = limits_of(known, kind)
            user = keys.user_quota(caller.tenant, caller.user, now.date())
            tenant = keys.quota(caller.tenant, now.date())
            self._refuse_if_known(tenant, kind, amount, most.per_tenant, now, of_user=False)
            self._count(user, kind, amount, most.per_user, now, of_user=True)
            self._count(tenant, kind, amount, most.per_tenant, now, of_user=False)
        except StorageUnavailable:
            LOG.warning("quota_not_counted", extra={"tenant": caller.tenant, "kind": kind.value})

    def check(self, caller: Caller, kind: QuotaKind) -> None:
        """Refuse what `take` is known to refuse, without counting it; called before anything is read for it.
        At most one request, for the tenant's policy.

        Raises:
            QuotaExceeded: see `take`.
        """
        now = self._clock.now()
        try:
            most = limits_of(self._policies.record(caller.tenant), kind)
        except StorageUnavailable:
            return
        user = keys.user_quota(caller.tenant, caller.user, now.date())
        self._refuse_if_known(user, kind, 1, most.per_user, now, of_user=True)
        tenant = keys.quota(caller.tenant, now.date())
        self._refuse_if_known(tenant, kind, 1, most.per_tenant, now, of_user=False)

    def used_today(self, caller: Caller, kind: QuotaKind) -> Used:
        """Return what the caller and the caller's tenant made or started today; two requests."""
        day, table = self._clock.now().date(), self._tables.for_tenant(caller.tenant)
        user = table.get(keys.user_quota(caller.tenant, caller.user, day)) or {}
        tenant = table.get(keys.quota(caller.tenant, day)) or {}
        return Used(cast("int", user.get(kind.value, 0)), cast("int", tenant.get(kind.value, 0)))

    def _refuse_if_known(
        self, key: Key, kind: QuotaKind, amount: int, limit: int, now: datetime, *, of_user: bool
    ) -> None:
        if (self._used.get((key, kind)) or 0) + amount > limit:
            raise QuotaExceeded(kind.value, DAILY[kind].what, limit, until_midnight_s(now), of_user=of_user)

    def _count(
        self, key: Key, kind: QuotaKind, amount: int, limit: int, now: datetime, *, of_user: bool
    ) -> None:
        self._refuse_if_known(key, kind, amount, limit, now, of_user=of_user)
        changes = (Add(kind.value, amount), Set("expires_at", int((now + KEPT).timestamp())))
        has_room = AnyOf(((NotExists(kind.value),), (AtMost(kind.value, limit - amount),)))
        try:
            self._tables.for_tenant(keys.tenant_of(key.partition)).update(Update(key, changes, (has_room,)))
        except ConditionRefused as refused:
            self._used.put((key, kind), cast("int", (refused.old or {}).get(kind.value, limit)))
            self._refuse_if_known(key, kind, amount, limit, now, of_user=of_user)


def limits_of(record: TenantRecord, kind: QuotaKind) -> Quota:
    """The effective limits of the tenant for a kind."""
    default, grant, own = DAILY[kind], record.grant, record.policy.limits
    return default._replace(
        per_user=_lower(
            default.per_user, _cap(grant.per_user_per_day, kind), _cap(own.per_user_per_day, kind)
        ),
        per_tenant=_lower(default.per_tenant, _cap(grant.per_day, kind), _cap(own.per_day, kind)),
    )


def _cap(caps: DailyCaps, kind: QuotaKind) -> int | None:
    return cast("int | None", getattr(caps, kind.value))


def _lower(default: int, granted: int | None, own: int | None) -> int:
    """The operators' limit, else the deployment's; the tenant's own where that is lower."""
    most = default if granted is None else granted
    return most if own is None else min(most, own)
