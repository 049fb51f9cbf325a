"""Answers about the workspace: what runs when, what failed, what changed, what it cost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from agent.dialogue.workspace_questions.overview import Aspect, aspect_of
from agent.dialogue.workspace_questions.windows import read_window
from agent.dialogue.workspace_questions.wording import Wording
from agent.runs.claims import RunClaims, RunResult
from agent.workspace.agents import AgentChange, Schedule
from agent.workspace.delivery_targets import Channel
from agent.workspace.roster import read_roster
from agent.workspace.runs import DeliveryOutcome, DeliveryStatus, Run, RunOutcome, RunUsage
from conversation.identity import ADMIN, Caller, derived_ulid
from conversation.limits.quotas import QuotaKind, Quotas
from conversation.tenants.policy import Budget, Grant, TenantPolicy
from conversation.usage.counters import UsageCounts, increment
from intent.acts.act import ActKind
from storage.keys import TenantId
from tasks.task import TaskSpec
from tests.fakes.data.act_session import ActTalk
from tests.fakes.run.clocks import ManualClock

ACME = TenantId("acme")
MONDAY = datetime(2026, 3, 2, 9, 10, tzinfo=UTC)
ASK, USAGE, YES = ActKind.ASK_WORKSPACE, ActKind.ASK_USAGE, ActKind.YES


def talking(*roles: str, zone: str = "UTC") -> ActTalk:
    return ActTalk(Caller(ACME, "maya", frozenset(roles)), time_zone=zone, clock=ManualClock(MONDAY))


def with_agents(talk: ActTalk) -> ActTalk:
    talk.create("stock-daily", schedule=Schedule(cron="0 8 * * 1-5"))
    talk.create("rota", schedule=Schedule(cron="30 16 * * 5"))
    asleep = talk.create("asleep", schedule=Schedule(cron="0 7 * * *"))
    talk.store.update(talk.caller, asleep.id, AgentChange.model_validate({"status": "paused"}))
    return talk


def ran(
    talk: ActTalk,
    name: str,
    at: datetime,
    code: str = "done",
    *,
    words: str = "",
    cost: float = 0,
    delivery: DeliveryStatus | None = None,
) -> None:
    """Store a run of an agent that ended with the code of an outcome."""
    agent = next(agent for agent in talk.agents() if agent.name == name)
    run = Run.create(agent, run_id=derived_ulid(at, name), user="maya", now=at)
    claims, outcome = RunClaims(tables=talk.tables, clock=talk.clock), RunOutcome(code=code, words=words)
    claim = claims.claim_new(ACME, run, worker="w")
    assert claim is not None
    claims.settle(claim, RunResult(outcome=outcome, usage=RunUsage(cost_usd=cost)))
    if delivery is not None:
        claims.store_deliveries(claim, [DeliveryOutcome(channel=Channel.EMAIL, status=delivery)])
    claims.end(claim, outcome)


def test_what_is_scheduled_is_listed_with_times_and_without_paused_agents() -> None:
    talk = with_agents(talking())
    assert talk.act("what's going out tomorrow?", ASK) == "Tomorrow 1 agent runs:\n\n- stock-daily: 8:00 AM"
    said = talk.act("what is scheduled this week?", ASK)
    assert "- stock-daily: 4 times, from Tue 3 Mar, 8:00 AM to Fri 6 Mar, 8:00 AM" in said
    assert "- rota: Fri 6 Mar, 4:30 PM" in said
    assert "asleep" not in said


def test_times_are_those_of_the_user() -> None:
    talk = with_agents(talking(zone="America/New_York"))
    assert "- stock-daily: 3:00 AM" in talk.act("what runs tomorrow?", ASK)


def test_an_empty_day_names_what_comes_next_and_what_is_paused() -> None:
    talk = with_agents(talking())
    assert talk.act("which reports go out over the weekend", ASK) == (
        "Nothing is scheduled over the weekend. Next is stock-daily: Tuesday, March 3 at 8:00 AM. "
        "Paused: asleep."
    )


def test_a_frequent_agent_is_counted_instead_of_listed() -> None:
    talk = talking()
    talk.create("pinger", schedule=Schedule(cron="*/15 * * * *"))
    assert "- pinger: 8 times, from 5:00 AM to 6:45 AM" in talk.act(
        "who's up tomorrow morning between 5 and 7, of all my agents", ASK
    )


def test_failures_of_the_night_are_told_with_their_reason() -> None:
    talk = with_agents(talking())
    ran(talk, "stock-daily", MONDAY - timedelta(hours=5), "no_result", words="Xero refused the key.")
    ran(talk, "rota", MONDAY - timedelta(hours=6))
    ran(talk, "rota", MONDAY - timedelta(days=2), "no_result", words="Older.")
    assert talk.act("What broke overnight?", ASK) == (
        "1 run went wrong last night, of 2:\n\n- stock-daily, Mon 2 Mar, 4:10 AM: Xero refused the key."
    )
    assert talk.act("what failed yesterday?", ASK) == "Nothing failed yesterday: nothing ran."


def test_a_result_that_did_not_arrive_counts_as_gone_wrong() -> None:
    talk = with_agents(talking())
    ran(talk, "rota", MONDAY - timedelta(hours=1), delivery=DeliveryStatus.FAILED)
    assert talk.act("did anything go wrong today?", ASK).endswith(
        "- rota, Mon 2 Mar, 8:10 AM: it worked, but its result wasn't delivered"
    )


def test_what_ran_is_listed() -> None:
    talk = with_agents(talking())
    ran(talk, "rota", MONDAY - timedelta(hours=1))
    assert "- rota, Mon 2 Mar, 8:10 AM: succeeded" in talk.act("first, what ran this morning?", ASK)


def test_what_was_done_in_the_conversation_is_remembered() -> None:
    talk = with_agents(talking(ADMIN))
    assert (
        talk.act("which of the three did you do?", ASK) == "I haven't changed anything in this conversation."
    )
    talk.act("keep our chats for 60 days", ActKind.SET_POLICY)
    talk.act("yes", YES)
    assert talk.act("so which of those did you actually do", ASK) == (
        "The last thing I did: changed the workspace's policy: chats and results are kept for 60 days after "
        "the last activity. I did nothing else then."
    )


def test_changes_since_a_day_name_new_and_changed_things() -> None:
    talk = with_agents(talking())
    talk.tasks.create(talk.caller, TaskSpec(title="buy napkins"))
    talk.clock.advance(3 * 24 * 3600)
    rota = next(agent for agent in talk.agents() if agent.name == "rota")
    talk.store.update(talk.caller, rota.id, AgentChange.model_validate({"what": "open shifts"}))
    assert talk.act("what changed since yesterday?", ASK) == "Since yesterday: Changed agents: rota."
    assert "New agents: asleep, rota and stock-daily. New tasks: “buy napkins”." in talk.act(
        "anything changed here since the 1st?", ASK
    )


def test_the_overview_says_what_failed_first_and_what_is_next() -> None:
    talk = with_agents(talking())
    ran(talk, "stock-daily", MONDAY - timedelta(hours=1), "no_result")
    assert talk.act("everything ok with my stuff?", ASK) == (
        "Failed in the last 24 hours: stock-daily. You have 3 agents (asleep paused) and no open tasks. "
        "Next: stock-daily, tomorrow at 8:00 AM."
    )


def test_an_agent_that_another_process_made_is_seen_at_once() -> None:
    talk = talking()
    stale = read_roster(talk.tables, ACME, MONDAY - timedelta(seconds=30))
    talk.create("rota")
    assert talk.act("how many agents do I have?", ASK, roster=stale) == "You have 1 agent and no open tasks."


def test_a_newcomer_is_told_how_to_begin() -> None:
    assert talking().act("give me the big picture", ASK) == (
        "You don't have any agents or tasks yet. "
        "Tell me what you'd like to be told about, and I'll set one up."
    )


def test_costs_are_told_for_the_days_asked_about() -> None:
    talk = talking()
    talk.has_models = True
    counts = UsageCounts(turns=4, runs=2, model_calls=9, prompt_tokens=10, cost_micro_usd=1_250_000)
    table = talk.tables.for_tenant(ACME)
    table.transact([increment(talk.caller, "a", MONDAY, counts)])
    table.transact([increment(talk.caller, "b", MONDAY - timedelta(days=20), counts)])
    table.transact([increment(Caller(ACME, "noah"), "c", MONDAY, counts)])
    assert talk.act("how much have I spent this month?", USAGE) == (
        "You spent 1.25 USD on models this month: 4 messages and 2 runs."
    )
    assert talk.act("what did we spend in February?", USAGE) == (
        "You spent 1.25 USD on models in February: 4 messages and 2 runs. "
        "An administrator can ask for everybody's figures."
    )
    assert talk.as_admin().act("what did we spend this month?", USAGE) == (
        "Your workspace spent 2.50 USD on models this month: 8 messages and 4 runs."
    )


def test_without_a_model_nothing_costs_anything() -> None:
    assert talking().act("whats my bill so far", USAGE) == (
        "This month: no costs. No model is set up here, so nothing can cost anything."
    )


def test_what_is_used_of_the_limits_is_told_to_users_and_of_all_to_administrators() -> None:
    talk = talking()
    Quotas(tables=talk.tables, clock=talk.clock).take(talk.caller, QuotaKind.RUNS, 3)
    talk.tenants.save(ACME, TenantPolicy(budget=Budget(usd_per_day=2)))
    assert talk.act("Am I near my allowance?", USAGE) == (
        "Today you have started 3 of at most 500 runs. Your workspace's budget for models is 2.00 USD a day."
    )
    assert talk.as_admin().act("Am I near my allowance?", USAGE) == (
        "Today you have started 3 of at most 500 runs. All of you together: 3 of 5,000. "
        "Models have cost 0.00 USD of 2.00 USD today."
    )


def test_the_budget_and_what_was_spent_of_it_are_the_figures_of_the_usage_report() -> None:
    talk = talking()
    spent = increment(talk.caller, "c1", talk.clock.now(), UsageCounts(turns=1, cost_micro_usd=1_250_000))
    talk.tables.for_tenant(ACME).update(spent)
    talk.tenants.save(ACME, TenantPolicy(budget=Budget(usd_per_day=30)))
    told = talk.as_admin().act("Am I near my allowance?", USAGE)
    assert told.endswith("Models have cost 1.25 USD of 20.00 USD today.")  # operators allow 20

    talk.tenants.register(ACME, grant=Grant(usd_per_day=10))
    assert "of 10.00 USD today" in talk.as_admin().act("Am I near my allowance?", USAGE)
    assert (
        talk.as_admin().act("what is our budget?", ActKind.SHOW_POLICY) == "Models may cost 10.00 USD a day."
    )


def test_the_dearest_agent_is_named_from_its_runs() -> None:
    talk = with_agents(talking())
    ran(talk, "rota", MONDAY - timedelta(hours=1), cost=0.5)
    ran(talk, "stock-daily", MONDAY - timedelta(hours=2), cost=0.75)
    assert talk.act("Which agent costs us the most?", USAGE) == (
        "This month your agents cost:\n\n- stock-daily: 0.75 USD, 1 run\n- rota: 0.50 USD, 1 run"
    )


@pytest.mark.parametrize(
    ("words", "aspect"),
    [
        ("of the three things i asked, which did you actually do", Aspect.DONE_HERE),
        ("I gave you three things to do, which of them went through?", Aspect.DONE_HERE),
        ("anything changed here since the 4th", Aspect.CHANGES),
        ("Did anything break overnight?", Aspect.FAILURES),
        ("what ran last week", Aspect.PAST_RUNS),
        ("what's scheduled this afternoon?", Aspect.PLAN),
        ("which ones are paused?", Aspect.PAUSED),
        ("how many agents do I have?", Aspect.NUMBERS),
        ("Give me the big picture, I've been ill for a week.", Aspect.OVERVIEW),
        ("all green?", Aspect.OVERVIEW),
    ],
)
def test_a_question_is_answered_by_what_it_is_after(words: str, aspect: Aspect) -> None:
    assert aspect_of(Wording.of_text(words)) is aspect


@pytest.mark.parametrize(
    ("words", "first", "last", "said"),
    [
        ("tomorrow morning", "03-03 00:00", "03-03 12:00", "tomorrow morning"),
        ("tonight", "03-02 17:00", "03-03 06:00", "tonight"),
        ("what broke overnight", "03-01 18:00", "03-02 09:00", "last night"),
        ("since the 28th", "02-28 00:00", "03-02 09:10", "since the 28th"),
        ("since Friday", "02-27 00:00", "03-02 09:10", "since Friday"),
        ("next week", "03-09 00:00", "03-16 00:00", "next week"),
        ("on Saturday", "03-07 00:00", "03-08 00:00", "on Saturday"),
        ("I was away for two weeks", "02-16 09:10", "03-02 09:10", "in the last 2 weeks"),
        ("between January and February", "01-01 00:00", "03-01 00:00", "from January to February"),
        ("in Q1", "01-01 00:00", "04-01 00:00", "in Q1"),
    ],
)
def test_the_window_of_a_question_is_read(words: str, first: str, last: str, said: str) -> None:
    window = read_window(Wording.of_text(words), now=MONDAY, zone="UTC", is_past=False)
    assert window is not None
    assert (f"{window.first:%m-%d %H:%M}", f"{window.last:%m-%d %H:%M}", window.said) == (first, last, said)


def test_yesterdays_weekend_is_the_one_gone_by() -> None:
    window = read_window(Wording.of_text("over the weekend"), now=MONDAY, zone="UTC", is_past=True)
    assert window is not None
    assert f"{window.first:%m-%d}" == "02-28"
