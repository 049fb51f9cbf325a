"""Races of the turn protocol that simulated runs came upon, each one alone."""

from __future__ import annotations

import pytest

from agent.handler_interface import TurnRequest
from agent.turn_events import Done
from conversation.messages.items import ConversationHead
from conversation.threads.repository import ConversationRepository
from conversation.token_counts import TokenCounter
from conversation.turns.admission import DEFAULT_RETENTION_DAYS, LEASE_DURATION, IncomingMessage
from conversation.turns.lease import HeldLease
from conversation.turns.turn_protocol import TurnProtocol
from storage import keys
from storage.sqlite.table import SqliteTable
from storage.table import Item, Table, Update
from storage.tenant_table import Tables
from tests.fakes.aws.tables import Crash, CrashAt, ObservedTable
from tests.fakes.data.scripted_turns import MAYA, EchoMaster, scripted_service
from tests.fakes.run.clocks import ManualClock

AFTER_THE_LEASE = LEASE_DURATION.total_seconds() + 1


class EverythingTwice(ObservedTable):
    """Every update takes effect, its answer is lost, and it is sent again."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, lambda name, when: None)

    def update(self, update: Update) -> Item:
        super().update(update)
        return super().update(update)


@pytest.fixture
def table() -> SqliteTable:
    return SqliteTable(":memory:")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def protocol_over(table: Table, clock: ManualClock) -> TurnProtocol:
    return TurnProtocol(tables=Tables(table), clock=clock, tokens=TokenCounter(None))


def led_with(table: Table, clock: ManualClock, *messages: str) -> HeldLease:
    """The lead of a conversation in which the messages wait."""
    conversation = ConversationRepository(tables=Tables(table), clock=clock).create(MAYA).id
    protocol = protocol_over(table, clock)
    for message in messages:
        protocol.admit(
            IncomingMessage(MAYA, message, conversation, f"key of {message}"),
            owner="leader",
            caller_until=clock.now(),
            retention_days=DEFAULT_RETENTION_DAYS,
        )
    return HeldLease(MAYA.tenant, "leader", protocol.read_head(MAYA.tenant, conversation))


def head_of(table: Table, led: HeldLease) -> ConversationHead:
    return protocol_over(table, ManualClock()).read_head(MAYA.tenant, led.conversation_id)


def test_a_withdrawal_that_is_sent_again_leaves_the_message_behind_it_alone(
    table: SqliteTable, clock: ManualClock
) -> None:
    led = led_with(table, clock, "first", "second")
    protocol_over(EverythingTwice(table), clock).discard_message(led, release=False)
    assert [entry.content for entry in head_of(table, led).inbox] == ["second"]
    item = table.get(keys.head(MAYA.tenant, led.conversation_id))
    assert item is not None
    assert item["inbox_ids"] == led.head.inbox[1].inbox_ids()


def test_a_withdrawal_with_the_lease_that_is_sent_again_succeeds(
    table: SqliteTable, clock: ManualClock
) -> None:
    led = led_with(table, clock, "first")
    protocol_over(EverythingTwice(table), clock).discard_message(led, release=True)
    head = head_of(table, led)
    assert (head.inbox, head.lease) == ((), None)


def test_a_lease_that_its_holder_renewed_at_the_last_moment_is_not_taken_over(
    table: SqliteTable, clock: ManualClock
) -> None:
    led, protocol = led_with(table, clock, "first"), protocol_over(table, clock)
    clock.advance(AFTER_THE_LEASE)
    seen = protocol.read_head(MAYA.tenant, led.conversation_id)
    assert protocol.renew(led) is not None
    assert protocol.acquire_lease(MAYA.tenant, seen, owner="other") is None
    assert head_of(table, led).lease_owner(clock.now()) == "leader"


def test_a_conversation_whose_message_was_answered_meanwhile_is_not_taken_over(
    table: SqliteTable, clock: ManualClock
) -> None:
    led, protocol = led_with(table, clock, "first"), protocol_over(table, clock)
    protocol.release(led)
    seen = protocol.read_head(MAYA.tenant, led.conversation_id)
    faster = protocol.acquire_lease(MAYA.tenant, seen, owner="faster")
    assert faster is not None
    protocol.discard_message(HeldLease(MAYA.tenant, "faster", faster), release=True)
    assert protocol.acquire_lease(MAYA.tenant, seen, owner="slower") is None
    assert head_of(table, led).lease is None


def test_nothing_is_thought_under_a_lease_that_ran_out_while_storage_was_slow(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = scripted_service(table, clock).say("hello").conversation_id
    led_at_all: list[bool] = []

    def slow(name: str, when: str) -> None:
        if (name, when) == ("query", "before"):
            clock.advance(AFTER_THE_LEASE)

    def thinking(turn: TurnRequest) -> None:
        head = protocol_over(table, clock).read_head(MAYA.tenant, conversation)
        led_at_all.append(head.is_leased(clock.now()))

    slowly = scripted_service(ObservedTable(table, slow), clock, EchoMaster(before=thinking))
    assert slowly.say("slowly", conversation).content == "re: slowly"
    assert led_at_all == [True]


def test_who_would_wait_for_an_answer_that_was_given_before_gets_it_instead_of_a_promise(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = scripted_service(table, clock).say("hello").conversation_id
    turns = scripted_service(table, clock)
    first = turns.say("once", conversation, key="k1")
    with pytest.raises(Crash):
        scripted_service(ObservedTable(table, CrashAt(1, "after")), clock).say("stuck", conversation)
    *_, last = turns.run(IncomingMessage(MAYA, "once", conversation, "k1"), seconds=5)
    assert isinstance(last, Done)
    assert (last.answer.message_id, last.answer.replayed) == (first.message_id, True)
