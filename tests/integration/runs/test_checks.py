"""Agents that check a web address: executed without a model, told once, on every storage backend."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from agent.checks.check import Check
from agent.checks.observation import Observation, Observer
from agent.checks.state_store import CheckStates
from agent.runs.check_worker import CONFIRM_AFTER_S, CheckWorker
from agent.runs.claims import Notices, RunClaims, RunResult
from agent.runs.delivery import Deliverer, ResultHandover
from agent.runs.executor import RunExecutor
from agent.runs.run_queue import RunRequest
from agent.runs.worker import Job, ProgressListener, outcome_for
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import Agent, AgentChange, AgentSpec, AgentStatus
from agent.workspace.errors import CheckBlocked
from agent.workspace.runs import DeliveryStatus, Run, RunStatus
from conversation.clock import Clock, Deadline
from conversation.identity import Caller
from conversation.mailer import Mail
from conversation.tenants.policy import DailyCaps, Grant
from conversation.tenants.store import TenantStore
from conversation.threads.repository import ConversationRepository
from conversation.token_counts import TokenCounter
from conversation.turns.proactive_messages import ProactiveMessages
from storage import keys
from storage.dynamodb.table import DynamoTable, create_table
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Table
from storage.tenant_table import Tables
from tests.fakes.aws.dynamodb import moto_client
from tests.fakes.http.servers import Site, fixed_answer
from tests.fakes.run.clocks import ManualClock
from tools.outbound.client import OutboundClient

MAYA, BEN = Caller(TenantId("acme"), "maya@acme.com"), Caller(TenantId("acme"), "ben")
NINE = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)
FIVE_MINUTES_S = 300


class Shop:
    """A server whose next answers are those given, and then the last of them."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, bytes]] = [(200, b"in stock")]

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        status, body = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        fixed_answer(body, status=status)(handler)


class Eye(Observer):
    """An observer that does something else first, once."""

    def __init__(self, *, outbound: OutboundClient, clock: Clock) -> None:
        super().__init__(outbound=outbound, clock=clock)
        self.first: Callable[[], object] | None = None

    def observe(self, check: Check, deadline: Deadline) -> Observation:
        first, self.first = self.first, None
        if first is not None:
            first()
        return super().observe(check, deadline)


class Postbox:
    """A mailer that keeps what it sends."""

    def __init__(self) -> None:
        self.sent: list[Mail] = []

    def send(self, mail: Mail) -> None:
        self.sent.append(mail)


class NoModel:
    """The worker for all other agents, where no model is set up."""

    def __init__(self) -> None:
        self.code = "no_model"

    def work(self, job: Job, progress: ProgressListener, deadline: Deadline) -> RunResult:
        return RunResult(outcome=outcome_for(self.code), output="960" if self.code == "done" else "")


class Office:
    """Maya's agents, and the executor of their runs."""

    def __init__(self, table: Table) -> None:
        self.clock, self.tables = ManualClock(NINE), Tables(table)
        outbound = OutboundClient(allow_loopback=True)
        self.agents = AgentStore(
            tables=self.tables, clock=self.clock, outbound=outbound, delivery_hosts=("*",)
        )
        self.postbox, self.others = Postbox(), NoModel()
        self.eye = Eye(outbound=outbound, clock=self.clock)
        claims = RunClaims(tables=self.tables, clock=self.clock)
        self.executor = RunExecutor(
            tables=self.tables,
            claims=claims,
            agents=self.agents,
            worker=CheckWorker(
                observer=self.eye,
                states=CheckStates(self.tables),
                others=self.others,
                clock=self.clock,
            ),
            handover=ResultHandover(
                claims=claims,
                notices=Notices(self.tables),
                deliverer=Deliverer(outbound=outbound, mailer=self.postbox, clock=self.clock),
                poster=ProactiveMessages(tables=self.tables, clock=self.clock, tokens=TokenCounter(None)),
                clock=self.clock,
            ),
            clock=self.clock,
            timeout_s=300,
        )

    def agent(self, **fields: Any) -> Agent:
        every = {"cron": "*/5 * * * *"}
        spec = {"name": "shop-watch", "what": "the shop", "schedule": every, **fields}
        return self.agents.create(MAYA, AgentSpec.model_validate(spec))

    def fire(self, agent: Agent) -> Run:
        """Execute the agent's run for now, and let five minutes pass."""
        request = RunRequest(MAYA.tenant, agent.owner, agent.id, scheduled_at=self.clock.now())
        run = self.executor.execute(request, Deadline.after(self.clock, 300))
        self.clock.advance(FIVE_MINUTES_S)
        assert run is not None
        return run

    def ask(self, agent: Agent, caller: Caller = MAYA) -> Run:
        """Execute a run that the caller asks for now."""
        consent, actions = self.agents.consents.agree(caller, agent, version=agent.version, allow=None)
        built = self.agents.runs.build(caller, agent, {}, consent)
        run = self.agents.runs.queue(caller, built, extra_actions=actions)
        request = RunRequest(MAYA.tenant, caller.user, agent.id, run_id=run.id)
        ended = self.executor.execute(request, Deadline.after(self.clock, 300))
        assert ended is not None
        return ended

    def posted(self) -> list[str]:
        repository = ConversationRepository(tables=self.tables, clock=self.clock)
        page = repository.list(MAYA, limit=10)
        return [
            message.content
            for conversation in page[0]
            for message in repository.messages(MAYA, conversation.id)
        ]


@pytest.fixture(params=["sqlite", "dynamodb"])
def office(request: pytest.FixtureRequest) -> Iterator[Office]:
    if request.param == "sqlite":
        yield Office(SqliteTable(":memory:"))
        return
    with moto_client() as client:
        create_table(client, "omniforge")
        yield Office(DynamoTable(client, "omniforge"))


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def site(shop: Shop) -> Iterator[Site]:
    with Site(shop.answer) as running:
        yield running


def test_scheduled_checks_tell_changes_once_and_need_no_model(office: Office, shop: Shop, site: Site) -> None:
    url = site.url()
    agent = office.agent(check={"url": url}, delivery={"channels": ["conversation", "email"]})
    codes = [office.fire(agent)]
    shop.answers = [(503, b"")]
    codes += [office.fire(agent), office.fire(agent)]
    shop.answers = [(200, b"")]
    codes += [office.fire(agent), office.fire(agent)]

    assert [run.outcome and run.outcome.code for run in codes] == [
        "no_change", "done", "no_change", "done", "no_change",
    ]  # fmt: skip
    assert {run.status for run in codes} == {RunStatus.SUCCEEDED}
    told = [f"{url} has been down since 9:05 AM (HTTP 503).", f"{url} is back after 10 minutes."]
    assert office.posted() == told
    assert [mail.text for mail in office.postbox.sent] == told


def test_a_single_lost_request_tells_nobody_anything(office: Office, shop: Shop, site: Site) -> None:
    agent = office.agent(check={"url": site.url()})
    office.fire(agent)
    shop.answers = [(503, b""), (200, b"")]
    began = office.clock.monotonic()

    run = office.fire(agent)

    assert run.outcome
    assert run.outcome.code == "no_change"
    assert len(site.requests) == 3
    assert office.clock.monotonic() - began == CONFIRM_AFTER_S + FIVE_MINUTES_S


def test_whoever_asks_is_told_how_it_stands(office: Office, shop: Shop, site: Site) -> None:
    agent = office.agent(check={"url": site.url(), "expect": "contains", "text": "in stock"})

    first, second = office.ask(agent), office.ask(agent)

    assert first.output == second.output == f'{site.url()} says "in stock".'


def test_a_text_that_goes_is_told_in_its_words(office: Office, shop: Shop, site: Site) -> None:
    agent = office.agent(check={"url": site.url(), "expect": "contains", "text": "in stock"})
    office.fire(agent)
    shop.answers = [(200, b"sold out")]
    office.fire(agent)

    assert office.posted() == [f'{site.url()} no longer says "in stock".']


def test_a_changed_page_is_told_and_one_that_always_differs_is_not(
    office: Office, shop: Shop, site: Site
) -> None:
    agent = office.agent(check={"url": site.url(), "expect": "unchanged"})
    office.fire(agent)
    shop.answers = [(200, b"two"), (200, b"three")]
    office.fire(agent)
    assert office.posted() == []
    shop.answers = [(200, b"three")]
    office.fire(agent)

    assert office.posted() == [f"{site.url()} has changed."]


def test_two_checks_at_the_same_time_tell_an_outage_once(office: Office, shop: Shop, site: Site) -> None:
    agent = office.agent(check={"url": site.url()})
    office.fire(agent)
    shop.answers = [(503, b"")]

    later = list[Run]()

    def overtake() -> None:
        office.clock.advance(60)
        later.append(office.fire(agent))

    # The second scheduled check begins and ends after the first one has read what was found before.
    office.eye.first = overtake
    slow = office.fire(agent)

    assert len(office.posted()) == 1
    assert [run.outcome and run.outcome.code for run in (*later, slow)] == ["done", "no_change"]


def test_what_a_colleague_looks_at_is_still_news_to_the_owner(office: Office, shop: Shop, site: Site) -> None:
    agent = office.agent(check={"url": site.url()}, shared=True)
    office.fire(agent)
    shop.answers = [(503, b"")]

    asked = office.ask(agent, BEN)
    scheduled = office.fire(agent)

    assert "has been down since" in asked.output
    assert "has been down since" in scheduled.output


def test_a_check_of_an_address_that_may_not_be_requested_is_refused_when_it_is_set_up(office: Office) -> None:
    with pytest.raises(CheckBlocked):
        office.agent(check={"url": "https://10.0.0.1/"})
    agent = office.agent()
    with pytest.raises(CheckBlocked):
        office.agents.update(MAYA, agent.id, AgentChange(check=Check(url="http://127.0.0.1:9/")))


def test_an_address_that_turns_private_is_told_once(office: Office, shop: Shop, site: Site) -> None:
    agent = office.agent(check={"url": site.url()})
    with Site(fixed_answer(b"", status=302, Location="https://10.0.0.1/")) as moved:
        agent = office.agents.update(MAYA, agent.id, AgentChange(check=Check(url=moved.url())))
        runs = [office.fire(agent), office.fire(agent)]

    assert [run.outcome and run.outcome.code for run in runs] == ["address_blocked"] * 2
    assert len(office.posted()) == 1


def test_why_a_schedule_can_not_work_is_posted_once_until_the_reason_changes(office: Office) -> None:
    agent = office.agent()
    runs = [office.fire(agent), office.fire(agent)]
    assert [delivery.status for delivery in runs[1].deliveries] == [DeliveryStatus.NOT_REPEATED]
    assert {run.status for run in runs} == {RunStatus.FAILED}
    office.others.code = "budget_reached"
    office.fire(agent)
    office.others.code = "done"
    office.fire(agent)
    office.others.code = "budget_reached"
    office.fire(agent)

    posts = sorted(office.posted())
    assert len(posts) == 4
    assert sum("No model is set up" in post for post in posts) == 1
    assert sum("A budget for models that your workspace set is spent" in post for post in posts) == 2


def test_a_failure_that_somebody_asked_for_is_always_told(office: Office) -> None:
    agent = office.agent()

    for _ in range(2):
        office.ask(agent)

    assert len(office.posted()) == 2


def test_a_deleted_agent_leaves_nothing_of_its_check(office: Office, site: Site) -> None:
    agent = office.agent(check={"url": site.url()})
    office.fire(agent)
    table = office.tables.for_tenant(MAYA.tenant)
    assert table.get(keys.agent_state(MAYA.tenant, agent.id))

    office.agents.delete(MAYA, agent.id)

    assert table.get(keys.agent_state(MAYA.tenant, agent.id)) is None


def test_runs_without_a_change_are_kept_for_a_week(office: Office, site: Site) -> None:
    run = office.fire(office.agent(check={"url": site.url()}))

    assert run.expires_at
    assert timedelta(days=6) < run.expires_at - NINE < timedelta(days=8)


def test_scheduled_checks_have_a_daily_limit_of_their_own(office: Office, site: Site) -> None:
    tenants = TenantStore(tables=office.tables, clock=office.clock)
    grant = Grant(per_user_per_day=DailyCaps(runs=1, checks=2))
    tenants.register(MAYA.tenant, grant=grant)
    agent = office.agent(check={"url": site.url()})

    codes = [run.outcome and run.outcome.code for run in (office.fire(agent) for _ in range(3))]

    assert codes == ["no_change", "no_change", "limit_reached"]


def test_a_paused_agent_checks_nothing(office: Office, site: Site) -> None:
    agent = office.agent(check={"url": site.url()})
    office.agents.update(MAYA, agent.id, AgentChange(status=AgentStatus.PAUSED))

    request = RunRequest(MAYA.tenant, agent.owner, agent.id, scheduled_at=NINE)
    assert office.executor.execute(request, Deadline.after(office.clock, 300)) is None
    assert site.requests == []
