"""What models took, from the turns that took it to the report on it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from agent.inference.turn_budget import TurnBudgets
from agent.turn_events import Answer, Done
from agent.turns.service import TurnService
from agent.workspace.roster import RosterCache
from conversation.clock import Deadline
from conversation.identity import Caller
from conversation.tenants.policy import Budget, Grant, TenantPolicy
from conversation.tenants.store import TenantStore
from conversation.token_counts import TokenCounter
from conversation.turns.admission import IncomingMessage
from conversation.turns.proactive_messages import ProactiveMessage, ProactiveMessages
from conversation.turns.turn_protocol import TurnProtocol
from conversation.usage.budgets import Budgets
from conversation.usage.counters import ModelUsage, UsageCounters, counts_of_run, increment
from intent.decision import ActionType, Decision, DecisionSource
from intent.situation import Situation
from llm.errors import ModelBudgetExceeded
from llm.spend_guard import CallUsage, SpendGuard
from storage import keys
from storage.dynamodb.table import DynamoTable, create_table
from storage.factory import open_table
from storage.keys import TenantId
from storage.table import Check, Exists, Table
from storage.tenant_table import Tables
from tests.fakes.aws.dynamodb import dynamo_client, ministack
from tests.fakes.aws.proxy_events import request
from tests.fakes.aws.tables import ObservedTable, Requests
from tests.fakes.data.scripted_turns import EchoMaster
from tests.fakes.deployment.functions import invoke, load
from tests.fakes.deployment.functions import settings as local_settings
from tests.fakes.run.clocks import ManualClock

ACME = TenantId("acme")
MAYA, JO, OTHER = Caller(ACME, "maya"), Caller(ACME, "jo|1"), Caller(TenantId("acme-eu"), "maya")
NOON = datetime(2026, 1, 30, 12, 0, tzinfo=UTC)


@dataclass
class PaidAnalyzer:
    """Asks models of known prices before it decides."""

    costs_usd: Sequence[float | None] = (0.000138,)
    reasons: list[str] = field(default_factory=list)

    def analyze(self, situation: Situation, purse: SpendGuard | None = None) -> Decision:
        assert purse is not None
        for cost_usd in self.costs_usd:
            try:
                purse.reserve(0.01).settle(CallUsage("gpt-4o-mini", 600, 80, cost_usd))
            except ModelBudgetExceeded as reached:
                self.reasons.append(reached.reason)
        return Decision(action_type=ActionType.QUERY_INFO, confidence=0.9, source=DecisionSource.OFFLINE)


@dataclass
class Spenders:
    """A turn service whose turns ask models, and what it kept."""

    table: Table
    clock: ManualClock = field(default_factory=lambda: ManualClock(NOON))
    analyzer: PaidAnalyzer = field(default_factory=PaidAnalyzer)

    def __post_init__(self) -> None:
        self.tables = Tables(self.table)
        self.master = EchoMaster()
        self.turns = TurnService(
            protocol=TurnProtocol(tables=self.tables, clock=self.clock, tokens=TokenCounter(None)),
            rosters=RosterCache(tables=self.tables, clock=self.clock),
            analyzer=self.analyzer,
            master=self.master,
            clock=self.clock,
            turn_budgets=TurnBudgets(Budgets(tables=self.tables, clock=self.clock)),
        )

    def say(self, caller: Caller, conversation_id: str | None = None, key: str | None = None) -> Answer:
        incoming = IncomingMessage(caller, "Good morning!", conversation_id, key)
        done = [*self.turns.run(incoming, Deadline.after(self.clock, 25.0))][-1]
        assert isinstance(done, Done)
        return done.answer


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "clock").write_text(NOON.isoformat())
    return local_settings(tmp_path, OMNIFORGE_CLOCK_FILE=str(tmp_path / "clock"))


@pytest.fixture
def spenders(settings: dict[str, str]) -> Spenders:
    return Spenders(open_table(settings["OMNIFORGE_TABLE"]))


@pytest.fixture
def workspace(settings: dict[str, str]) -> ModuleType:
    return load("workspace", settings)


def report(workspace: ModuleType, query: str = "", *, user: str = "maya", roles: str = "") -> Any:
    said = invoke(workspace, request("GET", f"/v1/usage{query}", user=user, roles=roles))
    assert said.status == 200, said.body
    return said.json


def test_a_turn_that_asked_a_model_tells_what_it_took(spenders: Spenders) -> None:
    usage = spenders.say(MAYA).metadata["usage"]
    assert usage == {
        "model_calls": 1, "prompt_tokens": 600, "completion_tokens": 80, "cost_usd": 0.000138,
    }  # fmt: skip


def test_usage_is_reported_by_day_with_its_sum(spenders: Spenders, workspace: ModuleType) -> None:
    conversation = spenders.say(MAYA).conversation_id
    spenders.clock.advance(-86_400)
    spenders.say(MAYA, conversation)
    spenders.say(MAYA)
    told = report(workspace)
    assert (told["from_day"], told["to_day"]) == ("2026-01-01", "2026-01-30")
    assert [(day["day"], day["usage"]["turns"]) for day in told["days"]] == [
        ("2026-01-29", 2), ("2026-01-30", 1),
    ]  # fmt: skip
    assert told["total"] == {
        "turns": 3, "runs": 0, "model_calls": 3,
        "prompt_tokens": 1_800, "completion_tokens": 240, "cost_usd": 0.000414,
    }  # fmt: skip
    assert told["users"] is told["budget"] is None


def test_a_report_holds_the_days_asked_for_across_months(spenders: Spenders) -> None:
    spenders.say(MAYA)
    spenders.clock.advance(3 * 86_400)
    spenders.say(MAYA)
    counters = UsageCounters(spenders.tables)
    of_both = counters.for_user(MAYA, date(2026, 1, 30), date(2026, 2, 2))
    assert [entry.day.isoformat() for entry in of_both] == ["2026-01-30", "2026-02-02"]
    assert counters.for_user(MAYA, date(2026, 1, 31), date(2026, 2, 1)) == ()


def test_others_of_the_tenant_and_other_tenants_are_not_in_a_users_report(
    spenders: Spenders, workspace: ModuleType
) -> None:
    for caller in (MAYA, JO, OTHER):
        spenders.say(caller)
    assert report(workspace)["total"]["turns"] == 1
    assert report(workspace, user="nobody")["total"]["turns"] == 0


def test_an_administrator_sees_the_whole_tenant_by_user(spenders: Spenders, workspace: ModuleType) -> None:
    TenantStore(tables=spenders.tables, clock=spenders.clock).save(
        ACME, TenantPolicy(budget=Budget(usd_per_day=0.5))
    )
    for caller in (MAYA, JO, JO, OTHER):
        spenders.say(caller)
    told = report(workspace, "?scope=tenant", roles="admin")
    assert [(user["user"], user["usage"]["turns"]) for user in told["users"]] == [("jo|1", 2), ("maya", 1)]
    assert told["total"]["turns"] == 3
    told_budget = {"usd_per_day": 0.5, "effective_usd_per_day": 0.5, "spent_usd": 0.000414, "held_usd": 0.0}
    assert told["budget"] == told_budget


def test_an_administrator_sees_what_operators_allow_and_can_not_raise_it(
    spenders: Spenders, workspace: ModuleType
) -> None:
    def effective() -> float:
        return float(report(workspace, "?scope=tenant", roles="admin")["budget"]["effective_usd_per_day"])

    tenants = TenantStore(tables=spenders.tables, clock=spenders.clock)
    assert effective() == 20.0
    tenants.register(ACME, grant=Grant(usd_per_day=3))
    tenants.save(ACME, TenantPolicy(budget=Budget(usd_per_day=100)))
    assert effective() == 3.0
    tenants.save(ACME, TenantPolicy(budget=Budget(usd_per_day=1)))
    assert effective() == 1.0


def test_a_tenant_whose_operators_allow_nothing_is_answered_without_a_model(spenders: Spenders) -> None:
    TenantStore(tables=spenders.tables, clock=spenders.clock).register(ACME, grant=Grant(usd_per_day=0))
    said = spenders.say(MAYA)
    assert spenders.analyzer.reasons == ["budget_reached"]
    assert said.content.count("model budget") == 1
    assert spenders.say(OTHER).content == "re: Good morning!"


def test_the_whole_tenant_is_for_administrators_only(workspace: ModuleType) -> None:
    refused = invoke(workspace, request("GET", "/v1/usage?scope=tenant"))
    assert (refused.status, refused.code) == (403, "role_required")


def test_a_conversation_is_summed_up_with_the_runs_posted_to_it(
    spenders: Spenders, workspace: ModuleType
) -> None:
    conversation = spenders.say(MAYA).conversation_id
    spenders.say(MAYA, conversation)
    spenders.say(MAYA)
    took = ModelUsage(model_calls=3, prompt_tokens=5_000, completion_tokens=900, cost_usd=0.25)
    post = ProactiveMessage("run", "Found three pages.", metadata={"run_id": "01", "usage": took.as_json()})
    ProactiveMessages(tables=spenders.tables, clock=spenders.clock, tokens=TokenCounter(None)).post(
        ACME, conversation, post, Deadline.after(spenders.clock, 5)
    )
    told = report(workspace, f"?conversation_id={conversation}")
    assert (told["total"]["turns"], told["total"]["runs"]) == (2, 1)
    assert told["total"]["cost_usd"] == pytest.approx(0.250276)


def test_a_foreign_conversation_is_one_that_does_not_exist(spenders: Spenders, workspace: ModuleType) -> None:
    conversation = spenders.say(MAYA).conversation_id
    events = [
        request("GET", f"/v1/usage?conversation_id={name}", user=user, tenant=tenant)
        for name, user, tenant in (
            (conversation, "jo|1", "acme"),
            (conversation, "maya", "acme-eu"),
            ("0" * 32, "maya", "acme"),
            ("no-id", "maya", "acme"),
        )
    ]
    answers = [invoke(workspace, event) for event in events]
    assert {(said.status, said.code) for said in answers} == {(404, "conversation_not_found")}
    assert len({said.body for said in answers}) == 1


@pytest.mark.parametrize(
    "query",
    [
        "?from=2026-02-30", "?from=1769774400", "?to=yesterday", "?from=2026-01-30&to=2026-01-29",
        "?from=2025-01-01&to=2026-01-30", "?scope=everybody", "?from=2026-01-01&from=2026-01-02",
    ],
)  # fmt: skip
def test_days_that_mean_nothing_are_refused(workspace: ModuleType, query: str) -> None:
    refused = invoke(workspace, request("GET", f"/v1/usage{query}"))
    assert (refused.status, refused.code) == (400, "query_invalid")


def test_a_run_adds_what_it_took(spenders: Spenders) -> None:
    took = ModelUsage(model_calls=3, prompt_tokens=5_000, completion_tokens=900, cost_usd=0.25)
    update = increment(MAYA, "run", NOON, counts_of_run(took))
    spenders.tables.for_tenant(ACME).transact([update])
    (entry,) = UsageCounters(spenders.tables).for_user(MAYA, NOON.date(), NOON.date())
    assert (entry.counts.runs, entry.counts.turns, entry.counts.cost_micro_usd) == (1, 0, 250_000)


def test_turns_of_one_user_at_the_same_moment_are_all_counted() -> None:
    with ministack() as endpoint:
        client = dynamo_client(endpoint)
        create_table(client, "usage")
        spenders = Spenders(DynamoTable(client, "usage"))
        with ThreadPoolExecutor(20) as pool:
            assert all(pool.map(lambda _: spenders.say(MAYA), range(40)))
        counted = UsageCounters(spenders.tables).for_user(MAYA, NOON.date(), NOON.date())
    assert sum(entry.counts.turns for entry in counted) == 40
    assert len(counted) > 1


def test_a_repeated_request_is_counted_once(spenders: Spenders) -> None:
    first = spenders.say(MAYA, key="morning")
    again = spenders.say(MAYA, key="morning")
    assert again.replayed
    assert again.message_id == first.message_id
    (entry,) = UsageCounters(spenders.tables).for_user(MAYA, NOON.date(), NOON.date())
    assert entry.counts.turns == 1


def test_what_a_discarded_thought_took_is_counted_too(spenders: Spenders) -> None:
    refused = Check(keys.policy(ACME), (Exists(),))
    spenders.master.effects = lambda _: (refused,) if len(spenders.master.received) == 1 else ()
    spenders.say(MAYA)
    (entry,) = UsageCounters(spenders.tables).for_user(MAYA, NOON.date(), NOON.date())
    assert (entry.counts.turns, entry.counts.model_calls) == (1, 2)


def test_a_turn_that_took_nothing_of_a_model_writes_no_counter(settings: dict[str, str]) -> None:
    requests = Requests()
    table = open_table(settings["OMNIFORGE_TABLE"])
    spenders = Spenders(ObservedTable(table, requests), analyzer=PaidAnalyzer(costs_usd=()))
    spenders.say(MAYA)
    assert sorted(requests.names) == ["query", "transact", "update"]
    assert UsageCounters(spenders.tables).for_tenant(ACME, NOON.date(), NOON.date()) == ()


def test_counting_takes_no_request_of_its_own(settings: dict[str, str]) -> None:
    requests = Requests()
    spenders = Spenders(ObservedTable(open_table(settings["OMNIFORGE_TABLE"]), requests))
    conversation = spenders.say(MAYA).conversation_id
    requests.names.clear()
    spenders.say(MAYA, conversation)
    assert requests.names == ["update", "query", "transact"]


def test_operators_may_cap_a_month_below_what_the_tenant_set_itself_and_every_figure_says_so(
    spenders: Spenders, workspace: ModuleType
) -> None:
    tenants = TenantStore(tables=spenders.tables, clock=spenders.clock)
    spenders.say(MAYA)
    tenants.register(ACME, grant=Grant(usd_per_month=0.0101))
    tenants.save(ACME, TenantPolicy(budget=Budget(usd_per_month=100)))
    spenders.clock.advance(120)
    cap = {"period": "month", "cap_usd": 0.0101, "spent_usd": 0.000138, "held_usd": 0.0}
    assert report(workspace, "?scope=tenant", roles="admin")["caps"] == [cap]
    assert "Your workspace has used up its model budget for this month" in spenders.say(JO).content
    assert "model budget" not in spenders.say(OTHER).content

    tenants.save(ACME, TenantPolicy())
    assert report(workspace, "?scope=tenant", roles="admin")["caps"] == [cap]
    spenders.clock.advance(31 * 86_400)
    assert "model budget" not in spenders.say(JO).content


def test_at_the_cap_the_reply_says_once_why_no_model_was_asked(spenders: Spenders) -> None:
    TenantStore(tables=spenders.tables, clock=spenders.clock).save(
        ACME, TenantPolicy(budget=Budget(usd_per_day=0.005))
    )
    spenders.analyzer.costs_usd = (0.001, 0.001)
    said = spenders.say(MAYA)
    assert spenders.analyzer.reasons == ["budget_reached"] * 2
    assert said.content.startswith("re: Good morning!")
    assert said.content.count("model budget") == 1
    assert spenders.say(OTHER).content == "re: Good morning!"


CAP_NAMES = ["usd_per_day", "usd_per_month", "usd_per_user_per_day", "usd_per_user_per_month"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (CAP_NAMES[0], "Your workspace has used up its model budget for today"),
        (CAP_NAMES[1], "Your workspace has used up its model budget for this month"),
        (CAP_NAMES[2], "You have used up your own model budget for today"),
        (CAP_NAMES[3], "You have used up your own model budget for this month"),
    ],
)
def test_a_reply_names_the_budget_that_is_used_up(spenders: Spenders, name: str, said: str) -> None:
    TenantStore(tables=spenders.tables, clock=spenders.clock).save(
        ACME, TenantPolicy(budget=Budget.model_validate({name: 0.0101}))
    )
    spenders.say(MAYA)
    assert said in spenders.say(MAYA).content
    assert ("model budget" in spenders.say(JO).content) is (name in CAP_NAMES[:2])


def test_the_caps_that_hold_are_told_with_what_counts_for_them(
    spenders: Spenders, workspace: ModuleType
) -> None:
    spenders.clock.advance(-86_400)
    spenders.say(MAYA)
    spenders.clock.advance(86_400)
    for caller in (MAYA, JO, OTHER):
        spenders.say(caller)
    TenantStore(tables=spenders.tables, clock=spenders.clock).save(
        ACME,
        TenantPolicy(
            budget=Budget(
                usd_per_day=50.0, usd_per_month=100.0, usd_per_user_per_day=1.0, usd_per_user_per_month=10.0
            )
        ),
    )
    of_all = report(workspace, "?scope=tenant", roles="admin")
    assert of_all["caps"] == [
        {"period": "day", "cap_usd": 20.0, "spent_usd": 0.000276, "held_usd": 0.0},
        {"period": "month", "cap_usd": 100.0, "spent_usd": 0.000414, "held_usd": 0.0},
    ]
    assert of_all["caps"][0]["spent_usd"] == of_all["budget"]["spent_usd"]
    assert report(workspace)["caps"] == [
        {"period": "day", "cap_usd": 1.0, "spent_usd": 0.000138, "held_usd": 0.0},
        {"period": "month", "cap_usd": 10.0, "spent_usd": 0.000276, "held_usd": 0.0},
    ]
    assert report(workspace, user="jo|1")["caps"][1]["spent_usd"] == 0.000138


def test_a_turn_that_asks_no_model_says_nothing_of_the_budget(settings: dict[str, str]) -> None:
    spenders = Spenders(open_table(settings["OMNIFORGE_TABLE"]), analyzer=PaidAnalyzer(costs_usd=()))
    TenantStore(tables=spenders.tables, clock=spenders.clock).save(
        ACME, TenantPolicy(budget=Budget(usd_per_day=0))
    )
    assert spenders.say(MAYA).content == "re: Good morning!"


@pytest.mark.parametrize("name", CAP_NAMES)
@pytest.mark.parametrize("usd", [-1, 1e9, "5", True])
def test_a_budget_that_is_no_sum_of_money_is_refused(workspace: ModuleType, usd: object, name: str) -> None:
    body = {"budget": {name: usd}}
    refused = invoke(workspace, request("PUT", "/v1/tenant/policy", body=body, roles="admin"))
    assert refused.status == 400


def test_an_administrator_sets_the_budget(workspace: ModuleType) -> None:
    body = {"budget": {"usd_per_day": 5}}
    saved = invoke(workspace, request("PUT", "/v1/tenant/policy", body=body, roles="admin"))
    assert saved.json["budget"] == {**dict.fromkeys(CAP_NAMES), "usd_per_day": 5.0}
