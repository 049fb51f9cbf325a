"""What is past its time can't be read or written any more, before any sweep has come by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta

import pytest

from conversation.clock import Deadline
from conversation.errors import ConversationNotFound, TurnNotFound
from conversation.identity import Caller
from conversation.messages.items import head_from_item, set_title
from conversation.messages.models import Status
from conversation.retention.holds import LegalHolds
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import MAX_AGE, PolicyCache, TenantStore
from conversation.threads.lifecycle import Lifecycle
from conversation.threads.repository import ConversationRepository
from conversation.token_counts import TokenCounter
from conversation.turns.proactive_messages import ProactiveMessage, ProactiveMessages
from storage import keys
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Table
from storage.tenant_table import Tables
from tests.fakes.aws.tables import Crash, CrashAt, ObservedTable
from tests.fakes.data.old_conversations import write_conversation
from tests.fakes.data.scripted_turns import MAYA, scripted_service
from tests.fakes.run.clocks import ManualClock

DAY = 86_400.0
SEVERAL = 10


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def table() -> Iterator[SqliteTable]:
    with closing(SqliteTable(":memory:")) as table:
        yield table


def conversations(table: Table, clock: ManualClock) -> ConversationRepository:
    return ConversationRepository(tables=Tables(table), clock=clock)


def lifecycle(table: Table, clock: ManualClock) -> Lifecycle:
    tables = Tables(table)
    policies = PolicyCache(tables=tables, clock=clock)
    return Lifecycle(tables=tables, clock=clock, policies=policies, conversations=conversations(table, clock))


def decide(table: Table, clock: ManualClock, **policy: object) -> None:
    store = TenantStore(tables=Tables(table), clock=clock)
    store.save(MAYA.tenant, TenantPolicy.model_validate({**policy}))
    clock.advance(MAX_AGE.total_seconds())


def waiting(table: Table, conversation_id: str) -> tuple[int, bool]:
    """How many messages wait, and whether somebody holds the lease."""
    item = table.get(keys.head(MAYA.tenant, conversation_id))
    assert item is not None
    head = head_from_item(item)
    return len(head.inbox), head.lease is not None


@pytest.mark.parametrize(
    "use",
    [
        lambda repository, conversation: repository.get(MAYA, conversation),
        lambda repository, conversation: repository.page(MAYA, conversation, limit=SEVERAL),
        lambda repository, conversation: list(repository.messages(MAYA, conversation)),
        lambda repository, conversation: repository.change(MAYA, conversation, (set_title("mine"),)),
        lambda repository, conversation: repository.delete(MAYA, conversation),
    ],
    ids=["get", "page", "messages", "change", "delete"],
)
def test_an_expired_conversation_is_as_one_that_never_was(
    table: SqliteTable, clock: ManualClock, use: Callable[[ConversationRepository, str], object]
) -> None:
    repository, conversation = (
        conversations(table, clock),
        scripted_service(table, clock).say("hi").conversation_id,
    )
    clock.advance(29 * DAY)
    assert repository.list(MAYA, limit=SEVERAL)[0][0].id == conversation
    clock.advance(1.1 * DAY)
    assert repository.list(MAYA, limit=SEVERAL) == ((), None)
    with pytest.raises(ConversationNotFound):
        use(repository, conversation)


def test_so_are_its_turns(table: SqliteTable, clock: ManualClock) -> None:
    answer = scripted_service(table, clock).say("hi")
    clock.advance(31 * DAY)
    with pytest.raises(TurnNotFound):
        conversations(table, clock).turn(MAYA, answer.turn_id)


@pytest.mark.parametrize("knows_the_policy", [True, False], ids=["policy at hand", "policy read late"])
def test_a_message_to_an_expired_conversation_is_refused_and_nothing_of_it_stays(
    table: SqliteTable, clock: ManualClock, knows_the_policy: bool
) -> None:
    conversation = scripted_service(table, clock).say("hi").conversation_id
    clock.advance(31 * DAY)
    turns = scripted_service(table, clock)
    if knows_the_policy:
        turns.rosters.for_tenant(MAYA.tenant)
    for _ in range(2):
        with pytest.raises(ConversationNotFound):
            turns.say("still there?", conversation)
    assert waiting(table, conversation) == (0, False)
    assert turns.master.received == []


def test_what_a_dead_function_left_in_an_expired_conversation_is_drained_and_not_answered(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = scripted_service(table, clock).say("hi").conversation_id
    clock.advance(31 * DAY)
    with pytest.raises(Crash):
        scripted_service(ObservedTable(table, CrashAt(1, "after")), clock).say("too late", conversation)
    clock.advance(60)
    turns = scripted_service(table, clock)
    assert turns.service.drain(MAYA.tenant, conversation, Deadline.after(clock, 25.0))
    assert waiting(table, conversation)[0] == 0
    assert turns.master.received == []


def test_a_message_that_came_in_time_is_answered_late_and_keeps_its_conversation(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = scripted_service(table, clock).say("hi").conversation_id
    clock.advance(29.9 * DAY)
    with pytest.raises(Crash):
        scripted_service(ObservedTable(table, CrashAt(1, "after")), clock).say("in time", conversation)
    clock.advance(DAY)
    assert scripted_service(table, clock).service.drain(
        MAYA.tenant, conversation, Deadline.after(clock, 25.0)
    )
    assert conversations(table, clock).get(MAYA, conversation).count == 4


def test_nothing_is_posted_into_an_expired_conversation(table: SqliteTable, clock: ManualClock) -> None:
    conversation = scripted_service(table, clock).say("hi").conversation_id
    clock.advance(31 * DAY)
    poster = ProactiveMessages(tables=Tables(table), clock=clock, tokens=TokenCounter(None))
    assert not poster.post(
        MAYA.tenant, conversation, ProactiveMessage("run:1", "Done."), Deadline.after(clock, 5.0)
    )


def test_archived_conversations_have_days_of_their_own(table: SqliteTable, clock: ManualClock) -> None:
    decide(table, clock, retention_days=10, archived_retention_days=100)
    turns, repository = scripted_service(table, clock), conversations(table, clock)
    plain, archived = turns.say("hi").conversation_id, turns.say("keep this").conversation_id
    lifecycle(table, clock).change(MAYA, archived, {"archived": True})
    clock.advance(50 * DAY)
    with pytest.raises(ConversationNotFound):
        turns.say("and on", plain)
    assert repository.get(MAYA, archived).status is Status.ARCHIVED
    turns.say("and on", archived)
    assert repository.get(MAYA, archived).status is Status.ACTIVE


def test_one_archived_for_fewer_days_is_not_brought_back_by_a_message(
    table: SqliteTable, clock: ManualClock
) -> None:
    decide(table, clock, archived_retention_days=2)
    turns = scripted_service(table, clock)
    conversation = turns.say("hi").conversation_id
    lifecycle(table, clock).change(MAYA, conversation, {"archived": True})
    clock.advance(8 * DAY)
    with pytest.raises(ConversationNotFound):
        turns.say("still there?", conversation)
    with pytest.raises(ConversationNotFound):
        conversations(table, clock).get(MAYA, conversation)


def test_a_deleted_conversation_can_be_restored_within_its_grace_only(
    table: SqliteTable, clock: ManualClock
) -> None:
    turns, repository = scripted_service(table, clock), conversations(table, clock)
    early, late = turns.say("hi").conversation_id, turns.say("ho").conversation_id
    for each in (early, late):
        repository.delete(MAYA, each)
    clock.advance(6 * DAY)
    lifecycle(table, clock).restore(MAYA, early)
    clock.advance(1.1 * DAY)
    with pytest.raises(ConversationNotFound):
        lifecycle(table, clock).restore(MAYA, late)


def test_the_due_day_follows_a_policy_that_was_not_at_hand_when_the_conversation_began(
    table: SqliteTable, clock: ManualClock
) -> None:
    decide(table, clock, retention_days=5)
    conversation = scripted_service(table, clock).say("hi").conversation_id
    item = table.get(keys.head(MAYA.tenant, conversation))
    assert item is not None
    assert keys.due_day_of(str(item["due"])) == (clock.now() + timedelta(days=6)).date()


def test_one_that_a_message_brings_back_is_due_as_active_ones_are(
    table: SqliteTable, clock: ManualClock
) -> None:
    decide(table, clock, retention_days=10, archived_retention_days=100)
    turns = scripted_service(table, clock)
    conversation = turns.say("hi").conversation_id
    lifecycle(table, clock).change(MAYA, conversation, {"archived": True})
    clock.advance(50 * DAY)
    turns.say("and on", conversation)
    item = table.get(keys.head(MAYA.tenant, conversation))
    assert item is not None
    assert keys.due_day_of(str(item["due"])) == (clock.now() + timedelta(days=11)).date()


def test_a_held_conversation_stays_readable_and_listed(table: SqliteTable, clock: ManualClock) -> None:
    held, other = (write_conversation(table, MAYA, name, begun=clock.now()) for name in ("held", "other"))
    LegalHolds(tables=Tables(table), clock=clock).place(MAYA.tenant, held)
    clock.advance(31 * DAY)
    repository = conversations(table, clock)
    [listed], _ = repository.list(MAYA, limit=SEVERAL)
    assert (listed.id, listed.expires_at) == (held, None)
    assert repository.get(MAYA, held).held
    with pytest.raises(ConversationNotFound):
        repository.get(MAYA, other)


@pytest.mark.parametrize("held_by", [MAYA, Caller(TenantId("globex"), "maya")], ids=["unknown", "foreign"])
def test_only_a_conversation_of_the_tenant_can_be_held(
    table: SqliteTable, clock: ManualClock, held_by: Caller
) -> None:
    own = write_conversation(table, MAYA, "ours", begun=clock.now())
    conversation = own if held_by is not MAYA else own[::-1]
    holds = LegalHolds(tables=Tables(table), clock=clock)
    for change in (holds.place, holds.lift):
        with pytest.raises(ConversationNotFound):
            change(held_by.tenant, conversation)


def test_deleting_a_held_conversation_hides_it_and_keeps_it(table: SqliteTable, clock: ManualClock) -> None:
    conversation = write_conversation(table, MAYA, "evidence", begun=clock.now())
    LegalHolds(tables=Tables(table), clock=clock).place(MAYA.tenant, conversation)
    repository = conversations(table, clock)
    repository.delete(MAYA, conversation)
    clock.advance(400 * DAY)
    with pytest.raises(ConversationNotFound):
        repository.get(MAYA, conversation)
    assert table.get(keys.message(MAYA.tenant, conversation, 1)) is not None
