"""Hard caps on model costs of a tenant or a user: an amount is reserved before each call, and settled after.

There is one item per payer and month, which has the costs of the month and of the day, and every step is one
conditional update of it. So concurrent processes never reserve more than the caps together, and a cap of the
month beside one of the day takes no further request. The caller supplies the estimate of a call and the caps.
What a period has cost before a cap was set or changed is taken from the counters of usage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import NamedTuple, cast

from conversation.clock import Clock, to_millis
from conversation.identity import new_id
from conversation.usage.budget_scope import BudgetScope, Period
from conversation.usage.counters import UsageCounters
from conversation.usage.spend_caps import SpendCaps
from storage.errors import ConditionRefused
from storage.items import item_key
from storage.table import (
    Add,
    AtLeast,
    AtMost,
    Change,
    Changes,
    Condition,
    Conditions,
    Equals,
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
from storage.tenant_table import Tables

MAX_RESERVATIONS = 200
"""The maximum number of reservations of a scope at a time; each makes the item larger, and so each step."""

GRACE = timedelta(seconds=5)
"""How long an expired reservation is left alone, because clocks differ."""

KEPT = timedelta(days=35)

_COMMITTED_OF_DAY, _SPENT_OF_DAY = _OF_DAYS = ("committed_", "spent_")
"""Before the number of a day in the month."""

_FREED_AT_ONCE = 40
"""An expression names every reservation it frees, and may not be longer than 4 KB."""

_TRIES = 10


class BudgetExhausted(Exception):
    """The estimate does not fit under the cap of the ``scope``; nothing was reserved."""

    def __init__(self, scope: BudgetScope) -> None:
        super().__init__(scope)
        self.scope = scope


class TooManyReservations(Exception):
    """The maximum number of reservations is reached, or the item kept changing; nothing was reserved."""


class BudgetReservation(NamedTuple):
    """A reservation for one call, valid until it is settled or expires at ``until``. ``payer`` is any of the
    scopes that it counts for.
    """

    payer: BudgetScope
    day: date
    id: str
    micro_usd: int
    until: datetime


class Spend(NamedTuple):
    """The model costs of a period so far, and the amount reserved for calls under way."""

    spent_micro_usd: int = 0
    reserved_micro_usd: int = 0


class Budgets:
    """The budgets of all tenants; safe to use from several threads and processes."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock
        self._counters = UsageCounters(tables)
        self.caps = SpendCaps(tables=tables, clock=clock)
        """The operators' caps, which hold beside the tenants' own."""

    def reserve(
        self,
        caps: Mapping[BudgetScope, int],
        *,
        estimate_micro_usd: int,
        lifetime_s: float = 60.0,
        version: int = 0,
    ) -> BudgetReservation:
        """Reserve the estimate under all ``caps`` (millionths of a dollar) of one payer: a tenant or a user.
        One request, plus some for the first call of a day or under a changed policy, and to free expired
        reservations.

        ``version`` is that of the policy which has the caps. With the first call under it, the costs are
        brought up to what was counted: calls that were made without a cap are not in them.

        Raises:
            BudgetExhausted: costs and reservations together would exceed a cap.
            TooManyReservations: see `MAX_RESERVATIONS`.
        """
        now = self._clock.now()
        until = now + timedelta(seconds=lifetime_s)
        payer = next(iter(caps))
        reservation = BudgetReservation(payer, now.date(), new_id()[:16], estimate_micro_usd, until)
        table = self._tables.for_tenant(payer.tenant)
        update = _reserve_update(reservation, caps, version)
        for _ in range(_TRIES):
            try:
                table.update(update)
            except ConditionRefused as refused:
                item = refused.old
            else:
                return reservation
            if item is None:
                _create_item(table, update.key, now)
            elif reservation.id in _held(item):
                return reservation  # an earlier attempt was applied and its response lost
            elif _number(item, "policy") < version or _spent(Period.DAY, now.date()) not in item:
                _count_earlier(table, item, now.date(), self._counted(payer, now.date()), version)
            elif not _free_expired(table, item, now):
                _raise_refusal(item, reservation, caps)
        raise TooManyReservations

    def _counted(self, payer: BudgetScope, day: date) -> Mapping[Period, int]:
        """What the periods of the day have cost the payer, by the counters of usage."""
        return {
            period: self._counters.cost_of(payer._replace(period=period), day)
            for period in (Period.DAY, Period.MONTH)
        }

    def settle(self, reservation: BudgetReservation, micro_usd: int) -> None:
        """Replace a reservation by the actual cost, which is counted even if the reservation expired."""
        payer, day = reservation.payer, reservation.day
        table, key = self._tables.for_tenant(payer.tenant), payer.key(day)
        spent = _cost_changes(day, committed=micro_usd - reservation.micro_usd, spent=micro_usd)
        try:
            table.update(
                Update(key, (*spent, *_release_changes(reservation.id)), (Exists(f"held.{reservation.id}"),))
            )
        except ConditionRefused as refused:
            # Others remove a reservation only when it is overdue: this one was settled and the response lost.
            if refused.old is None or self._clock.now() < reservation.until + GRACE:
                return
            table.update(Update(key, _cost_changes(day, committed=micro_usd, spent=micro_usd)))

    def current(self, scope: BudgetScope) -> Spend:
        """The costs of the current period, and the reservations, as they count for the cap."""
        day = self._clock.now().date()
        item = self._tables.for_tenant(scope.tenant).get(scope.key(day)) or {}
        spent = cast("int", item.get(_spent(scope.period, day), 0))
        return Spend(spent, cast("int", item.get(_committed(scope.period, day), 0)) - spent)


def _committed(period: Period, day: date) -> str:
    """The attribute with the costs and reservations of the period that the day is in."""
    return "committed" if period is Period.MONTH else f"{_COMMITTED_OF_DAY}{day.day:02}"


def _spent(period: Period, day: date) -> str:
    """The attribute with the costs alone."""
    return "spent" if period is Period.MONTH else f"{_SPENT_OF_DAY}{day.day:02}"


def _cost_changes(day: date, *, committed: int, spent: int = 0) -> Changes:
    """Adds to the costs of the day and of its month."""
    by_period = [
        (Add(_committed(period, day), committed), Add(_spent(period, day), spent)) for period in Period
    ]
    return tuple(change for changes in by_period for change in changes if change.amount)


def _reserve_update(reservation: BudgetReservation, caps: Mapping[BudgetScope, int], version: int) -> Update:
    amount, day = reservation.micro_usd, reservation.day
    hold: Value = {"amount": amount, "until": to_millis(reservation.until), "day": day.day}
    changes = (
        *_cost_changes(day, committed=amount),
        Add("holds", 1),
        Set(f"held.{reservation.id}", hold),
    )
    fits = (AtMost(_committed(scope.period, day), cap - amount) for scope, cap in caps.items())
    conditions: Conditions = (
        *fits,
        Exists(_spent(Period.DAY, day)),
        AtMost("holds", MAX_RESERVATIONS - 1),
        NotExists(f"held.{reservation.id}"),  # a resent request changes nothing
        AtLeast("policy", version),
    )
    return Update(reservation.payer.key(day), changes, conditions)


def _create_item(table: Table, key: Key, now: datetime) -> None:
    """Create the month's item, unless another process did; the costs are still to be counted."""
    item: Item = {
        "pk": key.partition,
        "sk": key.sort,
        "committed": 0,
        "spent": 0,
        "policy": 0,
        "holds": 0,
        "held": {},
        "expires_at": int((now + KEPT).timestamp()),
    }
    try:
        table.put(Put(item, (NotExists(),)))
    except ConditionRefused:
        return


def _count_earlier(table: Table, item: Item, day: date, counted: Mapping[Period, int], version: int) -> None:
    """Raise the costs to what was counted, unless another process changed them at the same time. With the
    first call of a day, the day's costs begin, and those of other days are removed.
    """
    changes, conditions = list[Change](), list[Condition]()
    for period, cost in counted.items():
        spent, committed = _spent(period, day), _committed(period, day)
        known = cast("int | None", item.get(spent))
        conditions.append(NotExists(spent) if known is None else Equals(spent, known))
        missing = max(0, cost - (known or 0))
        changes += [Add(committed, missing), Add(spent, missing)]
    changes.append(Set("policy", max(version, _number(item, "policy"))))
    changes += [Remove(name) for name in item if name.startswith(_OF_DAYS) and name[-2:] != f"{day.day:02}"]
    with suppress(ConditionRefused):  # the next attempt looks again
        table.update(Update(item_key(item), tuple(changes), tuple(conditions)))


def _free_expired(table: Table, item: Item, now: datetime) -> bool:
    """Free expired reservations that were never settled; False when there are none."""
    overdue = _overdue(item, to_millis(now - GRACE))
    if not overdue:
        return False
    freed = Counter({"committed": sum(hold["amount"] for hold in overdue.values())})
    for hold in overdue.values():
        if "day" not in hold:  # of the version before, which kept the costs of days elsewhere
            continue
        freed[f"{_COMMITTED_OF_DAY}{hold['day']:02}"] += hold["amount"]
    changes: list[Change] = [Add(name, -amount) for name, amount in freed.items() if name in item]
    changes.append(Add("holds", -len(overdue)))
    changes += [Remove(f"held.{hold}") for hold in overdue]
    conditions = tuple(Exists(f"held.{hold}") for hold in overdue)
    try:
        table.update(Update(item_key(item), tuple(changes), conditions))
    except ConditionRefused:
        return True  # another process frees or settles one of them: look again
    return True


def _overdue(item: Item, before_millis: int) -> Mapping[str, Mapping[str, int]]:
    """The expired reservations, by id."""
    held = _held(item)
    overdue = [hold for hold, value in held.items() if value["until"] <= before_millis]
    return {hold: held[hold] for hold in overdue[:_FREED_AT_ONCE]}


def _raise_refusal(item: Item, reservation: BudgetReservation, caps: Mapping[BudgetScope, int]) -> None:
    for scope, cap in caps.items():
        if _number(item, _committed(scope.period, reservation.day)) + reservation.micro_usd > cap:
            raise BudgetExhausted(scope)
    raise TooManyReservations


def _release_changes(hold: str) -> Changes:
    return Remove(f"held.{hold}"), Add("holds", -1)


def _held(item: Item) -> dict[str, dict[str, int]]:
    return cast("dict[str, dict[str, int]]", item["held"])


def _number(item: Item, name: str) -> int:
    return cast("int", item[name])
