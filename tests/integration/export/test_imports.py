"""Whole conversations brought in and taken along, cut short and taken up again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from conversation.clock import Deadline
from conversation.erasure.requests import Erasures
from conversation.errors import ConversationNotFound
from conversation.export.document import Document
from conversation.export.exports import PAGE_BYTES, PAGE_DOCUMENTS, ConversationExporter, ExportPage
from conversation.export.imports import BATCH_ITEMS, ConversationImporter, ConversationToImport, ImportOutcome
from conversation.identity import ADMIN, Caller
from conversation.messages.models import RUN_CALL, TOOL_CALL, Conversation, Message, Note, Pending
from conversation.retention.removal_writes import is_tombstone
from conversation.retention.sweep import Sweep
from conversation.tenants.policy import DailyCaps, Grant, TenantPolicy
from conversation.tenants.store import PolicyCache, TenantStore
from conversation.threads.lifecycle import Lifecycle
from conversation.threads.repository import ConversationRepository
from local.data.import_export_file import import_file
from storage import keys
from storage.dynamodb.table import DynamoTable, create_table
from storage.sqlite.table import SqliteTable
from storage.table import Item, Put, Query, Table
from storage.tenant_table import Tables
from tests.fakes.aws.dynamodb import moto_client
from tests.fakes.aws.tables import Crash, CrashAt, ObservedTable
from tests.fakes.data.conversation_documents import make_conversation
from tests.fakes.data.scripted_turns import MAYA, scripted_service
from tests.fakes.run.clocks import ManualClock

DEREK = Caller(MAYA.tenant, "derek")
DAY = 86_400.0


class Desk:
    """A tenant's conversations, and what brings them in and takes them along."""

    def __init__(self, table: Table | None = None) -> None:
        self.memory, self.clock = table or SqliteTable(":memory:"), ManualClock()
        swept_until: Item = {"pk": keys.SWEEP.partition, "sk": keys.SWEEP.sort, "day": "2026-01-01"}
        self.memory.put(Put(swept_until))
        tables = Tables(self.memory)
        policies = PolicyCache(tables=tables, clock=self.clock)
        self.conversations = ConversationRepository(tables=tables, clock=self.clock, policies=policies)
        self.lifecycle = Lifecycle(
            tables=tables, clock=self.clock, policies=policies, conversations=self.conversations
        )
        self.exports = ConversationExporter(
            tables=tables, conversations=self.conversations, lifecycle=self.lifecycle
        )
        self.tenants = TenantStore(tables=tables, clock=self.clock)

    def told(
        self, *texts: str, days_ago: int = 1, owner: Caller = MAYA
    ) -> tuple[Conversation, list[Message]]:
        return make_conversation(owner, *texts, begun=self.clock.now() - timedelta(days=days_ago))

    def take(
        self, conversation: Conversation, messages: list[Message], table: Table | None = None
    ) -> ImportOutcome:
        arrivals = ConversationImporter(tables=Tables(table or self.memory), clock=self.clock)
        said = ((message, None) for message in messages)
        return arrivals.import_conversation(
            ConversationToImport(MAYA.tenant, conversation, {"color": "green"}), said
        )

    def items(self, conversation: Conversation) -> list[str]:
        query = Query(keys.conversation(MAYA.tenant, conversation.id), 10_000)
        return [str(item["sk"]) for item in self.memory.query(query).items]

    def pages(self, caller: Caller = MAYA) -> list[ExportPage]:
        pages, place = list[ExportPage](), None
        while not pages or place is not None:
            pages.append(self.exports.user_page(caller, place))
            place = pages[-1].next_position
        return pages


@pytest.fixture
def desk() -> Desk:
    return Desk()


def ids(pages: list[ExportPage]) -> list[str]:
    return [document.conversation.id for page in pages for document in page.documents]


def marked(messages: Sequence[Message]) -> list[Message]:
    """The messages as they are stored: nobody said them here."""
    return [message.model_copy(update={"imported": True}) for message in messages]


@pytest.mark.parametrize("action", [TOOL_CALL, RUN_CALL])
def test_a_question_about_a_tool_call_does_not_come_in(desk: Desk, action: str) -> None:
    conversation, messages = desk.told("hello", "Shall I?")
    note = Note(did="looked", pending=Pending(action=action, entities={"tool": "delete_task"}))
    messages[-1] = messages[-1].model_copy(update={"note": note})

    assert desk.take(conversation, messages) is ImportOutcome.IMPORTED

    *_, newest = desk.conversations.messages(MAYA, conversation.id)
    assert newest.note == Note(did="looked")


def test_what_comes_in_is_read_and_goes_on_like_any_other(desk: Desk) -> None:
    conversation, messages = desk.told("hello", "hi", "more", "here")
    assert desk.take(conversation, messages) is ImportOutcome.IMPORTED
    assert list(desk.conversations.messages(MAYA, conversation.id)) == marked(messages)
    assert desk.lifecycle.metadata(MAYA, conversation.id) == {"color": "green"}
    scripted_service(desk.memory, desk.clock).say("and now", conversation.id)
    assert desk.conversations.get(MAYA, conversation.id).count == 6


QUOTAS = ("get bytes", "get bytes", "take", "take")
STEPS = ("get policy", "get head", *QUOTAS, "claim", "lot", "lot", "lot", "head", "bytes", "bytes")


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("nth", range(1, len(STEPS) + 1))
def test_an_import_cut_short_anywhere_shows_nothing_and_can_be_taken_up(
    desk: Desk, nth: int, when: str
) -> None:
    conversation, messages = desk.told(*(f"text {place}" for place in range(BATCH_ITEMS * 2 + 1)))
    with pytest.raises(Crash):
        desk.take(conversation, messages, ObservedTable(desk.memory, CrashAt(nth, when)))
    is_done = STEPS[nth - 1] == "bytes" or (STEPS[nth - 1], when) == ("head", "after")
    assert len(desk.conversations.list(MAYA, limit=5)[0]) == is_done
    if not is_done:
        with pytest.raises(ConversationNotFound):
            desk.conversations.get(MAYA, conversation.id)
    assert desk.take(conversation, messages) is (ImportOutcome.PRESENT if is_done else ImportOutcome.IMPORTED)
    assert list(desk.conversations.messages(MAYA, conversation.id)) == marked(messages)


def test_no_more_is_imported_in_a_day_than_may_be(desk: Desk) -> None:
    desk.tenants.register(MAYA.tenant, grant=Grant(per_user_per_day=DailyCaps(imports=1)))
    first, second = desk.told("hello", "hi"), desk.told("how", "well")
    assert desk.take(*first) is ImportOutcome.IMPORTED
    assert desk.take(*second) is ImportOutcome.LIMITED
    assert desk.items(second[0]) == []
    desk.clock.advance(DAY)
    assert desk.take(*second) is ImportOutcome.IMPORTED


def test_what_is_imported_counts_as_stored(desk: Desk) -> None:
    desk.tenants.register(MAYA.tenant, grant=Grant(bytes_per_day=10))
    assert desk.take(*desk.told("hello", "hello again")) is ImportOutcome.IMPORTED
    assert desk.take(*desk.told("how", "well")) is ImportOutcome.LIMITED


def test_an_import_that_was_given_up_is_swept(desk: Desk) -> None:
    conversation, messages = desk.told("hello", "hi")
    with pytest.raises(Crash):
        desk.take(conversation, messages, ObservedTable(desk.memory, CrashAt(5 + len(QUOTAS), "before")))
    sweep = Sweep(tables=Tables(desk.memory), clock=desk.clock)
    sweep.run(Deadline.after(desk.clock, 60))
    assert len(desk.items(conversation)) == 3  # it may still be going on
    desk.clock.advance(9 * DAY)
    sweep.run(Deadline.after(desk.clock, 60))
    head = desk.memory.get(keys.head(MAYA.tenant, conversation.id))
    assert head is not None
    assert is_tombstone(head)
    assert desk.items(conversation) == ["HEAD"]


def test_an_import_the_sweep_was_faster_than_writes_nothing_more(desk: Desk) -> None:
    conversation, messages = desk.told("hello", "hi")

    def swept(name: str, when: str) -> None:
        if name == "put" and when == "after":
            desk.clock.advance(9 * DAY)
            Sweep(tables=Tables(desk.memory), clock=desk.clock).run(Deadline.after(desk.clock, 60))

    assert desk.take(conversation, messages, ObservedTable(desk.memory, swept)) is ImportOutcome.LOST
    assert desk.items(conversation) == ["HEAD"]
    assert desk.take(conversation, messages) is ImportOutcome.DELETED


def test_nothing_comes_in_of_somebody_who_is_being_erased(desk: Desk) -> None:
    conversation, messages = desk.told("hello", "hi")
    tables = Tables(desk.memory)
    erasures = Erasures(tables=tables, clock=desk.clock)
    admin = Caller(MAYA.tenant, "ada", frozenset({ADMIN}))

    def erased(name: str, when: str) -> None:
        if name == "put" and when == "after":
            erasures.request_for_user(admin, "maya")

    assert desk.take(conversation, messages, ObservedTable(desk.memory, erased)) is ImportOutcome.LOST
    assert desk.take(conversation, messages) is ImportOutcome.ERASING
    assert desk.conversations.list(MAYA, limit=5)[0] == ()


def test_what_was_deleted_here_stays_deleted(desk: Desk) -> None:
    conversation, messages = desk.told("hello", "hi")
    desk.take(conversation, messages)
    desk.conversations.delete(MAYA, conversation.id)
    assert desk.take(conversation, messages) is ImportOutcome.DELETED
    assert desk.conversations.list(MAYA, limit=5)[0] == ()


def test_the_id_of_another_conversation_is_not_taken(desk: Desk) -> None:
    conversation, messages = desk.told("hello", "hi", owner=DEREK)
    desk.take(conversation, messages)
    assert desk.take(conversation.model_copy(update={"user": "maya"}), messages) is ImportOutcome.TAKEN
    assert desk.conversations.list(MAYA, limit=5)[0] == ()
    assert len(list(desk.conversations.messages(DEREK, conversation.id))) == 2


def test_what_the_tenant_would_not_keep_does_not_come_in(desk: Desk) -> None:
    conversation, messages = desk.told("hello", "hi", days_ago=40)
    assert desk.take(conversation, messages) is ImportOutcome.EXPIRED
    assert desk.items(conversation) == []
    desk.tenants.save(MAYA.tenant, TenantPolicy(retention_days=60))
    assert desk.take(conversation, messages) is ImportOutcome.IMPORTED


def test_what_came_in_expires_by_its_own_last_activity(desk: Desk) -> None:
    conversation, messages = desk.told("hello", "hi", days_ago=20)
    desk.take(conversation, messages)
    desk.clock.advance(11 * DAY)
    with pytest.raises(ConversationNotFound):
        desk.conversations.get(MAYA, conversation.id)
    swept = Sweep(tables=Tables(desk.memory), clock=desk.clock).run(Deadline.after(desk.clock, 60))
    assert (swept.removed, swept.messages) == (1, 2)


def test_a_long_conversation_is_exported_in_parts_that_are_imported_as_one(
    desk: Desk, tmp_path: Path
) -> None:
    conversation, messages = desk.told(*("x" * 30_000 for _ in range(100)))
    desk.take(conversation, messages)
    desk.take(*desk.told("short", "one"))
    pages = desk.pages()
    assert [len(page.documents) for page in pages] == [2, 1, 1]
    assert all(page.bytes < PAGE_BYTES + 40_000 for page in pages)
    file = tmp_path / "export.jsonl"
    file.write_text("".join(document.to_line() for page in pages for document in page.documents))
    there = Desk()
    arrivals = ConversationImporter(tables=Tables(there.memory), clock=there.clock)
    report = import_file(file, tenant=MAYA.tenant, user="maya", arrivals=arrivals)
    assert (report.conversations, report.messages, report.skipped) == (2, 102, [])
    assert list(there.conversations.messages(MAYA, conversation.id)) == marked(messages)
    assert [page.documents for page in there.pages()] == [page.documents for page in pages]


def test_one_conversation_is_exported_in_parts_too(desk: Desk) -> None:
    conversation, messages = desk.told(*("x" * 30_000 for _ in range(100)))
    desk.take(conversation, messages)
    documents, place = list[Document](), None
    while not documents or place is not None:
        page = desk.exports.conversation_page(MAYA, conversation.id, place)
        documents, place = [*documents, *page.documents], page.next_position
    assert [document.complete for document in documents] == [False, False, True]
    assert sum((document.messages for document in documents), ())[-1].sequence == 100


def test_what_goes_on_while_it_is_exported_comes_again_and_the_last_counts(
    desk: Desk, tmp_path: Path
) -> None:
    conversation, messages = desk.told(*("x" * 30_000 for _ in range(40)))
    desk.take(conversation, messages)
    desk.take(*desk.told("another", "one", days_ago=0))
    first = desk.exports.user_page(MAYA)
    assert first.next_position is not None
    scripted_service(desk.memory, desk.clock).say("meanwhile", conversation.id)
    rest = [desk.exports.user_page(MAYA, first.next_position)]
    while rest[-1].next_position is not None:
        rest.append(desk.exports.user_page(MAYA, rest[-1].next_position))
    file = tmp_path / "export.jsonl"
    file.write_text("".join(document.to_line() for page in [first, *rest] for document in page.documents))
    there = Desk()
    arrivals = ConversationImporter(tables=Tables(there.memory), clock=there.clock)
    report = import_file(file, tenant=MAYA.tenant, user="maya", arrivals=arrivals)
    assert (report.conversations, report.messages) == (2, 44)
    assert there.conversations.page(MAYA, conversation.id, limit=20)[-1].content == "re: meanwhile"


def test_a_conversation_that_moves_on_within_a_page_is_exported_once(desk: Desk) -> None:
    taken = [desk.told(f"text {place}", days_ago=9 - place) for place in range(3)]
    for conversation, messages in taken:
        desk.take(conversation, messages)
    turns, oldest = scripted_service(desk.memory, desk.clock), taken[0][0].id
    seen = iter(range(100))

    def talks(name: str, when: str) -> None:
        if name == "query" and when == "after" and next(seen) == 0:
            turns.say("meanwhile", oldest)

    tables = Tables(ObservedTable(desk.memory, talks))
    exports = ConversationExporter(tables=tables, conversations=desk.conversations, lifecycle=desk.lifecycle)
    pages = [exports.user_page(MAYA)]
    while pages[-1].next_position is not None:
        pages.append(exports.user_page(MAYA, pages[-1].next_position))
    assert sorted(ids(pages)) == sorted(conversation.id for conversation, _ in taken)
    assert ids(pages)[-1] == oldest


def test_many_conversations_are_exported_page_by_page_each_once(desk: Desk) -> None:
    taken = [desk.told("hello", "hi", days_ago=1 + place % 7) for place in range(PAGE_DOCUMENTS + 10)]
    for place, (conversation, messages) in enumerate(taken):
        desk.take(conversation, messages)
        if place % 3 == 0:
            desk.lifecycle.change(MAYA, conversation.id, {"archived": True})
    pages = desk.pages()
    assert sorted(ids(pages)) == sorted(conversation.id for conversation, _ in taken)
    assert all(len(page.documents) <= PAGE_DOCUMENTS for page in pages)


def test_an_export_goes_on_behind_a_conversation_that_is_gone(desk: Desk) -> None:
    taken = [desk.told("hello", "hi", days_ago=1 + place % 7) for place in range(PAGE_DOCUMENTS + 10)]
    for conversation, messages in taken:
        desk.take(conversation, messages)
    first = desk.exports.user_page(MAYA)
    desk.conversations.delete(MAYA, ids([first])[-1])
    second = desk.exports.user_page(MAYA, first.next_position)
    assert sorted(ids([first, second])) == sorted(conversation.id for conversation, _ in taken)


@pytest.mark.slow
def test_exports_and_imports_are_the_same_in_dynamodb() -> None:
    with moto_client() as client:
        create_table(client, "exported")
        desk = Desk(DynamoTable(client, "exported"))
        taken = [desk.told("hello", "hi", days_ago=1 + place) for place in range(5)]
        long = desk.told(*("x" * 30_000 for _ in range(60)))
        assert {desk.take(*each) for each in (*taken, long)} == {ImportOutcome.IMPORTED}
        pages = desk.pages()
    exported = [
        document.conversation.id for page in pages for document in page.documents if document.complete
    ]
    assert sorted(exported) == sorted(conversation.id for conversation, _ in (*taken, long))
    assert sum(len(document.messages) for page in pages for document in page.documents) == 2 * len(taken) + 60


def test_what_is_deleted_or_expired_is_not_exported(desk: Desk) -> None:
    gone, old, kept = (desk.told("hello", "hi", days_ago=days) for days in (1, 20, 1))
    for conversation, messages in (gone, old, kept):
        desk.take(conversation, messages)
    desk.conversations.delete(MAYA, gone[0].id)
    desk.clock.advance(11 * DAY)
    assert ids(desk.pages()) == [kept[0].id]
    with pytest.raises(ConversationNotFound):
        desk.exports.conversation_page(MAYA, gone[0].id)
