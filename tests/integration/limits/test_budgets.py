"""A tenant's daily budget under concurrency, crashes and lost answers, over real tables."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier
from uuid import uuid4

import pytest

from conversation.clock import Clock
from conversation.identity import Caller
from conversation.usage.budget_scope import BudgetScope, Period
from conversation.usage.budgets import (
    GRACE,
    MAX_RESERVATIONS,
    BudgetExhausted,
    BudgetReservation,
    Budgets,
    Spend,
    TooManyReservations,
)
from conversation.usage.counters import UsageCounts, increment
from storage.dynamodb.table import DynamoTable, create_table
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Item, Table, Update
from storage.tenant_table import Tables
from tests.fakes.aws.dynamodb import dynamo_client, ministack
from tests.fakes.aws.tables import ObservedTable, Requests
from tests.fakes.run.clocks import ManualClock

ACME, OTHER = TenantId("acme"), TenantId("acme-eu")
ACME_DAY = BudgetScope(ACME)
CAP, ESTIMATE, SPENT = 1_000, 90, 40


def budgets(table: Table, clock: Clock | None = None) -> Budgets:
    return Budgets(tables=Tables(table), clock=clock or ManualClock())


def reserve(
    kept: Budgets, estimate: int = ESTIMATE, scope: BudgetScope = ACME_DAY, version: int = 0
) -> BudgetReservation | None:
    try:
        return kept.reserve({scope: CAP}, estimate_micro_usd=estimate, version=version)
    except BudgetExhausted:
        return None


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with ministack() as endpoint:
        yield endpoint


@pytest.fixture(params=["sqlite", "dynamo"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Table:
    if request.param == "sqlite":
        return SqliteTable(tmp_path / "table.db")
    client, name = dynamo_client(request.getfixturevalue("endpoint")), f"spending-{uuid4()}"
    create_table(client, name)
    return DynamoTable(client, name)


def test_fifty_calls_at_once_never_reserve_past_the_cap(table: Table) -> None:
    kept, ready = budgets(table), Barrier(50)

    def ask(_: int) -> BudgetReservation | None:
        ready.wait()
        return reserve(kept)

    with ThreadPoolExecutor(50) as pool:
        held = [answer for answer in pool.map(ask, range(50)) if answer]
    assert len(held) == CAP // ESTIMATE
    assert kept.current(ACME_DAY) == Spend(0, len(held) * ESTIMATE)
    with ThreadPoolExecutor(50) as pool:
        list(pool.map(lambda each: kept.settle(each, SPENT), held))
    assert kept.current(ACME_DAY) == Spend(len(held) * SPENT, 0)


def test_what_was_estimated_too_high_can_be_spent_by_others(table: Table) -> None:
    kept, asked = budgets(table), 0
    while held := reserve(kept):
        kept.settle(held, SPENT)
        asked += 1
    assert asked == (CAP - ESTIMATE) // SPENT + 1
    assert kept.current(ACME_DAY).spent_micro_usd <= CAP


def test_a_call_that_is_never_settled_frees_what_was_put_aside_for_it(table: Table) -> None:
    clock = ManualClock()
    kept = budgets(table, clock)
    while reserve(kept):
        pass
    clock.advance(60 + GRACE.total_seconds() - 1)
    assert reserve(kept) is None
    clock.advance(2)
    assert reserve(kept)
    assert kept.current(ACME_DAY) == Spend(0, ESTIMATE)


def test_what_is_settled_after_it_was_freed_is_spent_all_the_same(table: Table) -> None:
    clock = ManualClock()
    kept = budgets(table, clock)
    late = reserve(kept, CAP)
    clock.advance(120)
    held = reserve(kept)
    assert late
    assert held
    kept.settle(late, SPENT)
    assert kept.current(ACME_DAY) == Spend(SPENT, ESTIMATE)


def count(table: Table, cost_micro_usd: int) -> None:
    """Count what a turn without a cap cost."""
    cost = UsageCounts(turns=1, cost_micro_usd=cost_micro_usd)
    Tables(table).for_tenant(ACME).update(
        increment(Caller(ACME, "maya"), "conversation", ManualClock().now(), cost)
    )


def test_what_was_spent_without_a_cap_counts_when_one_is_set(table: Table) -> None:
    kept = budgets(table)
    count(table, CAP - ESTIMATE)
    assert reserve(kept, 1)
    assert reserve(kept) is None
    assert reserve(budgets(table)) is None
    assert kept.current(ACME_DAY) == Spend(CAP - ESTIMATE, 1)


def test_what_was_spent_while_a_cap_was_taken_back_counts_when_it_is_set_again(table: Table) -> None:
    kept = budgets(table)
    held = reserve(kept)
    assert held
    kept.settle(held, SPENT)
    count(table, SPENT)
    count(table, CAP - ESTIMATE)
    assert reserve(kept, version=7) is None
    assert reserve(kept, version=6) is None  # another process still knows the policy before
    assert kept.current(ACME_DAY) == Spend(CAP - ESTIMATE + SPENT, 0)


def test_another_tenant_has_a_budget_of_its_own(table: Table) -> None:
    kept = budgets(table)
    assert reserve(kept, CAP)
    assert reserve(kept) is None
    assert reserve(kept, CAP, BudgetScope(OTHER))
    assert kept.current(BudgetScope(OTHER)) == Spend(0, CAP)


def test_a_day_begins_at_midnight_utc_and_a_call_belongs_to_the_day_it_began() -> None:
    clock = ManualClock(datetime(2026, 1, 30, 23, 59, 50, tzinfo=UTC))
    kept = budgets(SqliteTable(":memory:"), clock)
    held = reserve(kept, CAP)
    clock.advance(20)
    assert held
    assert reserve(kept, CAP)
    kept.settle(held, SPENT)
    assert kept.current(ACME_DAY) == Spend(0, CAP)


def test_a_lowered_cap_holds_for_the_next_call() -> None:
    kept = budgets(SqliteTable(":memory:"))
    assert reserve(kept, CAP)
    with pytest.raises(BudgetExhausted):
        kept.reserve({ACME_DAY: CAP // 2}, estimate_micro_usd=1)


def test_the_calls_under_way_are_bounded_whatever_they_cost() -> None:
    kept = budgets(SqliteTable(":memory:"))
    for _ in range(MAX_RESERVATIONS):
        assert reserve(kept, 0)
    with pytest.raises(TooManyReservations):
        reserve(kept, 0)


@pytest.mark.slow
def test_a_whole_fleet_that_died_gives_everything_back(table: Table) -> None:
    clock = ManualClock()
    kept = budgets(table, clock)
    for _ in range(MAX_RESERVATIONS):
        reserve(kept, CAP // MAX_RESERVATIONS)
    clock.advance(120)
    assert reserve(kept, CAP)
    assert kept.current(ACME_DAY) == Spend(0, CAP)


def test_reserving_and_settling_take_one_request_each() -> None:
    requests = Requests()
    kept = budgets(ObservedTable(SqliteTable(":memory:"), requests))
    reserve(kept)
    requests.names.clear()
    held = reserve(kept)
    assert held
    kept.settle(held, SPENT)
    assert requests.names == ["update", "update"]


def test_the_caps_of_a_day_and_a_month_take_one_request_together(table: Table) -> None:
    requests, month = Requests(), BudgetScope(ACME, Period.MONTH)
    kept, caps = budgets(ObservedTable(table, requests)), {ACME_DAY: CAP, month: 2 * CAP}
    kept.settle(kept.reserve(caps, estimate_micro_usd=ESTIMATE), SPENT)
    requests.names.clear()
    kept.settle(kept.reserve(caps, estimate_micro_usd=ESTIMATE), SPENT)
    assert requests.names == ["update", "update"]
    assert [kept.current(scope) for scope in caps] == [Spend(2 * SPENT, 0)] * 2


def test_whichever_cap_of_a_day_and_a_month_is_reached_refuses(table: Table) -> None:
    clock, month = ManualClock(datetime(2026, 1, 10, 12, tzinfo=UTC)), BudgetScope(ACME, Period.MONTH)
    kept, caps = budgets(table, clock), {ACME_DAY: CAP, month: 2 * CAP + SPENT}
    for _ in range(2):
        kept.settle(kept.reserve(caps, estimate_micro_usd=CAP), CAP)
        with pytest.raises(BudgetExhausted) as refused:
            kept.reserve(caps, estimate_micro_usd=1)
        assert refused.value.scope == ACME_DAY
        clock.advance(86_400)
    with pytest.raises(BudgetExhausted) as refused:
        kept.reserve(caps, estimate_micro_usd=SPENT + 1)
    assert refused.value.scope == month
    assert [kept.current(scope) for scope in caps] == [Spend(0, 0), Spend(2 * CAP, 0)]
    assert kept.reserve(caps, estimate_micro_usd=SPENT)


def test_a_reservation_of_yesterday_is_no_cost_of_today_however_it_ends(table: Table) -> None:
    clock, month = ManualClock(datetime(2026, 1, 10, 23, 59, 50, tzinfo=UTC)), BudgetScope(ACME, Period.MONTH)
    kept, caps = budgets(table, clock), {ACME_DAY: CAP, month: 3 * CAP}
    settled, lost = (kept.reserve(caps, estimate_micro_usd=CAP // 2) for _ in range(2))
    clock.advance(20)
    held = kept.reserve(caps, estimate_micro_usd=CAP)
    kept.settle(settled, SPENT)
    clock.advance(30)
    kept.settle(held, SPENT)
    assert kept.current(month) == Spend(2 * SPENT, lost.micro_usd)
    clock.advance(30)
    assert kept.reserve(
        {ACME_DAY: CAP, month: CAP}, estimate_micro_usd=CAP - 2 * SPENT
    )  # frees what was lost
    assert kept.current(ACME_DAY) == Spend(SPENT, CAP - 2 * SPENT)
    assert kept.current(month) == Spend(2 * SPENT, CAP - 2 * SPENT)


class Resending(SqliteTable):
    """Applies each update and loses the answer, so that it is sent a second time, as boto3 does."""

    def update(self, update: Update) -> Item:
        super().update(update)
        return super().update(update)


def test_a_lost_answer_makes_nothing_count_twice() -> None:
    kept = budgets(Resending(":memory:"))
    held = reserve(kept)
    assert held
    assert kept.current(ACME_DAY) == Spend(0, ESTIMATE)
    kept.settle(held, SPENT)
    assert kept.current(ACME_DAY) == Spend(SPENT, 0)


def test_a_table_out_of_reach_is_no_spent_budget() -> None:
    def refuse(_name: str, _when: str) -> None:
        raise StorageUnavailable

    with pytest.raises(StorageUnavailable):
        reserve(budgets(ObservedTable(SqliteTable(":memory:"), refuse)))


MAYA, JO = Caller(ACME, "maya"), Caller(ACME, "jo")


def count_for(table: Table, caller: Caller, when: datetime, cost_micro_usd: int) -> None:
    cost = UsageCounts(turns=1, cost_micro_usd=cost_micro_usd)
    Tables(table).for_tenant(ACME).update(increment(caller, "conversation", when, cost))


@pytest.mark.parametrize(
    ("scope", "spent"),
    [
        (BudgetScope(ACME), 5),
        (BudgetScope(ACME, Period.MONTH), 29),
        (BudgetScope(ACME, Period.DAY, "maya"), 2),
        (BudgetScope(ACME, Period.MONTH, "maya"), 13),
    ],
    ids=["day", "month", "user", "user's month"],
)
def test_a_budget_counts_what_its_own_period_and_users_have_cost_before_it(
    table: Table, scope: BudgetScope, spent: int
) -> None:
    now = datetime(2026, 1, 30, 12, tzinfo=UTC)
    for caller, day, cost in (
        (MAYA, 30, 2), (JO, 30, 3), (MAYA, 2, 11), (JO, 1, 13),
    ):  # fmt: skip
        count_for(table, caller, now.replace(day=day), cost)
    count_for(table, MAYA, now.replace(year=2025, month=12, day=31), 17)
    kept = budgets(table, ManualClock(now))
    held = reserve(kept, ESTIMATE, scope)
    assert held
    assert kept.current(scope) == Spend(spent, ESTIMATE)
    kept.settle(held, SPENT)
    assert kept.current(scope) == Spend(spent + SPENT, 0)
    assert reserve(kept, CAP - spent - SPENT + 1, scope) is None
    assert reserve(kept, CAP - spent - SPENT, scope)


def test_a_month_begins_on_its_first_day_and_a_day_of_it_does_not_end_it(table: Table) -> None:
    clock = ManualClock(datetime(2026, 1, 30, 12, tzinfo=UTC))
    kept, month = budgets(table, clock), BudgetScope(ACME, Period.MONTH)
    assert reserve(kept, CAP, month)
    clock.advance(86_400 - 120)
    held = reserve(kept, CAP, month)  # that of the call before has expired
    assert held
    kept.settle(held, CAP)
    clock.advance(120)
    assert reserve(kept, 1, month) is None
    clock.advance(86_400)
    assert reserve(kept, CAP, month)
