"""A run is claimed by one, worked on once, posted and delivered, whatever dies on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agent.runs.claims import CLAIM_LIFETIME, Notices, RunClaims, RunOccupied, RunResult
from agent.runs.delivery import Deliverer, ResultHandover
from agent.runs.executor import RunExecutor
from agent.runs.run_queue import RunRequest
from agent.runs.worker import Job, ProgressListener, outcome_for
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import Agent, AgentChange, AgentSpec, AgentStatus
from agent.workspace.errors import RunNotFound
from agent.workspace.runs import DeliveryStatus, Run, RunStatus, RunUsage, Trigger
from conversation.clock import Deadline
from conversation.errors import IdempotencyKeyReused
from conversation.identity import Caller
from conversation.mailer import Mail
from conversation.tenants.policy import DailyCaps, Grant, TenantPolicy
from conversation.tenants.store import TenantStore
from conversation.threads.repository import ConversationRepository
from conversation.token_counts import TokenCounter
from conversation.turns.proactive_messages import ProactiveMessages
from conversation.usage.counters import UsageCounters
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.run.clocks import ManualClock
from tools.outbound.client import OutboundClient

MAYA, BEN = Caller(TenantId("acme"), "maya@acme.com"), Caller(TenantId("acme"), "ben")
NINE = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)
DONE = RunResult(
    outcome=outcome_for("done"),
    output="960",
    usage=RunUsage(model="m", prompt_tokens=600, completion_tokens=80, model_calls=2, cost_usd=0.5),
)


class PowerCut(BaseException):
    """The process dies here."""


@dataclass
class Hands:
    """A worker that does as the test says; by default it is done at once."""

    does: Callable[[Job, ProgressListener], RunResult] = lambda _job, _watch: DONE
    jobs: list[Job] = field(default_factory=list)

    def work(self, job: Job, watch: ProgressListener, deadline: Deadline) -> RunResult:
        self.jobs.append(job)
        return self.does(job, watch)


@dataclass
class Postbox:
    """A mailer that keeps what it sends; sending to ``deadly`` ends the process."""

    sent: list[Mail] = field(default_factory=list)
    deadly: str = ""

    def send(self, mail: Mail) -> None:
        if mail.to == self.deadly:
            raise PowerCut
        self.sent.append(mail)


class Office:
    """Maya's agents, and somebody who executes their runs."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.tables = Tables(SqliteTable(":memory:"))
        self.agents = AgentStore(tables=self.tables, clock=self.clock)
        self.runs = self.agents.runs
        self.tenants = TenantStore(tables=self.tables, clock=self.clock)
        self.hands, self.postbox = Hands(), Postbox()
        claims = RunClaims(tables=self.tables, clock=self.clock)
        poster = ProactiveMessages(tables=self.tables, clock=self.clock, tokens=TokenCounter(None))
        deliverer = Deliverer(
            outbound=OutboundClient(allow_loopback=True), mailer=self.postbox, clock=self.clock
        )
        self.executor = RunExecutor(
            tables=self.tables,
            claims=claims,
            agents=self.agents,
            worker=self.hands,
            handover=ResultHandover(
                claims=claims,
                notices=Notices(self.tables),
                deliverer=deliverer,
                poster=poster,
                clock=self.clock,
            ),
            clock=self.clock,
            timeout_s=300,
        )

    def agent(self, **fields: Any) -> Agent:
        spec = AgentSpec.model_validate({"name": "reporter", "what": "sales", **fields})
        return self.agents.create(MAYA, spec)

    def asked(self, agent: Agent, caller: Caller = MAYA) -> Run:
        return self.runs.queue(caller, self.runs.build(caller, agent, {}))

    def execute(self, run: Run) -> Run | None:
        return self.request(
            RunRequest(tenant=MAYA.tenant, user=run.user, agent_id=run.agent_id, run_id=run.id)
        )

    def fire(self, agent: Agent, moment: datetime = NINE) -> Run | None:
        return self.request(
            RunRequest(tenant=MAYA.tenant, user=agent.owner, agent_id=agent.id, scheduled_at=moment)
        )

    def request(self, request: RunRequest) -> Run | None:
        return self.executor.execute(request, Deadline.after(self.clock, 320))

    def posts(self, caller: Caller = MAYA) -> list[str]:
        repository = ConversationRepository(tables=self.tables, clock=self.clock)
        conversations, _ = repository.list(caller, limit=100)
        return [
            message.content
            for conversation in conversations
            for message in repository.page(caller, conversation.id, limit=100)
        ]

    def outlive_the_claim(self) -> None:
        self.clock.advance(CLAIM_LIFETIME.total_seconds() + 1)


@pytest.fixture
def office() -> Office:
    return Office()


def test_the_posted_result_says_which_skills_a_run_had_to_do_without(office: Office) -> None:
    notes = (
        "I couldn't use the skill wiki: it took too long to answer.",
        "The tool x of the skill crm failed.",
    )
    office.hands.does = lambda _job, _watch: replace(DONE, skill_notes=notes)
    run = office.asked(office.agent())

    ended = office.execute(run)

    assert ended is not None
    assert ended.skill_notes == office.runs.get(MAYA, run.id).skill_notes == notes
    (post,) = office.posts()
    assert post.endswith(f":\n\n960\n\n{notes[0]} {notes[1]}")


def test_a_run_is_worked_on_stored_and_posted_once_however_often_it_is_asked_for(office: Office) -> None:
    run = office.asked(office.agent())

    first = office.execute(run)
    again = office.execute(run)

    assert first is not None
    assert again == first == office.runs.get(MAYA, run.id)
    assert (first.status, first.output, first.attempt) == (RunStatus.SUCCEEDED, "960", 1)
    assert first.started_at == first.finished_at == office.clock.now()
    assert len(office.hands.jobs) == 1
    [post] = office.posts()
    assert "reporter has finished" in post
    assert "960" in post


def test_what_a_run_took_is_counted_once(office: Office) -> None:
    run = office.asked(office.agent())
    office.execute(run)
    office.execute(run)

    today = office.clock.now().date()
    [counted] = UsageCounters(office.tables).for_user(MAYA, today, today)
    counts = counted.counts
    assert (counts.runs, counts.prompt_tokens, counts.model_calls, counts.cost_micro_usd) == (
        1,
        600,
        2,
        500_000,
    )


def test_nobody_else_executes_a_run_that_is_being_executed(office: Office) -> None:
    run = office.asked(office.agent())

    def meanwhile(_job: Job, _watch: ProgressListener) -> RunResult:
        with pytest.raises(RunOccupied):
            office.execute(run)
        return DONE

    office.hands.does = meanwhile

    assert office.execute(run) is not None
    assert len(office.posts()) == 1


def test_an_execution_that_broke_off_is_gone_on_with_once_and_then_given_up(office: Office) -> None:
    run = office.asked(office.agent())

    def dies(_job: Job, _watch: ProgressListener) -> RunResult:
        raise PowerCut

    office.hands.does = dies
    for _ in range(2):
        with pytest.raises(PowerCut):
            office.execute(run)
        with pytest.raises(RunOccupied):
            office.execute(run)
        office.outlive_the_claim()
    ended = office.execute(run)

    assert ended is not None
    assert ended.outcome == outcome_for("interrupted")
    assert (ended.status, ended.attempt) == (RunStatus.FAILED, 3)
    assert [job.run.attempt for job in office.hands.jobs] == [1, 2]
    [post] = office.posts()
    assert "broke off" in post


def test_a_second_attempt_may_succeed(office: Office) -> None:
    run = office.asked(office.agent())

    def dies_first(job: Job, _watch: ProgressListener) -> RunResult:
        if job.run.attempt == 1:
            raise PowerCut
        return DONE

    office.hands.does = dies_first
    with pytest.raises(PowerCut):
        office.execute(run)
    office.outlive_the_claim()
    ended = office.execute(run)

    assert ended is not None
    assert (ended.status, ended.attempt) == (RunStatus.SUCCEEDED, 2)


def test_after_a_crash_behind_the_work_only_what_is_left_is_done(office: Office) -> None:
    recipients = ["ben@acme.com", "eve@acme.com"]
    run = office.asked(office.agent(delivery={"channels": ["email"], "recipients": recipients}))
    office.postbox.deadly = "eve@acme.com"
    with pytest.raises(PowerCut):
        office.execute(run)
    office.postbox.deadly = ""
    office.outlive_the_claim()

    ended = office.execute(run)

    assert ended is not None
    assert ended.status is RunStatus.SUCCEEDED
    assert len(office.hands.jobs) == 1
    assert [(mail.to, mail.text, mail.key) for mail in office.postbox.sent] == [
        (recipient, "960", run.id) for recipient in recipients
    ]
    assert [(told.target, told.status) for told in ended.deliveries] == [
        (recipient, DeliveryStatus.DELIVERED) for recipient in recipients
    ]


def test_a_schedule_that_fires_twice_for_one_moment_runs_once(office: Office) -> None:
    agent = office.agent(schedule={"cron": "0 9 * * *"})

    runs = [office.fire(agent), office.fire(agent)]

    assert runs[0] == runs[1]
    assert runs[0] is not None
    assert (runs[0].trigger, runs[0].scheduled_at) == (Trigger.SCHEDULE, NINE)
    assert len(office.hands.jobs) == 1
    assert len(office.posts()) == 1


def test_a_week_that_is_not_its_turn_runs_nothing(office: Office) -> None:
    agent = office.agent(
        schedule={"cron": "0 9 * * 5", "every": 2, "unit": "weeks", "start": "2026-01-30T00:00"}
    )
    fired = [office.fire(agent, NINE + timedelta(weeks=week)) for week in range(3)]
    assert [run is not None for run in fired] == [True, False, True]


def test_a_schedule_of_an_agent_that_is_paused_changed_or_gone_runs_nothing(office: Office) -> None:
    paused = office.agent(name="paused", schedule={"cron": "0 9 * * *"})
    office.agents.update(MAYA, paused.id, AgentChange(status=AgentStatus.PAUSED))
    changed = office.agent(name="changed", schedule={"cron": "0 9 * * *"})
    office.agents.update(MAYA, changed.id, AgentChange(schedule=None))
    gone = office.agent(name="gone", schedule={"cron": "0 9 * * *"})
    office.agents.delete(MAYA, gone.id)

    assert [office.fire(agent) for agent in (paused, changed, gone)] == [None, None, None]
    assert office.runs.list(MAYA, limit=10) == ((), None)


def test_a_run_that_was_cancelled_while_it_waited_is_not_executed(office: Office) -> None:
    run = office.asked(office.agent())
    office.runs.cancel(MAYA, run.id)

    ended = office.execute(run)

    assert ended is not None
    assert ended.status is RunStatus.CANCELLED
    assert office.hands.jobs == []
    assert office.posts() == []


def test_a_run_that_is_cancelled_stops_at_its_next_step_and_nothing_is_sent(office: Office) -> None:
    run = office.asked(office.agent(delivery={"channels": ["email", "conversation"]}))

    def cancelled_meanwhile(_job: Job, watch: ProgressListener) -> RunResult:
        watch.record_progress("used calculator")
        assert not watch.is_stopped()
        assert office.runs.cancel(MAYA, run.id).status is RunStatus.RUNNING
        office.clock.advance(3)
        return RunResult(outcome=outcome_for("cancelled" if watch.is_stopped() else "done"))

    office.hands.does = cancelled_meanwhile
    ended = office.execute(run)

    assert ended is not None
    assert (ended.status, ended.progress) == (RunStatus.CANCELLED, ("used calculator",))
    assert office.postbox.sent == []
    assert office.posts() == []


def test_a_run_whose_claim_another_took_over_writes_nothing_more(office: Office) -> None:
    run = office.asked(office.agent())

    def sleeps_too_long(job: Job, watch: ProgressListener) -> RunResult:
        if job.run.attempt == 1:
            office.outlive_the_claim()
            office.execute(run)
            assert watch.is_stopped()
            return replace(DONE, output="too late")
        return DONE

    office.hands.does = sleeps_too_long
    with pytest.raises(RunOccupied):
        office.execute(run)

    assert office.runs.get(MAYA, run.id).output == "960"
    assert len(office.posts()) == 1


def test_of_a_run_without_a_result_the_conversation_is_told_why_and_nobody_else(office: Office) -> None:
    office.hands.does = lambda _job, _watch: RunResult(outcome=outcome_for("no_model"))
    run = office.asked(office.agent(delivery={"channels": ["conversation", "email"]}))

    ended = office.execute(run)

    assert ended is not None
    assert (ended.status, ended.output) == (RunStatus.FAILED, "")
    [post] = office.posts()
    assert "has no result" in post
    assert "No model is set up here" in post
    assert office.postbox.sent == []


def test_an_agent_deleted_before_its_run_began_is_told_as_gone(office: Office) -> None:
    agent = office.agent()
    run = office.asked(agent)
    office.agents.delete(MAYA, agent.id)

    ended = office.execute(run)

    assert ended is not None
    assert ended.outcome == outcome_for("agent_gone")
    assert office.hands.jobs == []


def test_nothing_is_executed_for_a_suspended_tenant(office: Office) -> None:
    run = office.asked(office.agent())
    tenants = TenantStore(tables=office.tables, clock=office.clock)
    tenants.register(MAYA.tenant, name="Acme")
    tenants.suspend(MAYA.tenant)

    ended = office.execute(run)

    assert ended is not None
    assert ended.outcome == outcome_for("tenant_inactive")
    assert office.hands.jobs == []


def test_who_runs_a_shared_agent_gets_the_result_in_a_conversation_of_their_own(office: Office) -> None:
    agent = office.agent(shared=True)
    office.execute(office.asked(agent, BEN))

    [post] = office.posts(BEN)
    assert "960" in post
    assert office.posts(MAYA) == []


def test_results_meet_in_one_conversation_and_stay_out_when_it_was_deleted(office: Office) -> None:
    agent = office.agent()
    for _ in range(2):
        office.execute(office.asked(agent))
    repository = ConversationRepository(tables=office.tables, clock=office.clock)
    [conversation], _ = repository.list(MAYA, limit=10)
    assert (conversation.title, conversation.count) == ("reporter", 2)
    repository.delete(MAYA, conversation.id)

    ended = office.execute(office.asked(agent))

    assert ended is not None
    [told] = ended.deliveries
    assert (told.status, told.reason) == (DeliveryStatus.FAILED, "conversation_gone")


def test_an_agent_that_works_seldom_gets_a_new_conversation_when_the_one_before_has_expired(
    office: Office,
) -> None:
    agent, repository = office.agent(), ConversationRepository(tables=office.tables, clock=office.clock)
    seen = set()
    for _ in range(3):
        office.execute(office.asked(agent))
        [conversation], _ = repository.list(MAYA, limit=10)
        seen.add(conversation.id)
        office.clock.advance(31 * 86_400)
    assert len(seen) == 3


def test_what_could_not_be_delivered_is_told_with_the_result(office: Office) -> None:
    agent = office.agent(delivery={"channels": ["conversation", "slack", "teams"]})

    ended = office.execute(office.asked(agent))

    assert ended is not None
    assert {told.channel.value: told.status.value for told in ended.deliveries} == {
        "slack": "no_address",
        "teams": "not_supported",
        "conversation": "delivered",
    }
    [post] = office.posts()
    assert "960" in post
    assert "couldn't send it by Slack: I have no address" in post
    assert "couldn't send it by Teams: this deployment can't do that" in post


def test_another_user_can_neither_see_nor_stop_a_run(office: Office) -> None:
    run = office.asked(office.agent(shared=True))

    with pytest.raises(RunNotFound):
        office.runs.get(BEN, run.id)
    with pytest.raises(RunNotFound):
        office.runs.cancel(BEN, run.id)


def test_a_run_asked_for_twice_under_a_key_is_one(office: Office) -> None:
    agent = office.agent()
    first = office.runs.queue(MAYA, office.runs.build(MAYA, agent, {"period": "Q1"}), key="k")
    again = office.runs.queue(MAYA, office.runs.build(MAYA, agent, {"period": "Q1"}), key="k")
    with pytest.raises(IdempotencyKeyReused):
        office.runs.queue(MAYA, office.runs.build(MAYA, agent, {"period": "Q2"}), key="k")

    assert again == first
    assert office.runs.list(MAYA, limit=10)[0] == (first,)


WEEK = timedelta(days=7)


def test_a_run_that_ended_is_kept_as_long_as_its_tenant_keeps_conversations(office: Office) -> None:
    office.tenants.save(MAYA.tenant, TenantPolicy(retention_days=WEEK.days))
    run = office.asked(office.agent())
    ended = office.execute(run)

    assert ended is not None
    assert ended.expires_at == office.clock.now() + WEEK
    office.clock.advance(WEEK.total_seconds() - 1)
    assert office.runs.get(MAYA, run.id).output == "960"
    office.clock.advance(1)
    with pytest.raises(RunNotFound):
        office.runs.get(MAYA, run.id)
    assert office.runs.list(MAYA, limit=10) == ((), None)


def test_a_run_that_was_cancelled_while_it_waited_is_kept_no_longer(office: Office) -> None:
    office.tenants.save(MAYA.tenant, TenantPolicy(retention_days=WEEK.days))
    run = office.asked(office.agent())
    office.runs.cancel(MAYA, run.id)

    office.execute(run)

    until = office.clock.now() + WEEK
    assert office.runs.get(MAYA, run.id).expires_at == until
    office.clock.advance(60)
    office.execute(run)  # asked for once more, it is kept no longer
    assert office.runs.get(MAYA, run.id).expires_at == until


def test_a_run_that_ends_while_its_tenant_is_on_legal_hold_is_kept_for_good(office: Office) -> None:
    office.tenants.save(MAYA.tenant, TenantPolicy(retention_days=WEEK.days, legal_hold=True))
    done, cancelled = (office.asked(office.agent(name=name)) for name in ("reporter", "witness"))
    office.runs.cancel(MAYA, cancelled.id)
    for run in (done, cancelled):
        office.execute(run)

    office.clock.advance(10 * WEEK.total_seconds())
    kept, _ = office.runs.list(MAYA, limit=10)
    assert {run.id: run.expires_at for run in kept} == {cancelled.id: None, done.id: None}


def test_a_place_that_is_not_allowed_any_more_gets_nothing_and_the_conversation_says_why(
    office: Office,
) -> None:
    delivery = {"channels": ["conversation", "email"], "recipients": ["ben@acme.com", "zoe@partner.com"]}
    before = AgentStore(tables=office.tables, clock=office.clock, delivery_hosts=("*",))
    spec = AgentSpec.model_validate({"name": "reporter", "what": "sales", "delivery": delivery})
    run = office.execute(office.asked(before.create(MAYA, spec)))
    assert run is not None
    assert [mail.to for mail in office.postbox.sent] == ["ben@acme.com"]
    refused = next(each for each in run.deliveries if each.target == "zoe@partner.com")
    assert (refused.status, refused.reason, refused.tries) == (DeliveryStatus.FAILED, "target_not_allowed", 0)
    assert "your workspace doesn't allow that address; an administrator can." in office.posts()[0]


def test_what_an_admin_takes_back_is_taken_back_from_the_next_run_on(office: Office) -> None:
    agent = office.agent(delivery={"channels": ["email"], "recipients": ["ben@acme.com"]})
    office.execute(office.asked(agent))
    office.tenants.save(MAYA.tenant, TenantPolicy(allowed_mail_domains=()))
    office.execute(office.asked(agent))
    assert [mail.to for mail in office.postbox.sent] == ["ben@acme.com"]


def test_a_schedule_starts_no_more_runs_than_its_user_may_have_in_a_day(office: Office) -> None:
    agent = office.agent(schedule={"cron": "0 * * * *"})
    office.tenants.register(MAYA.tenant, grant=Grant(per_user_per_day=DailyCaps(runs=1)))
    fired = [office.fire(agent, NINE + timedelta(hours=hour)) for hour in range(3)]
    assert [run.outcome.code for run in fired if run and run.outcome] == [
        "done",
        "limit_reached",
        "limit_reached",
    ]
    assert len(office.hands.jobs) == 1
