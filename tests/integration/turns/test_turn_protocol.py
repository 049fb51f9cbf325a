"""What the turn protocol guarantees: order, exactly-once per key, crashes, take-over, deletion."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agent.handler_interface import TurnRequest
from agent.turn_events import Accepted, Answer, Done, Restarted, TurnStarted
from agent.workspace.errors import WorkspaceContended
from conversation.clock import Deadline, SystemClock
from conversation.errors import (
    ConversationBusy,
    ConversationNotFound,
    IdempotencyInProgress,
    IdempotencyKeyReused,
)
from conversation.identity import Caller
from conversation.messages.models import Role
from conversation.messages.size_limits import MAX_STORED_BYTES
from conversation.threads.repository import ConversationRepository, TurnProgress
from conversation.turns.admission import LEASE_DURATION, MAX_INBOX_MESSAGES, IncomingMessage
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Action, Key, NotExists, Put, Table
from storage.tenant_table import Tables
from tests.fakes.aws.tables import Crash, CrashAt, ObservedTable, Requests
from tests.fakes.data.scripted_turns import MAYA, EchoMaster, Fixture, StreamingMaster, scripted_service
from tests.fakes.run.bad_inputs import row
from tests.fakes.run.clocks import ManualClock

AFTER_THE_LEASE = LEASE_DURATION.total_seconds() + 1


@pytest.fixture
def table() -> SqliteTable:
    return SqliteTable(":memory:")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def stored(table: Table, conversation_id: str, caller: Caller = MAYA) -> list[tuple[Role, str]]:
    messages = ConversationRepository(tables=Tables(table), clock=ManualClock()).page(
        caller, conversation_id, limit=1_000
    )
    assert [message.sequence for message in messages] == list(range(1, len(messages) + 1))
    return [(message.role, message.content) for message in messages]


def exchange(*contents: str) -> list[tuple[Role, str]]:
    return [
        pair for content in contents for pair in ((Role.USER, content), (Role.ASSISTANT, f"re: {content}"))
    ]


def agent_made(turn: TurnRequest) -> tuple[Action, ...]:
    """An effect whose key depends on the message alone, so that doing it twice would be refused."""
    return (Put({"pk": f"T#{turn.caller.tenant}#A#{turn.situation.message}", "sk": "AGENT"}, (NotExists(),)),)


def about_to_crash(table: Table, clock: ManualClock, nth: int, when: str) -> Fixture:
    """A service that knows its tenant already and crashes at a request of its next turn."""
    crash = CrashAt(nth, when, armed=False)
    doomed = scripted_service(ObservedTable(table, crash), clock, EchoMaster(agent_made))
    doomed.rosters.for_tenant(MAYA.tenant)
    crash.arm()
    return doomed


def test_a_turn_takes_three_requests_and_the_first_of_a_conversation_two(
    table: SqliteTable, clock: ManualClock
) -> None:
    seen = Requests()
    turns = scripted_service(ObservedTable(table, seen), clock)
    turns.rosters.for_tenant(MAYA.tenant)
    seen.names.clear()
    first = turns.say("one")
    assert seen.names == ["update", "transact"]
    seen.names.clear()
    turns.say("two", first.conversation_id)
    assert seen.names == ["update", "query", "transact"]
    assert stored(table, first.conversation_id) == exchange("one", "two")


def test_a_turn_is_understood_against_what_was_said_before(table: SqliteTable, clock: ManualClock) -> None:
    turns = scripted_service(table, clock)
    first = turns.say("one")
    turns.say("two", first.conversation_id)
    assert turns.master.histories == [[], ["one", "re: one"]]


def test_the_same_key_gives_the_same_answer_without_thinking_again(
    table: SqliteTable, clock: ManualClock
) -> None:
    turns = scripted_service(table, clock)
    first = turns.say("one", key="k1")
    again = turns.say("one", key="k1")
    assert (again.replayed, again.content, again.message_id) == (True, first.content, first.message_id)
    assert again.metadata == first.metadata
    assert turns.master.received == ["one"]
    assert stored(table, first.conversation_id) == exchange("one")


def test_the_same_key_with_another_message_is_refused(table: SqliteTable, clock: ManualClock) -> None:
    turns = scripted_service(table, clock)
    first = turns.say("one", key="k1")
    with pytest.raises(IdempotencyKeyReused):
        turns.say("other", key="k1")
    assert stored(table, first.conversation_id) == exchange("one")
    assert turns.say("two", first.conversation_id).content == "re: two"


def test_a_key_used_more_than_ten_turns_ago_is_still_refused_at_commit(
    table: SqliteTable, clock: ManualClock
) -> None:
    turns = scripted_service(table, clock)
    conversation = turns.say("zero").conversation_id
    first = turns.say("one", conversation, key="k1")
    for n in range(15):
        turns.say(f"more {n}", conversation)
    again = turns.say("one", conversation, key="k1")
    assert (again.replayed, again.message_id) == (True, first.message_id)
    assert stored(table, conversation).count((Role.USER, "one")) == 1


@pytest.mark.parametrize("turns_between", [0, 15])
def test_a_key_older_than_a_day_runs_again(
    table: SqliteTable, clock: ManualClock, turns_between: int
) -> None:
    turns = scripted_service(table, clock)
    conversation = turns.say("one", key="k1").conversation_id
    for n in range(turns_between):
        turns.say(f"more {n}", conversation)
    clock.advance(24 * 3600 + 1)
    again = turns.say("one", key="k1")
    assert (again.replayed, again.conversation_id) == (False, conversation)


def test_two_first_messages_under_different_keys_make_two_conversations(
    table: SqliteTable, clock: ManualClock
) -> None:
    turns = scripted_service(table, clock)
    assert turns.say("one", key="k1").conversation_id != turns.say("one", key="k2").conversation_id


@pytest.mark.parametrize(
    "conversation_id", ["", "abc", "T#other#C#1", "0" * 31, "A" * 32, "f" * 32, "../../etc"]
)
def test_an_unknown_or_malformed_conversation_is_not_found_and_creates_nothing(
    table: SqliteTable, clock: ManualClock, conversation_id: str
) -> None:
    turns = scripted_service(table, clock)
    with pytest.raises(ConversationNotFound):
        turns.say("hello", conversation_id)
    repository = ConversationRepository(tables=Tables(table), clock=clock)
    assert repository.list(MAYA, limit=10) == ((), None)


@pytest.mark.parametrize("stranger", [Caller(TenantId("acme"), "derek"), Caller(TenantId("acme-eu"), "maya")])
def test_the_conversation_of_somebody_else_is_not_found(
    table: SqliteTable, clock: ManualClock, stranger: Caller
) -> None:
    turns = scripted_service(table, clock)
    conversation = turns.say("one").conversation_id
    with pytest.raises(ConversationNotFound):
        turns.run(IncomingMessage(stranger, "mine now", conversation))
    assert stored(table, conversation) == exchange("one")


REQUESTS_OF_A_TURN = [(nth, when) for nth in (1, 2, 3) for when in ("before", "after")]


@pytest.mark.parametrize(("nth", "when"), REQUESTS_OF_A_TURN)
@pytest.mark.parametrize("patience", ["at once", "after the lease"])
def test_a_retry_after_a_crash_at_any_request_stores_one_message_one_reply_and_one_effect(
    table: SqliteTable, clock: ManualClock, nth: int, when: str, patience: str
) -> None:
    conversation = scripted_service(table, clock).say("hello").conversation_id
    doomed = about_to_crash(table, clock, nth, when)
    with pytest.raises(Crash):
        doomed.say("make it", conversation, key="k1")
    restarted = scripted_service(table, clock, EchoMaster(agent_made))
    if patience == "after the lease":
        clock.advance(AFTER_THE_LEASE)
        answer = restarted.say("make it", conversation, key="k1")
    else:
        answer = _retry_until_answered(restarted, conversation, clock)
    assert answer.content == "re: make it"
    assert stored(table, conversation) == exchange("hello", "make it")
    assert table.get(Key("T#acme#A#make it", "AGENT")) is not None


def _retry_until_answered(turns: Fixture, conversation: str, clock: ManualClock) -> Answer:
    """As a client does: again after a pause, for no longer than the lease."""
    until = Deadline.after(clock, AFTER_THE_LEASE)
    while until.remaining() > 0:
        try:
            return turns.say("make it", conversation, key="k1")
        except IdempotencyInProgress:
            clock.advance(1)
    pytest.fail("the conversation was blocked beyond the lease")


@pytest.mark.parametrize(("nth", "when"), REQUESTS_OF_A_TURN[1:])
def test_an_unkeyed_message_of_a_crashed_caller_is_answered_by_finish(
    table: SqliteTable, clock: ManualClock, nth: int, when: str
) -> None:
    conversation = scripted_service(table, clock).say("hello").conversation_id
    doomed = about_to_crash(table, clock, nth, when)
    with pytest.raises(Crash):
        doomed.say("orphan", conversation)
    finisher = scripted_service(table, clock)
    assert finisher.service.drain(MAYA.tenant, conversation, Deadline.after(clock, 60))
    assert stored(table, conversation) == exchange("hello", "orphan")


def test_the_next_message_answers_an_orphan_in_front_of_it_first(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = scripted_service(table, clock).say("hello").conversation_id
    with pytest.raises(Crash):
        scripted_service(ObservedTable(table, CrashAt(1, "after")), clock).say("orphan", conversation)
    clock.advance(AFTER_THE_LEASE)
    scripted_service(table, clock).say("later", conversation)
    assert stored(table, conversation) == exchange("hello", "orphan", "later")


def test_a_message_behind_a_running_turn_is_accepted_when_its_time_is_up(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = scripted_service(table, clock).say("hello").conversation_id
    with pytest.raises(Crash):
        scripted_service(ObservedTable(table, CrashAt(1, "after")), clock).say("stuck", conversation)
    events = scripted_service(table, clock).run(IncomingMessage(MAYA, "patient", conversation), seconds=5)
    accepted = events[-1]
    assert isinstance(accepted, Accepted)
    repository = ConversationRepository(tables=Tables(table), clock=clock)
    assert repository.turn(MAYA, accepted.turn_id).progress is TurnProgress.QUEUED
    assert scripted_service(table, clock).service.drain(MAYA.tenant, conversation, Deadline.after(clock, 60))
    state = repository.turn(MAYA, accepted.turn_id)
    assert (state.progress, state.reply and state.reply.content) == (TurnProgress.DONE, "re: patient")
    assert stored(table, conversation) == exchange("hello", "stuck", "patient")


def test_a_slow_leader_that_lost_its_lease_changes_nothing(table: SqliteTable, clock: ManualClock) -> None:
    conversation = scripted_service(table, clock).say("hello").conversation_id

    def overtaken(turn: TurnRequest) -> None:
        if not rival.master.received:
            clock.advance(AFTER_THE_LEASE)
            assert rival.service.drain(MAYA.tenant, conversation, Deadline.after(clock, 60))

    rival = scripted_service(table, clock, EchoMaster(agent_made))
    slow = scripted_service(table, clock, EchoMaster(agent_made, before=overtaken))
    answer = slow.say("slow", conversation)
    assert answer.content == "re: slow"
    assert stored(table, conversation) == exchange("hello", "slow")


def test_deleting_a_conversation_refuses_the_commit_of_a_running_turn(
    table: SqliteTable, clock: ManualClock
) -> None:
    repository = ConversationRepository(tables=Tables(table), clock=clock)
    conversation = scripted_service(table, clock).say("hello").conversation_id
    running = scripted_service(
        table, clock, EchoMaster(before=lambda turn: repository.delete(MAYA, conversation))
    )
    with pytest.raises(ConversationNotFound):
        running.say("too late", conversation)
    with pytest.raises(ConversationNotFound):
        repository.get(MAYA, conversation)
    assert repository.list(MAYA, limit=10) == ((), None)


def test_an_effect_that_the_world_overtook_is_thought_through_again(
    table: SqliteTable, clock: ManualClock
) -> None:
    taken = Key("T#acme#A#taken", "AGENT")

    def effects(turn: TurnRequest) -> tuple[Action, ...]:
        name = "taken" if table.get(taken) is None else "free"
        if name == "taken":
            table.put(Put({"pk": taken.partition, "sk": taken.sort}))
        return (Put({"pk": f"T#acme#A#{name}", "sk": "AGENT"}, (NotExists(),)),)

    turns = scripted_service(table, clock, EchoMaster(effects))
    events = turns.run(IncomingMessage(MAYA, "make it"))
    assert sum(isinstance(event, Restarted) for event in events) == 1
    assert isinstance(events[-1], Done)
    assert table.get(Key("T#acme#A#free", "AGENT")) is not None


def test_an_effect_that_never_fits_stores_nothing_and_frees_the_conversation(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = scripted_service(table, clock).say("hello").conversation_id
    table.put(Put({"pk": "T#acme#A#make it", "sk": "AGENT"}))
    turns = scripted_service(table, clock, EchoMaster(agent_made))
    with pytest.raises(WorkspaceContended):
        turns.say("make it", conversation)
    assert stored(table, conversation) == exchange("hello")
    assert scripted_service(table, clock).say("next", conversation).content == "re: next"


@row("B9")
def test_a_reply_larger_than_an_item_is_given_whole_and_stored_cut(
    table: SqliteTable, clock: ManualClock
) -> None:
    turns = scripted_service(table, clock, StreamingMaster(pieces=["line after line\n"] * 32_000))
    answer = turns.say("Tell me everything")
    assert len(answer.content) == 512_000
    stored = ConversationRepository(tables=Tables(table), clock=clock).page(
        MAYA, answer.conversation_id, limit=2
    )[-1]
    assert answer.content.startswith(stored.content)
    assert (len(stored.content), stored.metadata["truncated"]) == (MAX_STORED_BYTES, True)


def test_our_own_bug_reaches_the_caller_and_a_retry_runs_again(
    table: SqliteTable, clock: ManualClock
) -> None:
    def bug(turn: TurnRequest) -> None:
        raise TypeError("planted")

    conversation = scripted_service(table, clock).say("hello").conversation_id
    with pytest.raises(TypeError, match="planted"):
        scripted_service(table, clock, EchoMaster(before=bug)).say("boom", conversation, key="k1")
    assert stored(table, conversation) == exchange("hello")
    assert scripted_service(table, clock).say("boom", conversation, key="k1").replayed is False
    assert stored(table, conversation) == exchange("hello", "boom")


def test_a_message_that_our_code_fails_on_does_not_block_those_behind_it(
    table: SqliteTable, clock: ManualClock
) -> None:
    def poisoned(turn: TurnRequest) -> None:
        if turn.situation.message == "poison":
            raise TypeError("planted")

    conversation = scripted_service(table, clock).say("hello").conversation_id
    with pytest.raises(Crash):
        scripted_service(ObservedTable(table, CrashAt(1, "after")), clock).say("poison", conversation)
    clock.advance(AFTER_THE_LEASE)
    scripted_service(table, clock, EchoMaster(before=poisoned)).say("next", conversation)
    messages = stored(table, conversation)
    assert [content for role, content in messages if role is Role.USER] == ["hello", "poison", "next"]
    assert messages[-1] == (Role.ASSISTANT, "re: next")


def test_the_33rd_waiting_message_is_refused_and_not_stored(table: SqliteTable, clock: ManualClock) -> None:
    conversation = scripted_service(table, clock).say("hello").conversation_id
    for n in range(MAX_INBOX_MESSAGES):
        with pytest.raises(Crash):
            scripted_service(ObservedTable(table, CrashAt(1, "after")), clock).say(f"m{n}", conversation)
    with pytest.raises(ConversationBusy):
        scripted_service(table, clock).say("one too many", conversation)
    clock.advance(AFTER_THE_LEASE)
    assert scripted_service(table, clock).service.drain(MAYA.tenant, conversation, Deadline.after(clock, 60))
    assert stored(table, conversation) == exchange("hello", *(f"m{n}" for n in range(MAX_INBOX_MESSAGES)))


def test_large_messages_wait_up_to_64_kb_behind_the_first(table: SqliteTable, clock: ManualClock) -> None:
    conversation = scripted_service(table, clock).say("hello").conversation_id
    large = "x" * 32_000
    for _ in range(3):
        with pytest.raises(Crash):
            scripted_service(ObservedTable(table, CrashAt(1, "after")), clock).say(large, conversation)
    with pytest.raises(ConversationBusy):
        scripted_service(table, clock).say(large, conversation)


def test_the_same_key_while_the_first_is_answered_is_in_progress(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = scripted_service(table, clock).say("hello").conversation_id
    refused: list[type[Exception]] = []

    def meanwhile(turn: TurnRequest) -> None:
        for content in ("one", "other"):
            try:
                scripted_service(table, clock).say(content, conversation, key="k1")
            except (IdempotencyInProgress, IdempotencyKeyReused) as error:
                refused.append(type(error))

    scripted_service(table, clock, EchoMaster(before=meanwhile)).say("one", conversation, key="k1")
    assert refused == [IdempotencyInProgress, IdempotencyKeyReused]
    assert stored(table, conversation) == exchange("hello", "one")


def test_messages_sent_at_once_through_two_services_are_answered_one_at_a_time_in_order_of_admission(
    tmp_path: Path,
) -> None:
    path, clock = tmp_path / "table.db", SystemClock()
    thinking, most, lock = 0, 0, threading.Lock()

    def busy(turn: TurnRequest) -> None:
        nonlocal thinking, most
        with lock:
            thinking += 1
            most = max(most, thinking)
        threading.Event().wait(0.005)
        with lock:
            thinking -= 1

    services = [scripted_service(SqliteTable(path), clock, EchoMaster(before=busy)) for _ in range(2)]
    conversation = services[0].say("hello").conversation_id
    order: list[str] = []

    def send(n: int) -> str:
        events = services[n % 2].run(IncomingMessage(MAYA, f"m{n}", conversation), seconds=25)
        assert isinstance(events[0], TurnStarted)
        done = events[-1]
        assert isinstance(done, Done)
        return done.answer.content

    with ThreadPoolExecutor(24) as pool:
        answers = list(pool.map(send, range(24)))
    assert answers == [f"re: m{n}" for n in range(24)]
    messages = stored(SqliteTable(path), conversation)
    order = [content for role, content in messages if role is Role.USER]
    assert sorted(order) == sorted(["hello", *(f"m{n}" for n in range(24))])
    assert messages == exchange(*order)
    assert most == 1


def test_messages_in_front_that_take_too_long_are_left_to_finish(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = scripted_service(table, clock).say("hello").conversation_id
    for n in range(5):
        with pytest.raises(Crash):
            scripted_service(ObservedTable(table, CrashAt(1, "after")), clock).say(f"m{n}", conversation)
    clock.advance(AFTER_THE_LEASE)
    slow = scripted_service(table, clock, EchoMaster(before=lambda turn: clock.advance(4)))
    events = slow.run(IncomingMessage(MAYA, "in a hurry", conversation), seconds=10)
    assert isinstance(events[-1], Accepted)
    clock.advance(10)
    assert scripted_service(table, clock).service.drain(MAYA.tenant, conversation, Deadline.after(clock, 60))
    assert stored(table, conversation) == exchange("hello", *(f"m{n}" for n in range(5)), "in a hurry")


def test_storage_failing_under_a_message_of_somebody_else_does_not_get_them_an_apology(
    table: SqliteTable, clock: ManualClock
) -> None:
    def down(turn: TurnRequest) -> None:
        raise StorageUnavailable

    conversation = scripted_service(table, clock).say("hello").conversation_id
    with pytest.raises(Crash):
        scripted_service(ObservedTable(table, CrashAt(1, "after")), clock).say("orphan", conversation)
    clock.advance(AFTER_THE_LEASE)
    events = scripted_service(table, clock, EchoMaster(before=down)).run(
        IncomingMessage(MAYA, "next", conversation)
    )
    assert isinstance(events[-1], Accepted)
    clock.advance(AFTER_THE_LEASE)
    assert scripted_service(table, clock).service.drain(MAYA.tenant, conversation, Deadline.after(clock, 60))
    assert stored(table, conversation) == exchange("hello", "orphan", "next")
