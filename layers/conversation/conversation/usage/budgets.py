"""A hard cap on what models cost a tenant in a day: money is put aside before a call and settled after it.

One item per tenant and UTC day, and every step is one conditional update of it: however many processes ask at
the same moment, no more is put aside than the cap. What a call may cost is not known here, nor what a tenant
may spend.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import NamedTuple, cast

from conversation.clock import Clock, to_millis
from conversation.identity import new_id
from storage import keys
from storage.errors import ConditionRefused
from storage.keys import TenantId
from storage.table import (
    Add,
    AtMost,
    Change,
    Changes,
    Conditions,
    Exists,
    Item,
    Key,
    NotExists,
    Put,
    Remove,
    Set,
    Table,
    Update,
    Value,
)
from storage.tenant import Tables

MAX_HELD = 200
"""Calls of one tenant under way at a time: each makes the item, and so each step, larger."""

GRACE = timedelta(seconds=5)
"""How much longer than it is valid a hold is left alone, for clocks that differ."""

KEPT = timedelta(days=35)

_FREED_AT_ONCE = 40
"""An expression names every hold it frees, and may not be longer than 4 KB."""

_TRIES = 10


class BudgetSpent(Exception):
    """It does not fit under the day's cap any more; nothing was put aside."""


class TooManyHeld(Exception):
    """As many calls are under way as may be; nothing was put aside."""


class Held(NamedTuple):
    """Money put aside for one call, until it is settled or, at ``until``, free again."""

    tenant: TenantId
    day: date
    id: str
    micro_usd: int
    until: datetime


class DaySpent(NamedTuple):
    """What a tenant's models cost so far on a day, and what is put aside for calls under way."""

    spent_micro_usd: int = 0
    held_micro_usd: int = 0


class Budgets:
    """The budgets of every tenant; safe to use from several threads and processes."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def reserve(
        self, tenant: TenantId, *, cap_micro_usd: int, estimate_micro_usd: int, lifetime_s: float = 60.0
    ) -> Held:
        """Put the estimate aside: one request, besides the first of a day and what others left behind.

        Raises:
            BudgetSpent: spent and put aside together would be more than the cap.
            TooManyHeld: see `MAX_HELD`.
        """
        now = self._clock.now()
        until = now + timedelta(seconds=lifetime_s)
        held = Held(tenant, now.date(), new_id()[:16], estimate_micro_usd, until)
        table, reserving = self._tables.for_tenant(tenant), _reserving(held, cap_micro_usd)
        for _ in range(_TRIES):
            try:
                table.update(reserving)
            except ConditionRefused as refused:
                day = refused.old
            else:
                return held
            if day is None:
                _begin(table, reserving.key, now)
            elif held.id in _held(day):
                return held  # an earlier try was applied and its answer lost
            elif not _give_back(table, day, now):
                _refuse(day, held, cap_micro_usd)
        raise TooManyHeld

    def settle(self, held: Held, micro_usd: int) -> None:
        """Replace what was put aside by what was spent; what is settled too late is spent all the same."""
        table, key = self._tables.for_tenant(held.tenant), keys.budget(held.tenant, held.day)
        spent: Changes = (Add("committed", micro_usd - held.micro_usd), Add("spent", micro_usd))
        try:
            table.update(Update(key, (*spent, *_released(held.id)), (Exists(f"held.{held.id}"),)))
        except ConditionRefused as refused:
            # Before it is overdue nobody else takes a hold away: it was us, and the answer was lost.
            if refused.old is None or self._clock.now() < held.until + GRACE:
                return
            table.update(Update(key, (Add("committed", micro_usd), Add("spent", micro_usd))))

    def today(self, tenant: TenantId) -> DaySpent:
        """The present UTC day so far; only what was spent under a cap is known here."""
        item = self._tables.for_tenant(tenant).get(keys.budget(tenant, self._clock.now().date()))
        if item is None:
            return DaySpent()
        spent = _number(item, "spent")
        return DaySpent(spent, _number(item, "committed") - spent)


def _reserving(held: Held, cap_micro_usd: int) -> Update:
    hold: Value = {"amount": held.micro_usd, "until": to_millis(held.until)}
    changes = (Add("committed", held.micro_usd), Add("holds", 1), Set(f"held.{held.id}", hold))
    conditions: Conditions = (
        AtMost("committed", cap_micro_usd - held.micro_usd),
        AtMost("holds", MAX_HELD - 1),
        NotExists(f"held.{held.id}"),  # of a request sent twice the second changes nothing
    )
    return Update(keys.budget(held.tenant, held.day), changes, conditions)


def _begin(table: Table, key: Key, now: datetime) -> None:
    """Make the day's item; somebody else may be faster."""
    item: Item = {
        "pk": key.partition,
        "sk": key.sort,
        "committed": 0,
        "spent": 0,
        "holds": 0,
        "held": {},
        "expires_at": int((now + KEPT).timestamp()),
    }
    try:
        table.put(Put(item, (NotExists(),)))
    except ConditionRefused:
        return


def _give_back(table: Table, day: Item, now: datetime) -> bool:
    """Free what was put aside by those who never settled; False when there is none."""
    overdue = _overdue(day, to_millis(now - GRACE))
    if not overdue:
        return False
    freed = sum(overdue.values())
    changes: list[Change] = [Add("committed", -freed), Add("holds", -len(overdue))]
    changes += [Remove(f"held.{hold}") for hold in overdue]
    conditions = tuple(Exists(f"held.{hold}") for hold in overdue)
    try:
        table.update(Update(Key(str(day["pk"]), str(day["sk"])), tuple(changes), conditions))
    except ConditionRefused:
        return True  # somebody else frees, or settles, one of them: look again
    return True


def _overdue(day: Item, before_millis: int) -> dict[str, int]:
    """The amounts of the holds that ran out, by id."""
    overdue = [hold for hold, value in _held(day).items() if value["until"] <= before_millis]
    return {hold: _held(day)[hold]["amount"] for hold in overdue[:_FREED_AT_ONCE]}


def _refuse(day: Item, held: Held, cap_micro_usd: int) -> None:
    if _number(day, "committed") + held.micro_usd > cap_micro_usd:
        raise BudgetSpent
    raise TooManyHeld


def _released(hold: str) -> Changes:
    return Remove(f"held.{hold}"), Add("holds", -1)


def _held(day: Item) -> dict[str, dict[str, int]]:
    return cast("dict[str, dict[str, int]]", day["held"])


def _number(day: Item, name: str) -> int:
    return cast("int", day[name])
