"""Under one key, or a client's own id, one thing is made, on every backend."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from agent.turn_events import Done, TurnStarted
from conversation.errors import ConversationNotFound, IdempotencyKeyReused
from conversation.identity import Caller, conversation_id_for_client
from conversation.keyed_creation import Created
from conversation.threads.repository import ConversationRepository
from conversation.turns.admission import IncomingMessage
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from storage.table import Table
from storage.tenant_table import Tables
from tasks.store import TaskStore
from tasks.task import Task, TaskSpec
from tests.fakes.aws.tables import ObservedTable, Requests
from tests.fakes.data.scripted_turns import scripted_service
from tests.fakes.run.clocks import ManualClock

MAYA = Caller(TenantId("acme"), "maya")
NAMED = conversation_id_for_client(MAYA, "wire", "chat-1")
BANK = TaskSpec(title="call the bank")


def store_on(table: Table, clock: ManualClock | None = None) -> TaskStore:
    return TaskStore(tables=Tables(table), clock=clock or ManualClock(datetime(2026, 3, 6, tzinfo=UTC)))


def test_a_key_makes_one_thing(table: Table) -> None:
    first = store_on(table).create_once(MAYA, BANK, key="once")

    assert store_on(table).create_once(MAYA, BANK, key="once") == Created(first.made, replayed=True)
    with pytest.raises(IdempotencyKeyReused):
        store_on(table).create_once(MAYA, TaskSpec(title="call the dentist"), key="once")
    assert store_on(table).list(MAYA) == ((first.made,), None)


def test_a_key_is_free_after_a_day_though_its_record_is_still_there(table: Table) -> None:
    clock = ManualClock(datetime(2026, 3, 6, tzinfo=UTC))
    first = store_on(table, clock).create_once(MAYA, BANK, key="once")
    clock.advance(timedelta(days=1).total_seconds())

    second = store_on(table, clock).create_once(MAYA, BANK, key="once")

    assert not second.replayed
    assert second.made.id != first.made.id


def test_of_many_at_once_one_makes_it(shared_table: Table) -> None:
    def create(_: int) -> Created[Task]:
        while True:
            try:
                return store_on(shared_table).create_once(MAYA, BANK, key="once")
            except StorageUnavailable:  # a conflict with the others: the client tries again
                continue

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(create, range(8)))

    assert len({each.made.id for each in answers}) == 1
    assert sum(not each.replayed for each in answers) == 1


@pytest.mark.parametrize("key", [None, "once"])
def test_a_key_takes_no_further_request(table: Table, key: str | None) -> None:
    requests = Requests()
    store = store_on(ObservedTable(table, requests))
    store.create_once(MAYA, BANK, key=key)

    # Before: the tenant's policy, and the counters of the user and the tenant.
    assert requests.names[-1:] == ["put" if key is None else "transact"]
    assert len(requests.names) == 4


def test_the_first_message_begins_the_conversation_and_the_next_ones_go_on(shared_table: Table) -> None:
    requests = Requests()
    turns = scripted_service(ObservedTable(shared_table, requests), ManualClock())
    turns.rosters.for_tenant(MAYA.tenant)

    taken = []
    for message in ("first", "second", "third"):
        requests.names.clear()
        started, *_, done = turns.run(IncomingMessage(MAYA, message, NAMED, may_begin=True))
        assert isinstance(started, TurnStarted)
        assert isinstance(done, Done)
        assert (started.conversation_id, started.created) == (NAMED, message == "first")
        taken.append(len(requests.names))

    assert taken == [2, 3, 3]
    conversations = ConversationRepository(tables=Tables(shared_table), clock=ManualClock())
    said = [message.content for message in conversations.page(MAYA, NAMED, limit=10)]
    assert said == ["first", "re: first", "second", "re: second", "third", "re: third"]


def test_a_deleted_conversation_of_a_name_is_not_begun_again(shared_table: Table) -> None:
    turns = scripted_service(shared_table, ManualClock())
    turns.run(IncomingMessage(MAYA, "first", NAMED, may_begin=True))
    ConversationRepository(tables=Tables(shared_table), clock=ManualClock()).delete(MAYA, NAMED)

    with pytest.raises(ConversationNotFound):
        turns.run(IncomingMessage(MAYA, "again", NAMED, may_begin=True))
