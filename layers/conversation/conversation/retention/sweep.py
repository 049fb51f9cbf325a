"""The sweep: removes expired conversations, reading only those listed in the `due` index.

A conversation is due on the day it would expire without further activity. If there was activity, the sweep
moves it to a later day, so that turns never pay for retention. Any number of sweeps may run at once, die and
be continued: a conversation is claimed before it is removed, and counted once.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from typing import cast

from conversation.clock import Clock, Deadline
from conversation.messages.items import LEGAL_HOLD, head_from_item
from conversation.messages.models import Status
from conversation.retention.expiry import MAX_RETENTION_DAYS, head_kept_until, next_due_day
from conversation.retention.removal_writes import (
    delete_items,
    is_tombstone,
    mark_for_removal,
    message_count_of,
    tombstone,
)
from conversation.tenants.store import PolicyCache, TenantRecord
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.items import item_key
from storage.keys import TenantId
from storage.table import (
    Add,
    AnyOf,
    AtMost,
    Check,
    Conditions,
    Equals,
    Item,
    Key,
    NotExists,
    Query,
    Set,
    Update,
    query_pages,
)
from storage.tenant_table import Tables

_LOG = logging.getLogger(__name__)

PAGE = 100
TRIES = 3
_POLICY_AGE = timedelta(seconds=30)
_ONE_DAY = timedelta(days=1)


@dataclass(slots=True)
class SweepReport:
    """What one run did, or would have done in a dry run; all counts but ``messages`` are conversations."""

    looked_at: int = 0
    removed: int = 0
    messages: int = 0
    """Messages of the removed conversations."""
    moved: int = 0
    """Moved to a later day because of activity, or because their tenant keeps conversations longer now."""
    held: int = 0
    """Moved to a later day because of a legal hold."""
    busy: int = 0
    """Left for the next run: a turn was being answered, or concurrent changes made every try fail."""
    finished: bool = True
    """False when the deadline passed and another run has to continue."""


@dataclass(frozen=True, slots=True)
class SweepState:
    """The state kept between runs. All days before ``day`` are done; None: no day is done yet."""

    day: date | None = None
    conversations: int = 0
    """Removed by all runs together."""
    messages: int = 0


class Sweep:
    """Sweeps the conversations of all tenants; needs access to the whole table, as the retention role has."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock
        self._policies = PolicyCache(tables=tables, clock=clock, max_age=_POLICY_AGE)

    def run(self, deadline: Deadline, *, dry_run: bool = False) -> SweepReport:
        """Process every conversation due up to today, or until the deadline. A dry run changes nothing."""
        report, today = SweepReport(), self._clock.now().astimezone(UTC).date()
        day = first_day = min(self.state().day or today - timedelta(days=MAX_RETENTION_DAYS), today)
        done_before = day
        while day <= today and report.finished:
            is_done = self._sweep_day(day, report, deadline, dry_run=dry_run)
            if is_done and done_before == day:
                done_before = day + _ONE_DAY
            day += _ONE_DAY
        # The index lags behind writes: a due day that was set just before midnight may not show in it yet.
        done_before = min(done_before, today - _ONE_DAY)
        if not dry_run and done_before > first_day:
            self._save_progress(done_before)
        _LOG.info("retention looked through" if dry_run else "retention swept", extra=asdict(report))
        return report

    def state(self) -> SweepState:
        """The progress and totals of all runs together."""
        item = self._tables.across_tenants.get(keys.SWEEP)
        if item is None:
            return SweepState()
        day = item.get("day")
        return SweepState(
            day=date.fromisoformat(str(day)) if day else None,
            conversations=cast("int", item.get("conversations", 0)),
            messages=cast("int", item.get("messages", 0)),
        )

    def _save_progress(self, done_before: date) -> None:
        day = done_before.isoformat()
        only_forward: Conditions = (AnyOf(((NotExists("day"),), (AtMost("day", day),))),)
        try:
            self._tables.across_tenants.update(Update(keys.SWEEP, (Set("day", day),), only_forward))
        except ConditionRefused:
            return  # another run got further

    def _sweep_day(self, day: date, report: SweepReport, deadline: Deadline, *, dry_run: bool) -> bool:
        """Process one due day; whether all of it is done."""
        is_done = True
        for shard in range(keys.DUE_SHARDS):
            if deadline.remaining() <= 0:
                report.finished = False
                return False
            for key in self._due(day, shard):
                if deadline.remaining() <= 0:
                    report.finished = False
                    return False
                report.looked_at += 1
                is_done = self._process(key, report, dry_run=dry_run) and is_done
        return is_done

    def _due(self, day: date, shard: int) -> Iterator[Key]:
        query = Query(keys.due_on(day, shard), PAGE, index=keys.DUE.name, consistent=False)
        for page in query_pages(self._tables.across_tenants, query):
            yield from map(item_key, page.items)

    def _process(self, key: Key, report: SweepReport, *, dry_run: bool) -> bool:
        """Remove the conversation or move it to another day; False when it is left as it is."""
        tenant = keys.tenant_of(key.partition)
        for _ in range(TRIES):
            head = self._tables.for_tenant(tenant).get(key)
            if head is None or is_tombstone(head):
                return True  # the index lags behind
            try:
                return self._process_head(tenant, head, report, dry_run=dry_run)
            except (ConditionRefused, TransactionRefused):
                self._policies.invalidate(tenant)
        report.busy += 1
        return False

    def _process_head(self, tenant: TenantId, item: Item, report: SweepReport, *, dry_run: bool) -> bool:
        """One try of `_process`, for a head that was just read.

        Raises:
            ConditionRefused, TransactionRefused: the head or the tenant's policy has changed since.
        """
        if item["status"] == Status.GONE:
            self._finish(tenant, item, report, dry_run=dry_run)
            return True
        now, record = self._clock.now(), self._policies.record(tenant)
        head = head_from_item(item)
        until = head_kept_until(head, record.policy)
        if until is None or until >= now:
            report.held += until is None
            report.moved += until is not None
            if not dry_run:
                self._move(tenant, item, next_due_day(until, record.policy, now))
            return True
        if head.is_leased(now):
            report.busy += 1
            return False
        if not dry_run:
            self._claim(tenant, item, record, now)
        self._finish(tenant, item, report, dry_run=dry_run)
        return True

    def _move(self, tenant: TenantId, item: Item, day: date) -> None:
        due = keys.due(day, _conversation_of(item))
        self._tables.for_tenant(tenant).update(
            Update(item_key(item), (Set("due", due),), (Equals("due", str(item["due"])),))
        )

    def _claim(self, tenant: TenantId, item: Item, record: TenantRecord, now: datetime) -> None:
        # A hold or a longer retention set a moment ago must win over the policy this run has cached.
        claimed = mark_for_removal(item, now=now, conditions=(NotExists(LEGAL_HOLD),))
        self._tables.for_tenant(tenant).transact([claimed, Check(keys.policy(tenant), record.unchanged)])

    def _finish(self, tenant: TenantId, item: Item, report: SweepReport, *, dry_run: bool) -> None:
        """Clear a claimed conversation, then write its tombstone and the count in one transaction."""
        messages = message_count_of(item)
        if not dry_run:
            delete_items(self._tables.for_tenant(tenant), tenant, _conversation_of(item))
            count = Update(keys.SWEEP, (Add("conversations", 1), Add("messages", messages)))
            try:
                self._tables.across_tenants.transact([tombstone(item, self._clock.now()), count])
            except TransactionRefused:
                return  # another run finished it and counted it
        report.removed += 1
        report.messages += messages


def _conversation_of(item: Item) -> str:
    return keys.conversation_id_of(str(item["pk"]))
