"""A message that answers nobody takes its place between turns, once, and leaves what was open open."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from conversation.clock import Deadline, SystemClock
from conversation.messages.models import Note, Pending, Reference, Role
from conversation.threads.repository import ConversationRepository
from conversation.token_counts import TokenCounter
from conversation.turns.admission import LEASE_DURATION, IncomingMessage
from conversation.turns.proactive_messages import (
    LeaseWaitTimeout,
    PostRefused,
    ProactiveMessage,
    ProactiveMessages,
)
from storage.sqlite.table import SqliteTable
from storage.table import NotExists, Put
from storage.tenant_table import Tables
from tests.fakes.aws.tables import Crash, CrashAt, ObservedTable
from tests.fakes.data.scripted_turns import MAYA, EchoMaster, scripted_service
from tests.fakes.run.clocks import ManualClock

RESULT = ProactiveMessage(
    "run:1", "The report is ready.", Note(about=Reference(kind="run", id="1", name="report-sender"))
)


@pytest.fixture
def table() -> SqliteTable:
    return SqliteTable(":memory:")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def poster(table: SqliteTable, clock: ManualClock) -> ProactiveMessages:
    return ProactiveMessages(tables=Tables(table), clock=clock, tokens=TokenCounter(None))


def said(table: SqliteTable, conversation_id: str) -> list[tuple[Role, str]]:
    repository = ConversationRepository(tables=Tables(table), clock=ManualClock())
    messages = repository.page(MAYA, conversation_id, limit=100)
    assert [message.sequence for message in messages] == list(range(1, len(messages) + 1))
    return [(message.role, message.content) for message in messages]


def test_a_post_stands_behind_the_turn_before_it_and_in_front_of_the_next(
    table: SqliteTable, clock: ManualClock, poster: ProactiveMessages
) -> None:
    service = scripted_service(table, clock)
    conversation = service.say("run it").conversation_id
    assert poster.post(MAYA.tenant, conversation, RESULT, Deadline.after(clock, 5))
    service.say("thanks", conversation)
    assert said(table, conversation) == [
        (Role.USER, "run it"),
        (Role.ASSISTANT, "re: run it"),
        (Role.ASSISTANT, "The report is ready."),
        (Role.USER, "thanks"),
        (Role.ASSISTANT, "re: thanks"),
    ]


def test_the_same_occasion_is_posted_once(
    table: SqliteTable, clock: ManualClock, poster: ProactiveMessages
) -> None:
    conversation = scripted_service(table, clock).say("run it").conversation_id
    for _ in range(3):
        assert poster.post(MAYA.tenant, conversation, RESULT, Deadline.after(clock, 5))
    assert said(table, conversation).count((Role.ASSISTANT, "The report is ready.")) == 1


def test_a_lost_response_is_no_second_post(table: SqliteTable, clock: ManualClock) -> None:
    conversation = scripted_service(table, clock).say("run it").conversation_id
    crashing = ObservedTable(table, CrashAt(3, "after"))
    with pytest.raises(Crash):
        ProactiveMessages(tables=Tables(crashing), clock=clock, tokens=TokenCounter(None)).post(
            MAYA.tenant, conversation, RESULT, Deadline.after(clock, 5)
        )
    again = ProactiveMessages(tables=Tables(table), clock=clock, tokens=TokenCounter(None))
    assert again.post(MAYA.tenant, conversation, RESULT, Deadline.after(clock, 5))
    assert said(table, conversation).count((Role.ASSISTANT, "The report is ready.")) == 1


def test_nothing_is_posted_where_the_conversation_is_gone(
    table: SqliteTable, clock: ManualClock, poster: ProactiveMessages
) -> None:
    conversation = scripted_service(table, clock).say("run it").conversation_id
    ConversationRepository(tables=Tables(table), clock=clock).delete(MAYA, conversation)
    assert not poster.post(MAYA.tenant, conversation, RESULT, Deadline.after(clock, 5))
    assert not poster.post(MAYA.tenant, "0" * 32, RESULT, Deadline.after(clock, 5))


def test_a_post_waits_for_the_turn_under_way(table: SqliteTable) -> None:
    clock = SystemClock()
    poster = ProactiveMessages(tables=Tables(table), clock=clock, tokens=TokenCounter(None))
    conversation = scripted_service(table, clock).say("hello").conversation_id
    thinking, posted = threading.Event(), threading.Event()

    def hold(_: object) -> None:
        thinking.set()
        assert not posted.wait(0.2)

    def post() -> None:
        assert thinking.wait(5)
        assert poster.post(MAYA.tenant, conversation, RESULT, Deadline.after(clock, 60))
        posted.set()

    beside = threading.Thread(target=post)
    beside.start()
    scripted_service(table, clock, EchoMaster(before=hold)).say("second", conversation)
    beside.join(10)
    assert said(table, conversation)[2:] == [
        (Role.USER, "second"),
        (Role.ASSISTANT, "re: second"),
        (Role.ASSISTANT, "The report is ready."),
    ]


def test_a_turn_that_never_ends_is_not_overtaken(
    table: SqliteTable, clock: ManualClock, poster: ProactiveMessages
) -> None:
    service = scripted_service(table, clock)
    conversation = service.say("hello").conversation_id
    events = service.service.run(IncomingMessage(MAYA, "second", conversation), Deadline.after(clock, 25))
    next(events)
    with pytest.raises(LeaseWaitTimeout):
        poster.post(MAYA.tenant, conversation, RESULT, Deadline.after(clock, 5))
    assert len(said(table, conversation)) == 2


def test_a_leader_whose_lease_ran_out_can_not_store_over_a_post(
    table: SqliteTable, clock: ManualClock, poster: ProactiveMessages
) -> None:
    conversation = scripted_service(table, clock).say("hello").conversation_id

    def overslept(_: object) -> None:
        clock.advance(LEASE_DURATION.total_seconds() + 1)
        assert poster.post(MAYA.tenant, conversation, RESULT, Deadline.after(clock, 5))

    waking = [overslept]
    master = EchoMaster(before=lambda turn: waking.pop()(turn) if waking else None)
    scripted_service(table, clock, master).run(IncomingMessage(MAYA, "second", conversation), seconds=120)
    assert said(table, conversation) == [
        (Role.USER, "hello"),
        (Role.ASSISTANT, "re: hello"),
        (Role.ASSISTANT, "The report is ready."),
        (Role.USER, "second"),
        (Role.ASSISTANT, "re: second"),
    ]


def test_a_question_stays_open_behind_a_post(
    table: SqliteTable, clock: ManualClock, poster: ProactiveMessages
) -> None:
    service = scripted_service(table, clock)
    conversation = service.say("delete it").conversation_id
    open_question = Note(pending=Pending(action="update_agent", summary="delete report-sender"))
    asked = ProactiveMessage("asked", "Shall I?", open_question)
    poster.post(MAYA.tenant, conversation, asked, Deadline.after(clock, 5))
    poster.post(MAYA.tenant, conversation, RESULT, Deadline.after(clock, 5))
    newest = ConversationRepository(tables=Tables(table), clock=clock).page(MAYA, conversation, limit=20)[-1]
    assert newest.note.pending == open_question.pending
    assert newest.note.about == RESULT.note.about


def test_a_conversation_is_begun_once_and_stays_deleted(
    table: SqliteTable, clock: ManualClock, poster: ProactiveMessages
) -> None:
    repository = ConversationRepository(tables=Tables(table), clock=clock)
    own = "a" * 32
    for _ in range(2):
        poster.ensure_conversation(MAYA, own, title="report-sender")
    assert poster.post(MAYA.tenant, own, RESULT, Deadline.after(clock, 5))
    assert [each.title for each in repository.list(MAYA, limit=5)[0]] == ["report-sender"]
    repository.delete(MAYA, own)
    poster.ensure_conversation(MAYA, own, title="report-sender")
    assert not poster.post(MAYA.tenant, own, RESULT, Deadline.after(clock, 5))


def test_what_is_stored_with_a_post_is_stored_once_or_keeps_it_from_being_posted(
    table: SqliteTable, clock: ManualClock, poster: ProactiveMessages
) -> None:
    conversation = scripted_service(table, clock).say("run it").conversation_id
    mark = Put({"pk": "T#acme#MARKS", "sk": "1"}, (NotExists(),))
    again = replace(RESULT, key="run:2")
    assert poster.post(MAYA.tenant, conversation, RESULT, Deadline.after(clock, 5), effects=(mark,))
    assert poster.post(MAYA.tenant, conversation, RESULT, Deadline.after(clock, 5), effects=(mark,))
    with pytest.raises(PostRefused):
        poster.post(MAYA.tenant, conversation, again, Deadline.after(clock, 5), effects=(mark,))
    assert said(table, conversation).count((Role.ASSISTANT, "The report is ready.")) == 1
