"""Turns told while they are answered, through the functions as they are composed: what is told, read on after
a break, and stopped.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote

import pytest

from agent.turns import lease_holder
from agent.turns.lease_renewal import LeaseRenewer
from agent.turns.responder import STOPPED_REPLY
from conversation.messages.items import head_from_item
from conversation.running_turns.frames import FrameStore, record_frames
from storage import keys
from storage.errors import StorageUnavailable
from storage.table import Item, Query
from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.data.scripted_turns import MAYA, StreamingMaster, scripted_service
from tests.fakes.deployment import functions
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.sse_client import StreamFrame, stream, text_of

AT_ONCE_S = 0.01
PATIENCE_S = 20.0
PIECES = [f"{place}. Zeile\r\ndata: ü 日本\n\n{'x' * (place % 7)}" for place in range(40)]
ENDLESS = PIECES * 1_000
CHAT, STREAM = "/v1/chat", "/v1/chat/stream"


class Deployment:
    """The chat function, and in another process, so to speak, that of conversations, over one table."""

    def __init__(self, folder: Path, **changes: str) -> None:
        self._settings = functions.settings(folder, **changes)
        self.chat = functions.load("chat", self._settings)
        self.conversations = functions.load("conversations", self._settings)

    def another_chat(self) -> ModuleType:
        """One more execution environment."""
        return functions.load("chat", self._settings)

    def ask(self, method: str, path: str, **more: Any) -> Answer:
        """What the function of conversations answers."""
        return functions.invoke(self.conversations, request(method, path, **more))

    def begin(self, **body: Any) -> Iterator[StreamFrame]:
        """The frames of a message's stream as they come."""
        return stream(self.chat, request("POST", STREAM, body={"message": "Tell me", **body})).frames()

    def items(self, turn_id: str) -> tuple[Item, ...]:
        """All that lies in the turn's conversation."""
        partition = keys.conversation(MAYA.tenant, turn_id.partition(".")[0])
        page = self.conversations.tables.across_tenants.query(Query(partition, 1_000))
        found: tuple[Item, ...] = page.items
        return found

    def kept(self, turn_id: str) -> list[str]:
        """The sort keys of the frames that are kept."""
        return [sort for item in self.items(turn_id) if (sort := str(item["sk"])).startswith("P#")]

    def head(self, turn_id: str) -> Item:
        """The head of the turn's conversation."""
        (head,) = (item for item in self.items(turn_id) if item["sk"] == keys.HEAD)
        return head


@pytest.fixture
def deployment(tmp_path: Path) -> Deployment:
    return Deployment(tmp_path)


class Gate:
    """Lets a speaker say the first pieces only, until it is opened; it then takes its time."""

    def __init__(self, *, free: int = 0) -> None:
        self._free = free
        self._open = threading.Event()
        self.reached = threading.Event()

    def __call__(self, place: int) -> None:
        if place >= self._free:
            self.reached.set()
            assert self._open.wait(PATIENCE_S)
            slowly(place)

    def open(self) -> None:
        """From now on everything may be said."""
        self._open.set()


def has_speaker(chat: ModuleType, speaker: StreamingMaster) -> StreamingMaster:
    """Have the chat function answer through the speaker, and keep frames without delay."""
    service = scripted_service(chat.tables.across_tenants, chat.clock, speaker).service
    chat.turns = lambda: service  # type: ignore[attr-defined]
    chat.recorded = partial(record_frames, every_s=AT_ONCE_S)  # type: ignore[attr-defined]
    return speaker


def slowly(place: int) -> None:
    threading.Event().wait(0.004)


def until(frames: Iterator[StreamFrame], name: str) -> list[StreamFrame]:
    """The frames up to the first of the name."""
    read = []
    for frame in frames:
        read.append(frame)
        if frame.name == name:
            return read
    pytest.fail(f"the stream ended without {name!r}")


def finished(frames: Iterator[StreamFrame]) -> str:
    """The turn, once it is over."""
    first, *_ = frames
    return str(first.data["turn_id"])


def as_told(reply: Any) -> Any:
    """A reply without what differs from one turn to another."""
    metadata = {**reply["metadata"], "turn_id": "", "trace_id": "", "processing_time_ms": 0}
    metadata["decision"] = {**metadata["decision"], "latency_ms": 0}
    return {**reply, "conversation_id": "", "message": reply["message"]["content"], "metadata": metadata}


def test_a_turn_is_told_from_its_beginning_to_the_answer_of_the_other_route(deployment: Deployment) -> None:
    body = {"message": "Create an agent that emails me a summary of my Jira tickets every Monday at 9am"}
    answered = stream(deployment.chat, request("POST", STREAM, body=body))
    frames = list(answered.frames())
    other = functions.invoke(deployment.chat, request("POST", CHAT, body=body, user="noah")).json

    assert (answered.status, answered.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
    assert [frame.id for frame in frames] == list(range(1, len(frames) + 1))
    first, last = frames[0], frames[-1]
    assert (first.name, last.name) == ("turn", "done")
    assert first.data == {
        "turn_id": last.data["metadata"]["turn_id"],
        "conversation_id": last.data["conversation_id"],
        "created": True,
    }
    stages = [frame.data["stage"] for frame in frames if frame.name == "thinking"]
    assert stages == ["reading", "understanding", "acting", "storing"]
    (decision,) = (frame.data for frame in frames if frame.name == "decision")
    assert decision == last.data["metadata"]["decision"]
    assert text_of(frames) == last.data["message"]["content"]
    assert as_told(last.data) == as_told(other)


def test_tools_are_told_as_the_answers_metadata_tell_them(deployment: Deployment) -> None:
    frames = list(deployment.begin(message="What is 17 * 23?"))
    told = [frame.data for frame in frames if frame.name == "tool"]
    assert [tool["name"] for tool in told] == ["calculator"]
    assert told == frames[-1].data["metadata"]["tool_calls"]


def test_a_message_can_be_edited_and_answered_anew_in_a_stream(deployment: Deployment) -> None:
    begun = list(deployment.begin(message="Hello"))[-1].data
    messages = f"/v1/conversations/{begun['conversation_id']}/messages"
    for path, body, place in (("edit", {"message": "Hi"}, 0), ("regenerate", {}, 1)):
        message_id = deployment.ask("GET", messages).json["items"][place]["id"]
        event = request("POST", f"{messages}/{message_id}/{path}/stream", body=body)
        frames = list(stream(deployment.chat, event).frames())
        assert (frames[0].name, frames[-1].name) == ("turn", "done")
    asked = deployment.ask("GET", messages).json["items"][0]["id"]
    versions = deployment.ask("GET", f"{messages}/{asked}/versions").json["items"]
    assert [version["message"]["content"] for version in versions] == ["Hello", "Hi", "Hi"]


def test_a_client_that_names_its_user_gets_the_same_stream(deployment: Deployment) -> None:
    own = stream(deployment.chat, request("POST", "/v1/users/maya/chat/stream", body={"message": "Hello"}))
    assert list(own.frames())[-1].name == "done"
    foreign = stream(deployment.chat, request("POST", "/v1/users/bob/chat/stream", body="{"))
    assert (foreign.refusal().status, foreign.refusal().headers["content-type"]) == (
        403,
        "application/problem+json",
    )


def test_the_same_key_is_told_the_same_answer_again(deployment: Deployment) -> None:
    event = request("POST", STREAM, body={"message": "Hello"}, headers={"Idempotency-Key": "k1"})
    first, again = (list(stream(deployment.chat, event).frames()) for _ in range(2))
    assert text_of(again) == text_of(first) != ""
    assert "replayed" not in first[-1].data
    assert again[-1].data == {**first[-1].data, "replayed": True}


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ({"message": "Hello", "conversation_id": "0" * 32}, (404, "conversation_not_found")),
        ({"message": ""}, (400, "field_empty")),
        ({"message": "Hello", "mood": "good"}, (400, "field_unknown")),
        ({"message": "Hello", "model": "no-such-model"}, (400, "model_unknown")),
        ("{", (400, "json_invalid")),
    ],
)
def test_what_is_refused_before_it_is_stored_is_no_stream(
    deployment: Deployment, body: object, refusal: tuple[int, str]
) -> None:
    answer = stream(deployment.chat, request("POST", STREAM, body=body)).refusal()
    assert (answer.status, answer.code) == refusal


def test_a_failure_on_the_way_is_the_last_frame(deployment: Deployment) -> None:
    def fails(place: int) -> None:
        if place == 2:
            raise TypeError("planted")

    has_speaker(deployment.chat, StreamingMaster(pieces=PIECES, at=fails))
    frames = list(deployment.begin())
    assert text_of(frames) == "".join(PIECES[:2])
    assert (frames[-1].name, frames[-1].data["code"]) == ("error", "internal")
    turn = deployment.ask("GET", f"/v1/turns/{frames[0].data['turn_id']}")
    assert turn.code == "turn_not_found"  # the same message may be sent again


def test_where_no_history_is_kept_a_turn_is_told_all_the_same(tmp_path: Path) -> None:
    deployment = Deployment(tmp_path, OMNIFORGE_HISTORY="off")
    frames = list(deployment.begin(message="Hello"))
    assert (frames[0].name, frames[-1].name) == ("turn", "done")
    assert frames[-1].data["metadata"]["persisted"] is False
    assert deployment.items(frames[0].data["turn_id"]) == ()


def test_nothing_of_a_short_reply_is_kept(deployment: Deployment) -> None:
    turn_id = finished(deployment.begin(message="Hello"))
    assert deployment.kept(turn_id) == []


CUTS = random.Random(6).sample(range(1, len(PIECES) + 6), 20)


@pytest.mark.parametrize("cut", sorted(CUTS))
def test_a_stream_cut_anywhere_is_read_on_without_a_lost_or_repeated_character(
    deployment: Deployment, cut: int
) -> None:
    speaker = has_speaker(deployment.chat, StreamingMaster(pieces=PIECES, at=slowly))
    frames = deployment.begin()
    read = [next(frames) for _ in range(cut)]  # and nobody listens to the rest
    turn_id = read[0].data["turn_id"]

    def resumed() -> Any:
        after = read[-1].id
        turn = deployment.ask("GET", f"/v1/turns/{turn_id}?after={after}").json
        read.extend(StreamFrame(each["id"], each["event"], each["data"]) for each in turn["events"])
        assert turn["last_event_id"] == read[-1].id
        assert "".join(PIECES).startswith(text_of(read))
        return turn if turn["state"] == "done" else None

    done = eventually(resumed)
    assert [frame.id for frame in read] == list(range(1, len(read) + 1))
    assert done["message"]["content"] == "".join(PIECES)
    assert speaker.received == ["Tell me"]


def test_what_is_kept_of_a_running_turn_is_what_was_told(deployment: Deployment) -> None:
    gate = Gate(free=5)
    has_speaker(deployment.chat, StreamingMaster(pieces=PIECES, at=gate))
    frames = deployment.begin()
    assert gate.reached.wait(PATIENCE_S)
    read = [next(frames)]
    turn_id = read[0].data["turn_id"]

    def kept() -> Any:
        events = deployment.ask("GET", f"/v1/turns/{turn_id}?after=0").json["events"]
        return events if events and events[-1]["data"] == {"text": PIECES[4]} else None

    events = eventually(kept)
    later = deployment.ask("GET", f"/v1/turns/{turn_id}?after=3").json
    without = deployment.ask("GET", f"/v1/turns/{turn_id}").json
    gate.open()
    read += frames
    assert [StreamFrame(each["id"], each["event"], each["data"]) for each in events] == read[: len(events)]
    assert later["events"] == events[3:]
    assert later["last_event_id"] == events[-1]["id"]
    assert without.keys() == {"turn_id", "conversation_id", "state", "received_at", "message"}
    assert deployment.ask("GET", f"/v1/turns/{turn_id}?after=0").json["events"] == []


@pytest.mark.parametrize("after", ["-1", "x", "1.0", "", "9999999"])
def test_behind_which_frame_is_a_number(deployment: Deployment, after: str) -> None:
    turn_id = finished(deployment.begin(message="Hello"))
    assert deployment.ask("GET", f"/v1/turns/{turn_id}?after={after}").code == "query_invalid"


def test_frames_that_cannot_be_kept_disturb_nobody(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = threading.Event()

    def down(*arguments: object, **more: object) -> bool:
        tried.set()
        raise StorageUnavailable

    monkeypatch.setattr(FrameStore, "store_frames", down)
    gate = Gate(free=5)
    has_speaker(deployment.chat, StreamingMaster(pieces=PIECES, at=gate))
    frames = deployment.begin()
    assert tried.wait(PATIENCE_S)
    gate.open()
    assert text_of(frames) == "".join(PIECES)


def test_a_stopped_turn_keeps_what_was_said(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    # Nobody but whoever keeps the frames hears of it.
    monkeypatch.setattr(lease_holder, "LeaseRenewer", partial(LeaseRenewer, every_s=3_600))
    speaker = has_speaker(deployment.chat, StreamingMaster(pieces=ENDLESS, at=slowly))
    frames = deployment.begin()
    read = until(frames, "chunk")
    turn_id = read[0].data["turn_id"]
    stopped = deployment.ask("POST", f"/v1/turns/{turn_id}/stop")
    assert (stopped.status, stopped.json) == (202, {"turn_id": turn_id, "state": "running"})
    read += frames

    assert read[-1].name == "done"
    reply = read[-1].data
    assert text_of(read) == reply["message"]["content"]
    assert reply["metadata"]["partial"] is True
    assert "".join(ENDLESS).startswith(reply["message"]["content"])
    turn = deployment.ask("GET", f"/v1/turns/{turn_id}").json
    assert turn["message"]["content"] == reply["message"]["content"]
    assert turn["message"]["metadata"]["partial"] is True
    assert len(speaker.received) == 1

    again = deployment.ask("POST", f"/v1/turns/{turn_id}/stop")
    assert (again.status, again.json["state"]) == (202, "done")
    assert "stop" not in deployment.head(turn_id)


def test_a_stopped_answer_in_one_piece_keeps_what_was_said_too(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease_holder, "LeaseRenewer", partial(LeaseRenewer, every_s=AT_ONCE_S))
    gate = Gate(free=5)
    has_speaker(deployment.chat, StreamingMaster(pieces=ENDLESS, at=gate))
    conversation_id = deployment.ask("POST", "/v1/conversations", body={}).json["id"]
    body = {"message": "Tell me", "conversation_id": conversation_id}
    with ThreadPoolExecutor(1) as beside:
        answer = beside.submit(functions.invoke, deployment.chat, request("POST", CHAT, body=body))
        assert gate.reached.wait(PATIENCE_S)
        (waiting,) = head_from_item(deployment.head(f"{conversation_id}.")).inbox
        deployment.ask("POST", f"/v1/turns/{conversation_id}.{waiting.ulid}/stop")
        gate.open()
        reply = answer.result(PATIENCE_S).json
    assert reply["metadata"]["partial"] is True
    assert "".join(ENDLESS).startswith(reply["message"]["content"])
    assert deployment.kept(reply["metadata"]["turn_id"]) == []


def test_a_turn_that_still_waits_when_it_is_stopped_is_not_begun(deployment: Deployment) -> None:
    gate = Gate()
    speaker = has_speaker(deployment.chat, StreamingMaster(pieces=PIECES, at=gate))
    first = deployment.begin(message="first")
    conversation_id = next(first).data["conversation_id"]
    assert gate.reached.wait(PATIENCE_S)
    other = deployment.another_chat()
    other_speaker = has_speaker(other, StreamingMaster(pieces=PIECES))
    body = {"message": "second", "conversation_id": conversation_id}
    second = stream(other, request("POST", STREAM, body=body)).frames()
    read = until(second, "thinking")
    turn_id = read[0].data["turn_id"]
    stopped = deployment.ask("POST", f"/v1/turns/{turn_id}/stop")
    assert (stopped.status, stopped.json["state"]) == (202, "queued")
    gate.open()
    read += second

    assert list(first)[-1].data["metadata"]["partial"] is False
    reply = read[-1].data
    assert (reply["message"]["content"], reply["metadata"]["partial"]) == (STOPPED_REPLY, True)
    assert reply["metadata"]["decision"] is None
    assert text_of(read) == STOPPED_REPLY
    assert [*speaker.received, *other_speaker.received] == ["first"]
    assert "stop" not in deployment.head(turn_id)


@pytest.mark.parametrize("caller", [{"user": "derek"}, {"tenant": "acme-eu"}])
def test_nobody_else_stops_or_reads_on(deployment: Deployment, caller: dict[str, str]) -> None:
    gate = Gate(free=3)
    has_speaker(deployment.chat, StreamingMaster(pieces=PIECES, at=gate))
    frames = deployment.begin()
    turn_id = next(frames).data["turn_id"]
    assert gate.reached.wait(PATIENCE_S)
    for method, path in (("POST", f"/v1/turns/{turn_id}/stop"), ("GET", f"/v1/turns/{turn_id}?after=0")):
        assert deployment.ask(method, path, **caller).code == "turn_not_found"
    assert "stop" not in deployment.head(turn_id)
    gate.open()
    assert list(frames)[-1].data["metadata"]["partial"] is False


@pytest.mark.parametrize("turn_id", [f"{'0' * 32}.{'0' * 26}", "abc", "T#other#C#1.x"])
def test_what_is_no_turn_can_not_be_stopped(deployment: Deployment, turn_id: str) -> None:
    assert deployment.ask("POST", f"/v1/turns/{quote(turn_id, safe='')}/stop").code == "turn_not_found"


def test_of_a_deleted_conversation_no_more_frames_are_kept(deployment: Deployment) -> None:
    gate = Gate(free=3)
    has_speaker(deployment.chat, StreamingMaster(pieces=PIECES, at=gate))
    frames = deployment.begin()
    turn_id = next(frames).data["turn_id"]
    assert gate.reached.wait(PATIENCE_S)
    eventually(lambda: deployment.kept(turn_id))
    conversation_id = turn_id.partition(".")[0]
    deployment.ask("DELETE", f"/v1/conversations/{conversation_id}")
    kept = deployment.kept(turn_id)
    gate.open()
    last = list(frames)[-1]
    assert (last.name, last.data["code"]) == ("error", "conversation_not_found")
    assert deployment.kept(turn_id) == kept
