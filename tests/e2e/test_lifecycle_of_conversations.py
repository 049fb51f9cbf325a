"""What users do with their conversations, over HTTP, the stream and its function included."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.model_script import Reply
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.e2e

MORNING = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
AUTHORIZER_KEPT = timedelta(minutes=2)
DECIDED = {"action_type": "query_info", "confidence": 0.95, "entities": {"operation": "list_agents"}}


@dataclass(frozen=True)
class Maya:
    """A user with a token."""

    twin: Twin
    token: str

    def send(self, method: str, path: str, body: object = None) -> Any:
        """The answer, which has to be a good one."""
        response = self.twin.request(method, f"/v1/conversations{path}", token=self.token, json=body)
        assert response.is_success, response.text
        return response.json() if response.content else None

    def refused(self, method: str, path: str, body: object = None) -> tuple[int, str]:
        response = self.twin.request(method, f"/v1/conversations{path}", token=self.token, json=body)
        return response.status_code, response.json()["code"]

    def say(self, text: str, conversation_id: str | None = None) -> Any:
        return self.twin.chat(text, token=self.token, conversation_id=conversation_id).json()

    def messages(self, conversation_id: str) -> list[dict[str, Any]]:
        return list(self.send("GET", f"/{conversation_id}/messages?limit=100")["items"])

    def texts(self, conversation_id: str) -> list[str]:
        return [message["content"] for message in self.messages(conversation_id)]

    def title(self, conversation_id: str) -> str:
        return str(eventually(lambda: self.send("GET", f"/{conversation_id}")["title"]))


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("lifecycle"), clock=MORNING) as twin:
        yield twin


@pytest.fixture
def maya(twin: Twin) -> Maya:
    return Maya(twin, twin.token())


def test_a_conversation_gets_a_title_from_its_first_request(maya: Maya) -> None:
    conversation = maya.say("Hi! Could you please list my overdue tickets?")["conversation_id"]
    assert maya.title(conversation) == "List my overdue tickets"
    maya.send("PATCH", f"/{conversation}", {"title": "Tickets"})
    maya.say("And my tasks", conversation)
    assert maya.title(conversation) == "Tickets"


def test_a_conversation_is_put_away_and_comes_back_with_a_message(maya: Maya) -> None:
    conversation = maya.say("Good morning!")["conversation_id"]
    details = maya.send("PATCH", f"/{conversation}", {"archived": True, "metadata": {"project": "x"}})
    assert (details["status"], details["metadata"]) == ("archived", {"project": "x"})
    assert conversation in [each["id"] for each in maya.send("GET", "?status=archived")["items"]]
    assert conversation not in [each["id"] for each in maya.send("GET", "")["items"]]
    maya.say("Back again", conversation)
    assert conversation in [each["id"] for each in maya.send("GET", "")["items"]]


def test_the_active_conversation_is_the_one_talked_in_last(maya: Maya) -> None:
    conversation = maya.say("Good morning!")["conversation_id"]
    assert maya.send("GET", "/active")["id"] == conversation


def test_a_message_is_edited_answered_anew_and_taken_back(maya: Maya) -> None:
    conversation = maya.say("List my agents")["conversation_id"]
    maya.say("List my tasks", conversation)
    second = maya.messages(conversation)[2]
    path = f"/{conversation}/messages/{second['id']}"
    edited = maya.send("POST", f"{path}/edit", {"message": "What is the time?"})
    assert maya.texts(conversation)[2:] == ["What is the time?", edited["message"]["content"]]
    anew = f"/{conversation}/messages/{edited['message']['id']}"
    maya.send("POST", f"{anew}/regenerate", {})
    versions = maya.send("GET", f"{path}/versions")["items"]
    assert [(each["message"]["content"], each["active"]) for each in versions] == [
        ("List my tasks", False),
        ("What is the time?", False),
        ("What is the time?", True),
    ]
    assert maya.send("POST", f"{path}/select")["message_count"] == 4
    assert maya.texts(conversation)[2] == "List my tasks"
    maya.send("DELETE", path)
    assert [(each["content"], each["deleted"]) for each in maya.messages(conversation)][2] == ("", True)


def test_a_conversation_is_forked_and_goes_on_by_itself(maya: Maya) -> None:
    conversation = maya.say("List my agents")["conversation_id"]
    maya.say("List my tasks", conversation)
    answer = maya.messages(conversation)[1]
    fork = maya.send("POST", f"/{conversation}/fork", {"message_id": answer["id"]})
    assert (fork["forked_from"], fork["message_count"]) == (conversation, 2)
    maya.say("What is the time?", fork["id"])
    assert (len(maya.texts(fork["id"])), len(maya.texts(conversation))) == (4, 4)


def test_an_answer_says_what_its_user_thinks_of_it_if_anything(maya: Maya) -> None:
    conversation = maya.say("List my agents")["conversation_id"]
    feedback = f"/{conversation}/messages/{maya.messages(conversation)[1]['id']}/feedback"
    assert set(maya.send("GET", feedback).values()) == {None}
    maya.send("PUT", feedback, {"rating": "down", "comment": "Too long"})
    given = maya.send("GET", feedback)
    assert (given["rating"], given["comment"], given["correction"]) == ("down", "Too long", None)


def test_what_must_not_be_edited_is_refused(maya: Maya, twin: Twin) -> None:
    noah = Maya(twin, twin.token("acme", "noah"))
    conversation = maya.say("List my agents")["conversation_id"]
    request, answer = (message["id"] for message in maya.messages(conversation))
    edit = {"message": "Anything"}
    messages = f"/{conversation}/messages"
    assert noah.refused("POST", f"{messages}/{request}/edit", edit) == (404, "conversation_not_found")
    assert maya.refused("POST", f"{messages}/{answer}/edit", edit) == (422, "message_unfit")
    assert maya.refused("POST", f"{messages}/{request}/regenerate", {}) == (422, "message_unfit")
    assert maya.refused("POST", f"{messages}/{request}/edit", {"message": " "}) == (400, "field_empty")
    assert maya.refused("PATCH", f"/{conversation}", {}) == (400, "field_missing")
    assert maya.refused("PATCH", f"/{conversation}", {"archived": None}) == (400, "field_type")
    maya.send("POST", f"{messages}/{request}/edit", edit)
    assert maya.refused("POST", f"{messages}/{request}/edit", edit) == (409, "message_replaced")
    newest = maya.messages(conversation)[0]["id"]
    maya.send("DELETE", f"{messages}/{newest}")
    assert maya.refused("POST", f"{messages}/{newest}/edit", edit) == (404, "message_not_found")


def test_a_deletion_is_taken_back_within_its_grace_and_not_after(tmp_path: Path) -> None:
    with Twin(tmp_path, clock=MORNING) as twin:
        first, second = (Maya(twin, twin.token()).say("Good morning!") for _ in range(2))
        for each in (first, second):
            Maya(twin, twin.token()).send("DELETE", f"/{each['conversation_id']}")
        twin.set_clock(MORNING + timedelta(days=6))
        maya = Maya(twin, twin.token())
        assert maya.send("POST", f"/{first['conversation_id']}/restore")["message_count"] == 2
        twin.set_clock(MORNING + timedelta(days=8))
        late = Maya(twin, twin.token())
        gone = (404, "conversation_not_found")
        assert late.refused("POST", f"/{second['conversation_id']}/restore") == gone
        assert late.refused("GET", f"/{second['conversation_id']}") == gone


def test_a_tenant_that_wants_no_history_has_none(tmp_path: Path) -> None:
    with Twin(tmp_path, clock=MORNING) as twin:
        admin = twin.token(roles=["admin"])
        before = [{"role": "user", "content": "I am Maya."}]
        assert twin.chat("Hello", token=admin, conversation_history=before).json()["code"] == "field_unknown"
        saved = twin.request("PUT", "/v1/tenant/policy", token=admin, json={"history": "off"})
        assert saved.is_success, saved.text
        twin.set_clock(MORNING + AUTHORIZER_KEPT)
        reply = twin.chat("Hello", token=admin, conversation_history=before).json()
        assert reply["metadata"]["persisted"] is False
        assert Maya(twin, admin).send("GET", "")["items"] == []


def test_a_model_names_a_conversation_with_one_cheap_call_that_is_counted(tmp_path: Path) -> None:
    asked: list[Any] = []

    def answer(request: Any) -> Reply:
        if "six words" in str(request.body["messages"][0]["content"]):
            asked.extend([request.body] if "overdue" in str(request.body) else [])
            return Reply(content='"Overdue tickets of the week."\n')
        return Reply(decision=DECIDED)

    with ModelServer(answer) as server:
        environ = {
            "OPENAI_BASE_URL": server.base_url,
            "OPENAI_API_KEY": "test",
            "OMNIFORGE_INTENT_MODEL": "gpt-4o-mini",
            "OMNIFORGE_INTENT_DEADLINE_MS": "10000",
            "OMNIFORGE_TITLES": "model",
        }
        with Twin(tmp_path, environ=environ) as twin:
            eventually(twin.is_model_ready, within_s=300, every_s=0.5)
            maya = Maya(twin, twin.token())
            conversation = maya.say("Please list my overdue tickets")["conversation_id"]
            assert maya.title(conversation) == "Overdue tickets of the week"
            usage = twin.get("/v1/usage", token=maya.token)
    [body] = asked
    assert body["max_tokens"] <= 30
    assert usage["total"]["turns"] == 1 < usage["total"]["model_calls"]
