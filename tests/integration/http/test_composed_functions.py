"""Each function composed as on Lambda, from its settings alone, over a SQLite file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conversation.clock import SystemClock
from conversation.identity import Caller
from conversation.token_counts import TokenCounter
from conversation.turns.admission import IncomingMessage
from conversation.turns.turn_protocol import TurnProtocol
from edge.environment import SettingsInvalid
from storage.factory import open_table
from storage.keys import parse_tenant
from storage.tenant_table import Tables
from tests.fakes.aws.proxy_events import Context, answer, request
from tests.fakes.aws.queues import queue_bodies
from tests.fakes.deployment import functions
from tests.fakes.identity.issuers import AUDIENCE, Issuer, serve_issuer
from tests.fakes.run.bad_inputs import row

ARN = "arn:aws:execute-api:eu-west-1:000000000000:abc123/dev/POST/v1/chat"
MAYA = Caller(parse_tenant("acme"), "maya")
CLOCK = SystemClock()


class Hurried(Context):
    """An invocation that ends soon."""

    @staticmethod
    def get_remaining_time_in_millis() -> int:
        return 2_300


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    return functions.settings(tmp_path)


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    with serve_issuer() as serving:
        yield serving


def leave_waiting(
    settings: dict[str, str], conversation_id: str, content: str, *, caller_for_s: float
) -> None:
    """A message somebody admitted under a lease of their own, and does not answer."""
    tables = Tables(open_table(settings["OMNIFORGE_TABLE"]))
    TurnProtocol(tables=tables, clock=CLOCK, tokens=TokenCounter(None)).admit(
        IncomingMessage(MAYA, content, conversation_id=conversation_id),
        owner="somebody",
        caller_until=CLOCK.now() + timedelta(seconds=caller_for_s),
        retention_days=30,
    )


def contents(module: ModuleType, conversation_id: str) -> list[tuple[str, str]]:
    listed = functions.invoke(module, request("GET", f"/v1/conversations/{conversation_id}/messages"))
    return [(item["role"], item["content"]) for item in listed.json["items"]]


@row("L1")
@pytest.mark.parametrize("name", ["authorizer", "chat", "conversations", "workspace", "tenants", "finish"])
def test_a_wrong_setting_stops_every_function_with_one_line(name: str, settings: dict[str, str]) -> None:
    with pytest.raises(SettingsInvalid, match=r"^OMNIFORGE_TABLE: [^\n]+$"):
        functions.load(name, {**settings, "OMNIFORGE_TABLE": ""})


def test_the_authorizer_lets_a_token_in_and_keeps_a_forged_one_out(
    issuer: Issuer, settings: dict[str, str]
) -> None:
    jwt = {"OMNIFORGE_JWT_ISSUERS": issuer.url, "OMNIFORGE_JWT_AUDIENCE": AUDIENCE}
    app = functions.load("authorizer", {**settings, **jwt})
    token = issuer.token(CLOCK.now())

    def event(text: str) -> dict[str, Any]:
        return {"type": "TOKEN", "methodArn": ARN, "authorizationToken": f"Bearer {text}"}

    policy = app.handler(event(token), Context())

    assert policy["policyDocument"]["Statement"][0]["Effect"] == "Allow"
    assert (policy["context"]["tenant"], policy["context"]["user"]) == ("acme", "maya")
    with pytest.raises(Exception, match=r"^Unauthorized$"):
        app.handler(event(token[:-8]), Context())


def test_a_message_behind_one_that_is_being_answered_is_promised_an_answer(
    settings: dict[str, str], tmp_path: Path
) -> None:
    chat, conversations = functions.load("chat", settings), functions.load("conversations", settings)
    conversation_id = functions.invoke(chat, request("POST", "/v1/chat", body={"message": "hi"})).json[
        "conversation_id"
    ]
    leave_waiting(settings, conversation_id, "first", caller_for_s=60)

    body = {"message": "second", "conversation_id": conversation_id}
    promised = answer(chat.handler(request("POST", "/v1/chat", body=body), Hurried()))

    assert promised.status == 202
    assert promised.json == {"conversation_id": conversation_id, "turn_id": promised.json["turn_id"]}
    assert promised.headers["location"] == f"/dev/v1/turns/{promised.json['turn_id']}"
    assert int(promised.headers["retry-after"]) > 0
    turn = functions.invoke(conversations, request("GET", promised.headers["location"]))
    assert (turn.status, turn.json["state"], turn.json["message"]) == (200, "queued", None)
    # Asked for once, or twice where the time guard and the turn both found the end near.
    waiting = {*queue_bodies(tmp_path / "queue.db")}
    assert [json.loads(body) for body in waiting] == [{"tenant": "acme", "conversation": conversation_id}]


def test_what_nobody_answers_is_finished_from_the_queue(settings: dict[str, str], tmp_path: Path) -> None:
    chat, conversations = functions.load("chat", settings), functions.load("conversations", settings)
    conversation_id = functions.invoke(chat, request("POST", "/v1/chat", body={"message": "hi"})).json[
        "conversation_id"
    ]
    clock = tmp_path / "clock"
    leave_waiting(settings, conversation_id, "left alone", caller_for_s=-1)
    clock.write_text((CLOCK.now() + timedelta(minutes=5)).isoformat())
    finish = functions.load("finish", {**settings, "OMNIFORGE_CLOCK_FILE": str(clock)})
    body = json.dumps({"tenant": "acme", "conversation": conversation_id})
    record = {"messageId": "1", "body": body, "attributes": {"MessageGroupId": conversation_id}}

    result = finish.handler({"Records": [{**record, "eventSource": "aws:sqs"}]}, Context())

    assert result == {"batchItemFailures": []}
    *_, asked, answered = contents(conversations, conversation_id)
    assert asked == ("user", "left alone")
    assert answered[0] == "assistant"


def test_the_users_own_path_is_the_same_chat(settings: dict[str, str]) -> None:
    chat = functions.load("chat", settings)

    own = functions.invoke(chat, request("POST", "/v1/users/maya/chat", body={"message": "hi"}))
    other = functions.invoke(chat, request("POST", "/v1/users/bob/chat", body="{"))

    assert own.status == 200
    assert own.json.keys() == {"conversation_id", "message", "metadata"}
    assert own.json["message"].keys() == {"id", "role", "content", "created_at"}
    assert own.json["metadata"].keys() == {
        "decision", "routing", "tool_calls", "usage", "processing_time_ms", "persisted", "partial",
        "stored_later", "state", "unprocessed", "options", "asks_yes_or_no", "asks",
        "question", "turn_id", "trace_id",
    }  # fmt: skip
    assert (other.status, other.code) == (403, "user_mismatch")


def test_messages_are_paged_backwards_by_default_and_forwards_on_demand(settings: dict[str, str]) -> None:
    chat, conversations = functions.load("chat", settings), functions.load("conversations", settings)
    conversation_id = functions.invoke(chat, request("POST", "/v1/chat", body={"message": "1"})).json[
        "conversation_id"
    ]
    for text in ("2", "3"):
        functions.invoke(
            chat, request("POST", "/v1/chat", body={"message": text, "conversation_id": conversation_id})
        )

    def walk(query: str) -> list[list[int]]:
        pages, cursor = [], ""
        while True:
            path = f"/v1/conversations/{conversation_id}/messages?limit=4{cursor or query}"
            page = functions.invoke(conversations, request("GET", path)).json
            pages.append([item["sequence"] for item in page["items"]])
            if page["next_cursor"] is None:
                return pages
            cursor = f"&cursor={page['next_cursor']}"

    assert walk("") == [[3, 4, 5, 6], [1, 2]]
    assert walk("&after=1") == [[2, 3, 4, 5], [6]]
    assert walk("&before=4") == [[1, 2, 3]]


@pytest.mark.parametrize(
    ("function", "path", "body"),
    [
        ("conversations", "/v1/conversations", {}),
        ("workspace", "/v1/tasks", {"title": "buy milk"}),
        ("workspace", "/v1/agents", {"name": "numbers", "what": "numbers"}),
    ],
)
@pytest.mark.parametrize("stage", ["/dev", ""])
def test_the_place_of_what_was_made_is_named_under_the_address_of_the_api(
    settings: dict[str, str], function: str, path: str, body: dict[str, Any], stage: str
) -> None:
    app = functions.load(function, settings)
    event = request("POST", path, body=body)
    event["requestContext"]["path"] = stage + path

    made = functions.invoke(app, event)

    place = made.headers["location"]
    assert place == f"{stage}{path}/{made.json['id']}"
    assert functions.invoke(app, request("GET", place.removeprefix(stage))).status == 200
