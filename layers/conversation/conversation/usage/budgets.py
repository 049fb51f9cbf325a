"""Hard caps on model costs of a tenant or a user: an amount is reserved before each call, and settled after.

There is one item per scope and period, and every step is one conditional update of it. So concurrent
processes never reserve more than the cap together. The caller supplies the estimate of a call and the cap.
What the period has cost before a cap was set or changed is taken from the counters of usage.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import NamedTuple, cast

from conversation.clock import Clock, to_millis
from conversation.identity import new_id
from conversation.usage.budget_scope import BudgetScope
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

_FREED_AT_ONCE = 40
"""An expression names every reservation it frees, and may not be longer than 4 KB."""

_TRIES = 10


class BudgetExhausted(Exception):
    """The estimate does not fit under the cap; nothing was reserved."""


class TooManyReservations(Exception):
    """The maximum number of reservations is reached, or the item kept changing; nothing was reserved."""


class BudgetReservation(NamedTuple):
    """A reservation for one call, valid until it is settled or expires at ``until``."""

    scope: BudgetScope
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
        scope: BudgetScope,
        *,
        cap_micro_usd: int,
        estimate_micro_usd: int,
        lifetime_s: float = 60.0,
        version: int = 0,
    ) -> BudgetReservation:
        """Reserve the estimate. One request, plus some for the first call of a period or under a changed
        policy, and to free expired reservations.

        ``version`` is that of the policy which has the cap. With the first call under it, the period's costs
        are brought up to what was counted: calls that were made without a cap are not in them.

        Raises:
            BudgetExhausted: costs and reservations together would exceed the cap.
            TooManyReservations: see `MAX_RESERVATIONS`.
        """
        now = self._clock.now()
        until = now + timedelta(seconds=lifetime_s)
        reservation = BudgetReservation(scope, now.date(), new_id()[:16], estimate_micro_usd, until)
        table = self._tables.for_tenant(scope.tenant)
        update = _reserve_update(reservation, cap_micro_usd, version)
        for _ in range(_TRIES):
            try:
                table.update(update)
            except ConditionRefused as refused:
                item = refused.old
            else:
                return reservation
            if item is None:
                spent = self._counters.cost_of(scope, now.date())
                _create_item(table, update.key, now, spent=spent, version=version)
            elif reservation.id in _held(item):
                return reservation  # an earlier attempt was applied and its response lost
            elif cast("int", item.get("policy", -1)) < version:
                _count_earlier(table, item, self._counters.cost_of(scope, now.date()), version)
            elif not _free_expired(table, item, now):
                _raise_refusal(item, reservation, cap_micro_usd)
        raise TooManyReservations

    def settle(self, reservation: BudgetReservation, micro_usd: int) -> None:
        """Replace a reservation by the actual cost, which is counted even if the reservation expired."""
        scope = reservation.scope
        table, key = self._tables.for_tenant(scope.tenant), scope.key(reservation.day)
        spent: Changes = (Add("committed", micro_usd - reservation.micro_usd), Add("spent", micro_usd))
        try:
            table.update(
                Update(key, (*spent, *_release_changes(reservation.id)), (Exists(f"held.{reservation.id}"),))
            )
        except ConditionRefused as refused:
            # Others remove a reservation only when it is overdue: this one was settled and the response lost.
            if refused.old is None or self._clock.now() < reservation.until + GRACE:
                return
            table.update(Update(key, (Add("committed", micro_usd), Add("spent", micro_usd))))

    def current(self, scope: BudgetScope) -> Spend:
        """The costs of the current period, and the reservations, as they count for the cap."""
        item = self._tables.for_tenant(scope.tenant).get(scope.key(self._clock.now().date()))
        if item is None:
            return Spend()
        spent = _number(item, "spent")
        return Spend(spent, _number(item, "committed") - spent)


def _reserve_update(reservation: BudgetReservation, cap_micro_usd: int, version: int) -> Update:
    hold: Value = {"amount": reservation.micro_usd, "until": to_millis(reservation.until)}
    changes = (Add("committed", reservation.micro_usd), Add("holds", 1), Set(f"held.{reservation.id}", hold))
    conditions: Conditions = (
        AtMost("committed", cap_micro_usd - reservation.micro_usd),
        AtMost("holds", MAX_RESERVATIONS - 1),
        NotExists(f"held.{reservation.id}"),  # a resent request changes nothing
        AtLeast("policy", version),
    )
    return Update(reservation.scope.key(reservation.day), changes, conditions)


def _create_item(table: Table, key: Key, now: datetime, *, spent: int, version: int) -> None:
    """Create the period's item, unless another process did."""
    item: Item = {
        "pk": key.partition,
        "sk": key.sort,
        "committed": spent,
        "spent": spent,
        "policy": version,
        "holds": 0,
        "held": {},
        "expires_at": int((now + KEPT).timestamp()),
    }
    try:
        table.put(Put(item, (NotExists(),)))
    except ConditionRefused:
        return


def _count_earlier(table: Table, item: Item, counted: int, version: int) -> None:
    """Raise the costs to what was counted, unless another process changed them at the same time."""
    spent = _number(item, "spent")
    missing = max(0, counted - spent)
    changes = (Add("committed", missing), Add("spent", missing), Set("policy", version))
    try:
        table.update(Update(item_key(item), changes, (Equals("spent", spent),)))
    except ConditionRefused:
        return  # the next attempt looks again


def _free_expired(table: Table, item: Item, now: datetime) -> bool:
    """Free expired reservations that were never settled; False when there are none."""
    overdue = _overdue(item, to_millis(now - GRACE))
    if not overdue:
        return False
    freed = sum(overdue.values())
    changes: list[Change] = [Add("committed", -freed), Add("holds", -len(overdue))]
    changes += [Remove(f"held.{hold}") for hold in overdue]
    conditions = tuple(Exists(f"held.{hold}") for hold in overdue)
    try:
        table.update(Update(item_key(item), tuple(changes), conditions))
    except ConditionRefused:
        return True  # another process frees or settles one of them: look again
    return True


def _overdue(item: Item, before_millis: int) -> dict[str, int]:
    """The amounts of the expired reservations, by id."""
    overdue = [hold for hold, value in _held(item).items() if value["until"] <= before_millis]
    return {hold: _held(item)[hold]["amount"] for hold in overdue[:_FREED_AT_ONCE]}


def _raise_refusal(item: Item, reservation: BudgetReservation, cap_micro_usd: int) -> None:
    if _number(item, "committed") + reservation.micro_usd > cap_micro_usd:
        raise BudgetExhausted
    raise TooManyReservations


def _release_changes(hold: str) -> Changes:
    return Remove(f"held.{hold}"), Add("holds", -1)


def _held(item: Item) -> dict[str, dict[str, int]]:
    return cast("dict[str, dict[str, int]]", item["held"])


def _number(item: Item, name: str) -> int:
    return cast("int", item[name])
