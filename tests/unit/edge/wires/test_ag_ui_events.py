"""What frames become: text, tools, voided text and ends, as AG-UI's client puts them together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from edge.http.server_sent_events import Frame, FrameName
from edge.wires.ag_ui.events import EventWriter
from edge.wires.ag_ui.requests import Run
from edge.wires.wire import ConversationName

Sent = tuple[FrameName, Any]

ASKED = {"id": "m1", "role": "user", "content": "Hello"}
TURN: Sent = ("turn", {"turn_id": "c.t", "conversation_id": "c", "created": True})
RESTART: Sent = ("thinking", {"stage": "restarting"})


def done(**metadata: Any) -> Sent:
    message = {"id": "2-m", "content": "Good", "created_at": "now"}
    return ("done", {"conversation_id": "c", "message": message, "metadata": {"turn_id": "c.t", **metadata}})


def written(*frames: Sent, messages: tuple[Any, ...] = (ASKED,), state: Any = None) -> list[dict[str, Any]]:
    """The events of a run with these frames, for a client that has these messages."""
    run = Run("thread", "run", ConversationName("c", may_begin=True), messages, state, None)
    writer = EventWriter(run)
    sent = b"".join(
        writer.write(Frame(number, name, json.dumps(data))) for number, (name, data) in enumerate(frames, 1)
    )
    *events, rest = sent.decode().split("\n\n")
    assert rest == ""
    return [json.loads(event.removeprefix("data: ")) for event in events]


def shown(events: list[dict[str, Any]], before: tuple[Any, ...] = (ASKED,)) -> list[str]:
    """The messages behind the first one, as `defaultApplyEvents` keeps them."""
    messages: dict[str, str] = {each["id"]: each["content"] for each in before}
    for event in events:
        match event["type"]:
            case "MESSAGES_SNAPSHOT":
                messages = dict(_kept(event["messages"]))
            case "TEXT_MESSAGE_START":
                messages.setdefault(event["messageId"], "")
            case "TEXT_MESSAGE_CONTENT":
                messages[event["messageId"]] += event["delta"]
            case "TOOL_CALL_START":
                called = f"<{event['toolCallName']}>"
                messages[event["parentMessageId"]] = messages.get(event["parentMessageId"], "") + called
            case _:
                pass
    return list(messages.values())[1:]


def _kept(messages: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for message in messages:
        if message["role"] != "tool":
            calls = "".join(f"<{call['function']['name']}>" for call in message.get("toolCalls", ()))
            yield message["id"], calls or message["content"]


def chunk(text: str) -> Sent:
    return ("chunk", {"text": text})


def tool(name: str, **more: Any) -> Sent:
    return ("tool", {"name": name, "ok": True, "arguments": "", "error_code": None, "elapsed_ms": 3, **more})


@pytest.mark.parametrize(
    ("frames", "expected"),
    [
        ((chunk("One"), chunk(" two")), ["One two"]),
        ((chunk("Void"), RESTART, chunk("Good")), ["Good"]),
        ((RESTART, chunk("Good")), ["Good"]),
        ((tool("a"), chunk("Void"), RESTART, tool("b"), chunk("Good")), ["<a><b>", "Good"]),
        ((chunk("Void"), tool("a"), RESTART, chunk("Void"), RESTART, chunk("Good")), ["<a>", "Good"]),
        ((tool("a"), tool("b"), chunk("One")), ["<a><b>", "One"]),
    ],
)
def test_messages_are_the_text_that_counts_and_every_tool_that_was_used(
    frames: tuple[Sent, ...], expected: list[str]
) -> None:
    assert shown(written(TURN, *frames, done())) == expected


def test_a_piece_of_an_answer_that_the_client_has_from_before_is_not_said_twice() -> None:
    before = (ASKED, {"id": "c.t", "role": "assistant", "content": "Go"})
    assert shown(written(TURN, chunk("Good"), done(), messages=before), before) == ["Good"]


def test_a_repeated_run_ends_with_the_ids_of_the_first_ones_turn() -> None:
    events = written(TURN, tool("a"), chunk("Good"), done(turn_id="c.first", asks_yes_or_no=True))
    *_, snapshot, finished = events
    assert [each["id"] for each in snapshot["messages"]] == [
        "m1",
        "c.first-tools",
        "c.first-1-result",
        "c.first",
    ]
    assert finished["outcome"]["interrupts"][0]["id"] == "c.first"


def test_every_message_and_step_that_is_begun_is_ended() -> None:
    stages: list[Sent] = [("thinking", {"stage": stage}) for stage in ("reading", "acting")]
    open_ones: set[str] = set()
    for each in written(TURN, *stages, chunk("Void"), RESTART, chunk("One"), tool("a"), chunk("two"), done()):
        named = each.get("messageId") or each.get("toolCallId") or each.get("stepName") or ""
        match each["type"].rpartition("_"):
            case (_, _, "START" | "STARTED") if named:
                open_ones.add(named)
            case (_, _, "END" | "FINISHED") if named:
                open_ones.remove(named)
            case _:
                pass
    assert open_ones == set()


def test_a_tool_says_how_it_ended() -> None:
    results = [
        json.loads(each["content"])
        for each in written(TURN, tool("a"), tool("b", ok=False, error_code="timeout"), done())
        if each["type"] == "TOOL_CALL_RESULT"
    ]
    assert results == [{"ok": True, "elapsed_ms": 3}, {"ok": False, "elapsed_ms": 3, "error": "timeout"}]


@pytest.mark.parametrize(
    ("metadata", "outcome"),
    [
        ({}, {"type": "success"}),
        ({"partial": True}, {"type": "cancelled"}),
        (
            {"asks_yes_or_no": True},
            {
                "type": "interrupt",
                "interrupts": [
                    {
                        "id": "c.t",
                        "message": "Good",
                        "reason": "confirmation",
                        "responseSchema": {
                            "type": "object",
                            "properties": {"approved": {"type": "boolean"}},
                            "required": ["approved"],
                        },
                    }
                ],
            },
        ),
    ],
)
def test_a_run_ends_with_what_became_of_it(metadata: dict[str, Any], outcome: dict[str, Any]) -> None:
    *_, finished = written(TURN, chunk("Good"), done(**metadata))
    assert (finished["type"], finished["outcome"]) == ("RUN_FINISHED", outcome)


def test_what_is_left_open_without_history_is_a_part_of_the_clients_state() -> None:
    [snapshot] = [
        each
        for each in written(TURN, done(state="sealed"), state={"page": "their own"})
        if each["type"] == "STATE_SNAPSHOT"
    ]
    assert snapshot["snapshot"] == {"page": "their own", "omniforge": {"state": "sealed"}}


def test_a_turn_that_is_answered_later_or_fails_is_no_success() -> None:
    *_, later = written(TURN, chunk("Go"), ("accepted", {"turn_id": "c.t", "conversation_id": "c"}))
    assert (later["type"], later["code"]) == ("RUN_ERROR", "answered_later")
    problem: Any = {"title": "Conflict", "code": "workspace_contended", "detail": None}
    *_, error = written(TURN, ("error", problem))
    assert error == {"type": "RUN_ERROR", "message": "Conflict", "code": "workspace_contended"}
