"""A tenant's token bucket and the bytes of its day, in the table: one item per tenant, which every process
that serves it draws from.

Each step is one conditional update, whoever else draws at the moment. When to draw is
`conversation.limits.local_bucket`' business.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple, cast

from conversation.limits.rates import Pace, to_micros
from storage import keys
from storage.errors import ConditionRefused, StorageUnavailable
from storage.keys import TenantId
from storage.table import (
    Add,
    AnyOf,
    AtLeast,
    AtMost,
    Change,
    Conditions,
    Equals,
    Item,
    NotExists,
    Remove,
    Set,
    Update,
)
from storage.tenant import Tables

KEPT = timedelta(days=2)
"""How long after the last turn the item is looked after; a bucket nobody draws from is full anyway."""

TOO_FAR = 10_000
"""Turns: a bucket that far from having a token was drawn from by a clock that has been set back since."""

_FULL_AT = "full_at"
_BYTES = "bytes_"
_TRIES = 4


class Owed(NamedTuple):
    """Turns that are to be taken out of the bucket, and when the first of them began."""

    turns: int
    since: int
    stored_bytes: int = 0


class Level(NamedTuple):
    """A bucket as it was seen: when it is full again, and what was stored on the ``day``."""

    full_at: int = 0
    day: str = ""
    stored_bytes: int = 0
    stale: tuple[str, ...] = ()
    """What is left of other days."""


class Buckets:
    """The buckets of every tenant; safe to use from several threads and processes."""

    def __init__(self, *, tables: Tables) -> None:
        self._tables = tables

    def draw(
        self, tenant: TenantId, pace: Pace, owed: Owed, now: datetime, *, seen: Level
    ) -> tuple[Level, bool]:
        """Take all that is owed, if there is a token for the last of those turns; else only the others, which
        have begun, and say False.

        One request where the bucket stands as it was ``seen``; another where others drew meanwhile, and
        where it is empty.

        Raises:
            StorageUnavailable: nothing is known of the bucket.
        """
        level, was_taken = self._take(tenant, pace, owed, now, seen, is_due=False)
        begun = owed._replace(turns=owed.turns - 1)
        if not was_taken and (begun.turns or begun.stored_bytes):
            level, _ = self._take(tenant, pace, begun, now, level, is_due=True)
        return level, was_taken

    def _take(
        self, tenant: TenantId, pace: Pace, owed: Owed, now: datetime, level: Level, *, is_due: bool
    ) -> tuple[Level, bool]:
        table, day = self._tables.for_tenant(tenant), now.date().isoformat()
        for _ in range(_TRIES):
            try:
                item = table.update(_taking(tenant, pace, owed, now, level, is_due=is_due))
            except ConditionRefused as refused:
                level = _level(refused.old, day)
            else:
                return _level(item, day), True
            if not is_due and 0 < pace.wait_us(level.full_at, to_micros(now)) < _absurd_us(pace):
                return level, False
        raise StorageUnavailable("the bucket kept changing")


def _taking(tenant: TenantId, pace: Pace, owed: Owed, now: datetime, level: Level, *, is_due: bool) -> Update:
    """Move on the moment at which the bucket is full, from where it is or, if it was full when the first of
    the turns began, from then.

    A response that is lost has the request sent, and the tokens taken, twice: they come back with time.
    """
    amount, has_room = owed.turns * pace.interval_us, pace.latest_us(to_micros(now))
    moved: Change = Set(_FULL_AT, owed.since + amount)
    conditions: Conditions
    if pace.wait_us(level.full_at, to_micros(now)) >= _absurd_us(pace):
        conditions = (Equals(_FULL_AT, level.full_at),)
    elif level.full_at <= owed.since:
        conditions = (AnyOf(((NotExists(_FULL_AT),), (AtMost(_FULL_AT, owed.since),))),)
    else:
        moved = Add(_FULL_AT, amount)
        conditions = (AtLeast(_FULL_AT, owed.since), *(() if is_due else (AtMost(_FULL_AT, has_room),)))
    day = f"{_BYTES}{now.date().isoformat()}"
    stored = (Add(day, owed.stored_bytes),) if owed.stored_bytes else ()
    kept = Set("expires_at", int((now + KEPT).timestamp()))
    return Update(
        keys.bucket(tenant), (moved, *stored, kept, *(Remove(name) for name in level.stale)), conditions
    )


def _absurd_us(pace: Pace) -> int:
    return TOO_FAR * pace.interval_us


def _level(item: Item | None, day: str) -> Level:
    if item is None:
        return Level()
    days = [name for name in item if name.startswith(_BYTES)]
    today = f"{_BYTES}{day}"
    stale = tuple(sorted(name for name in days if name != today))
    return Level(cast("int", item[_FULL_AT]), day, cast("int", item.get(today, 0)), stale)
