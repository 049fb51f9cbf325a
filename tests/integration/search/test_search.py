"""Searching one's messages: the index is fed as the table's stream would feed it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from conversation.identity import Caller
from conversation.messages.items import COPY_IN_PROGRESS
from conversation.messages.models import Message, Note, Reference, Status
from conversation.search.index import SearchIndex, SearchIndexFollower
from conversation.search.reader import Period
from conversation.search.service import ConversationSearch, Hit, SearchRequest
from conversation.tenants.store import PolicyCache
from conversation.threads.lifecycle import Lifecycle
from conversation.threads.repository import ConversationRepository
from storage import keys
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Item, Key, Query, Remove, Set, StreamRecord, Table, Update
from storage.tenant_table import Tables
from tests.fakes.aws.tables import Crash, CrashAt, ObservedTable
from tests.fakes.data.stored_conversations import ConversationWriter
from tests.fakes.run.clocks import ManualClock

MAYA = Caller(TenantId("acme"), "maya")
TOPICS = ("budget", "hiring", "offsite", "invoices", "onboarding", "security", "travel")


class Library:
    """A table with conversations, their index, and who searches them."""

    def __init__(self) -> None:
        self.table, self.clock = SqliteTable(":memory:"), ManualClock()
        tables = Tables(self.table)
        policies = PolicyCache(tables=tables, clock=self.clock, max_age=timedelta(0))
        self.spoken = ConversationWriter(self.table, self.clock)
        self.conversations = ConversationRepository(tables=tables, clock=self.clock, policies=policies)
        self.lifecycle = Lifecycle(
            tables=tables, clock=self.clock, policies=policies, conversations=self.conversations
        )
        self.search = ConversationSearch(tables=tables, conversations=self.conversations)
        self.indexing = SearchIndexFollower(self.index())

    def index(self, table: Table | None = None) -> SearchIndex:
        return SearchIndex(tables=Tables(table or self.table), clock=self.clock)

    def follow(self, key: Key, *, old: Item | None = None) -> None:
        self.indexing.handle(StreamRecord(key, old, self.table.get(key)))

    def say(self, question: str, conversation_id: str | None = None, **more: Any) -> Message:
        """The stored reply, followed."""
        conversation_id = conversation_id or self.spoken.begin(MAYA)
        reply = self.spoken.write_turn(MAYA, conversation_id, question, **more)
        for sequence in (reply.sequence - 1, reply.sequence):
            self.follow(keys.message(MAYA.tenant, conversation_id, sequence))
        return reply

    def hits(self, text: str, *, caller: Caller = MAYA, limit: int = 100, **more: Any) -> Sequence[Hit]:
        return self.search.search(caller, SearchRequest(text, **more), limit=limit)[0]

    def found(self, text: str, **more: Any) -> list[str]:
        return [hit.message.content for hit in self.hits(text, **more)]

    def items(self, prefix: str = "") -> list[str]:
        """The sort keys of Maya's index."""
        query = Query(keys.search(MAYA.tenant, MAYA.user), limit=10_000, prefix=prefix)
        return [str(item["sk"]) for item in self.table.query(query).items]


@pytest.fixture
def library() -> Library:
    return Library()


def filled(library: Library, turns: int) -> list[Message]:
    """So many turns about this and that, ten to a conversation, each with a number of its own."""
    replies: list[Message] = []
    for place in range(turns):
        home = replies[-1].conversation_id if place % 10 else None
        topic = TOPICS[place % len(TOPICS)]
        replies.append(
            library.say(f"What about the {topic} in case {place:04d}?", home, answer=f"Fine: {place}.")
        )
    return replies


def test_what_was_just_said_is_found_before_it_is_indexed(library: Library) -> None:
    library.say("We decided that the Jira agent runs at nine.")
    assert library.items("0#") == []
    [hit] = library.hits("decide jira")
    assert [hit.snippet.text[start:end] for start, end in hit.snippet.matches] == ["decided", "Jira"]
    assert hit.message.sequence == 1


@pytest.mark.parametrize("turns", [5, 40, 230])
def test_every_message_is_found_once_wherever_it_stands_in_the_index(library: Library, turns: int) -> None:
    filled(library, turns)
    for place in range(0, turns, 7):
        assert len(library.found(f"case {place:04d}")) == 1
    assert len(library.found("case", limit=1_000)) == turns
    assert len(library.found("budget")) == len(range(0, turns, len(TOPICS)))
    assert bool(library.items("1#")) == (turns == 230)


def test_a_copy_is_found_when_it_is_complete(library: Library) -> None:
    conversation_id = library.spoken.begin(MAYA)
    for place in range(140):
        library.spoken.write_turn(MAYA, conversation_id, f"imported {place}")
    head = keys.head(MAYA.tenant, conversation_id)
    library.follow(head, old={**(library.table.get(head) or {}), COPY_IN_PROGRESS: True})
    assert len(library.found("imported", limit=1_000)) == 140
    assert library.items("0#")


def test_phrases_beginnings_and_forms_of_words_are_told_apart(library: Library) -> None:
    for text in ("The green light policy", "A light green policy", "Greenhouse policies"):
        library.say(text)
    assert library.found('"green light"') == ["The green light policy"]
    assert sorted(library.found("green*")) == [
        "A light green policy",
        "Greenhouse policies",
        "The green light policy",
    ]
    assert len(library.found("policy")) == 3
    assert library.found('"policies"') == ["Greenhouse policies"]


def test_nobody_finds_what_somebody_else_said(library: Library) -> None:
    filled(library, 40)
    assert library.found("case", caller=Caller(TenantId("acme"), "noah")) == []
    assert library.found("case", caller=Caller(TenantId("acme-eu"), "maya")) == []
    assert library.found("case", caller=Caller(TenantId("globex"), "maya")) == []


def test_a_deleted_conversation_is_not_found_until_it_is_restored(library: Library) -> None:
    reply = library.say("The secret ingredient is cumin.")
    filled(library, 20)
    library.conversations.delete(MAYA, reply.conversation_id)
    assert library.found("cumin") == []
    library.lifecycle.restore(MAYA, reply.conversation_id)
    assert len(library.found("cumin")) == 1


def test_an_archived_conversation_is_found_as_such(library: Library) -> None:
    reply = library.say("The ingredient is cumin.")
    library.lifecycle.change(MAYA, reply.conversation_id, {"archived": True})
    [hit] = library.hits("cumin")
    assert hit.conversation.status is Status.ARCHIVED


def test_what_is_past_its_time_is_not_found_though_nothing_swept_it(library: Library) -> None:
    library.say("The ingredient is cumin.")
    library.clock.advance(timedelta(days=29).total_seconds())
    assert len(library.found("cumin")) == 1
    library.clock.advance(timedelta(days=2).total_seconds())
    assert library.found("cumin") == []


def test_a_replaced_message_is_not_found(library: Library) -> None:
    reply = library.say("The ingredient is cumin.")
    library.say("The ingredient is thyme.", reply.conversation_id)
    head = keys.head(MAYA.tenant, reply.conversation_id)
    library.table.update(Update(head, (Set("path", "3"),)))
    assert library.found("ingredient") == ["The ingredient is thyme."]


def test_a_message_that_was_taken_back_is_not_found(library: Library) -> None:
    reply = library.say("The ingredient is cumin.")
    filled(library, 20)
    key = keys.message(MAYA.tenant, reply.conversation_id, 1)
    library.table.update(Update(key, (Set("text", ""), Set("deleted", True))))
    assert library.found("cumin") == []


def test_nothing_in_the_index_leads_to_a_conversation_that_is_gone(library: Library) -> None:
    reply = library.say("The ingredient is cumin.")
    filled(library, 20)
    head = keys.head(MAYA.tenant, reply.conversation_id)
    old = library.table.get(head)
    library.table.update(Update(head, (Set("status", "gone"), Remove("by_user"))))
    numbers = len(library.items("N#"))
    library.follow(head, old=old)
    assert len(library.items("N#")) == numbers - 1
    filled(library, 230)
    query = Query(keys.search(MAYA.tenant, MAYA.user), limit=10_000, prefix="1#c#")
    assert "cumin" not in str(library.table.query(query).items)
    assert library.found("cumin") == []


def test_a_conversation_that_goes_while_it_waits_is_not_indexed(library: Library) -> None:
    reply = library.say("The ingredient is cumin.")
    head = keys.head(MAYA.tenant, reply.conversation_id)
    library.table.update(Update(head, (Set("status", "gone"), Remove("by_user"))))
    filled(library, 12)
    assert library.items("0#")
    assert library.items(f"C#{reply.conversation_id}") == []
    query = Query(keys.search(MAYA.tenant, MAYA.user), limit=10_000)
    assert "cumin" not in str(library.table.query(query).items)


def test_a_late_event_of_a_conversation_that_is_gone_leaves_nothing(library: Library) -> None:
    library.index().enqueue(MAYA.tenant, "0" * 32, 2)
    assert library.items() == []


def test_a_search_can_be_limited_to_a_period(library: Library) -> None:
    for place in range(30):
        library.say(f"Daily report {place:02d}")
        library.clock.advance(timedelta(days=1).total_seconds())
    now = library.clock.now()
    week = Period(now - timedelta(days=7), now - timedelta(days=3))
    assert sorted(library.found("report", period=week)) == [
        f"Daily report {place}" for place in range(23, 28)
    ]


def test_a_search_can_be_limited_to_turns_about_an_agent(library: Library) -> None:
    note = Note(about=Reference(id="a1" * 16, name="Jira-Watcher"))
    library.say("Who minds tickets?", answer="It watches Jira.", note=note)
    library.say("Who minds tickets?", answer="It watches Jira, too.")
    for name in ("jira-watcher", "a1" * 16):
        assert library.found("watches", agent=name) == ["It watches Jira."]
        assert library.found("tickets", agent=name) == ["Who minds tickets?"]
    assert library.found("watches", agent="somebody") == []


def test_pages_hold_every_hit_once_best_first(library: Library) -> None:
    filled(library, 60)
    seen: list[Hit] = []
    skip: int | None = 0
    while skip is not None:
        page, skip = library.search.search(MAYA, SearchRequest("case"), limit=7, skip=skip)
        seen += page
    assert len({hit.message.id for hit in seen}) == len(seen) == 60
    assert [hit.score for hit in seen] == sorted((hit.score for hit in seen), reverse=True)


def test_an_event_that_comes_again_or_out_of_order_changes_nothing_that_is_found(library: Library) -> None:
    replies = filled(library, 60)
    random.Random(5).shuffle(replies)
    for reply in replies:
        library.follow(keys.message(MAYA.tenant, reply.conversation_id, reply.sequence))
    assert len(library.found("case", limit=1_000)) == 60


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
def test_an_indexer_that_dies_anywhere_loses_nothing(when: str) -> None:
    for nth in range(1, 60, 2):
        library = Library()
        replies = [
            library.spoken.write_turn(MAYA, library.spoken.begin(MAYA), f"case {place:04d}")
            for place in range(26)
        ]
        crashing = ObservedTable(library.table, CrashAt(nth, when))
        try:
            _note_all(library.index(crashing), replies)
        except Crash:
            library.clock.advance(61)
        _note_all(library.index(), replies)
        assert len(library.found("case")) == 26, nth
        assert len(library.items("0#")) >= 2, nth


@pytest.mark.slow
def test_a_merge_that_dies_anywhere_loses_nothing() -> None:
    for nth in range(1, 40, 3):
        library = Library()
        filled(library, 190)
        crashing = ObservedTable(library.table, CrashAt(nth, "after"))
        more = [
            library.spoken.write_turn(MAYA, library.spoken.begin(MAYA), f"extra {place}")
            for place in range(12)
        ]
        try:
            _note_all(library.index(crashing), more)
        except Crash:
            library.clock.advance(61)
        _note_all(library.index(), more)
        assert (len(library.found("case", limit=500)), len(library.found("extra"))) == (190, 12), nth


def test_several_indexers_at_once_lose_nothing() -> None:
    library = Library()
    replies = [
        library.spoken.write_turn(MAYA, library.spoken.begin(MAYA), f"case {place:04d}")
        for place in range(100)
    ]
    indexes = [library.index() for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda part: _note_all(*part), zip(indexes, [replies] * 4, strict=True)))
    assert len(library.found("case")) == 100


def _note_all(index: SearchIndex, replies: Sequence[Message]) -> None:
    for reply in replies:
        index.enqueue(MAYA.tenant, reply.conversation_id, reply.sequence)
