"""What the retention function is asked to do besides by its schedule, as it lies in its queue."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from conversation.clock import Clock, Deadline
from conversation.messages.items import head_from_item
from conversation.messages.models import Status
from conversation.retention.rules import head_kept_until, is_shortened, next_due_day
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import TenantStore, record_from_item
from storage import keys
from storage.errors import ConditionRefused
from storage.keys import TenantId, parse_tenant
from storage.stream_record import StreamRecord
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


@dataclass(frozen=True, slots=True)
class SweepOn:
    """Go on with the sweep: a run ended before everything was dealt with."""

    def to_body(self) -> str:
        """As it lies in a queue."""
        return json.dumps({"do": "sweep"})


@dataclass(frozen=True, slots=True)
class Redate:
    """Give a tenant's conversations earlier days, or go on with it."""

    redating: Redating

    def to_body(self) -> str:
        """As it lies in a queue."""
        after = self.redating.after
        request = {"do": "redate", "tenant": self.redating.tenant, "after": dict(after) if after else None}
        return json.dumps(request)


@dataclass(frozen=True, slots=True)
class Erase:
    """Carry out an erasure, or go on with it."""

    tenant: TenantId
    erasure_id: str

    def to_body(self) -> str:
        """As it lies in a queue."""
        return json.dumps({"do": "erase", "tenant": self.tenant, "erasure": self.erasure_id})


RetentionRequest: TypeAlias = SweepOn | Redate | Erase


def request_from(body: str) -> RetentionRequest:
    """What `to_body` wrote.

    Raises:
        ValueError, KeyError: for anything else.
    """
    members = json.loads(body)
    match members["do"]:
        case "sweep":
            return SweepOn()
        case "redate":
            return Redate(Redating(parse_tenant(members["tenant"]), members["after"]))
        case "erase":
            return Erase(parse_tenant(members["tenant"]), str(members["erasure"]))
        case unknown:
            raise ValueError(f"there is no work called {unknown!r}")


class RetentionQueue(Protocol):
    """Delivers at least once, in no particular order."""

    def send(self, request: Redate, *, delay_s: int = 0) -> None:
        """Ask for it to be done, not before the delay is over.

        Raises:
            QueueUnavailable: nothing was queued (`conversation.turns.deferred_turn`).
        """


class Shortening:
    """Follows the changes of all tenants' policies."""

    def __init__(self, queue: RetentionQueue) -> None:
        self._queue = queue

    def follow(self, change: StreamRecord) -> None:
        """Have conversations re-dated where the change asks for it.

        Raises:
            QueueUnavailable: it is not asked for; try again later.
        """
        redating = redating_for(change.key, change.old, change.new)
        if redating is not None:
            # Until then conversations may begin under the old policy.
            self._queue.send(Redate(redating), delay_s=KNOWN_EVERYWHERE_S)
