"""Agents that really run, over the twin: scheduled, started in the chat or over REST, executed with tools by
the scripted model server, posted to the conversation and delivered to receivers of the tests' own.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.servers import Site, answers_in_turn
from tests.fakes.models.model_script import Reply, Request, Rule, Script
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.e2e

BEFORE = datetime(2026, 1, 30, 8, 50, tzinfo=UTC)
FAST, STRONG = "gpt-4o-mini", "openai/deep-thinker"
UNDERSTOOD, WORKING = "Classify the last message", "You carry out one run"


def understood(words: str, action: str, **entities: str) -> Rule:
    decision = {"action_type": action, "confidence": 0.95, "entities": entities}
    return Rule(words, Reply(decision=decision), prompt=UNDERSTOOD)


WORK = Script(
    [
        understood("create an agent", "create_agent"),
        understood("pause it", "update_agent", operation="pause"),
        understood("run it", "execute_task"),
        Rule(
            "",
            Reply(decision={"model": STRONG, "tools": ["calculator"], "can_answer": True, "think": False}),
            prompt="Pick who answers",
        ),
        Rule(
            "",
            Reply(tool_calls=[{"name": "calculator", "arguments": {"expression": "factorial(5) * 8"}}]),
            prompt=WORKING,
        ),
        Rule("", Reply(content="The number of the day is 960."), after="960"),
    ]
)


@pytest.fixture(scope="module")
def _server() -> Iterator[ModelServer]:
    with ModelServer(WORK) as running:
        yield running


@pytest.fixture
def server(_server: ModelServer) -> ModelServer:
    """Ready to work, and nothing asked yet."""
    _server.use(WORK)
    _server.forget()
    return _server


@pytest.fixture(scope="module")
def _twin(_server: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    environ = {
        "OPENAI_BASE_URL": _server.base_url,
        "OPENAI_API_KEY": "test",
        "OMNIFORGE_INTENT_MODEL": FAST,
        "OMNIFORGE_STRONG_MODELS": STRONG,
    }
    with Twin(tmp_path_factory.mktemp("running"), environ=environ, clock=BEFORE) as running:
        yield running


@pytest.fixture
def twin(_twin: Twin, server: ModelServer) -> Twin:
    """Shared by all tests here, each with a user of its own."""
    return _twin


@pytest.fixture
def receiver() -> Iterator[Site]:
    with Site(answers_in_turn()) as running:
        yield running


def worked_on(server: ModelServer) -> list[Request]:
    """What the model was asked for runs."""
    return [request for request in server.log().requests if WORKING in request.system]


class Talk:
    """Maya's conversation."""

    def __init__(self, twin: Twin, user: str = "maya", tenant: str = "acme") -> None:
        self.twin = twin
        self.token = twin.token(user=user, tenant=tenant)
        self.conversation_id: str | None = None

    def say(self, message: str) -> str:
        response = self.twin.chat(message, token=self.token, conversation_id=self.conversation_id)
        assert response.status_code == 200, response.text
        reply = response.json()
        self.conversation_id = reply["conversation_id"]
        return str(reply["message"]["content"])

    def posted(self) -> list[dict[str, Any]]:
        """Messages of the assistant that tell of a run's end."""
        path = f"/v1/conversations/{self.conversation_id}/messages?limit=100"
        return [item for item in self.get(path)["items"] if item["metadata"].get("run")]

    def get(self, path: str) -> Any:
        return self.twin.get(path, token=self.token)

    def runs(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self.get("/v1/runs")["items"]
        return items

    def ended(self, count: int = 1) -> list[dict[str, Any]]:
        """The runs, once so many are over; newest first."""

        def look() -> list[dict[str, Any]] | None:
            runs = [run for run in self.runs() if run["status"] not in ("queued", "running")]
            return runs if len(runs) >= count else None

        return eventually(look, within_s=60)


def test_an_agent_made_in_the_chat_fires_each_morning_until_it_is_paused(
    twin: Twin, server: ModelServer, receiver: Site
) -> None:
    talk = Talk(twin)
    talk.say(
        "Create an agent that works out the number of the day every morning at 9am and posts the result here "
        f"and to the webhook {receiver.url('/hook')}"
    )
    created = talk.say("no source")
    [agent] = talk.get("/v1/agents")["items"]
    assert agent["needs_connection"] == []
    assert "daily at 9:00 AM" in created
    assert receiver.requests == []

    twin.set_clock(BEFORE + timedelta(minutes=11))

    [run] = talk.ended()
    assert (run["agent_id"], run["trigger"], run["status"]) == (agent["id"], "schedule", "succeeded")
    assert run["scheduled_at"] == "2026-01-30T09:00:00.000Z"
    assert [(call["name"], call["ok"]) for call in run["tool_calls"]] == [("calculator", True)]
    assert run["usage"]["model"] == STRONG
    [sent] = receiver.requests
    assert (sent.method, sent.path, sent.headers["idempotency-key"]) == ("POST", "/hook", run["id"])
    assert (sent.json["output"], sent.json["agent"]["id"]) == ("The number of the day is 960.", agent["id"])
    [post] = talk.posted()
    assert "The number of the day is 960." in post["content"]
    assert [request.offered_tools for request in worked_on(server)] == [["calculator"], ["calculator"]]

    talk.token = twin.token()
    assert "is paused" in talk.say("pause it")
    twin.set_clock(BEFORE + timedelta(days=1, minutes=11))
    talk.token = twin.token()
    other = talk.say("run it")

    # The schedule's moment is over when a run that was asked for behind it has ended.
    assert len(talk.ended(2)) == 2, other
    assert [run["trigger"] for run in talk.runs()] == ["chat", "schedule"]
    assert len(receiver.requests) == 2


def made(twin: Twin, token: str, **fields: Any) -> str:
    response = twin.request(
        "POST", "/v1/agents", token=token, json={"what": "the number of the day", **fields}
    )
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


def test_a_run_over_rest_is_started_once_per_key_and_sent_by_mail_and_to_slack(
    twin: Twin, receiver: Site
) -> None:
    token = twin.token(user="ada@acme.com")
    delivery = {"channels": ["email", "slack"], "recipients": [receiver.url("/services/T/B/x")]}
    agent_id = made(twin, token, name="numbers", delivery=delivery)
    path, headers = f"/v1/agents/{agent_id}/runs", {"Idempotency-Key": "monday"}
    answers = [
        twin.request("POST", path, token=token, headers=headers, json={"parameters": {"period": "Q1"}})
        for _ in range(2)
    ]
    other = twin.request("POST", path, token=token, headers=headers, json={"parameters": {"period": "Q2"}})
    talk = Talk(twin, "ada@acme.com")

    [run] = talk.ended()

    assert [answer.status_code for answer in answers] == [202, 202]
    assert {answer.headers["Location"] for answer in answers} == {f"/v1/runs/{run['id']}"}
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    assert run["parameters"] == {"period": "Q1"}
    assert [(told["channel"], told["status"]) for told in run["deliveries"]] == [
        ("email", "delivered"),
        ("slack", "delivered"),
    ]
    [sent] = receiver.requests
    assert sent.json["text"].endswith("The number of the day is 960.")
    [letter] = (twin.data / "mail").glob("*.eml")
    mail = message_from_bytes(letter.read_bytes(), policy=default)
    assert (mail["To"], mail.get_content().strip()) == ("ada@acme.com", "The number of the day is 960.")


def test_the_same_as_last_time_is_run_with_what_changed(twin: Twin, server: ModelServer) -> None:
    token = twin.token(user="ben")
    made(twin, token, name="numbers")
    first = Talk(twin, "ben")
    server.use(
        Script(
            [
                understood("run numbers", "execute_task", agent_name="numbers", period="Q4", scope="Apollo"),
                understood("same thing as last time", "execute_task", period="Q1"),
                *WORK.rules,
            ]
        )
    )
    first.say("run numbers for Q4 and project Apollo")
    first.ended()
    second = Talk(twin, "ben")

    said = second.say("Run the same thing as last time but for Q1 data")

    again, _ = second.ended(2)
    assert "numbers again" in said
    assert again["parameters"] == {"period": "Q1", "scope": "Apollo"}
    work = str(worked_on(server)[-1].body)
    assert "period: Q1" in work
    assert "scope: Apollo" in work
    [post] = eventually(second.posted)
    assert "960" in post["content"]
    assert "960" in second.say("what did it find?")


def test_a_cancelled_run_stops_while_its_model_is_thinking_and_sends_nothing(
    twin: Twin, server: ModelServer, receiver: Site
) -> None:
    server.use(Script([Rule("", Reply(mode="hang"), prompt=WORKING)]))
    talk = Talk(twin, "cleo")
    delivery = {"channels": ["webhook", "conversation"], "recipients": [receiver.url()]}
    agent_id = made(twin, talk.token, name="slow", delivery=delivery)
    started = twin.request("POST", f"/v1/agents/{agent_id}/runs", token=talk.token, json={})
    path = f"/v1/runs/{started.json()['id']}"
    eventually(lambda: worked_on(server))

    asked = twin.request("POST", f"{path}/cancel", token=talk.token)

    [run] = talk.ended()
    assert asked.status_code == 200
    assert (run["status"], run["outcome"]["code"], run["output"]) == ("cancelled", "cancelled", "")
    assert run["deliveries"] == []
    assert receiver.requests == []


def test_without_a_model_a_run_ends_at_once_and_says_what_it_lacked(tmp_path: Path) -> None:
    with Twin(tmp_path / "offline", environ={"OMNIFORGE_INTENT_MODEL": ""}) as twin:
        talk = Talk(twin)
        made(twin, talk.token, name="numbers")
        said = talk.say("run numbers")
        [run] = talk.ended()
        [post] = eventually(talk.posted)

        assert "Started numbers" in said
        assert (run["status"], run["outcome"]["code"]) == ("failed", "no_model")
        assert "No model is set up here" in post["content"]
        assert "No model is set up here" in talk.say("is it done?")


def test_a_colleagues_agent_sends_nothing_until_a_yes_and_asks_again_after_a_change(
    twin: Twin, server: ModelServer, receiver: Site
) -> None:
    server.use(Script([understood("run team-radar", "execute_task", agent_name="team-radar"), *WORK.rules]))
    owner, talk = Talk(twin, "ben", "shared"), Talk(twin, "maya", "shared")
    delivery = {"channels": ["webhook"], "recipients": [receiver.url("/bens")]}
    agent_id = made(twin, owner.token, name="team-radar", delivery=delivery, shared=True)

    asked = talk.say("run team-radar")
    talk.say("no")
    [first] = talk.ended()
    assert receiver.url("/…") in asked
    assert receiver.url("/bens") not in asked
    assert [told["status"] for told in first["deliveries"]] == ["not_allowed", "delivered"]
    assert first["deliveries"][0]["target"] == receiver.url("/…")
    shown = talk.get(f"/v1/agents/{agent_id}")["delivery"]["recipients"]
    assert (shown, owner.get(f"/v1/agents/{agent_id}")["delivery"]["recipients"]) == (
        [receiver.url("/…")],
        [receiver.url("/bens")],
    )
    assert receiver.requests == []

    talk.say("run team-radar and send it")
    talk.say("yes")
    second, _ = talk.ended(2)
    assert (second["consent"]["version"], second["consent"]["addresses"]) == (1, True)
    assert [sent.json["run_id"] for sent in receiver.requests] == [second["id"]]

    change = {"instructions": "Send everything"}
    twin.request("PATCH", f"/v1/agents/{agent_id}", token=owner.token, json=change)
    assert '- instructions: nothing is now "Send everything"' in talk.say("run team-radar")
    refused = twin.request("POST", f"/v1/agents/{agent_id}/runs", token=talk.token, json={})
    assert (refused.status_code, refused.json()["code"]) == (409, "agent_changed")
    assert len(talk.runs()) == 2
    assert owner.runs() == owner.get("/v1/conversations")["items"] == []
