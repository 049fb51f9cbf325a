"""Earlier days for a tenant's conversations when its policy keeps them shorter than it did.

Expired conversations are unreadable at once, whatever day the `due` index has for them; this has the sweep
find them in time. A policy that keeps longer needs nothing: the sweep moves what is due too early.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from conversation.clock import Clock, Deadline
from conversation.models import Status
from conversation.policy import TenantPolicy
from conversation.records import head_from_item
from conversation.retention import head_kept_until, is_shortened, next_due_day
from conversation.tenants import TenantStore, record_from_item
from storage import keys
from storage.errors import ConditionRefused
from storage.keys import TenantId
from storage.table import Equals, Item, Key, Position, Query, Set, Update
from storage.tenant import Tables

KNOWN_EVERYWHERE_S = 65
"""After how long no function knows a policy as it was before a change: no conversation begins under it."""

PAGE = 100
TRIES = 3


@dataclass(frozen=True, slots=True)
class Redating:
    """A tenant whose conversations have to get earlier days; ``after``: where to go on."""

    tenant: TenantId
    after: Position | None = None


def redating_for(key: Key, old: Item | None, new: Item | None) -> Redating | None:
    """What a write to the table asks for here: something when it shortens a tenant's retention."""
    if key.sort != keys.POLICY or new is None:
        return None
    tenant = keys.tenant_of(key.partition)
    before, after = (record_from_item(tenant, item).policy for item in (old, new))
    return Redating(tenant) if is_shortened(before, after) else None


class Redater:
    """Re-dates conversations of any tenant; doing it again does no harm."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock
        self._tenants = TenantStore(tables=tables, clock=clock)

    def run(self, redating: Redating, deadline: Deadline) -> Redating | None:
        """Give conversations their days until the deadline; what is left to do, None: nothing."""
        tenant = redating.tenant
        query = Query(
            keys.by_tenant(tenant), PAGE, index=keys.BY_TENANT.name, after=redating.after, consistent=False
        )
        while deadline.remaining() > 0:
            page = self._tables.for_tenant(tenant).query(query)
            policy = self._tenants.record(tenant).policy
            for found in page.items:
                self._redate(tenant, Key(str(found["pk"]), str(found["sk"])), policy)
            if page.after is None:
                return None
            query = replace(query, after=page.after)
        return Redating(tenant, query.after)

    def _redate(self, tenant: TenantId, key: Key, policy: TenantPolicy) -> None:
        table = self._tables.for_tenant(tenant)
        for _ in range(TRIES):
            item = table.get(key)
            if item is None or item["status"] == Status.GONE:
                return
            until = head_kept_until(head_from_item(item), policy)
            due, day = str(item["due"]), next_due_day(until, policy, self._clock.now())
            if day >= keys.due_day_of(due):
                return
            earlier = Set("due", keys.due(day, key.partition.rpartition("#")[2]))
            try:
                table.update(Update(key, (earlier,), (Equals("due", due),)))
            except ConditionRefused:
                continue
            return
