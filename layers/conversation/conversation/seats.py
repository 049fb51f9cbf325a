"""The turns of a user that are under way in all processes: one item per user, with a member of a set for each
turn until it leaves or its time is over.

Most turns never come here; which ones do is `conversation.crowds`' business.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple, cast

from conversation.clock import to_millis
from conversation.errors import TooManyTurns
from conversation.identity import Caller, new_id
from storage import keys
from storage.errors import ConditionRefused, StorageUnavailable
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
from storage.tenant import Tables

LIFETIME = timedelta(minutes=2)
"""After which the seat of a turn that never left is free again; no turn lasts as long."""

_FREED_AT_ONCE = 40
"""An expression names every seat it frees, and may not be longer than 4 KB."""
_TRIES = 10


class Seat(NamedTuple):
    """One turn's place, and how many of the user's were taken with it."""

    key: Key
    name: str
    taken: int


class Seats:
    """The seats of every user; safe to use from several threads and processes."""

    def __init__(self, *, tables: Tables) -> None:
        self._tables = tables

    def take(self, caller: Caller, *, at_most: int | None, now: datetime) -> Seat:
        """A seat, while fewer than ``at_most`` are taken; None: in any case, the turn is under way. One
        request, besides those that free what others left behind.

        Raises:
            TooManyTurns: all are taken.
            StorageUnavailable: nothing is known of the others.
        """
        table, key = self._tables.for_tenant(caller.tenant), keys.seats(caller.tenant, caller.user)
        name = f"{to_millis(now + LIFETIME):015d}-{new_id()[:12]}"
        for _ in range(_TRIES):
            try:
                item = table.update(_taking(key, name, at_most, now))
            except ConditionRefused as refused:
                if name in _names(refused.old):
                    return Seat(key, name, len(_names(refused.old)))  # the answer to an earlier try was lost
                if not _free_the_late(table, key, refused.old, now):
                    raise TooManyTurns from None
            else:
                return Seat(key, name, len(_names(item)))
        raise StorageUnavailable("the seats kept changing")

    def leave(self, caller: Caller, seat: Seat) -> None:
        """Free the seat; one that ran out meanwhile is free already."""
        changes = (Exclude("seats", frozenset({seat.name})), Add("taken", -1))
        try:
            self._tables.for_tenant(caller.tenant).update(
                Update(seat.key, changes, (Contains("seats", seat.name),))
            )
        except ConditionRefused:
            return


def _taking(key: Key, name: str, at_most: int | None, now: datetime) -> Update:
    expires_at = int((now + LIFETIME + LIFETIME).timestamp())
    changes = (Include("seats", frozenset({name})), Add("taken", 1), Set("expires_at", expires_at))
    unseated: Conditions = (NotContains("seats", name),)
    if at_most is None:
        return Update(key, changes, unseated)
    return Update(key, changes, (*unseated, AnyOf(((NotExists("taken"),), (AtMost("taken", at_most - 1),)))))


def _free_the_late(table: Table, key: Key, item: Item | None, now: datetime) -> bool:
    """Free the seats whose time is over; False when there is none."""
    late = sorted(name for name in _names(item) if int(name.partition("-")[0]) <= to_millis(now))
    if not late:
        return False
    freed = late[:_FREED_AT_ONCE]
    changes = (Exclude("seats", frozenset(freed)), Add("taken", -len(freed)))
    try:
        table.update(Update(key, changes, tuple(Contains("seats", name) for name in freed)))
    except ConditionRefused:
        return True  # somebody else frees one of them: look again
    return True


def _names(item: Item | None) -> frozenset[str]:
    return cast("frozenset[str]", item.get("seats", frozenset())) if item else frozenset()
