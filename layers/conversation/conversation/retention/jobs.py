"""Jobs of the retention queue: continue the sweep, re-date a tenant's conversations, carry out an erasure."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from conversation.clock import Clock, Deadline
from conversation.messages.items import head_from_item
from conversation.messages.models import Status
from conversation.retention.expiry import head_kept_until, next_due_day
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.retention_grace import is_shorter
from conversation.tenants.store import TenantStore, record_from_item
from storage import keys
from storage.errors import ConditionRefused
from storage.items import item_key
from storage.keys import TenantId, parse_tenant
from storage.table import Equals, Item, Key, Position, Query, Set, StreamRecord, Update
from storage.tenant_table import Tables

_POLICY_PROPAGATION_S = 65
"""Seconds after a policy change when no function has the old policy cached, so none begins a conversation
under it."""

PAGE = 100
TRIES = 3


@dataclass(frozen=True, slots=True)
class RetentionUpdate:
    """A tenant whose conversations need earlier due days. ``after`` is the page position to continue from."""

    tenant: TenantId
    after: Position | None = None


def retention_update_for(key: Key, old: Item | None, new: Item | None) -> RetentionUpdate | None:
    """Return the re-dating that a write to the table requires; None unless it shortens a tenant's
    retention."""
    if key.sort != keys.POLICY or new is None:
        return None
    tenant = keys.tenant_of(key.partition)
    before, after = (record_from_item(tenant, item).policy for item in (old, new))
    return RetentionUpdate(tenant) if is_shorter(after, before) else None


class RetentionUpdater:
    """Gives any tenant's conversations earlier due days after a shortened retention; idempotent."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock
        self._tenants = TenantStore(tables=tables, clock=clock)

    def run(self, update: RetentionUpdate, deadline: Deadline) -> RetentionUpdate | None:
        """Set earlier due days until the deadline. Return what is left to do, or None when all is done."""
        tenant = update.tenant
        query = Query(
            keys.by_tenant(tenant), PAGE, index=keys.BY_TENANT.name, after=update.after, consistent=False
        )
        while deadline.remaining() > 0:
            page = self._tables.for_tenant(tenant).query(query)
            policy = self._tenants.record(tenant).policy
            for item in page.items:
                self._set_earlier_due_day(tenant, item_key(item), policy)
            if page.after is None:
                return None
            query = replace(query, after=page.after)
        return RetentionUpdate(tenant, query.after)

    def _set_earlier_due_day(self, tenant: TenantId, key: Key, policy: TenantPolicy) -> None:
        table = self._tables.for_tenant(tenant)
        for _ in range(TRIES):
            item = table.get(key)
            if item is None or item["status"] == Status.GONE:
                return
            until = head_kept_until(head_from_item(item), policy)
            due, day = str(item["due"]), next_due_day(until, policy, self._clock.now())
            if day >= keys.due_day_of(due):
                return
            earlier = Set("due", keys.due(day, keys.conversation_id_of(key.partition)))
            try:
                table.update(Update(key, (earlier,), (Equals("due", due),)))
            except ConditionRefused:
                continue
            return


@dataclass(frozen=True, slots=True)
class ContinueSweepJob:
    """Continue the sweep: a run ended before everything due was processed."""

    @property
    def tenant(self) -> TenantId | None:
        """None: the sweep is for all tenants."""
        return None

    def to_body(self) -> str:
        """The job as the body of a queue message."""
        return json.dumps({"do": "sweep"})


@dataclass(frozen=True, slots=True)
class UpdateRetentionJob:
    """Give a tenant's conversations earlier due days, or continue doing so."""

    retention_update: RetentionUpdate

    @property
    def tenant(self) -> TenantId:
        """The tenant whose conversations they are."""
        return self.retention_update.tenant

    def to_body(self) -> str:
        """The job as the body of a queue message."""
        after = self.retention_update.after
        request = {
            "do": "redate",
            "tenant": self.retention_update.tenant,
            "after": dict(after) if after else None,
        }
        return json.dumps(request)


@dataclass(frozen=True, slots=True)
class EraseJob:
    """Carry out an erasure, or continue it."""

    tenant: TenantId
    erasure_id: str

    def to_body(self) -> str:
        """The job as the body of a queue message."""
        return json.dumps({"do": "erase", "tenant": self.tenant, "erasure": self.erasure_id})


RetentionJob: TypeAlias = ContinueSweepJob | UpdateRetentionJob | EraseJob


def parse_job(body: str) -> RetentionJob:
    """Parse the body of a queue message that `to_body` wrote.

    Raises:
        ValueError, KeyError: the body is not a retention job.
    """
    members = json.loads(body)
    match members["do"]:
        case "sweep":
            return ContinueSweepJob()
        case "redate":
            return UpdateRetentionJob(RetentionUpdate(parse_tenant(members["tenant"]), members["after"]))
        case "erase":
            return EraseJob(parse_tenant(members["tenant"]), str(members["erasure"]))
        case unknown:
            raise ValueError(f"there is no work called {unknown!r}")


class RetentionQueue(Protocol):
    """A queue that delivers jobs at least once, in no particular order."""

    def send(self, request: UpdateRetentionJob | EraseJob, *, delay_s: int = 0) -> None:
        """Queue the job for delivery after the delay.

        Raises:
            QueueUnavailable: nothing was queued (`conversation.turns.deferred_turn`).
        """


class RetentionFollower:
    """Handles stream records of tenant policies: queues a re-dating when a retention is shortened."""

    def __init__(self, queue: RetentionQueue) -> None:
        self._queue = queue

    def handle(self, change: StreamRecord) -> None:
        """Queue a re-dating if the change shortens a tenant's retention.

        Raises:
            QueueUnavailable: nothing was queued; try again later.
        """
        update = retention_update_for(change.key, change.old, change.new)
        if update is not None:
            # Functions with the old policy cached may begin conversations under it until then.
            self._queue.send(UpdateRetentionJob(update), delay_s=_POLICY_PROPAGATION_S)
