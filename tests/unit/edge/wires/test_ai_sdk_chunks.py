"""What frames become: text, tools and voided text, as the client puts them together."""

from __future__ import annotations

import json
from typing import Any

import pytest

from edge.http.server_sent_events import Frame, FrameName
from edge.wires.ai_sdk.chunks import ChunkWriter

Sent = tuple[FrameName, Any]

TURN: Sent = ("turn", {"turn_id": "c.t", "conversation_id": "c", "created": True})
RESTART: Sent = ("thinking", {"stage": "restarting"})
DONE: Sent = (
    "done",
    {"conversation_id": "c", "message": {"id": "2-m", "content": "x", "created_at": "now"}, "metadata": {}},
)


def written(*frames: Sent) -> list[dict[str, Any]]:
    """The chunks of a stream of frames."""
    writer = ChunkWriter()
    sent = b"".join(
        writer.write(Frame(number, name, json.dumps(data))) for number, (name, data) in enumerate(frames, 1)
    )
    *events, end, rest = sent.decode().split("\n\n")
    assert (end, rest) == ("data: [DONE]", "")
    return [json.loads(event.removeprefix("data: ")) for event in events]


def shown(chunks: list[dict[str, Any]]) -> list[str]:
    """The texts and tools of a message, step by step, as `processUIMessageStream` keeps them."""
    steps: list[list[str]] = []
    for chunk in chunks:
        match chunk["type"]:
            case "start-step":
                steps.append([])
            case "reset-step":
                steps[-1].clear()
            case "text-start":
                steps[-1].append("")
            case "text-delta":
                steps[-1][-1] += chunk["delta"]
            case "tool-input-available":
                steps[-1].append(f"<{chunk['toolName']}>")
            case _:
                pass
    return [part for step in steps for part in step]


def chunk(text: str) -> Sent:
    return ("chunk", {"text": text})


def tool(name: str, **more: Any) -> Sent:
    return ("tool", {"name": name, "ok": True, "arguments": "", "error_code": None, "elapsed_ms": 3, **more})


@pytest.mark.parametrize(
    ("frames", "expected"),
    [
        ((chunk("One"), chunk(" two")), ["One two"]),
        ((chunk("Void"), RESTART, chunk("Good")), ["Good"]),
        ((tool("a"), chunk("Void"), RESTART, tool("b"), chunk("Good")), ["<a>", "<b>", "Good"]),
        ((chunk("Void"), tool("a"), RESTART, chunk("Good")), ["<a>", "Good"]),
        ((chunk("One"), tool("a"), chunk("two")), ["One", "<a>", "two"]),
        ((RESTART, chunk("Good")), ["Good"]),
        ((chunk("Void"), tool("a"), RESTART, chunk("Void"), RESTART, chunk("Good")), ["<a>", "Good"]),
    ],
)
def test_a_message_is_the_text_that_counts_and_every_tool_that_was_used(
    frames: tuple[Sent, ...], expected: list[str]
) -> None:
    assert shown(written(TURN, *frames, DONE)) == expected


def test_every_text_that_is_begun_is_ended_or_voided() -> None:
    open_texts: set[str] = set()
    for each in written(TURN, chunk("Void"), RESTART, chunk("One"), tool("a"), chunk("two"), DONE):
        if each["type"] == "text-start":
            open_texts.add(each["id"])
        elif each["type"] == "text-end":
            open_texts.remove(each["id"])
        elif each["type"] == "reset-step":
            open_texts.clear()
    assert open_texts == set()


def test_arguments_that_were_cut_are_told_as_they_are() -> None:
    chunks = written(
        TURN, tool("a", arguments='{"q": "half'), tool("b", arguments='{"q": 1}'), tool("c"), DONE
    )
    inputs = [each["input"] for each in chunks if each["type"] == "tool-input-available"]
    assert inputs == [{"arguments": '{"q": "half'}, {"q": 1}, {}]


def test_a_tool_that_failed_says_why() -> None:
    [failed] = [
        each
        for each in written(TURN, tool("a", ok=False, error_code="timeout"), DONE)
        if each["type"] == "tool-output-error"
    ]
    assert failed["errorText"] == "timeout"


def test_a_turn_that_is_answered_later_or_fails_ends_the_stream() -> None:
    *_, finish = written(TURN, ("accepted", {"turn_id": "c.t", "conversation_id": "c"}))
    assert (finish["finishReason"], finish["messageMetadata"]) == ("other", {"accepted": True})
    problem: Any = {"title": "Conflict", "code": "workspace_contended", "detail": None}
    *_, error = written(TURN, ("error", problem))
    assert error == {"type": "error", "errorText": "Conflict (workspace_contended)"}


def test_a_repeated_request_names_the_proposal_by_the_first_ones_turn() -> None:
    asks = {"turn_id": "c.first", "asks_yes_or_no": True}
    [asked] = [
        each
        for each in written(TURN, ("done", {**DONE[1], "metadata": asks}))
        if each["type"] == "tool-approval-request"
    ]
    assert asked["approvalId"] == "c.first"
