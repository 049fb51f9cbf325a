"""A user's conversations outside of a turn."""

from __future__ import annotations

from typing import Any

import pytest

from conversation.errors import ConversationNotFound, TurnNotFound
from conversation.identity import Caller, TurnId
from conversation.messages.items import set_title
from conversation.messages.models import Status
from conversation.threads.repository import ConversationRepository, TurnProgress
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Set
from storage.tenant_table import Tables
from tests.fakes.aws.tables import Crash, CrashAt, ObservedTable, Requests
from tests.fakes.data.scripted_turns import MAYA, scripted_service
from tests.fakes.run.bad_inputs import row
from tests.fakes.run.clocks import ManualClock

DEREK = Caller(MAYA.tenant, "derek")
OTHER_TENANT = Caller(TenantId("acme-eu"), "maya")


class Asked:
    """A finish queue that remembers what it was asked."""

    def __init__(self) -> None:
        self.conversations: list[str] = []

    def send(self, tenant: TenantId, conversation_id: str) -> None:
        self.conversations.append(conversation_id)


@pytest.fixture
def table() -> SqliteTable:
    return SqliteTable(":memory:")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def repository(table: SqliteTable, clock: ManualClock) -> ConversationRepository:
    return ConversationRepository(tables=Tables(table), clock=clock)


def test_a_created_conversation_is_empty_and_listed(repository: ConversationRepository) -> None:
    made = repository.create(MAYA, title="Plans")
    assert (made.user, made.title, made.count) == ("maya", "Plans", 0)
    assert repository.get(MAYA, made.id) == made
    assert repository.list(MAYA, limit=10) == ((made,), None)


@pytest.mark.parametrize("user", ["auth0|123", "maya@example.com", "ünï#cødé", "a#HEAD", "100%"])
def test_users_of_any_identity_provider_get_their_own_conversations(
    repository: ConversationRepository, user: str
) -> None:
    caller = Caller(MAYA.tenant, user)
    made = repository.create(caller)
    assert repository.get(caller, made.id).user == user
    assert repository.list(caller, limit=10)[0] == (made,)


def test_conversations_are_listed_by_newest_activity_page_by_page(
    repository: ConversationRepository, table: SqliteTable, clock: ManualClock
) -> None:
    made = []
    for _ in range(5):
        made.append(repository.create(MAYA).id)
        clock.advance(1)
    scripted_service(table, clock).say("hello", made[0])
    listed, after = repository.list(MAYA, limit=2)
    rest, end = repository.list(MAYA, limit=10, after=after)
    assert [each.id for each in (*listed, *rest)] == [made[0], *reversed(made[1:])]
    assert end is None
    assert listed[0].count == 2


@pytest.mark.parametrize("stranger", [DEREK, OTHER_TENANT])
def test_the_conversation_of_somebody_else_is_not_found_by_any_method(
    repository: ConversationRepository, stranger: Caller
) -> None:
    made = repository.create(MAYA, title="Mine")
    for call in (
        lambda: repository.get(stranger, made.id),
        lambda: repository.change(stranger, made.id, (set_title("Theirs"),)),
        lambda: repository.delete(stranger, made.id),
        lambda: repository.page(stranger, made.id, limit=10),
    ):
        with pytest.raises(ConversationNotFound):
            call()
    assert repository.get(MAYA, made.id).title == "Mine"
    assert repository.list(stranger, limit=10) == ((), None)


@row("F6", "F7")
@pytest.mark.parametrize("stranger", [DEREK, OTHER_TENANT])
def test_somebody_elses_conversation_takes_the_same_requests_as_none(
    repository: ConversationRepository, table: SqliteTable, clock: ManualClock, stranger: Caller
) -> None:
    theirs, deleted = repository.create(MAYA).id, repository.create(stranger).id
    repository.delete(stranger, deleted)

    def requests(conversation_id: str) -> list[str]:
        seen = Requests()
        watched = ConversationRepository(tables=Tables(ObservedTable(table, seen)), clock=clock)
        with pytest.raises(ConversationNotFound):
            watched.get(stranger, conversation_id)
        return seen.names

    assert requests(theirs) == requests(deleted) == requests("0" * 32)


@row("F9")
@pytest.mark.parametrize("malformed", ["", "abc", "F" * 32, "T#other#C#1"])
def test_a_malformed_id_is_not_found_without_a_request(clock: ManualClock, malformed: str) -> None:
    seen = Requests()
    repository = ConversationRepository(
        tables=Tables(ObservedTable(SqliteTable(":memory:"), seen)), clock=clock
    )
    for call in (repository.get, repository.delete):
        with pytest.raises(ConversationNotFound):
            call(MAYA, malformed)
    assert seen.names == []


def test_a_deleted_conversation_is_gone_for_good(repository: ConversationRepository) -> None:
    made = repository.create(MAYA)
    repository.delete(MAYA, made.id)
    with pytest.raises(ConversationNotFound):
        repository.delete(MAYA, made.id)
    assert repository.list(MAYA, limit=10) == ((), None)


def test_messages_page_both_ways(
    repository: ConversationRepository, table: SqliteTable, clock: ManualClock
) -> None:
    turns = scripted_service(table, clock)
    conversation = turns.say("m1").conversation_id
    for n in range(2, 6):
        turns.say(f"m{n}", conversation)

    def sequences(**where: int) -> list[int]:
        return [message.sequence for message in repository.page(MAYA, conversation, limit=4, **where)]

    assert sequences() == [7, 8, 9, 10]
    assert sequences(before=7) == [3, 4, 5, 6]
    assert sequences(before=3) == [1, 2]
    assert sequences(before=1) == []
    assert sequences(after=0) == [1, 2, 3, 4]
    assert sequences(after=8) == [9, 10]
    assert sequences(after=10) == []


def test_a_stored_turn_is_found_by_its_id_long_afterwards(
    repository: ConversationRepository, table: SqliteTable, clock: ManualClock
) -> None:
    turns = scripted_service(table, clock)
    first = turns.say("m1")
    for n in range(2, 20):
        clock.advance(3600)
        turns.say(f"m{n}", first.conversation_id)
    state = repository.turn(MAYA, first.turn_id)
    assert (state.progress, state.reply and state.reply.content) == (TurnProgress.DONE, "re: m1")


@pytest.mark.parametrize("stranger", [DEREK, OTHER_TENANT])
def test_the_turn_of_somebody_else_is_not_found(
    repository: ConversationRepository, table: SqliteTable, clock: ManualClock, stranger: Caller
) -> None:
    turn_id = scripted_service(table, clock).say("m1").turn_id
    with pytest.raises(TurnNotFound):
        repository.turn(stranger, turn_id)


@pytest.mark.parametrize("turn_id", ["", "abc", "0" * 32 + ".x", "0" * 32 + "." + "0" * 26])
def test_an_unknown_or_malformed_turn_is_not_found(repository: ConversationRepository, turn_id: str) -> None:
    with pytest.raises(TurnNotFound):
        repository.turn(MAYA, turn_id)


def test_looking_for_a_turn_that_never_was_reads_no_further_than_its_time(
    table: SqliteTable, clock: ManualClock
) -> None:
    turns = scripted_service(table, clock)
    conversation = turns.say("m0").conversation_id
    for n in range(60):
        clock.advance(600)
        turns.say(f"m{n}", conversation)
    seen = Requests()
    repository = ConversationRepository(tables=Tables(ObservedTable(table, seen)), clock=clock)
    with pytest.raises(TurnNotFound):
        repository.turn(MAYA, str(TurnId.make(conversation, clock.now())))
    assert seen.names == ["get", "get", "query"]  # the head, the policy, some messages


def test_reading_a_conversation_asks_for_its_orphans_to_be_answered(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = scripted_service(table, clock).say("hello").conversation_id
    with pytest.raises(Crash):
        scripted_service(ObservedTable(table, CrashAt(1, "after")), clock).say("orphan", conversation)
    queue = Asked()
    repository = ConversationRepository(tables=Tables(table), clock=clock, queue=queue)
    repository.get(MAYA, conversation)
    assert queue.conversations == []
    clock.advance(31)
    repository.get(MAYA, conversation)
    assert queue.conversations == [conversation]


def test_pinned_titled_and_deleted_conversations_are_listed_by_the_service(
    repository: ConversationRepository, clock: ManualClock
) -> None:
    made = []
    for number in range(25):
        clock.advance(60)
        made.append(
            repository.create(MAYA, title=f"Conversation {number}: تقرير المبيعات" if number == 3 else None)
        )
    repository.change(MAYA, made[1].id, (Set("pinned", True),))
    clock.advance(60)
    repository.delete(MAYA, made[2].id)

    def listed(**chosen: Any) -> list[str]:
        found, after = repository.list(MAYA, limit=5, **chosen)
        ids = [each.id for each in found]
        while after is not None:
            found, after = repository.list(MAYA, limit=5, after=after, **chosen)
            ids += [each.id for each in found]
        return ids

    assert listed(is_pinned=True) == [made[1].id]
    assert listed(title="المبيعات conVersation") == [made[3].id]
    assert listed(title="no such title") == []
    assert listed(status=Status.DELETED) == [made[2].id]
    assert len(listed()) == 24
