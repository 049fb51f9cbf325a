"""A conversation is deleted by what follows the stream, once a reply that promises it is stored."""

from __future__ import annotations

from datetime import timedelta

import pytest

from agent.after_turn.requested_deletions import RequestedDeletions
from conversation.errors import ConversationNotFound
from conversation.messages.items import message_to_item
from conversation.messages.models import Note
from conversation.tenants.audit import Act, AuditLog
from conversation.tenants.store import PolicyCache
from conversation.threads.lifecycle import Lifecycle
from conversation.threads.repository import ConversationRepository
from intent.acts.act import ActKind
from storage import keys
from storage.sqlite.table import SqliteTable
from storage.table import Item, Put, StreamRecord
from storage.tenant_table import Tables
from tests.fakes.data.scripted_turns import MAYA, scripted_service
from tests.fakes.run.clocks import ManualClock


class Desk:
    """A table with one conversation, and who follows its stream."""

    def __init__(self) -> None:
        self.table, self.clock = SqliteTable(":memory:"), ManualClock()
        self.tables = Tables(self.table)
        self.conversations = ConversationRepository(tables=self.tables, clock=self.clock)
        self.follower = RequestedDeletions(
            tables=self.tables, clock=self.clock, conversations=self.conversations
        )
        self.id = scripted_service(self.table, self.clock).say("delete this chat").conversation_id

    def reply(self, *, imported: bool = False) -> Item:
        """The stored reply, made one that promises to delete its conversation."""
        said = list(self.conversations.messages(MAYA, self.id))[1]
        promising = said.model_copy(
            update={"note": Note(kinds=(ActKind.DELETE_CONVERSATION.value,)), "imported": imported}
        )
        item = message_to_item(MAYA.tenant, promising)
        self.table.transact([Put(item)])
        return item

    def follow(self, item: Item) -> None:
        key = keys.message(MAYA.tenant, self.id, 2)
        self.follower.handle(StreamRecord(key, None, item))

    def is_there(self) -> bool:
        try:
            self.conversations.get(MAYA, self.id)
        except ConversationNotFound:
            return False
        return True


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_conversation_is_deleted_and_can_be_restored(desk: Desk) -> None:
    item = desk.reply()
    desk.follow(item)
    desk.follow(item)
    assert not desk.is_there()
    lifecycle = Lifecycle(
        tables=desk.tables,
        clock=desk.clock,
        policies=PolicyCache(tables=desk.tables, clock=desk.clock),
        conversations=desk.conversations,
    )
    lifecycle.restore(MAYA, desk.id)
    assert desk.is_there()
    records, _ = AuditLog(tables=desk.tables, clock=desk.clock).list(MAYA.tenant, limit=9)
    acts = {Act.CONVERSATION_DELETED, Act.CONVERSATION_RESTORED}
    assert {(each.act, each.subject) for each in records} == {(act, desk.id) for act in acts}


def test_other_replies_delete_nothing(desk: Desk) -> None:
    item = desk.table.get(keys.message(MAYA.tenant, desk.id, 2))
    assert item is not None
    desk.follow(item)
    assert desk.is_there()


def test_what_was_said_since_keeps_it(desk: Desk) -> None:
    item = desk.reply()
    scripted_service(desk.table, desk.clock).say("wait", conversation_id=desk.id)
    desk.follow(item)
    assert desk.is_there()


def test_a_record_that_comes_again_after_a_restore_and_an_import_delete_nothing(desk: Desk) -> None:
    desk.follow(desk.reply(imported=True))
    assert desk.is_there()
    item = desk.reply()
    desk.clock.advance(timedelta(hours=2).total_seconds())
    desk.follow(item)
    assert desk.is_there()
