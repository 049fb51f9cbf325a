"""The check of every answer against the API's description."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.fakes.http.described_answers import (
    AnswerCheck,
    AnswerUndescribed,
    api_client,
    check_answer,
    take_undescribed,
)
from tests.fakes.http.servers import free_port

JSON = {"Content-Type": "application/json"}
STREAM = {"content-type": "text/event-stream; charset=utf-8"}
PROBLEM = {
    "type": "about:blank",
    "title": "Not found",
    "status": 404,
    "code": "turn_not_found",
    "request_id": "3f8f4f8e",
}
CONTEXT: dict[str, Any] = {
    "turn_id": "7",
    "summary": None,
    "summary_lost": False,
    "messages": [],
    "tokens": 0,
    "shortened": 0,
    "left_out": [{"from": 1, "to": 2, "why": "budget"}],
}


def told(status: int, body: object, headers: dict[str, str] | None = None, path: str = "/context") -> None:
    check_answer("GET", f"/v1/turns/7{path}", status, headers or JSON, json.dumps(body).encode())


def test_an_answer_as_described_passes() -> None:
    told(200, CONTEXT)
    told(404, PROBLEM, {"Content-Type": "application/problem+json"})


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"left_out": [{"first": 1, "to": 2, "why": "budget"}]}, 'left_out/0: "from" is a required'),
        ({"left_out": [{"from": 1, "to": 2}]}, '"why" is a required property'),
        ({"more": 1}, "'more' was unexpected"),
        ({"tokens": "0"}, 'tokens: "0" is not of type'),
    ],
)
def test_a_body_unlike_its_description_is_refused(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(AnswerUndescribed, match=why):
        told(200, CONTEXT | changes)
    assert len(take_undescribed()) == 1


def test_a_field_that_is_missing_is_refused() -> None:
    with pytest.raises(AnswerUndescribed, match='"turn_id" is a required property'):
        told(200, {name: value for name, value in CONTEXT.items() if name != "turn_id"})
    take_undescribed()


@pytest.mark.parametrize(
    ("status", "headers", "why"),
    [
        (201, JSON, "201: the status is not described"),
        (200, {"Content-Type": "text/plain"}, "'text/plain' is not described"),
        (200, JSON | {"Location": "/v1/turns/7"}, "the header location is not described"),
    ],
)
def test_an_answer_of_another_kind_is_refused(status: int, headers: dict[str, str], why: str) -> None:
    with pytest.raises(AnswerUndescribed, match=why):
        told(status, CONTEXT, headers)
    take_undescribed()


def test_what_is_answered_to_a_path_without_description_is_held_to_the_form_of_problems() -> None:
    told(200, {"any": 1}, path="/unknown")
    with pytest.raises(AnswerUndescribed, match="is a required property"):
        told(404, {"title": "Not found"}, {"content-type": "application/problem+json"}, path="/unknown")
    take_undescribed()


def test_a_frame_is_checked_as_soon_as_it_is_there() -> None:
    check = AnswerCheck("POST", "/v1/chat/stream", 200, STREAM)
    check.add(b': keep-alive\n\nid: 1\nevent: chunk\ndata: {"text": "Good"}\n')
    check.add(b"\n")

    with pytest.raises(AnswerUndescribed, match="txt"):
        check.add(b'id: 2\nevent: chunk\ndata: {"txt": "Good"}\n\n')
    take_undescribed()


def test_an_answer_without_a_body_has_none_described() -> None:
    check_answer("DELETE", "/v1/tasks/7", 204, JSON, b"")
    with pytest.raises(AnswerUndescribed, match="there is no body"):
        check_answer("GET", "/v1/tasks/7", 200, JSON, b"")
    take_undescribed()


def test_where_nobody_answers_the_client_fails_as_any_other() -> None:
    nobody = f"http://127.0.0.1:{free_port()}"

    with api_client(nobody, timeout_s=5) as client, pytest.raises(httpx.ConnectError):
        client.get("/v1/tasks")
