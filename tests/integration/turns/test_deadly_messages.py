"""A message that ends each process that answers it: after two of them it is given up, the rest goes on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Event

import pytest

from agent.after_turn.titles import TitleUpdater
from agent.handler_interface import TurnRequest
from agent.turn_events import Accepted
from agent.turns.lease_holder import GIVEN_UP_REPLY
from agent.turns.lease_renewal import RENEW_FOR_S, LeaseRenewer
from conversation.clock import Deadline
from conversation.messages.items import DEATHS, ReplacedVersion
from conversation.messages.models import Message, Note, Role
from conversation.search.index import SearchIndex
from conversation.search.service import ConversationSearch, SearchRequest
from conversation.threads.repository import ConversationRepository
from conversation.token_counts import TokenCounter
from conversation.turns.admission import LEASE_DURATION, IncomingMessage
from conversation.turns.lease import HeldLease, Reply
from conversation.turns.proactive_messages import ProactiveMessage, ProactiveMessages
from conversation.turns.turn_protocol import TurnProtocol
from storage import keys
from storage.errors import StorageUnavailable
from storage.sqlite.table import SqliteTable
from storage.table import Action, Key, NotExists, Put, Query, Set, StreamRecord, Update
from storage.tenant_table import Tables
from tests.fakes.aws.tables import Crash, CrashAt, ObservedTable
from tests.fakes.data.scripted_turns import MAYA, EchoMaster, Fixture, scripted_service
from tests.fakes.run.clocks import ManualClock

AFTER_THE_LEASE = LEASE_DURATION.total_seconds() + 1
DEADLY = "the deadly one"


@pytest.fixture
def table() -> SqliteTable:
    return SqliteTable(":memory:")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def deadly(turn: TurnRequest) -> None:
    if turn.situation.message == DEADLY:
        raise Crash


def process(table: SqliteTable, clock: ManualClock) -> Fixture:
    """A process of its own, which answers all messages but the deadly one."""
    return scripted_service(table, clock, EchoMaster(before=deadly))


def crash_after_a_transaction(name: str, when: str) -> None:
    if (name, when) == ("transact", "after"):
        raise Crash


def die_on(act: Callable[[], object], clock: ManualClock) -> None:
    """Have a process die in the middle, and its lease run out."""
    with pytest.raises(Crash):
        act()
    clock.advance(AFTER_THE_LEASE)


def drained(fixture: Fixture, conversation: str, clock: ManualClock) -> bool:
    return fixture.service.drain(MAYA.tenant, conversation, Deadline.after(clock, 60))


def stored(table: SqliteTable, conversation: str) -> list[Message]:
    repository = ConversationRepository(tables=Tables(table), clock=ManualClock())
    return list(repository.page(MAYA, conversation, limit=100))


def contents(table: SqliteTable, conversation: str) -> list[str]:
    return [message.content for message in stored(table, conversation)]


def head(table: SqliteTable, conversation: str) -> dict[str, object]:
    item = table.get(keys.head(MAYA.tenant, conversation))
    assert item is not None
    return dict(item)


def given_up(table: SqliteTable, clock: ManualClock) -> str:
    """A conversation in which the deadly message was given up."""
    conversation = process(table, clock).say("hello").conversation_id
    die_on(lambda: process(table, clock).say(DEADLY, conversation), clock)
    die_on(lambda: drained(process(table, clock), conversation, clock), clock)
    assert drained(process(table, clock), conversation, clock)
    return conversation


def test_a_message_on_which_two_processes_died_gets_an_apology_and_no_third_one_reads_it(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = process(table, clock).say("hello").conversation_id
    die_on(lambda: process(table, clock).say(DEADLY, conversation), clock)
    die_on(lambda: process(table, clock).say("behind it", conversation), clock)
    third = process(table, clock)
    assert third.say("later", conversation).content == "re: later"
    assert third.master.received == ["behind it", "later"]
    assert contents(table, conversation) == [
        *("hello", "re: hello"),
        *(DEADLY, GIVEN_UP_REPLY),
        *("behind it", "re: behind it"),
        *("later", "re: later"),
    ]
    apology = stored(table, conversation)[3]
    assert apology.metadata["unprocessed"] is True
    assert DEATHS not in head(table, conversation)


def test_the_first_process_that_takes_over_still_tries_to_answer(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = process(table, clock).say("hello").conversation_id
    die_on(lambda: process(table, clock).say(DEADLY, conversation), clock)
    assert drained(scripted_service(table, clock), conversation, clock)
    assert contents(table, conversation)[-1] == f"re: {DEADLY}"
    assert DEATHS not in head(table, conversation)


def test_a_retry_under_the_same_key_gets_the_apology_and_gets_it_again(
    table: SqliteTable, clock: ManualClock
) -> None:
    die_on(lambda: process(table, clock).say(DEADLY, key="k"), clock)
    die_on(lambda: process(table, clock).say(DEADLY, key="k"), clock)
    answer = process(table, clock).say(DEADLY, key="k")
    assert (answer.content, answer.metadata["unprocessed"], answer.metadata["persisted"]) == (
        GIVEN_UP_REPLY,
        True,
        True,
    )
    again = process(table, clock).say(DEADLY, key="k")
    assert (again.message_id, again.replayed) == (answer.message_id, True)


def test_deaths_on_one_message_are_not_counted_for_the_next(table: SqliteTable, clock: ManualClock) -> None:
    conversation = process(table, clock).say("hello").conversation_id
    for content in ("first", "second"):
        crashing = scripted_service(ObservedTable(table, CrashAt(1, "after")), clock)
        die_on(partial(crashing.say, content, conversation), clock)
    # This one answers the first message and dies before it begins with the second.
    crashing = scripted_service(ObservedTable(table, crash_after_a_transaction), clock)
    die_on(partial(drained, crashing, conversation, clock), clock)
    assert drained(process(table, clock), conversation, clock)
    assert contents(table, conversation)[2:] == ["first", "re: first", "second", "re: second"]


def test_a_process_that_lives_and_is_refused_by_storage_is_no_death(
    table: SqliteTable, clock: ManualClock
) -> None:
    def agent_made(turn: TurnRequest) -> tuple[Action, ...]:
        return (Put({"pk": f"T#{turn.caller.tenant}#A#1", "sk": "AGENT"}, (NotExists(),)),)

    def refused(name: str, when: str) -> None:
        if name == "transact":
            raise StorageUnavailable

    conversation = process(table, clock).say("hello").conversation_id
    throttled = scripted_service(ObservedTable(table, refused), clock, EchoMaster(agent_made))
    assert isinstance(throttled.run(IncomingMessage(MAYA, "make it", conversation))[-1], Accepted)
    for _ in range(3):
        clock.advance(AFTER_THE_LEASE)
        with pytest.raises(StorageUnavailable):
            drained(throttled, conversation, clock)
    clock.advance(AFTER_THE_LEASE)
    assert drained(scripted_service(table, clock, EchoMaster(agent_made)), conversation, clock)
    assert contents(table, conversation)[2:] == ["make it", "re: make it"]


def test_a_post_between_two_deaths_forgets_none(table: SqliteTable, clock: ManualClock) -> None:
    poster = ProactiveMessages(tables=Tables(table), clock=clock, tokens=TokenCounter(None))
    conversation = process(table, clock).say("hello").conversation_id
    die_on(lambda: process(table, clock).say(DEADLY, conversation), clock)
    result = ProactiveMessage("run:1", "The report is ready.")
    assert poster.post(MAYA.tenant, conversation, result, Deadline.after(clock, 5))
    die_on(lambda: drained(process(table, clock), conversation, clock), clock)
    assert drained(process(table, clock), conversation, clock)
    assert contents(table, conversation)[-2:] == [DEADLY, GIVEN_UP_REPLY]


def test_later_turns_see_neither_the_message_nor_its_apology(table: SqliteTable, clock: ManualClock) -> None:
    conversation = given_up(table, clock)
    later = process(table, clock)
    later.say("what now", conversation)
    assert later.master.histories == [["hello", "re: hello"]]


def test_the_search_finds_what_was_said_before_it_and_not_its_words(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = given_up(table, clock)
    SearchIndex(tables=Tables(table), clock=clock).enqueue(MAYA.tenant, conversation, 4, at_once=True)
    conversations = ConversationRepository(tables=Tables(table), clock=clock)
    search = ConversationSearch(tables=Tables(table), conversations=conversations)
    found, _ = search.search(MAYA, SearchRequest("hello"), limit=10)
    assert {hit.message.sequence for hit in found} == {1, 2}
    assert search.search(MAYA, SearchRequest("deadly"), limit=10) == ((), None)


def test_its_words_are_no_title(table: SqliteTable, clock: ManualClock) -> None:
    die_on(lambda: process(table, clock).say(DEADLY, key="k"), clock)
    die_on(lambda: process(table, clock).say(DEADLY, key="k"), clock)
    conversation = process(table, clock).say(DEADLY, key="k").conversation_id
    titles = TitleUpdater(tables=Tables(table), model=None)
    query = Query(keys.conversation(MAYA.tenant, conversation), 10, prefix=keys.MESSAGE_PREFIX)
    for item in table.query(query).items:
        titles.handle(StreamRecord(Key(str(item["pk"]), str(item["sk"])), None, item))
    assert "title" not in head(table, conversation)


def test_an_edit_on_which_two_processes_died_is_given_up_in_its_place(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = process(table, clock).say("hello").conversation_id
    edit = IncomingMessage(MAYA, DEADLY, conversation, replaces=ReplacedVersion(1, 1))
    die_on(lambda: process(table, clock).run(edit), clock)
    die_on(lambda: drained(process(table, clock), conversation, clock), clock)
    assert drained(process(table, clock), conversation, clock)
    assert contents(table, conversation) == [DEADLY, GIVEN_UP_REPLY]


def test_a_turn_behind_that_is_stored_late_does_not_make_the_deaths_forgotten(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = process(table, clock).say("hello").conversation_id
    die_on(lambda: process(table, clock).say(DEADLY, conversation), clock)
    with pytest.raises(Crash):
        scripted_service(ObservedTable(table, CrashAt(1, "after")), clock).say("answered late", conversation)
    protocol = TurnProtocol(tables=Tables(table), clock=clock, tokens=TokenCounter(None))
    clock.advance(AFTER_THE_LEASE)
    seen = protocol.acquire_lease(MAYA.tenant, protocol.read_head(MAYA.tenant, conversation), owner="late")
    assert seen is not None
    held = HeldLease(MAYA.tenant, "late", seen, deferred_entry=seen.inbox[1])
    protocol.commit(held, Reply("re: answered late", {}, Note()), (), release=True)
    assert [entry.content for entry in protocol.read_head(MAYA.tenant, conversation).inbox] == [DEADLY]
    assert protocol.read_head(MAYA.tenant, conversation).deaths == 1


def test_deaths_that_were_counted_on_another_message_count_for_none(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = process(table, clock).say("hello").conversation_id
    crashing = scripted_service(ObservedTable(table, CrashAt(1, "after")), clock)
    die_on(partial(crashing.say, "orphan", conversation), clock)
    key = keys.head(MAYA.tenant, conversation)
    table.update(Update(key, (Set(DEATHS, {"t": "01J0000000000000000000000A", "n": 9}),)))
    assert drained(scripted_service(table, clock), conversation, clock)
    assert contents(table, conversation)[-1] == "re: orphan"


def test_a_head_stored_before_deaths_were_counted_has_none(table: SqliteTable, clock: ManualClock) -> None:
    conversation = process(table, clock).say("hello").conversation_id
    die_on(lambda: process(table, clock).say(DEADLY, conversation), clock)
    assert DEATHS not in head(table, conversation)
    assert (
        TurnProtocol(tables=Tables(table), clock=clock, tokens=TokenCounter(None))
        .read_head(MAYA.tenant, conversation)
        .deaths
        == 0
    )


def test_work_that_hangs_does_not_keep_its_lease_for_good(table: SqliteTable, clock: ManualClock) -> None:
    protocol = TurnProtocol(tables=Tables(table), clock=clock, tokens=TokenCounter(None))
    conversation = process(table, clock).say("hello").conversation_id
    die_on(lambda: process(table, clock).say(DEADLY, conversation), clock)
    seen = protocol.acquire_lease(MAYA.tenant, protocol.read_head(MAYA.tenant, conversation), owner="hangs")
    assert seen is not None
    renewer = LeaseRenewer(protocol, HeldLease(MAYA.tenant, "hangs", seen), clock=clock, stop=Event())
    clock.advance(RENEW_FOR_S + 1)
    renewer._tick()
    assert protocol.read_head(MAYA.tenant, conversation).lease == seen.lease


def test_roles_of_an_unprocessed_turn_alternate(table: SqliteTable, clock: ManualClock) -> None:
    conversation = given_up(table, clock)
    roles = [(message.role, message.unprocessed) for message in stored(table, conversation)]
    assert roles == [
        (Role.USER, False),
        (Role.ASSISTANT, False),
        (Role.USER, True),
        (Role.ASSISTANT, True),
    ]
