"""Limits what happens at the same time: a user's turns (`ConcurrencyLimiter`), a tenant's runs (`RunSlots`).

Turns are counted exactly in this process, and in the table only where it matters; runs in the table alone.

A turn takes a slot in the table when many of the user's turns are under way in this process, when the table
recently showed many, or once the turn has lasted long. So short turns in other processes are not counted
otherwise.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from functools import cached_property
from typing import NamedTuple, cast

from conversation.clock import Clock, to_millis
from conversation.errors import TooManyTurns
from conversation.identity import Caller, new_id
from conversation.limits.quotas import StockLimits
from conversation.tenants.store import PolicyCache
from resilience.cache import Cache
from storage import keys
from storage.errors import ConditionRefused, StorageUnavailable
from storage.keys import TenantId
from storage.table import (
    Add,
    AnyOf,
    AtMost,
    Conditions,
    Contains,
    Exclude,
    Include,
    Item,
    Key,
    NotContains,
    NotExists,
    Set,
    Table,
    Update,
)
from storage.tenant_table import Tables

LONG_TURN = timedelta(seconds=10)
"""The duration after which a turn takes a slot in the table; also the time until its lease is renewed."""
WATCH_PERIOD = timedelta(seconds=30)
"""How long every turn of a user takes a slot after the table showed many."""
MAX_WATCHED_USERS = 1_024


class ActiveTurn:
    """A turn under way."""

    def __init__(self, caller: Caller, limit: int, since: datetime) -> None:
        self.caller = caller
        self.limit = limit
        self.since = since
        self.slot: ConcurrencySlot | None = None
        self.is_shared = False
        """Whether a slot in the table was taken or requested."""


class ConcurrencyLimiter:
    """Counts the concurrent turns of all users that this process serves; safe to use from several threads."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock
        self._local_counts: Counter[tuple[TenantId, str]] = Counter()
        self._watched = Cache[tuple[TenantId, str], bool](
            MAX_WATCHED_USERS, ttl_s=WATCH_PERIOD.total_seconds(), now=lambda: clock.now().timestamp()
        )
        self._lock = threading.Lock()

    def acquire(self, caller: Caller, limit: int) -> ActiveTurn:
        """Count a turn in; `release` counts it out again.

        Raises:
            TooManyTurns: the user's limit is reached.
        """
        who, now = (caller.tenant, caller.user), self._clock.now()
        with self._lock:
            if self._local_counts[who] >= limit:
                raise TooManyTurns
            self._local_counts[who] += 1
            is_many = self._local_counts[who] >= max(2, limit // 8)
        active_turn = ActiveTurn(caller, limit, now)
        if is_many or self._watched.get(who):
            try:
                self._take_slot(active_turn, at_most=limit)
            except BaseException:  # raised again: no slot stays taken
                self.release(active_turn)
                raise
        return active_turn

    def keep_alive(self, active_turn: ActiveTurn) -> None:
        """Report that the turn continues; a long turn takes a slot in the table, so that other processes
        count it.
        """
        if not active_turn.is_shared and self._clock.now() - active_turn.since >= LONG_TURN:
            self._take_slot(active_turn, at_most=None)

    def release(self, active_turn: ActiveTurn) -> None:
        """Count the turn out."""
        who = (active_turn.caller.tenant, active_turn.caller.user)
        with self._lock:
            self._local_counts[who] -= 1
            if self._local_counts[who] <= 0:
                del self._local_counts[who]
        if active_turn.slot is not None:
            try:
                self._slots.release(active_turn.slot)
            except StorageUnavailable:
                return  # the slot expires

    @cached_property
    def _slots(self) -> ConcurrencySlots:

        return ConcurrencySlots(tables=self._tables)

    def _take_slot(self, active_turn: ActiveTurn, *, at_most: int | None) -> None:
        """Take a slot in the table. An unreachable table stops no turn."""
        active_turn.is_shared, now = True, self._clock.now()
        try:
            active_turn.slot = self._slots.acquire(_slots_of(active_turn.caller), at_most=at_most, now=now)
        except StorageUnavailable:
            return
        except AllSlotsTaken:
            self._watched.put((active_turn.caller.tenant, active_turn.caller.user), True)
            raise TooManyTurns from None
        if active_turn.slot.slots_taken * 2 >= active_turn.limit:
            self._watched.put((active_turn.caller.tenant, active_turn.caller.user), True)


SLOT_LIFETIME = timedelta(minutes=2)
"""After this time the slot of a turn that did not end properly is free again; no turn lasts as long."""

_FREED_AT_ONCE = 40
"""An expression names every slot it frees, and may not be longer than 4 KB."""
_TRIES = 10


class AllSlotsTaken(Exception):
    """As many slots of the item are taken as may be."""


class ConcurrencySlot(NamedTuple):
    """One taken slot; ``slots_taken`` is how many of the item are taken, this one included."""

    key: Key
    name: str
    slots_taken: int


class ConcurrencySlots:
    """The slots in all items; safe to use from several threads and processes."""

    def __init__(self, *, tables: Tables, lifetime: timedelta = SLOT_LIFETIME) -> None:
        """``lifetime``: after this time a slot that was not released is free again."""
        self._tables = tables
        self._lifetime = lifetime

    def acquire(self, key: Key, *, at_most: int | None, now: datetime) -> ConcurrencySlot:
        """Take a slot of the item if fewer than ``at_most`` are taken; ``at_most`` None: take one in any
        case, for what has already started. One request, plus some to free expired slots.

        Raises:
            AllSlotsTaken: see this class.
            StorageUnavailable: the number of taken slots is unknown.
        """
        table, expires_at = self._table(key), now + self._lifetime
        name = f"{to_millis(expires_at):015d}-{new_id()[:12]}"
        for _ in range(_TRIES):
            try:
                item = table.update(_taking(key, name, at_most, expires_at + self._lifetime))
            except ConditionRefused as refused:
                if name in _names(refused.old):
                    return ConcurrencySlot(key, name, len(_names(refused.old)))  # a response was lost
                if not _free_expired(table, key, refused.old, now):
                    raise AllSlotsTaken from None
            else:
                return ConcurrencySlot(key, name, len(_names(item)))
        raise StorageUnavailable("the slots kept changing")

    def release(self, slot: ConcurrencySlot) -> None:
        """Free the slot; an expired slot is already free."""
        changes = (Exclude("seats", frozenset({slot.name})), Add("taken", -1))
        try:
            self._table(slot.key).update(Update(slot.key, changes, (Contains("seats", slot.name),)))
        except ConditionRefused:
            return

    def _table(self, key: Key) -> Table:
        return self._tables.for_tenant(keys.tenant_of(key.partition))


class TooManyRuns(Exception):
    """The tenant has as many runs under way as it may: try again later."""


class RunSlots:
    """The runs and skill checks that all tenants have under way; safe to use from several threads and
    processes.
    """

    def __init__(
        self, *, tables: Tables, clock: Clock, lifetime: timedelta, policies: PolicyCache | None = None
    ) -> None:
        """``lifetime``: longer than any run takes; after this time the slot of a function that died is free.
        ``policies`` None: a cache of its own.
        """
        self._slots = ConcurrencySlots(tables=tables, lifetime=lifetime)
        self._clock = clock
        self._policies = policies or PolicyCache(tables=tables, clock=clock)

    @contextmanager
    def hold(self, tenant: TenantId) -> Iterator[None]:
        """A context manager that counts its block as a run of the tenant. Two requests, and now and then one
        for the tenant's policy. An unreachable table stops no run here.

        Raises:
            TooManyRuns: the block is not run.
        """
        slot = self._take(tenant)
        try:
            yield
        finally:
            if slot is not None:
                with suppress(StorageUnavailable):  # it expires
                    self._slots.release(slot)

    def _take(self, tenant: TenantId) -> ConcurrencySlot | None:
        try:
            most = StockLimits.of(self._policies.record(tenant)).runs_at_once
            return self._slots.acquire(keys.run_slots(tenant), at_most=most, now=self._clock.now())
        except AllSlotsTaken:
            raise TooManyRuns from None
        except StorageUnavailable:
            return None


def _slots_of(caller: Caller) -> Key:
    return keys.concurrency_slots(caller.tenant, caller.user)


def _taking(key: Key, name: str, at_most: int | None, item_expires_at: datetime) -> Update:
    expires_at = int(item_expires_at.timestamp())
    changes = (Include("seats", frozenset({name})), Add("taken", 1), Set("expires_at", expires_at))
    unseated: Conditions = (NotContains("seats", name),)
    if at_most is None:
        return Update(key, changes, unseated)
    return Update(key, changes, (*unseated, AnyOf(((NotExists("taken"),), (AtMost("taken", at_most - 1),)))))


def _free_expired(table: Table, key: Key, item: Item | None, now: datetime) -> bool:
    """Free expired slots; False when there are none."""
    late = sorted(name for name in _names(item) if int(name.partition("-")[0]) <= to_millis(now))
    if not late:
        return False
    freed = late[:_FREED_AT_ONCE]
    changes = (Exclude("seats", frozenset(freed)), Add("taken", -len(freed)))
    try:
        table.update(Update(key, changes, tuple(Contains("seats", name) for name in freed)))
    except ConditionRefused:
        return True  # another process frees one of them: look again
    return True


def _names(item: Item | None) -> frozenset[str]:
    return cast("frozenset[str]", item.get("seats", frozenset())) if item else frozenset()
