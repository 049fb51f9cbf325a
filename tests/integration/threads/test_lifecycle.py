"""What becomes of a conversation besides being talked in."""

from __future__ import annotations

from datetime import timedelta

import pytest

from conversation.errors import ConversationNotFound
from conversation.identity import Caller
from conversation.messages.models import Status
from conversation.tenants.store import PolicyCache
from conversation.threads.lifecycle import Lifecycle
from conversation.threads.repository import ConversationRepository
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.data.scripted_turns import MAYA, scripted_service
from tests.fakes.run.clocks import ManualClock

DEREK = Caller(MAYA.tenant, "derek")
OTHER_TENANT = Caller(TenantId("acme-eu"), "maya")
DAY = timedelta(days=1).total_seconds()


class Desk:
    """Conversations over one table, as a function composes them."""

    def __init__(self) -> None:
        self.table, self.clock = SqliteTable(":memory:"), ManualClock()
        tables, policies = Tables(self.table), PolicyCache(tables=Tables(self.table), clock=self.clock)
        self.conversations = ConversationRepository(tables=tables, clock=self.clock, policies=policies)
        self.lifecycle = Lifecycle(
            tables=tables, clock=self.clock, policies=policies, conversations=self.conversations
        )

    def listed(self, status: Status = Status.ACTIVE) -> list[str]:
        return [each.id for each in self.conversations.list(MAYA, limit=50, status=status)[0]]


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_an_archived_conversation_is_listed_apart_and_still_readable(desk: Desk) -> None:
    kept, away = (scripted_service(desk.table, desk.clock).say("hello").conversation_id for _ in range(2))
    desk.lifecycle.change(MAYA, away, {"archived": True})
    assert (desk.listed(), desk.listed(Status.ARCHIVED)) == ([kept], [away])
    assert desk.conversations.get(MAYA, away).status is Status.ARCHIVED
    assert len(desk.conversations.page(MAYA, away, limit=20)) == 2
    desk.lifecycle.change(MAYA, away, {"archived": False})
    assert (set(desk.listed()), desk.listed(Status.ARCHIVED)) == ({kept, away}, [])


def test_a_message_brings_an_archived_conversation_back(desk: Desk) -> None:
    turns = scripted_service(desk.table, desk.clock)
    conversation = turns.say("hello").conversation_id
    desk.lifecycle.change(MAYA, conversation, {"archived": True})
    turns.say("and again", conversation)
    assert (desk.listed(), desk.listed(Status.ARCHIVED)) == ([conversation], [])
    assert desk.conversations.get(MAYA, conversation).count == 4


def test_archiving_does_not_disturb_the_answer_being_given(desk: Desk) -> None:
    turns = scripted_service(desk.table, desk.clock)
    conversation = turns.say("hello").conversation_id
    turns.master.before = lambda turn: void(desk.lifecycle.change(MAYA, conversation, {"archived": True}))
    assert turns.say("one more", conversation).content == "re: one more"
    assert desk.conversations.get(MAYA, conversation).count == 4


def test_wishes_change_what_they_name_and_nothing_else(desk: Desk) -> None:
    made = desk.conversations.create(MAYA, title="Plans")
    desk.clock.advance(1)
    pinned = desk.lifecycle.change(MAYA, made.id, {"pinned": True, "metadata": {"color": "green"}})
    assert (pinned.title, pinned.pinned, pinned.updated_at) == ("Plans", True, made.updated_at)
    assert desk.lifecycle.metadata(MAYA, made.id) == {"color": "green"}
    assert desk.conversations.list(MAYA, limit=1)[0][0].pinned
    renamed = desk.lifecycle.change(MAYA, made.id, {"title": "Other plans"})
    assert (renamed.title, renamed.pinned) == ("Other plans", True)
    assert renamed.updated_at > made.updated_at
    desk.lifecycle.change(MAYA, made.id, {"metadata": {}, "pinned": False, "title": None})
    assert desk.lifecycle.metadata(MAYA, made.id) == {}
    assert desk.conversations.get(MAYA, made.id).title is None


@pytest.mark.parametrize("stranger", [DEREK, OTHER_TENANT])
def test_nobody_else_changes_restores_or_describes_a_conversation(desk: Desk, stranger: Caller) -> None:
    made = desk.conversations.create(MAYA)
    for wishes in ({"pinned": True}, {"archived": True}, {"metadata": {"a": 1}}, {"title": "Theirs"}):
        with pytest.raises(ConversationNotFound):
            desk.lifecycle.change(stranger, made.id, wishes)  # type: ignore[arg-type]
    desk.conversations.delete(MAYA, made.id)
    with pytest.raises(ConversationNotFound):
        desk.lifecycle.restore(stranger, made.id)
    assert desk.lifecycle.metadata(MAYA, made.id) == {}
    assert desk.lifecycle.restore(MAYA, made.id).title is None


def test_a_deleted_conversation_can_be_restored_within_its_days_of_grace(desk: Desk) -> None:
    turns = scripted_service(desk.table, desk.clock)
    conversation = turns.say("hello").conversation_id
    desk.conversations.delete(MAYA, conversation)
    assert desk.listed() == []
    desk.clock.advance(6.9 * DAY)
    restored = desk.lifecycle.restore(MAYA, conversation)
    assert (restored.status, restored.count, desk.listed()) == (Status.ACTIVE, 2, [conversation])
    assert turns.say("still there?", conversation).content == "re: still there?"


def test_after_the_days_of_grace_nothing_can_be_restored(desk: Desk) -> None:
    conversation = desk.conversations.create(MAYA).id
    desk.conversations.delete(MAYA, conversation)
    desk.clock.advance(7.1 * DAY)
    with pytest.raises(ConversationNotFound):
        desk.lifecycle.restore(MAYA, conversation)


def test_restoring_what_was_not_deleted_changes_nothing(desk: Desk) -> None:
    made = desk.conversations.create(MAYA)
    desk.lifecycle.change(MAYA, made.id, {"archived": True})
    assert desk.lifecycle.restore(MAYA, made.id).status is Status.ARCHIVED


def test_the_active_conversation_is_the_latest_one_or_a_new_one(desk: Desk) -> None:
    first = desk.lifecycle.active_or_new(MAYA)
    assert desk.lifecycle.active_or_new(MAYA) == first
    desk.clock.advance(1)
    later = desk.conversations.create(MAYA)
    assert desk.lifecycle.active_or_new(MAYA).id == later.id
    assert desk.lifecycle.active_or_new(DEREK).id not in {first.id, later.id}


def test_there_is_an_active_conversation_even_after_the_first_was_put_away(desk: Desk) -> None:
    first = desk.lifecycle.active_or_new(MAYA)
    desk.lifecycle.change(MAYA, first.id, {"archived": True})
    second = desk.lifecycle.active_or_new(MAYA)
    assert second.status is Status.ACTIVE
    desk.conversations.delete(MAYA, first.id)
    desk.conversations.delete(MAYA, second.id)
    assert desk.lifecycle.active_or_new(MAYA).id not in {first.id, second.id}


def void(_value: object) -> None:
    return None


def test_what_is_kept_with_a_conversation_does_not_get_into_its_turns(desk: Desk) -> None:
    turns = scripted_service(desk.table, desk.clock)
    conversation = turns.say("hello").conversation_id
    desk.lifecycle.change(MAYA, conversation, {"metadata": {"color": "green"}})
    turns.say("and again", conversation)
    assert turns.master.histories[-1] == ["hello", "re: hello"]
