"""The frames of a turn as OpenAI's chunks and events, where an answer begins anew, fails or comes later."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openai.types.chat import ChatCompletionChunk
from openai.types.responses.response_stream_event import ResponseStreamEvent
from pydantic import TypeAdapter

from edge.http.problems import Problem
from edge.http.server_sent_events import Frame, FrameName
from edge.wires.openai.chat_completions import ChunkWriter
from edge.wires.openai.errors import write_problem
from edge.wires.openai.responses import Asked, EventWriter

Sent = tuple[FrameName, Any]

CONVERSATION = "0" * 32
TURN_ID = f"{CONVERSATION}.01JDPN3Q2D0000000000000000"
PLACE = {"turn_id": TURN_ID, "conversation_id": CONVERSATION}
TURN: Sent = ("turn", {**PLACE, "created": True})
RESTART: Sent = ("thinking", {"stage": "restarting"})
LATER: Sent = ("accepted", PLACE)
FAILED: Sent = ("error", {"title": "Conflict", "code": "workspace_contended", "detail": None})
EVENTS: TypeAdapter[Any] = TypeAdapter(ResponseStreamEvent)


def chunk(text: str) -> Sent:
    return ("chunk", {"text": text})


def done(text: str, **metadata: Any) -> Sent:
    usage = {"model_calls": 1, "prompt_tokens": 5, "completion_tokens": 7}
    return (
        "done",
        {
            "conversation_id": CONVERSATION,
            "message": {"id": "2-m", "content": text},
            "metadata": {"turn_id": TURN_ID, "usage": usage, **metadata},
        },
    )


def frames_of(sent: tuple[Sent, ...]) -> list[Frame]:
    return [Frame(number, name, json.dumps(data)) for number, (name, data) in enumerate(sent, 1)]


def chunks(*sent: Sent) -> list[Any]:
    writer = ChunkWriter("omniforge", include_usage=True)
    lines = b"".join(map(writer.write, frames_of(sent))).decode().split("\n\n")
    assert lines[-2:] == ["data: [DONE]", ""]
    return [json.loads(line[6:]) for line in lines[:-2]]


def events(*sent: Sent) -> list[Any]:
    writer = EventWriter(Asked())
    parts = b"".join(map(writer.write, frames_of(sent))).decode().split("\n\n")
    made = [json.loads(part.partition("\ndata: ")[2]) for part in parts if part]
    assert [each["sequence_number"] for each in made] == list(range(len(made)))
    for each in made:
        EVENTS.validate_python(each)
    return made


def said(chunks: list[Any]) -> str:
    return "".join(
        choice["delta"].get("content") or "" for each in chunks for choice in each.get("choices", ())
    )


@pytest.mark.parametrize(
    ("frames", "expected"),
    [
        ((chunk("Thirty "), chunk("days."), done("Thirty days.")), "Thirty days."),
        ((RESTART, chunk("Thirty days."), done("Thirty days.")), "Thirty days."),
        ((chunk("Thirty"), RESTART, chunk("Th"), chunk("irty days."), done("Thirty days.")), "Thirty days."),
    ],
)
def test_the_chunks_are_the_text_and_end_with_its_reason_and_the_usage(
    frames: tuple[Sent, ...], expected: str
) -> None:
    made = chunks(TURN, *frames)
    for each in made:
        ChatCompletionChunk.model_validate(each)
    assert said(made) == expected
    assert made[-2]["choices"][0]["finish_reason"] == "stop"
    assert made[-1]["usage"] == {"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12}


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        ((chunk("Twenty"), RESTART, chunk("Thirty days."), done("Thirty days.")), "answer_restarted"),
        ((LATER,), "timeout"),
        ((chunk("Twenty"), FAILED), "workspace_contended"),
    ],
)
def test_a_completion_that_is_not_the_answer_ends_with_an_error(frames: tuple[Sent, ...], code: str) -> None:
    made = chunks(TURN, *frames)
    assert made[-1]["error"]["code"] == code
    assert not [each for each in made if each.get("choices") and each["choices"][0]["finish_reason"]]


def test_text_that_is_void_is_an_incomplete_item_and_the_response_has_what_counts() -> None:
    made = events(TURN, chunk("Twenty"), RESTART, chunk("Thirty days."), done("Thirty days."))
    ended = [each for each in made if each["type"] == "response.output_item.done"]
    assert [(each["output_index"], each["item"]["status"]) for each in ended] == [
        (0, "incomplete"),
        (1, "completed"),
    ]
    [answer] = made[-1]["response"]["output"]
    assert (made[-1]["type"], answer["content"][0]["text"]) == ("response.completed", "Thirty days.")


def test_a_proposal_is_an_item_of_its_own() -> None:
    made = events(TURN, chunk("Delete it?"), done("Delete it?", asks_yes_or_no=True))
    proposed = [each["item"]["type"] for each in made if each["type"] == "response.output_item.added"]
    assert proposed == ["message", "mcp_approval_request"]


def test_a_response_that_is_answered_later_is_queued_and_one_that_fails_says_so() -> None:
    *_, queued = events(TURN, LATER)
    assert (queued["type"], queued["response"]["status"]) == ("response.queued", "queued")
    *_, failed = events(TURN, FAILED)
    assert (failed["type"], failed["code"]) == ("error", "workspace_contended")


@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        (Problem("model_unknown", "No."), ("No.", "invalid_request_error", "model_not_found")),
        (Problem("rate_limited"), ("Too Many Requests", "rate_limit_error", "rate_limit_exceeded")),
        (Problem("internal"), ("Internal Server Error", "server_error", "internal")),
        (Problem("role_required"), ("Forbidden", "permission_error", "role_required")),
    ],
)
def test_errors_have_the_types_and_codes_that_clients_know(
    problem: Problem, expected: tuple[str, str, str]
) -> None:
    media_type, body = write_problem(problem, "r-1")
    error = json.loads(body)["error"]
    assert media_type == "application/json"
    assert (error["message"], error["type"], error["code"]) == expected
