"""Turns whose users want them to end, and frames of turns under way, where the turn protocol meets them."""

from __future__ import annotations

import pytest

from agent.handler_interface import TurnRequest
from agent.turn_events import Chunk, Done, Restarted, TurnStarted
from agent.turns.responder import STOPPED_REPLY
from conversation.clock import Deadline
from conversation.identity import TurnId
from conversation.messages.models import Note, Pending, Reference, Role
from conversation.running_turns.cancellation import TurnCancellation
from conversation.running_turns.frames import FRAME_LIFETIME, MAX_BYTES, Frame, FrameStore
from conversation.threads.repository import ConversationRepository, TurnState
from conversation.turns.admission import LEASE_DURATION, IncomingMessage
from conversation.turns.lease import TurnAttempt
from storage import keys
from storage.sqlite.table import SqliteTable
from storage.table import Action, Item, Key, NotExists, Put, Query
from storage.tenant_table import Tables
from tests.fakes.aws.tables import Crash, CrashAt, ObservedTable, Requests
from tests.fakes.data.scripted_turns import MAYA, EchoMaster, Fixture, StreamingMaster, scripted_service
from tests.fakes.run.clocks import ManualClock

AFTER_THE_LEASE = LEASE_DURATION.total_seconds() + 1
LONG_S = 119.0
"""What a streamed turn has."""


@pytest.fixture
def table() -> SqliteTable:
    return SqliteTable(":memory:")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def conversation(table: SqliteTable, clock: ManualClock) -> str:
    return scripted_service(table, clock).say("hello").conversation_id


def repository(table: SqliteTable, clock: ManualClock) -> ConversationRepository:
    return ConversationRepository(tables=Tables(table), clock=clock)


def stop(table: SqliteTable, clock: ManualClock, turn_id: str) -> TurnState:
    stops = TurnCancellation(tables=Tables(table), conversations=repository(table, clock))
    return stops.cancel(MAYA, turn_id)


def said(table: SqliteTable, conversation: str) -> list[str]:
    """What was said after the first exchange."""
    messages = repository(table, ManualClock()).page(MAYA, conversation, limit=100)
    return [message.content for message in messages[2:]]


def head(table: SqliteTable, conversation: str) -> Item:
    found = table.get(keys.head(MAYA.tenant, conversation))
    assert found is not None
    return found


def orphan(table: SqliteTable, clock: ManualClock, conversation: str, content: str) -> str:
    """A message whose caller is gone; its turn."""
    crashing = scripted_service(ObservedTable(table, CrashAt(1, "after")), clock)
    with pytest.raises(Crash):
        crashing.say(content, conversation)
    waiting = repository(table, clock).head(MAYA, conversation).inbox
    return str(TurnId(conversation, waiting[-1].ulid))


def taken(turns: Fixture, attempt: TurnAttempt, conversation: str) -> list[object]:
    """All events of a turn that is stopped when its first piece was said."""
    events: list[object] = []
    incoming = IncomingMessage(MAYA, "Tell me", conversation)
    for event in turns.service.run(incoming, Deadline.after(turns.clock, 25), attempt=attempt):
        events.append(event)
        if isinstance(event, Chunk):
            attempt.stop.set()
    return events


def agent_made(turn: TurnRequest) -> tuple[Action, ...]:
    return (Put({"pk": f"T#{turn.caller.tenant}#A#made", "sk": "AGENT"}, (NotExists(),)),)


def test_what_a_stopped_turn_was_to_change_is_not_changed(
    table: SqliteTable, clock: ManualClock, conversation: str
) -> None:
    speaker = StreamingMaster(agent_made, pieces=["I'll", " make", " it"])
    events = taken(scripted_service(table, clock, speaker), TurnAttempt(), conversation)
    assert isinstance(done := events[-1], Done)
    assert (done.answer.content, done.answer.metadata["partial"]) == ("I'll", True)
    assert said(table, conversation) == ["Tell me", "I'll"]
    assert table.get(Key("T#acme#A#made", "AGENT")) is None


def test_a_reply_that_was_complete_when_it_was_stopped_is_not_cut(
    table: SqliteTable, clock: ManualClock, conversation: str
) -> None:
    events = taken(scripted_service(table, clock, EchoMaster(agent_made)), TurnAttempt(), conversation)
    assert isinstance(done := events[-1], Done)
    assert (done.answer.content, "partial" in done.answer.metadata) == ("re: Tell me", False)
    assert table.get(Key("T#acme#A#made", "AGENT")) is not None


def test_a_stopped_turn_leaves_open_what_was_open(table: SqliteTable, clock: ManualClock) -> None:
    note = Note(
        did="offered to delete weekly",
        about=Reference(id="a", name="weekly"),
        pending=Pending(action="update_agent", summary="delete weekly"),
        draft={"what": "tickets"},
    )
    before = scripted_service(table, clock, EchoMaster(note=note)).say("hello")
    taken(
        scripted_service(table, clock, StreamingMaster(pieces=["So", " be it"])),
        TurnAttempt(),
        before.conversation_id,
    )
    *_, reply = repository(table, clock).page(MAYA, before.conversation_id, limit=100)
    assert reply.role is Role.ASSISTANT
    assert (reply.note.draft, reply.note.pending) == (note.draft, note.pending)
    assert reply.note.did == ""


def test_a_stopped_orphan_is_not_thought_about_by_whoever_finds_it(
    table: SqliteTable, clock: ManualClock, conversation: str
) -> None:
    stop(table, clock, orphan(table, clock, conversation, "never mind"))
    clock.advance(AFTER_THE_LEASE)
    finisher = scripted_service(table, clock)
    assert finisher.service.drain(MAYA.tenant, conversation, Deadline.after(clock, 60))
    assert finisher.master.received == []
    assert said(table, conversation) == ["never mind", STOPPED_REPLY]
    assert "stop" not in head(table, conversation)


def test_a_message_stopped_while_one_in_front_of_it_is_answered_is_not_thought_about(
    table: SqliteTable, clock: ManualClock, conversation: str
) -> None:
    orphan(table, clock, conversation, "first")
    second = orphan(table, clock, conversation, "second")
    clock.advance(AFTER_THE_LEASE)

    def meanwhile(turn: TurnRequest) -> None:
        if turn.message == "first":
            stop(table, clock, second)

    leader = scripted_service(table, clock, EchoMaster(before=meanwhile))
    leader.say("third", conversation)
    assert leader.master.received == ["first", "third"]
    assert said(table, conversation) == ["first", "re: first", "second", STOPPED_REPLY, "third", "re: third"]
    assert "stop" not in head(table, conversation)


def test_stopping_takes_two_requests_and_leaves_nothing_behind(
    table: SqliteTable, clock: ManualClock, conversation: str
) -> None:
    seen = Requests()
    observed = Tables(ObservedTable(table, seen))
    stops = TurnCancellation(
        tables=observed, conversations=ConversationRepository(tables=observed, clock=clock)
    )
    before = head(table, conversation).keys()
    turn_id = orphan(table, clock, conversation, "never mind")
    seen.names.clear()
    stops.cancel(MAYA, turn_id)
    assert [name for name in seen.names if name != "query"] == ["update", "get", "get"]
    clock.advance(AFTER_THE_LEASE)
    scripted_service(table, clock).service.drain(MAYA.tenant, conversation, Deadline.after(clock, 60))
    assert head(table, conversation).keys() == before


def test_a_deleted_conversation_forgets_what_was_to_be_stopped(
    table: SqliteTable, clock: ManualClock, conversation: str
) -> None:
    stop(table, clock, orphan(table, clock, conversation, "never mind"))
    repository(table, clock).delete(MAYA, conversation)
    assert "stop" not in head(table, conversation)


def test_a_caller_who_meant_to_wait_long_and_crashed_blocks_nobody_beyond_the_lease(
    table: SqliteTable, clock: ManualClock, conversation: str
) -> None:
    crashing = scripted_service(ObservedTable(table, CrashAt(1, "after")), clock)
    with pytest.raises(Crash):
        crashing.run(IncomingMessage(MAYA, "streamed", conversation), seconds=LONG_S)
    clock.advance(AFTER_THE_LEASE)
    assert scripted_service(table, clock).say("next", conversation).content == "re: next"
    assert said(table, conversation) == ["streamed", "re: streamed", "next", "re: next"]


def test_what_was_told_before_the_lead_was_lost_is_void(
    table: SqliteTable, clock: ManualClock, conversation: str
) -> None:
    def overtaken(place: int) -> None:
        if place == 1:
            clock.advance(AFTER_THE_LEASE)
            assert rival.service.drain(MAYA.tenant, conversation, Deadline.after(clock, 60))

    rival = scripted_service(table, clock)
    slow = scripted_service(table, clock, StreamingMaster(pieces=["I", " say"], at=overtaken))
    events = slow.run(IncomingMessage(MAYA, "Tell me", conversation), seconds=LONG_S)
    assert [event for event in events if isinstance(event, Chunk | Restarted | Done)][:-1] == [
        Chunk("I"),
        Chunk(" say"),
        Restarted(),
    ]
    assert isinstance(done := events[-1], Done)
    assert done.answer.content == "re: Tell me"


# frames


def frames_of(*texts: str, first: int = 1) -> list[Frame]:
    return [Frame(place, "chunk", text) for place, text in enumerate(texts, first)]


def started(table: SqliteTable, clock: ManualClock, conversation: str, attempt: TurnAttempt) -> TurnId:
    """A turn that is being answered."""
    incoming = IncomingMessage(MAYA, "Tell me", conversation)
    turns = scripted_service(table, clock).service
    started = next(iter(turns.run(incoming, Deadline.after(clock, 25), attempt=attempt)))
    assert isinstance(started, TurnStarted)
    found = TurnId.parse(started.turn_id)
    assert found is not None
    return found


def kept(table: SqliteTable, clock: ManualClock, turn_id: TurnId, *, after: int = 0) -> tuple[Frame, ...]:
    state = repository(table, clock).turn(MAYA, str(turn_id))
    return FrameStore(tables=Tables(table), clock=clock).read_frames(MAYA.tenant, state, after=after)


def test_frames_are_read_in_their_order_behind_a_place(
    table: SqliteTable, clock: ManualClock, conversation: str
) -> None:
    attempt, store = TurnAttempt(), FrameStore(tables=Tables(table), clock=clock)
    turn_id = started(table, clock, conversation, attempt)
    told = frames_of(*(f'{{"text": "{place}"}}' for place in range(1, 25)))
    for begin in range(0, 24, 5):
        assert store.store_frames(MAYA.tenant, turn_id, told[begin : begin + 5], owner=attempt.owner) is False
    assert kept(table, clock, turn_id) == tuple(told)
    assert kept(table, clock, turn_id, after=7) == tuple(told[7:])
    assert kept(table, clock, turn_id, after=99) == ()


def test_frames_of_any_size_find_room(table: SqliteTable, clock: ManualClock, conversation: str) -> None:
    attempt, store = TurnAttempt(), FrameStore(tables=Tables(table), clock=clock)
    turn_id = started(table, clock, conversation, attempt)
    told = frames_of(*('"' * (MAX_BYTES // 3) for _ in range(5)))
    store.store_frames(MAYA.tenant, turn_id, told, owner=attempt.owner)
    assert kept(table, clock, turn_id) == tuple(told)


def test_frames_of_one_who_does_not_lead_are_not_kept(
    table: SqliteTable, clock: ManualClock, conversation: str
) -> None:
    store = FrameStore(tables=Tables(table), clock=clock)
    turn_id = started(table, clock, conversation, TurnAttempt())
    assert store.store_frames(MAYA.tenant, turn_id, frames_of("{}"), owner=TurnAttempt().owner) is False
    partition = keys.conversation(MAYA.tenant, conversation)
    assert table.query(Query(partition, 10, prefix=keys.FRAME_PREFIX)).items == ()


def test_what_a_former_leader_told_is_void(table: SqliteTable, clock: ManualClock, conversation: str) -> None:
    attempt, store = TurnAttempt(), FrameStore(tables=Tables(table), clock=clock)
    turn_id = started(table, clock, conversation, attempt)
    store.store_frames(MAYA.tenant, turn_id, frames_of("{}", "{}"), owner=attempt.owner)
    clock.advance(AFTER_THE_LEASE)
    protocol = scripted_service(table, clock).service._protocol
    seen = protocol.read_head(MAYA.tenant, conversation)
    assert kept(table, clock, turn_id) == ()
    assert protocol.acquire_lease(MAYA.tenant, seen, owner="another") is not None
    assert kept(table, clock, turn_id) == ()


def test_keeping_frames_hears_that_the_turn_is_to_end_and_keeps_none(
    table: SqliteTable, clock: ManualClock, conversation: str
) -> None:
    attempt, store = TurnAttempt(), FrameStore(tables=Tables(table), clock=clock)
    turn_id = started(table, clock, conversation, attempt)
    stop(table, clock, str(turn_id))
    assert store.store_frames(MAYA.tenant, turn_id, frames_of("{}"), owner=attempt.owner) is True
    assert kept(table, clock, turn_id) == ()


def test_a_silent_turn_hears_that_it_is_to_end_without_a_write(
    table: SqliteTable, clock: ManualClock, conversation: str
) -> None:
    seen, attempt = Requests(), TurnAttempt()
    store = FrameStore(tables=Tables(ObservedTable(table, seen)), clock=clock)
    turn_id = started(table, clock, conversation, attempt)
    assert store.store_frames(MAYA.tenant, turn_id, (), owner=attempt.owner) is False
    stop(table, clock, str(turn_id))
    assert store.store_frames(MAYA.tenant, turn_id, (), owner=attempt.owner) is True
    assert seen.names == ["get", "get"]


def test_frames_are_forgotten_after_a_quarter_of_an_hour(
    table: SqliteTable, clock: ManualClock, conversation: str
) -> None:
    attempt, store = TurnAttempt(), FrameStore(tables=Tables(table), clock=clock)
    turn_id = started(table, clock, conversation, attempt)
    store.store_frames(MAYA.tenant, turn_id, frames_of("{}"), owner=attempt.owner)
    clock.advance(FRAME_LIFETIME.total_seconds() + 1)
    protocol = scripted_service(table, clock).service._protocol
    protocol.acquire_lease(MAYA.tenant, protocol.read_head(MAYA.tenant, conversation), owner=attempt.owner)
    assert kept(table, clock, turn_id) == ()
    assert table.remove_expired(clock.now()) == 1
