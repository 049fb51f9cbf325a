"""Limits a user's concurrent turns: counted exactly in this process, and in the table only where it matters.

A turn takes a slot in the table when many of the user's turns are under way in this process, when the table
recently showed many, or once the turn has lasted long. So short turns in other processes are not counted
otherwise.
"""

from __future__ import annotations

import threading
from collections import Counter
from datetime import datetime, timedelta
from functools import cached_property
from typing import NamedTuple, cast

from conversation.clock import Clock, to_millis
from conversation.errors import TooManyTurns
from conversation.identity import Caller, new_id
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
            except BaseException:
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
                self._slots.release(active_turn.caller, active_turn.slot)
            except StorageUnavailable:
                return  # the slot expires

    @cached_property
    def _slots(self) -> ConcurrencySlots:

        return ConcurrencySlots(tables=self._tables)

    def _take_slot(self, active_turn: ActiveTurn, *, at_most: int | None) -> None:
        """Take a slot in the table. An unreachable table stops no turn."""
        active_turn.is_shared, now = True, self._clock.now()
        try:
            active_turn.slot = self._slots.acquire(active_turn.caller, at_most=at_most, now=now)
        except StorageUnavailable:
            return
        except TooManyTurns:
            self._watched.put((active_turn.caller.tenant, active_turn.caller.user), True)
            raise
        if active_turn.slot.slots_taken * 2 >= active_turn.limit:
            self._watched.put((active_turn.caller.tenant, active_turn.caller.user), True)


SLOT_LIFETIME = timedelta(minutes=2)
"""After this time the slot of a turn that did not end properly is free again; no turn lasts as long."""

_FREED_AT_ONCE = 40
"""An expression names every slot it frees, and may not be longer than 4 KB."""
_TRIES = 10


class ConcurrencySlot(NamedTuple):
    """One turn's slot; ``taken`` is the number of the user's slots, this one included."""

    key: Key
    name: str
    slots_taken: int


class ConcurrencySlots:
    """The slots of all users; safe to use from several threads and processes."""

    def __init__(self, *, tables: Tables) -> None:
        self._tables = tables

    def acquire(self, caller: Caller, *, at_most: int | None, now: datetime) -> ConcurrencySlot:
        """Take a slot if fewer than ``at_most`` are taken; ``at_most`` None: take one in any case, for a turn
        that has already started. One request, plus some to free expired slots.

        Raises:
            TooManyTurns: all slots are taken.
            StorageUnavailable: the number of taken slots is unknown.
        """
        table, key = (
            self._tables.for_tenant(caller.tenant),
            keys.concurrency_slots(caller.tenant, caller.user),
        )
        name = f"{to_millis(now + SLOT_LIFETIME):015d}-{new_id()[:12]}"
        for _ in range(_TRIES):
            try:
                item = table.update(_taking(key, name, at_most, now))
            except ConditionRefused as refused:
                if name in _names(refused.old):
                    return ConcurrencySlot(key, name, len(_names(refused.old)))  # a response was lost
                if not _free_expired(table, key, refused.old, now):
                    raise TooManyTurns from None
            else:
                return ConcurrencySlot(key, name, len(_names(item)))
        raise StorageUnavailable("the slots kept changing")

    def release(self, caller: Caller, slot: ConcurrencySlot) -> None:
        """Free the slot; an expired slot is already free."""
        changes = (Exclude("seats", frozenset({slot.name})), Add("taken", -1))
        try:
            self._tables.for_tenant(caller.tenant).update(
                Update(slot.key, changes, (Contains("seats", slot.name),))
            )
        except ConditionRefused:
            return


def _taking(key: Key, name: str, at_most: int | None, now: datetime) -> Update:
    expires_at = int((now + SLOT_LIFETIME + SLOT_LIFETIME).timestamp())
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
