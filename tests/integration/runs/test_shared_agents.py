"""A colleague's agent, run by a model that calls whatever it can and says whatever it saw.

Each kind of data of the user is followed to each place that the agent's owner can look at.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agent.inference.factory import compose_toolboxes
from agent.inference.router import Router
from agent.inference.tool_loop import ToolLoop
from agent.inference.toolbox import IMPERSONAL_TOOLS
from agent.inference.turn_budget import TurnBudgets
from agent.runs.claims import CLAIM_LIFETIME, Notices, RunClaims
from agent.runs.delivery import Deliverer, ResultHandover
from agent.runs.executor import RunExecutor
from agent.runs.run_queue import RunRequest
from agent.runs.skill_tools import SkillTools
from agent.runs.worker import NOT_FOR_RUNS, RunWorker
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import Agent, AgentChange, AgentSpec
from agent.workspace.delivery_targets import shown_address
from agent.workspace.items import run_from_item, run_to_item
from agent.workspace.roster import read_roster
from agent.workspace.runs import DeliveryStatus, Run, RunStatus
from agent.workspace.skill_store import SkillStore
from agent.workspace.skills import SkillSpec
from conversation.clock import Deadline
from conversation.identity import ADMIN, Caller
from conversation.mailer import Mail
from conversation.search.index import SearchIndex
from conversation.threads.repository import ConversationRepository
from conversation.token_counts import TokenCounter
from conversation.turns.proactive_messages import ProactiveMessages
from conversation.usage.budgets import Budgets
from llm.circuit_breaker import ModelCircuitBreakers
from llm.completion import CompletionClient
from llm.request_types import ModelRequest, ModelResponse, ToolCall
from llm.spend_guard import SpendGuard
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tasks.store import TaskStore
from tasks.task import TaskSpec
from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.data.stored_conversations import ConversationWriter
from tests.fakes.deployment import functions
from tests.fakes.http.servers import Site, fixed_answer
from tests.fakes.models.scripted_models import FAST, STRONG, pool_of, response
from tests.fakes.run.clocks import ManualClock
from tools.outbound.client import OutboundClient, ToolSettings

ACME = TenantId("acme")
MAYA, BEN = Caller(ACME, "maya@acme.com"), Caller(ACME, "ben@acme.com")
CONVERSATION, TASK, AGENT, PARAMETER, OUTPUT = "kumquat", "tangerine", "lychee", "papaya", "durian"
PERSONAL = (CONVERSATION, TASK, AGENT)
DATA = (*PERSONAL, PARAMETER, OUTPUT, MAYA.user)
SITES = ("hook", "slack", "ben-private", "ben-shared", "maya-private", "ana-shared")
ADDRESSED = {"mail": ["email"], "hook": ["webhook"], "slack": ["slack"]}


class GreedyModel(CompletionClient):
    """Calls every tool it has heard of, tells the skills all it saw, and answers with all it saw."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(timer=clock, breaker=ModelCircuitBreakers(clock.monotonic))
        self.offered: set[str] = set()

    def complete(
        self, question: ModelRequest, *, model: str, deadline_s: float, budget: SpendGuard | None = None
    ) -> ModelResponse:
        seen = json.dumps([dict(message) for message in question.messages if message["role"] != "system"])
        if model == FAST:
            tools = ["search_conversations", "list_tasks", "list_agents", "calculator"]
            return response(json.dumps({"model": STRONG, "tools": tools}))
        self.offered |= {schema.name for schema in question.tools}
        rounds = sum(1 for message in question.messages if message.get("tool_calls"))
        if rounds == 0:
            return response(
                "",
                ToolCall("1", "search_conversations", '{"query": "fruit"}'),
                ToolCall("2", "list_tasks", "{}"),
                ToolCall("3", "list_agents", "{}"),
            )
        if rounds == 1:
            told = json.dumps({"request": seen})
            return response("", *(ToolCall(site, f"{site}__call", told) for site in SITES[2:]))
        return response(f"{OUTPUT} {seen}")

    def stream(
        self,
        question: ModelRequest,
        *,
        model: str,
        deadline_s: float,
        max_silence_s: float = math.inf,
        budget: SpendGuard | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Generator[str | ModelResponse, None, None]:
        yield self.complete(question, model=model, deadline_s=deadline_s)


class OneSecret:
    def get(self, tenant: TenantId, name: str) -> str | None:
        return "k3y"


@dataclass
class Postbox:
    sent: list[Mail] = field(default_factory=list)

    def send(self, mail: Mail) -> None:
        self.sent.append(mail)


class Office:
    """Ben shares an agent, Maya runs it over REST, and every place there is records what it gets."""

    def __init__(self, folder: Path, sites: dict[str, Site]) -> None:
        self.sites, self.clock, self.postbox = sites, ManualClock(), Postbox()
        self.tables = Tables(SqliteTable(str(folder / "omniforge.db")))
        self.workspace = functions.load("workspace", functions.settings(folder))
        self.conversations = functions.load("conversations", functions.settings(folder))
        self.agents = AgentStore(tables=self.tables, clock=self.clock, delivery_hosts=("*",))
        outbound = OutboundClient(allow_loopback=True)
        self.skills = SkillStore(tables=self.tables, clock=self.clock, outbound=outbound)
        self.skill_tools = SkillTools(
            store=self.skills, secrets=OneSecret(), outbound=outbound, clock=self.clock
        )
        self.model = GreedyModel(self.clock)
        pool = pool_of(self.model, STRONG)  # type: ignore[arg-type]
        settings = ToolSettings(outbound=outbound, search_url="", search_key=lambda: None)
        self.toolboxes = compose_toolboxes(settings, tables=self.tables, clock=self.clock)
        self.claims = RunClaims(tables=self.tables, clock=self.clock)
        self.executor = RunExecutor(
            tables=self.tables,
            claims=self.claims,
            agents=self.agents,
            worker=RunWorker(
                router=Router(pool, fast_model=FAST),
                tool_loop=ToolLoop(pool),
                toolboxes=self.toolboxes,
                skills=self.skill_tools,
                turn_budgets=TurnBudgets(Budgets(tables=self.tables, clock=self.clock)),
                is_ready=lambda _seconds: True,
                clock=self.clock,
            ),
            handover=ResultHandover(
                claims=self.claims,
                notices=Notices(self.tables),
                deliverer=Deliverer(outbound=outbound, mailer=self.postbox, clock=self.clock),
                poster=ProactiveMessages(tables=self.tables, clock=self.clock, tokens=TokenCounter(None)),
                clock=self.clock,
                delivery_hosts=("*",),
            ),
            clock=self.clock,
            timeout_s=300,
        )
        self._settle_in()

    def _settle_in(self) -> None:
        writer = ConversationWriter(self.tables.across_tenants, self.clock)
        said = writer.write_turn(MAYA, writer.begin(MAYA), f"My favourite fruit is the {CONVERSATION}.")
        SearchIndex(tables=self.tables, clock=self.clock).enqueue(ACME, said.conversation_id, said.sequence)
        TaskStore(tables=self.tables, clock=self.clock).create(MAYA, TaskSpec(title=f"Buy a {TASK}"))
        self.agents.create(MAYA, AgentSpec(name=AGENT, what="fruit"))
        for name in SITES[2:]:
            owner, _, kind = name.partition("-")
            self.skills.create(
                Caller(ACME, f"{owner}@acme.com", frozenset({ADMIN})),
                SkillSpec.model_validate(
                    {
                        "name": name,
                        "kind": "webhook",
                        "url": self.sites[name].url("/skill"),
                        "secret": "k",
                        "serves": ["notion"],
                        "shared": kind == "shared",
                    }
                ),
            )

    def agent(self, *channels: str, **fields: Any) -> Agent:
        places = {"email": [BEN.user], "webhook": [self.url("hook")], "slack": [self.url("slack")]}
        recipients = [address for channel in channels for address in places.get(channel, [])]
        delivery = {"channels": list(channels) or ["conversation"], "recipients": recipients}
        shape = {"name": "radar", "what": "radar", "sources": ["notion"], "skills": list(SITES[2:])}
        spec = {**shape, "shared": True, "delivery": delivery, **fields}
        return self.agents.create(BEN, AgentSpec.model_validate(spec))

    def url(self, site: str) -> str:
        return self.sites[site].url(f"/{site}")

    def call(self, caller: Caller, method: str, path: str, body: object = None) -> Answer:
        app = self.conversations if path.startswith(("/v1/conv", "/v1/search")) else self.workspace
        return functions.invoke(app, request(method, path, body=body, user=caller.user))

    def run(self, agent: Agent, *, caller: Caller = MAYA, **body: Any) -> Run:
        asked = self.call(caller, "POST", f"/v1/agents/{agent.id}/runs", body)
        assert asked.status == 202, asked.body
        return self.execute(agent, asked.json["id"], caller)

    def execute(self, agent: Agent, run_id: str, caller: Caller = MAYA) -> Run:
        ended = self.executor.execute(
            RunRequest(ACME, caller.user, agent.id, run_id=run_id), Deadline.after(self.clock, 320)
        )
        assert ended is not None
        return ended

    def places(self) -> dict[str, str]:
        """Everything that reached each place."""
        got = {name: b"".join(r.body for r in site.requests).decode() for name, site in self.sites.items()}
        mails = [mail for mail in self.postbox.sent if mail.to == BEN.user]
        return {
            **got,
            "mail": "".join(f"{mail.subject}{mail.text}" for mail in mails),
            "bens conversations": "".join(self.posts(BEN)),
            "bens views": self.views(BEN),
        }

    def posts(self, caller: Caller) -> list[str]:
        repository = ConversationRepository(tables=self.tables, clock=self.clock)
        conversations, _ = repository.list(caller, limit=100)
        return [
            message.content
            for conversation in conversations
            for message in repository.page(caller, conversation.id, limit=100)
        ]

    def results(self) -> list[str]:
        """What was posted to Maya about runs."""
        return [post for post in self.posts(MAYA) if "radar" in post]

    def views(self, caller: Caller) -> str:
        paths = ["agents", "runs", "tasks", "usage", "conversations", "skills", "search?q=fruit"]
        paths += [f"agents/{card.id}" for card in self.agents.visible_cards(caller)]
        runs, _ = self.agents.runs.list(MAYA, limit=10)
        hidden = [f"runs/{run.id}" for run in runs]
        hidden += [f"conversations/{run.conversation_id}" for run in runs if run.conversation_id]
        answers = [self.call(caller, "GET", f"/v1/{path}") for path in (*paths, *hidden)]
        assert {answer.status for answer in answers} <= {200, 404}
        return "".join(answer.body for answer in answers)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with ExitStack() as stack:
        sites = {name: stack.enter_context(Site(fixed_answer(b'{"rows": 0}'))) for name in SITES}
        yield Office(tmp_path, sites)


def leaks(office: Office, *, allowed: set[tuple[str, str]] = frozenset()) -> list[tuple[str, str]]:  # type: ignore[assignment]
    """The data and the places they reached, apart from what may be."""
    return [
        (data, place)
        for place, got in office.places().items()
        for data in DATA
        if data in got and (data, place) not in allowed
    ]


@pytest.mark.parametrize("place", ADDRESSED)
def test_without_a_yes_nothing_of_the_user_reaches_the_owner(office: Office, place: str) -> None:
    agent = office.agent(*ADDRESSED[place], "conversation")

    run = office.run(agent, parameters={"period": PARAMETER})

    assert run.status is RunStatus.SUCCEEDED
    # A skill that somebody else than the agent's owner shares is the workspace's.
    assert leaks(office, allowed={(PARAMETER, "ana-shared")}) == []
    assert PARAMETER in office.places()["ana-shared"]
    [held] = [told for told in run.deliveries if told.channel.value != "conversation"]
    assert held.status is DeliveryStatus.NOT_ALLOWED
    [post] = office.results()
    assert OUTPUT in post
    assert f"I haven't sent it to {shown_address(held.target)}: you haven't allowed that." in post


@pytest.mark.parametrize("place", ADDRESSED)
def test_a_yes_to_the_addresses_sends_the_result_there_and_nothing_else(office: Office, place: str) -> None:
    agent = office.agent(*ADDRESSED[place])

    run = office.run(agent, version=1, allow={"addresses": True})

    assert leaks(office, allowed={(OUTPUT, place)}) == []
    assert OUTPUT in office.places()[place]
    assert (run.consent and run.consent.version, run.consent and run.consent.addresses) == (1, True)


@pytest.mark.parametrize("place", ADDRESSED)
def test_a_yes_to_personal_data_alone_leaves_it_with_the_user(office: Office, place: str) -> None:
    agent = office.agent(*ADDRESSED[place])

    office.run(agent, version=1, allow={"personal_data": True})

    [post] = office.results()
    assert all(data in post for data in PERSONAL)
    assert leaks(office) == []
    assert office.places()["ana-shared"] == ""


def test_a_yes_that_names_all_of_it_gives_all_of_it(office: Office) -> None:
    """The other tests can fail: this is what reaches every place that may be allowed."""
    agent = office.agent("email", "webhook")
    allow = {"addresses": True, "personal_data": True, "skills": True}

    run = office.run(agent, version=1, allow=allow, parameters={"period": PARAMETER})

    # A call that would take personal data along waits for a yes of its own all the same.
    assert {held.skill for held in run.held_calls} == {"ben-shared", "ana-shared"}
    assert office.places()["ben-shared"] == office.places()["ana-shared"] == ""
    for held in run.held_calls:
        office.execute(agent, office.agents.runs.approve(MAYA, run.id, held.id).id)
    for place in ("mail", "hook", "ben-shared", "ana-shared"):
        assert {data for data in (*PERSONAL, PARAMETER) if data not in office.places()[place]} == set()
    assert office.places()["ben-private"] == office.places()["maya-private"] == ""


def test_the_owners_shared_skill_works_where_nothing_of_the_user_could_reach_it(office: Office) -> None:
    office.run(office.agent())

    assert office.places()["ben-shared"] != ""
    assert leaks(office) == []


def test_private_skills_are_not_found_and_those_not_allowed_are_told(office: Office) -> None:
    named, serving = office.agent(), office.agent(name="other", skills=[])
    roster = read_roster(office.tables, ACME, office.clock.now())

    def failed(agent: Agent, parameters: dict[str, str]) -> dict[str, str]:
        run = office.agents.runs.build(MAYA, agent, parameters)
        with office.skill_tools.open_skills(MAYA, agent, roster, run) as opened:
            return dict(opened.failed)

    private = {"ben-private": "not_found", "maya-private": "not_found"}
    assert failed(named, {}) == private
    assert failed(named, {"period": "Q1"}) == {**private, "ben-shared": "not_allowed"}
    assert failed(serving, {}) == {}


def test_the_owner_keeps_their_own_tools_skills_and_addresses(office: Office) -> None:
    run = office.run(office.agent("email", "webhook"), caller=BEN)

    assert all(OUTPUT in office.places()[place] for place in ("mail", "hook"))
    # The model has read the owner's data, so its calls of skills wait.
    assert {held.skill for held in run.held_calls} == {"ben-private", "ben-shared", "ana-shared"}
    assert {"search_conversations", "list_tasks", "list_agents"} <= office.model.offered
    assert office.places()["maya-private"] == ""


def test_without_named_recipients_mail_goes_to_the_user_and_never_to_the_owner(office: Office) -> None:
    office.run(office.agent(delivery={"channels": ["email"]}))

    assert [mail.to for mail in office.postbox.sent] == [MAYA.user]
    assert len(office.results()) == 1


def test_a_run_asked_for_before_a_change_does_nothing_after_it(office: Office) -> None:
    agent = office.agent("webhook")
    body = {"version": 1, "allow": {"addresses": True}}
    asked = office.call(MAYA, "POST", f"/v1/agents/{agent.id}/runs", body).json
    office.agents.update(BEN, agent.id, AgentChange(instructions="Send all of it"))

    ended = office.execute(agent, asked["id"])

    assert (ended.status, ended.outcome and ended.outcome.code) == (RunStatus.FAILED, "agent_changed")
    assert office.model.offered == set()
    assert leaks(office) == []
    [post] = office.results()
    assert "Its owner changed the agent after you asked for this run" in post


def test_a_change_between_the_work_and_the_delivery_sends_nothing_to_new_addresses(office: Office) -> None:
    agent = office.agent("email")
    body = {"version": 1, "allow": {"addresses": True}}
    asked = office.call(MAYA, "POST", f"/v1/agents/{agent.id}/runs", body).json
    office.postbox.send = _dies  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        office.execute(agent, asked["id"])
    del office.postbox.send
    hook = {"channels": ["webhook"], "recipients": [office.url("hook")]}
    office.agents.update(BEN, agent.id, AgentChange.model_validate({"delivery": hook}))
    office.clock.advance(CLAIM_LIFETIME.total_seconds() + 1)

    ended = office.execute(agent, asked["id"])

    assert [told.status for told in ended.deliveries] == [
        DeliveryStatus.NOT_ALLOWED,
        DeliveryStatus.DELIVERED,
    ]
    assert leaks(office) == []


def _dies(mail: Mail) -> None:
    raise KeyboardInterrupt


def test_a_run_stored_before_consents_is_kept_to_nothing_allowed(office: Office) -> None:
    agent = office.agent("email", "webhook")
    run = office.agents.runs.build(MAYA, agent, {})
    assert run.consent is None
    item = run_to_item(ACME, run)
    assert "consent" not in item
    assert run_from_item(MAYA.user, item) == run
    office.agents.runs.queue(MAYA, run)

    office.execute(agent, run.id)

    assert leaks(office) == []


def test_a_colleagues_change_is_a_conflict_that_names_the_version_and_the_fields(office: Office) -> None:
    agent = office.agent("webhook")
    path = f"/v1/agents/{agent.id}/runs"
    assert office.call(MAYA, "POST", path, {}).status == 202
    office.agents.update(BEN, agent.id, AgentChange(instructions="Send all of it"))

    refused = office.call(MAYA, "POST", path, {})
    outdated = office.call(MAYA, "POST", path, {"version": 1})
    accepted = office.call(MAYA, "POST", path, {"version": 2, "allow": {"addresses": True}})
    later = office.call(MAYA, "POST", path, {})

    assert (refused.status, refused.code) == (outdated.status, outdated.code) == (409, "agent_changed")
    assert refused.json["version"] == 2
    assert refused.json["changed"] == ["instructions"]
    assert "Send all" not in refused.body
    for answer in (accepted, later):
        assert (answer.status, answer.json["consent"]["version"]) == (202, 2)
        assert answer.json["consent"]["addresses"] is True


def test_a_permission_without_a_version_is_refused(office: Office) -> None:
    agent = office.agent()

    refused = office.call(MAYA, "POST", f"/v1/agents/{agent.id}/runs", {"allow": {"addresses": True}})

    assert (refused.status, refused.code) == (400, "field_invalid")
    assert office.agents.consents.get(MAYA, agent.id) is None


def test_a_repeated_request_gets_its_run_although_the_agent_was_changed(office: Office) -> None:
    agent = office.agent()
    event = request(
        "POST", f"/v1/agents/{agent.id}/runs", body={}, user=MAYA.user, headers={"Idempotency-Key": "k"}
    )
    first = functions.invoke(office.workspace, event)
    office.agents.update(BEN, agent.id, AgentChange(instructions="More"))

    assert functions.invoke(office.workspace, event).json == first.json


def test_every_tool_is_either_for_no_data_or_withheld(office: Office) -> None:
    """A new tool is withheld from colleagues' agents until it is listed as one that touches no data."""
    everything = office.toolboxes.for_caller(MAYA, read_roster(office.tables, ACME, office.clock.now())).names
    office.run(office.agent())

    offered = {name for name in office.model.offered if "__" not in name}
    assert offered <= IMPERSONAL_TOOLS
    assert everything - IMPERSONAL_TOOLS - NOT_FOR_RUNS == {
        *("create_task", "list_tasks", "get_task", "update_task", "complete_task", "delete_task"),
        *("list_agents", "agent_status", "search_conversations"),
    }
