"""What a purse pays for, counts and refuses."""

from __future__ import annotations

import pytest

from agent.inference.turn_budget import TurnBudget, TurnBudgets
from conversation.identity import Caller
from conversation.tenants.policy import Budget, Grant, TenantPolicy
from conversation.tenants.store import TenantRecord
from conversation.usage.budget_scope import BudgetScope, Period
from conversation.usage.budgets import MAX_RESERVATIONS, Budgets, Spend
from llm.errors import ModelBudgetExceeded, ModelUnavailableForNow
from llm.spend_guard import CallUsage
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.aws.tables import ObservedTable, Requests
from tests.fakes.run.clocks import ManualClock

MAYA = Caller(TenantId("acme"), "maya")


def budgets() -> Budgets:
    return Budgets(tables=Tables(SqliteTable(":memory:")), clock=ManualClock())


def purse(kept: Budgets, usd_per_day: float | None) -> TurnBudget:
    record = TenantRecord(MAYA.tenant, policy=TenantPolicy(budget=Budget(usd_per_day=usd_per_day)))
    return TurnBudgets(kept).for_turn(record, MAYA)


def spent(cost_usd: float | None, prompt_tokens: int = 600) -> CallUsage:
    return CallUsage("gpt-4o-mini", prompt_tokens, 80, cost_usd)


def test_without_a_budget_of_its_own_calls_are_counted_and_a_request_is_sent_now_and_then() -> None:
    requests = Requests()
    tables = Tables(ObservedTable(SqliteTable(":memory:"), requests))
    paying = purse(Budgets(tables=tables, clock=ManualClock()), None)
    for _ in range(60):
        paying.reserve(1.0).settle(spent(0.005))
    assert (paying.usage.model_calls, paying.usage.prompt_tokens) == (60, 36_000)
    assert (
        requests.names == ["update"] * 4
    )  # the first call, and each time a two-hundredth of 20 USD is spent


def granted(kept: Budgets, usd_per_day: float | None, *, own: float | None = None) -> TurnBudget:
    record = TenantRecord(
        MAYA.tenant,
        policy=TenantPolicy(budget=Budget(usd_per_day=own)),
        grant=Grant(usd_per_day=usd_per_day),
    )
    return TurnBudgets(kept).for_turn(record, MAYA)


def calls_until_refused(paying: TurnBudget, cost_usd: float) -> int:
    """How many calls of this cost are paid for."""
    for number in range(10_000):
        try:
            paying.reserve(cost_usd).settle(spent(cost_usd))
        except ModelBudgetExceeded:
            return number
    raise AssertionError("nothing was refused")


def test_a_tenant_without_any_budget_spends_no_more_than_the_deployments_cap() -> None:
    assert calls_until_refused(purse(budgets(), None), 0.5) == 40
    assert calls_until_refused(granted(budgets(), 1.0), 0.5) == 2
    assert calls_until_refused(granted(budgets(), 0.0), 0.5) == 0


def test_admins_can_not_raise_what_operators_allow() -> None:
    assert calls_until_refused(granted(budgets(), 1.0, own=50.0), 0.5) == 2
    assert calls_until_refused(granted(budgets(), 50.0, own=1.0), 0.5) == 2


def test_what_was_spent_under_a_budget_counts_when_it_is_taken_back() -> None:
    kept = budgets()
    assert calls_until_refused(granted(kept, 2.0, own=1.5), 0.5) == 3
    assert calls_until_refused(granted(kept, 2.0), 0.5) == 1


def test_processes_together_spend_at_most_a_two_hundredth_more_each() -> None:
    tables, clock = Tables(SqliteTable(":memory:")), ManualClock()
    processes = [Budgets(tables=tables, clock=clock) for _ in range(4)]
    purses = [granted(kept, 2.0) for kept in processes]
    paid = 0
    for paying in [purses[number % 4] for number in range(1_000)]:
        try:
            paying.reserve(0.004).settle(spent(0.004))
        except ModelBudgetExceeded:
            continue
        paid += 4
    assert 2_000 <= paid <= 2_000 + 4 * (10 + 4)


def test_calls_under_way_count_with_their_estimates() -> None:
    paying = granted(budgets(), 1.0)
    paying.reserve(0.6)
    with pytest.raises(ModelBudgetExceeded):
        paying.reserve(0.6)


def test_the_cap_begins_anew_with_the_utc_day() -> None:
    clock = ManualClock()
    kept = Budgets(tables=Tables(SqliteTable(":memory:")), clock=clock)
    assert calls_until_refused(granted(kept, 1.0), 0.5) == 2
    clock.advance(24 * 3_600)
    assert calls_until_refused(granted(kept, 1.0), 0.5) == 2


def test_under_a_cap_the_estimate_is_held_until_the_call_is_settled() -> None:
    kept = budgets()
    paying = purse(kept, 1.0)
    reservation = paying.reserve(0.6)
    assert kept.current(BudgetScope(MAYA.tenant)) == Spend(0, 600_000)
    reservation.settle(spent(0.2))
    assert kept.current(BudgetScope(MAYA.tenant)) == Spend(200_000, 0)


def test_what_does_not_fit_is_refused_and_remembered() -> None:
    paying = purse(budgets(), 1.0)
    paying.reserve(0.6)
    with pytest.raises(ModelBudgetExceeded):
        paying.reserve(0.6)
    assert paying.refused_by == BudgetScope(MAYA.tenant)
    assert paying.usage.is_empty


def test_a_call_that_came_to_nothing_is_not_counted() -> None:
    paying = purse(budgets(), 1.0)
    paying.reserve(0.6).settle(spent(0.2))
    paying.reserve(0.6).settle(CallUsage("gpt-4o-mini", 0, 0, 0.0))
    assert paying.usage.model_calls == 1


def test_a_cap_of_nothing_leaves_models_that_cost_nothing() -> None:
    paying = purse(budgets(), 0.0)
    paying.reserve(0.0).settle(spent(0.0))
    with pytest.raises(ModelBudgetExceeded):
        paying.reserve(0.000001)


def test_a_call_without_a_known_price_costs_what_was_put_aside_for_it() -> None:
    kept = budgets()
    paying = purse(kept, 1.0)
    paying.reserve(0.3).settle(spent(None))
    assert kept.current(BudgetScope(MAYA.tenant)).spent_micro_usd == 300_000
    assert paying.usage.cost_usd is None


def test_too_many_calls_at_a_time_are_no_spent_budget() -> None:
    paying = purse(budgets(), 1.0)
    for _ in range(MAX_RESERVATIONS):
        paying.reserve(0.000001)
    with pytest.raises(ModelUnavailableForNow, match="busy"):
        paying.reserve(0.000001)
    assert paying.refused_by is None


JO = Caller(MAYA.tenant, "jo")


def under(kept: Budgets, caller: Caller = MAYA, /, **caps: float) -> TurnBudget:
    record = TenantRecord(MAYA.tenant, policy=TenantPolicy(budget=Budget(**caps)))
    return TurnBudgets(kept).for_turn(record, caller)


def test_a_month_s_budget_outlives_the_day() -> None:
    clock = ManualClock()
    kept = Budgets(tables=Tables(SqliteTable(":memory:")), clock=clock)
    assert calls_until_refused(under(kept, usd_per_month=1.0), 0.5) == 2
    clock.advance(24 * 3_600)
    refused = under(kept, usd_per_month=1.0)
    assert calls_until_refused(refused, 0.5) == 0
    assert refused.refused_by == BudgetScope(MAYA.tenant, Period.MONTH)


@pytest.mark.parametrize(
    ("name", "period"), [("usd_per_user_per_day", Period.DAY), ("usd_per_user_per_month", Period.MONTH)]
)
def test_what_one_user_spends_is_taken_from_no_colleague(name: str, period: Period) -> None:
    kept = budgets()
    mine = under(kept, MAYA, **{name: 1.0})
    assert calls_until_refused(mine, 0.5) == 2
    assert mine.refused_by == BudgetScope(MAYA.tenant, period, "maya")
    assert calls_until_refused(under(kept, JO, **{name: 1.0}), 0.5) == 2


def test_a_call_that_one_budget_refuses_takes_nothing_from_the_others() -> None:
    kept = budgets()
    paying = under(kept, usd_per_day=5.0, usd_per_month=5.0, usd_per_user_per_day=0.6)
    paying.reserve(0.5).settle(spent(0.5))
    with pytest.raises(ModelBudgetExceeded):
        paying.reserve(0.5)
    for scope in (BudgetScope(MAYA.tenant), BudgetScope(MAYA.tenant, Period.MONTH)):
        assert kept.current(scope) == Spend(500_000, 0)


def test_the_budgets_of_the_tenant_take_two_requests_a_call_and_those_of_the_user_two_more() -> None:
    requests = Requests()
    kept = Budgets(tables=Tables(ObservedTable(SqliteTable(":memory:"), requests)), clock=ManualClock())
    paying = under(
        kept, usd_per_day=5.0, usd_per_month=5.0, usd_per_user_per_day=5.0, usd_per_user_per_month=5.0
    )
    paying.reserve(0.001).settle(spent(0.001))
    requests.names.clear()
    paying.reserve(0.001).settle(spent(0.001))
    assert requests.names == ["update"] * 4
