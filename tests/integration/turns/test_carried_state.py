"""The state that clients carry where no history is kept: an agent is set up over several messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.deployment.functions import invoke, load, settings

CHORE = "I want our project updates from Notion every Monday"
MAYA = "maya@acme.example"
REST = "At 9, and mail them to me"


class Client:
    """A client of a deployment that keeps no history."""

    def __init__(self, folder: Path) -> None:
        self._chat = load("chat", settings(folder, OMNIFORGE_HISTORY="off"))
        self._workspace = load("workspace", settings(folder))

    def send(self, message: str, *, user: str = MAYA, tenant: str = "acme", **more: Any) -> Answer:
        """Send a message."""
        body = {"message": message, **more}
        return invoke(self._chat, request("POST", "/v1/chat", body=body, user=user, tenant=tenant))

    def agents(self) -> list[str]:
        """Return the names of the user's agents."""
        listed = invoke(self._workspace, request("GET", "/v1/agents", user=MAYA))
        return [each["name"] for each in listed.json["items"]]


def state_of(answer: Answer) -> str:
    assert answer.status == 200, answer.body
    return str(answer.json["metadata"]["state"])


def said(answer: Answer) -> str:
    return str(answer.json["message"]["content"])


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(tmp_path)


def test_an_agent_is_set_up_with_the_state_alone(client: Client) -> None:
    asked = client.send(CHORE)
    assert "At what time" in said(asked)
    done = client.send(REST, state=state_of(asked))
    assert said(done).startswith("Saved: notion-reporter reads Notion, runs Mondays at 9:00 AM")
    assert done.json["metadata"]["persisted"] is False
    assert client.agents() == ["notion-reporter"]


def test_an_agent_is_set_up_with_the_history_and_the_state(client: Client) -> None:
    asked = client.send(CHORE)
    history = [{"role": "user", "content": CHORE}, {"role": "assistant", "content": said(asked)}]
    client.send(REST, state=state_of(asked), conversation_history=history)
    assert client.agents() == ["notion-reporter"]


def test_a_place_in_a_list_and_a_yes_go_on_from_the_state(client: Client) -> None:
    client.send(REST, state=state_of(client.send(CHORE)))
    listed = client.send("List my agents")
    asked = client.send("Delete the first one", state=state_of(listed))
    assert said(asked) == "Shall I delete notion-reporter?"
    client.send("yes", state=state_of(asked))
    assert client.agents() == []


@pytest.mark.parametrize("change", ["another user", "another tenant", "a letter", "no base64", "made up"])
def test_a_state_that_was_not_given_to_this_user_is_refused(client: Client, change: str) -> None:
    state, sender = state_of(client.send(CHORE)), {}
    match change:
        case "another user":
            sender = {"user": "noah"}
        case "another tenant":
            sender = {"tenant": "globex"}
        case "a letter":
            state = state[:60] + ("A" if state[60] != "A" else "B") + state[61:]
        case "no base64":
            state = "ä" * 40
        case _:
            state = "A" * 400
    refused = client.send(REST, state=state, **sender)
    assert (refused.status, refused.code) == (400, "state_invalid")
    assert client.agents() == []


def test_a_state_is_refused_where_history_is_kept(tmp_path: Path) -> None:
    chat = load("chat", settings(tmp_path))
    refused = invoke(chat, request("POST", "/v1/chat", body={"message": "hi", "state": "x"}))
    assert (refused.status, refused.code) == (400, "field_unknown")


def test_small_talk_leaves_no_state(client: Client) -> None:
    assert client.send("Good morning!").json["metadata"]["state"] is None
