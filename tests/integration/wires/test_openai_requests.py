"""What OpenAI's wire takes besides a turn, and which conversation a request means after a while."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conversation.identity import Caller
from storage.keys import TenantId
from tests.fakes.aws.proxy_events import Context, request
from tests.fakes.aws.tables import ObservedTable, Requests
from tests.fakes.deployment import functions

COMPLETIONS = "/openai/v1/chat/completions"
RESPONSES = "/openai/v1/responses"
SAID = ("Hello", "Good morning", "Thanks")


@pytest.fixture
def app(tmp_path: Path) -> ModuleType:
    return functions.load("chat", functions.settings(tmp_path))


def sent(
    app: ModuleType, path: str, body: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> Any:
    event = request("POST", path, body=body)
    event["headers"] |= headers or {}
    event["multiValueHeaders"] = {name: [value] for name, value in event["headers"].items()}
    response = app.stream_handler(event, Context())
    assert response.status == status
    return json.loads(b"".join(response.chunks))


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def completed(app: ModuleType, messages: list[Any], **headers: str) -> Any:
    return sent(app, COMPLETIONS, {"model": "omniforge", "messages": messages}, headers=headers)


def talk(app: ModuleType, requests: Requests, **headers: str) -> list[list[str]]:
    """The table requests of each message of a client that sends all of them again."""
    messages: list[Any] = []
    taken = []
    for text in SAID:
        messages.append(user(text))
        requests.names.clear()
        answer = completed(app, messages, **headers)
        taken.append(list(requests.names))
        messages.append({"role": "assistant", "content": answer["choices"][0]["message"]["content"]})
    return taken


def test_a_name_takes_no_request_and_a_match_reads_the_conversation_once(app: ModuleType) -> None:
    completed(app, [user("Warm")])
    requests = Requests()
    app.tables._table = ObservedTable(app.tables._table, requests)
    own = []
    for text in SAID:
        requests.names.clear()
        sent(app, "/v1/chat", {"message": text, "client_id": "own"})
        own.append(list(requests.names))
    assert talk(app, requests, **{"x-conversation-id": "named"}) == own

    first, *others = talk(app, requests)
    assert first == ["get", *own[0]]
    for taken, turn in zip(others, own[1:], strict=True):
        # The policy is read again every few seconds.
        assert taken in (["get", "query", *turn], ["get", "get", "query", *turn])


@pytest.mark.parametrize("stream", [False, True])
def test_frames_are_kept_only_for_clients_that_see_them_come(
    app: ModuleType, monkeypatch: pytest.MonkeyPatch, stream: bool
) -> None:
    kept: list[bool] = []
    record = app.record_frames

    def noted(frames: Any, keep: Any) -> Any:
        kept.append(True)
        return record(frames, keep)

    monkeypatch.setattr(app, "record_frames", noted)
    for path, body in ((COMPLETIONS, {"messages": [user("Hello")]}), (RESPONSES, {"input": "Hello"})):
        response = app.stream_handler(
            request("POST", path, body={"model": "omniforge", "stream": stream, **body}), Context()
        )
        assert b"Hello" in b"".join(response.chunks)
    assert kept == [True] * (2 * stream)


def test_a_retried_opening_finds_the_newest_chat_and_a_late_one_begins_another(app: ModuleType) -> None:
    first, second = (completed(app, [user("Hello")]) for _ in range(2))
    retried = completed(app, [user("Hello")], **{"x-stainless-retry-count": "1"})
    assert first["conversation_id"] != second["conversation_id"]
    assert retried["id"] == second["id"]


@pytest.mark.parametrize("count", [3, 12])
def test_each_of_many_chats_that_begin_alike_goes_on_by_itself(app: ModuleType, count: int) -> None:
    begun = [completed(app, [user("Hello")]) for _ in range(count)]
    assert len({each["conversation_id"] for each in begun}) == count
    gone_on = set()
    for number in range(count):
        before = [
            user("Hello"),
            {"role": "assistant", "content": begun[0]["choices"][0]["message"]["content"]},
        ]
        answer = completed(app, [*before, user(f"Add a task to buy {number} apples")])
        gone_on.add(answer["conversation_id"])
    # They are the same text until they differ, so any of them may go on, but each of them once.
    assert len(gone_on) == count


def test_the_words_of_a_named_conversation_may_be_said_again_but_not_by_a_retry(app: ModuleType) -> None:
    name = {"x-conversation-id": "named"}
    ids = [completed(app, [user("List my tasks")], **name)["id"] for _ in range(2)]
    retried = completed(app, [user("List my tasks")], **name, **{"x-stainless-retry-count": "2"})
    assert len(set(ids)) == 2
    assert retried["id"] == ids[1]


def test_a_deleted_chat_leaves_its_opening_to_others(app: ModuleType) -> None:
    first = completed(app, [user("Hello")])
    claims = request("POST", COMPLETIONS)["requestContext"]["authorizer"]
    caller = Caller(TenantId(claims["tenant"]), claims["user"])
    app.conversations.delete(caller, first["conversation_id"].removeprefix("conv_"))
    second = completed(app, [user("Hello")])
    before = [user("Hello"), {"role": "assistant", "content": second["choices"][0]["message"]["content"]}]
    third = completed(app, [*before, user("Good morning")])
    assert first["conversation_id"] != second["conversation_id"] == third["conversation_id"]


def test_an_unknown_model_is_refused(app: ModuleType) -> None:
    body = {"model": "nothing", "messages": [user("Hello")]}
    assert sent(app, COMPLETIONS, body, status=400)["error"]["code"] == "model_not_found"
