"""The frames of a turn as A2A's events: every one is of the official type, whatever happens on the way."""

from __future__ import annotations

import json
from typing import Any

import pytest
from a2a.types import StreamResponse
from google.protobuf.json_format import ParseDict  # type: ignore[import-untyped]

from edge.http.problems import Problem
from edge.http.server_sent_events import Frame
from edge.wires.a2a.events import EventWriter
from edge.wires.a2a.json_rpc import status_of, write_problem

CONVERSATION = "0" * 32
TURN = f"{CONVERSATION}.01JDZZZZZZZZZZZZZZZZZZZZZZ"


def frame(name: Any, **data: Any) -> Frame:
    return Frame(1, name, json.dumps(data))


def done(text: str, **metadata: Any) -> Frame:
    message = {"id": "m", "role": "assistant", "content": text, "created_at": "2026-01-01T09:00:00.000Z"}
    return frame("done", conversation_id=CONVERSATION, message=message, metadata=metadata)


BEGUN = frame("turn", turn_id=TURN, conversation_id=CONVERSATION, created=True)


def events_of(*frames: Frame) -> list[StreamResponse]:
    writer = EventWriter(7)
    lines = b"".join(map(writer.write, frames)).decode().split("\n\n")
    answers = [json.loads(line.removeprefix("data: ")) for line in lines if line]
    assert {answer["id"] for answer in answers} == {7}
    return [ParseDict(answer["result"], StreamResponse()) for answer in answers]


def said(events: list[StreamResponse]) -> str:
    text = ""
    for event in events:
        if event.HasField("artifact_update"):
            update = event.artifact_update
            piece = "".join(part.text for part in update.artifact.parts)
            text = text + piece if update.append else piece
    return text


@pytest.mark.parametrize(
    "between",
    [
        (),
        (frame("chunk", text="Thir"), frame("chunk", text="ty.")),
        (frame("chunk", text="Twe"), frame("thinking", stage="restarting"), frame("chunk", text="Thirty.")),
        (frame("chunk", text="Twe"), frame("thinking", stage="restarting")),
        (frame("chunk", text="Twenty."),),
        (
            frame("thinking", stage="acting"),
            Frame(1, "tool", '{"name": "search", "ok": true}'),
            frame("decision"),
        ),
    ],
)
def test_the_artifact_says_in_the_end_what_was_answered(between: tuple[Frame, ...]) -> None:
    events = events_of(BEGUN, *between, done("Thirty."))
    assert events[0].task.id == TURN
    assert said(events) == "Thirty."
    assert events[-1].status_update.status.state == 3  # completed


@pytest.mark.parametrize(
    ("metadata", "state"),
    [
        ({"asks": True}, 6),
        ({"asks_yes_or_no": True}, 6),
        ({"options": ["one", "two"]}, 6),
        ({"partial": True, "asks": True}, 5),
        ({"unprocessed": True}, 4),
        ({"tool_calls": [{"name": "run_agent", "ok": True}]}, 2),
        ({"tool_calls": [{"name": "run_agent", "ok": False}]}, 3),
    ],
)
def test_the_last_event_says_how_the_task_stands(metadata: dict[str, Any], state: int) -> None:
    status = events_of(BEGUN, done("Which one?", **metadata))[-1].status_update.status
    assert status.state == state
    assert status.HasField("message") == (state == 6)


def test_an_answer_that_comes_later_leaves_the_task_at_work() -> None:
    last = events_of(BEGUN, frame("accepted", turn_id=TURN, conversation_id=CONVERSATION))[-1]
    assert last.status_update.status.state == 2


def test_an_error_ends_the_stream_as_one_of_json_rpc() -> None:
    problem = Problem("storage_unavailable", "Later.")
    written = EventWriter(7).write(Frame(3, "error", problem.body("r"))).decode()
    assert written.startswith("event: error\ndata: ")
    error = json.loads(written.splitlines()[1][6:])
    assert (error["id"], error["error"]["code"]) == (7, -32603)


@pytest.mark.parametrize(
    ("code", "number", "status"),
    [
        ("json_invalid", -32700, 200),
        ("body_missing", -32600, 200),
        ("field_type", -32602, 200),
        ("turn_not_found", -32001, 200),
        ("rate_limited", -32000, 429),
        ("role_required", -32000, 403),
        ("timeout", -32603, 504),
    ],
)
def test_a_problem_has_a_number_and_only_those_a_client_knows_by_it_a_status(
    code: str, number: int, status: int
) -> None:
    media_type, body = write_problem(Problem(code), "r")
    assert media_type == "application/json"
    assert json.loads(body)["error"]["code"] == number
    assert status_of(Problem(code)) == status
