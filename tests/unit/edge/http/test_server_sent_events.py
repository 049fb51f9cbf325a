"""Frames as they are sent, and the signs of life between them."""

from __future__ import annotations

import itertools
import json
import re
import threading
from collections.abc import Iterator
from contextvars import ContextVar, copy_context

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.http.server_sent_events import KEEP_ALIVE, Frame, encode_frame, with_heartbeats
from tests.fakes.run.property_budget import example_settings

PATIENCE_S = 30.0
MARK: ContextVar[str] = ContextVar("mark")


def test_a_frame_has_its_id_its_name_and_its_data() -> None:
    assert encode_frame(Frame(7, "chunk", '{"text":"hi"}')) == b'id: 7\nevent: chunk\ndata: {"text":"hi"}\n\n'


def test_text_is_sent_as_utf_8() -> None:
    assert (
        encode_frame(Frame(1, "chunk", '"grüß dich 👋"')).decode()
        == 'id: 1\nevent: chunk\ndata: "grüß dich 👋"\n\n'
    )


# Source: the event stream format of the HTML standard, where these three end a line and nothing else does.
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_line_break_in_the_data_cannot_end_the_frame(end: str) -> None:
    frame = encode_frame(Frame(1, "done", f"{{{end}{end}}}"))
    assert frame == b"id: 1\nevent: done\ndata: {\ndata: \ndata: }\n\n"


def test_what_only_looks_like_a_line_break_stays() -> None:
    data = '"a\u2028b\x85c\x0bd"'
    assert encode_frame(Frame(1, "chunk", data)) == f"id: 1\nevent: chunk\ndata: {data}\n\n".encode()


@example_settings(150)
@given(number=st.integers(1, 10**6), text=st.text(max_size=60))
def test_any_text_is_one_frame_that_says_the_same(number: int, text: str) -> None:
    """Read back by the rules of the standard: lines end at three marks and at nothing else."""
    sent = encode_frame(Frame(number, "chunk", text)).decode()
    lines = re.split(r"\r\n|\r|\n", sent)
    fields = [line.partition(": ")[::2] for line in lines[:-2]]
    assert lines[-2:] == ["", ""]
    assert fields[:2] == [("id", str(number)), ("event", "chunk")]
    assert {name for name, _ in fields[2:]} == {"data"}
    assert "\n".join(data for _, data in fields[2:]) == re.sub(r"\r\n|\r", "\n", text)


def test_chunks_come_in_their_order_and_nothing_between_them() -> None:
    chunks = [str(number).encode() for number in range(1_000)]
    assert list(with_heartbeats(iter(chunks))) == chunks


def test_silence_is_filled_with_comments() -> None:
    spoken = threading.Event()

    def chunks() -> Iterator[bytes]:
        yield b"first"
        assert spoken.wait(PATIENCE_S)
        yield b"second"

    told = with_heartbeats(chunks(), every_s=0.01)
    assert [next(told) for _ in range(4)] == [b"first", KEEP_ALIVE, KEEP_ALIVE, KEEP_ALIVE]
    spoken.set()
    assert [chunk for chunk in told if chunk != KEEP_ALIVE] == [b"second"]


def test_a_comment_is_none_of_the_frames() -> None:
    assert KEEP_ALIVE.startswith(b":")
    assert KEEP_ALIVE.endswith(b"\n\n")


def test_chunks_are_made_whether_or_not_somebody_takes_them() -> None:
    made = threading.Event()

    def chunks() -> Iterator[bytes]:
        yield from itertools.repeat(b"chunk", 1_000)
        made.set()

    with_heartbeats(chunks())
    assert made.wait(PATIENCE_S)


def test_chunks_are_made_to_the_end_when_nobody_listens_any_more() -> None:
    left, made = threading.Event(), threading.Event()

    def chunks() -> Iterator[bytes]:
        yield b"first"
        assert left.wait(PATIENCE_S)
        yield b"second"
        made.set()

    told = with_heartbeats(chunks())
    assert next(told) == b"first"
    del told
    left.set()
    assert made.wait(PATIENCE_S)


def test_an_error_comes_behind_what_was_said() -> None:
    def chunks() -> Iterator[bytes]:
        yield b"so far"
        raise LookupError

    told = with_heartbeats(chunks())
    assert next(told) == b"so far"
    with pytest.raises(LookupError):
        next(told)


def test_chunks_are_made_in_the_callers_context() -> None:
    def chunks() -> Iterator[bytes]:
        yield MARK.get().encode()

    token = MARK.set("the caller's")
    try:
        assert list(with_heartbeats(chunks())) == [b"the caller's"]
    finally:
        MARK.reset(token)


def test_a_context_may_be_handed_over() -> None:
    room = copy_context()
    token = room.run(MARK.set, "given")

    def chunks() -> Iterator[bytes]:
        yield MARK.get().encode()
        MARK.reset(token)  # only the context it was set in can do so

    assert list(with_heartbeats(chunks(), context=room)) == [b"given"]


def test_a_frame_has_its_json_and_its_members_whichever_it_was_made_of() -> None:
    members = {"text": "grüß dich", "ok": True, "cost_usd": None}
    made = [
        Frame(1, "chunk", content)
        for content in (json.dumps(members, ensure_ascii=False), members, lambda: members)
    ]
    assert [frame.members for frame in made] == [members] * 3
    assert [json.loads(frame.data) for frame in made] == [members] * 3


def test_the_members_of_a_frame_are_made_once_and_only_if_somebody_reads_them() -> None:
    asked = []

    def members() -> dict[str, int]:
        asked.append(1)
        return {"place": len(asked)}

    frame = Frame(1, "decision", members)
    assert asked == []
    assert (frame.data, frame.members, asked) == ('{"place":1}', {"place": 1}, [1])
