"""The five journeys of seed 001 over HTTP. Facts must hold; how the assistant puts them is its own affair."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.e2e.wordings import (
    AMBIGUOUS_REQUESTS,
    FOLLOW_UPS,
    OVERDUE_MONITORS,
    PROBLEMS,
    RESUMPTIONS,
    FollowUp,
    Problem,
    Resumption,
)
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.model_script import Reply, Request
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.e2e

# The machine that runs the tests may be slow; that the model's time is limited is tested elsewhere.
PATIENT = {"OMNIFORGE_INTENT_DEADLINE_MS": "15000", "OPENAI_API_KEY": "scripted"}
MODEL_READY_WITHIN_S = 60
YESTERDAY = datetime(2026, 1, 29, 16, 30, tzinfo=UTC)

AGENTS = (
    {"name": "notion-reporter", "what": "project updates", "sources": ["notion"], "kind": "report"},
    {"name": "jira-overdue-monitor", "what": "overdue tickets", "sources": ["jira"], "kind": "monitor"},
    {"name": "financial-analyzer", "what": "revenue data", "sources": ["google sheets"], "kind": "report"},
)


@dataclass
class Talk:
    """One user's conversation with a twin."""

    twin: Twin
    token: str
    conversation_id: str | None = None
    replies: list[str] = field(default_factory=list)
    decision: Mapping[str, Any] = field(default_factory=dict)

    def say(self, message: str) -> str:
        """The reply to the message."""
        response = self.twin.chat(message, token=self.token, conversation_id=self.conversation_id)
        assert response.status_code == 200, response.text
        answer = response.json()
        self.conversation_id = answer["conversation_id"]
        self.decision = answer["metadata"]["decision"]
        self.replies.append(answer["message"]["content"])
        return self.replies[-1]

    def items(self, path: str) -> list[dict[str, Any]]:
        """A list of the API."""
        found: list[dict[str, Any]] = self.twin.get(path, token=self.token)["items"]
        return found

    def the_agent(self) -> dict[str, Any]:
        """The one agent the user has, in full."""
        [card] = self.items("/v1/agents")
        agent: dict[str, Any] = self.twin.get(f"/v1/agents/{card['id']}", token=self.token)
        return agent


class Model:
    """The scripted model: it decides by the newest message."""

    def __init__(self) -> None:
        self.decisions: dict[str, Mapping[str, Any]] = {}

    def answer(self, request: Request) -> Reply:
        """What the model decides."""
        for text, decision in self.decisions.items():
            if text in request.last_user_message:
                return Reply(decision=decision)
        return Reply(decision={"action_type": "unknown", "confidence": 0.2, "entities": {}, "reasoning": "?"})


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("offline")) as twin:
        yield twin


@pytest.fixture(scope="module")
def model() -> Model:
    return Model()


@pytest.fixture(scope="module")
def modelled(tmp_path_factory: pytest.TempPathFactory, model: Model) -> Iterator[Twin]:
    with (
        ModelServer(model.answer) as server,
        Twin(
            tmp_path_factory.mktemp("modelled"), environ={**PATIENT, "OPENAI_BASE_URL": server.base_url}
        ) as twin,
    ):
        eventually(lambda: asks_the_model(twin), within_s=MODEL_READY_WITHIN_S)
        yield twin


def asks_the_model(twin: Twin) -> bool:
    """The first turns are answered without it, while it is being loaded."""
    talk = Talk(twin, twin.token("other", "user"))
    talk.say("What is the time in Ulan Bator?")
    return bool(talk.decision["source"] == "model")


@pytest.fixture
def talk(offline: Twin, request: pytest.FixtureRequest) -> Talk:
    return Talk(offline, offline.token("acme", request.node.name))


@pytest.fixture
def model_talk(modelled: Twin, request: pytest.FixtureRequest) -> Talk:
    return Talk(modelled, modelled.token("acme", request.node.name))


def own_agents(talk: Talk) -> None:
    for agent in AGENTS:
        made = talk.twin.request("POST", "/v1/agents", token=talk.token, json=agent)
        assert made.status_code == 201, made.text


def in_order_of(text: str) -> list[str]:
    """The user's agents as the text lists them."""
    names = [str(agent["name"]) for agent in AGENTS]
    assert all(name in text for name in names), text
    return sorted(names, key=text.index)


def last_question(text: str) -> str:
    """The last sentence of the text that asks something."""
    questions = re.findall(r"[^.!?\n]+\?", text)
    assert questions, text
    return str(questions[-1]).strip(" -*:")


def describe(model: Model, talk: Talk, problem: Problem) -> str:
    """What the assistant says to the problem, which the model understands as seed 001 has it."""
    model.decisions[problem.message] = {
        "action_type": "create_agent",
        "confidence": problem.confidence,
        "entities": {"source": "notion", "what": "project updates", "schedule_text": "every Monday"},
        "reasoning": "A recurring pain the platform can take away.",
        "is_ambiguous": False,
        "alternative_action": None,
        "clarifying_question": None,
    }
    return talk.say(problem.message)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_journey_1_a_described_problem_becomes_an_offer(
    model: Model, model_talk: Talk, problem: Problem
) -> None:
    offer = describe(model, model_talk, problem)
    assert (model_talk.decision["source"], model_talk.decision["action_type"]) == ("model", "create_agent")
    assert "notion" in offer.lower()
    assert "project updates" in offer.lower()
    assert model_talk.items("/v1/agents") == []


@pytest.mark.parametrize(
    ("answer", "cron"),
    [("Yes please", "0 9 * * 1"), ("yes, do it", "0 9 * * 1"), ("Yes, but on Fridays", "0 9 * * 5")],
)
def test_journey_1_a_yes_takes_the_offer_up(model: Model, model_talk: Talk, answer: str, cron: str) -> None:
    describe(model, model_talk, PROBLEMS[0])
    model_talk.say(answer)
    model_talk.say("Send it by e-mail")
    agent = model_talk.the_agent()
    assert (agent["sources"], agent["delivery"]["channels"]) == (["notion"], ["email"])
    assert agent["schedule"]["cron"] == cron


def test_journey_1_a_no_leaves_everything_as_it_is(model: Model, model_talk: Talk) -> None:
    describe(model, model_talk, PROBLEMS[0])
    model_talk.say("No thanks")
    assert model_talk.items("/v1/agents") == []


@pytest.mark.parametrize("wording", OVERDUE_MONITORS)
def test_journey_2_answers_in_any_order_become_a_stored_agent(talk: Talk, wording: tuple[str, ...]) -> None:
    first, *others = wording
    talk.say(first)
    assert talk.items("/v1/agents") == []
    for message in others:
        talk.say(message)
    agent = talk.the_agent()
    assert agent["sources"] == ["jira"]
    # The owner's own sentences, from before and after it was saved, are what its runs go by.
    told = f"{agent['brief']} {agent['instructions']}"
    assert all(message in told for message in wording if "PLATFORM" in message or "due date" in message)
    assert agent["schedule"]["cron"] == "0 9 * * *"
    assert agent["delivery"]["channels"] == ["slack"]
    assert set(agent["needs_connection"]) == {"jira", "slack"}
    assert agent["name"] in talk.replies[-1]


@pytest.mark.parametrize("wording", RESUMPTIONS)
def test_journey_3_the_next_day_the_wizard_goes_on(
    tmp_path_factory: pytest.TempPathFactory, wording: Resumption
) -> None:
    with Twin(tmp_path_factory.mktemp("twin"), clock=YESTERDAY) as twin:
        talk = Talk(twin, twin.token())
        for message in wording.yesterday:
            talk.say(message)
        asked = last_question(talk.replies[-1])
        twin.kill9()
        twin.set_clock(YESTERDAY + timedelta(hours=17))
        twin.restart()
        talk.token = twin.token()
        reply = talk.say(wording.today)
        assert "google sheets" in reply.lower()
        assert "financial report" in reply.lower()
        assert asked.lower() in reply.lower()


def list_and_run(talk: Talk, wording: FollowUp) -> None:
    own_agents(talk)
    listed = in_order_of(talk.say(wording.listing))
    reply = talk.say(wording.run)
    runs = talk.items("/v1/runs")
    assert len(runs) == 1, (talk.replies, talk.decision)
    [run] = runs
    assert run["agent_name"] == listed[wording.place]
    assert run["trigger"] == "chat"
    assert listed[wording.place] in reply


@pytest.mark.parametrize("wording", FOLLOW_UPS)
def test_journey_4_a_short_follow_up_means_what_was_listed(talk: Talk, wording: FollowUp) -> None:
    list_and_run(talk, wording)
    assert talk.decision["source"] != "model"


@pytest.mark.parametrize("wording", FOLLOW_UPS)
def test_journey_4_a_model_is_told_what_was_listed(
    model: Model, modelled: Twin, model_talk: Talk, wording: FollowUp
) -> None:
    model.decisions[wording.listing] = {
        "action_type": "query_info",
        "confidence": 0.95,
        "entities": {"operation": "list_agents"},
        "reasoning": "Wants to see the agents.",
    }
    model.decisions[wording.run] = {
        "action_type": "execute_task",
        "confidence": 0.9,
        "entities": {"ordinal": -1 if wording.place == -1 else wording.place + 1},
        "reasoning": "Means one of the list.",
    }
    list_and_run(model_talk, wording)


@pytest.mark.parametrize("message", AMBIGUOUS_REQUESTS)
def test_journey_5_the_nearest_agent_and_why_it_does_not_fit(
    model: Model, model_talk: Talk, message: str
) -> None:
    own_agents(model_talk)
    model.decisions[message] = {
        "action_type": "execute_task",
        "confidence": 0.72,
        "entities": {
            "what": "customer churn data",
            "output": "presentation",
            "deadline": "next week",
            "agent_name": "financial-analyzer",
        },
        "reasoning": "Analysis and a presentation: an existing agent covers neither in full.",
        "is_ambiguous": True,
        "alternative_action": "create_agent",
    }
    options = model_talk.say(message)
    assert model_talk.decision["source"] == "model"
    assert "financial-analyzer" in options
    assert "revenue" in options.lower()
    assert "churn" in options.lower()
    assert re.search(r"(?m)^\s*1[.)] ", options)
    assert re.search(r"(?m)^\s*2[.)] ", options)
    assert (model_talk.items("/v1/runs"), len(model_talk.items("/v1/agents"))) == ([], len(AGENTS))


def test_journey_5_the_next_message_picks_an_option(model: Model, model_talk: Talk) -> None:
    test_journey_5_the_nearest_agent_and_why_it_does_not_fit(model, model_talk, AMBIGUOUS_REQUESTS[0])
    model_talk.say("1")
    assert [run["agent_name"] for run in model_talk.items("/v1/runs")] == ["financial-analyzer"]
