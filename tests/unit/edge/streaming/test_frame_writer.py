from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from conversation.messages.models import Role
from edge.http.server_sent_events import Frame
from edge.streaming.frame_writer import FrameWriter
from edge.views.conversations import ChatReply, ReplyView, TurnMetadata


def reply(content: str) -> ChatReply:
    return ChatReply(
        conversation_id="c",
        message=ReplyView(
            id="m", role=Role.ASSISTANT, content=content, created_at=datetime(2026, 1, 30, tzinfo=UTC)
        ),
        metadata=TurnMetadata(persisted=True, turn_id="c.t"),
    )


def read(frames: Iterator[Frame]) -> list[tuple[str, Any]]:
    return [(frame.name, json.loads(frame.data)) for frame in frames]


def chunks(*texts: str) -> list[tuple[str, Any]]:
    return [("chunk", {"text": text}) for text in texts]


RESTARTED = [("thinking", {"stage": "restarting"})]


@pytest.mark.parametrize(
    ("said", "stored", "told"),
    [
        ([], "All of it", chunks("All of it")),
        (["All"], "All of it", chunks(" of it")),
        (["All", " of it"], "All of it", []),
        (["None"], "All of it", [*RESTARTED, *chunks("All of it")]),
        (["All of it, and more"], "All of it", [*RESTARTED, *chunks("All of it")]),
        (["Something"], "", RESTARTED),
    ],
)
def test_the_pieces_come_to_what_is_stored_however_it_came_about(
    said: list[str], stored: str, told: list[tuple[str, Any]]
) -> None:
    frames = FrameWriter()
    for text in said:
        list(frames.chunk(text))
    *before, (name, data) = read(frames.done(reply(stored), replayed=False))
    assert before == told
    assert (name, data) == ("done", json.loads(reply(stored).model_dump_json()))


def test_what_was_said_before_a_restart_does_not_count() -> None:
    frames = FrameWriter()
    for made in (frames.chunk("Void"), frames.restart(), frames.chunk("Good")):
        list(made)
    assert read(frames.done(reply("Good day"), replayed=False))[0] == ("chunk", {"text": " day"})


def test_a_stage_is_told_once_and_again_after_another() -> None:
    frames = FrameWriter()
    stages = ["waiting", "waiting", "reading", "waiting"]
    told = [data["stage"] for stage in stages for _, data in read(frames.thinking(stage))]
    assert told == ["waiting", "reading", "waiting"]


def test_two_restarts_are_two() -> None:
    frames = FrameWriter()
    assert read(frames.restart()) + read(frames.restart()) == RESTARTED * 2


def test_a_piece_without_text_is_none() -> None:
    assert read(FrameWriter().chunk("")) == []


@pytest.mark.parametrize(("replayed", "more"), [(True, {"replayed": True}), (False, {})])
def test_a_replayed_answer_says_so(replayed: bool, more: dict[str, bool]) -> None:
    *_, (_, data) = read(FrameWriter().done(reply("Hi"), replayed=replayed))
    assert data == {**json.loads(reply("Hi").model_dump_json()), **more}


def test_frames_are_numbered_from_one() -> None:
    frames = FrameWriter()
    first = frames.turn(turn_id="c.t", conversation_id="c", created=True)
    made = [*first, *frames.thinking("reading"), *frames.done(reply("Hi"), replayed=False)]
    assert [(frame.id, frame.name) for frame in made] == [
        (1, "turn"),
        (2, "thinking"),
        (3, "chunk"),
        (4, "done"),
    ]
