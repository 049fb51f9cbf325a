"""Copies of conversations."""

from __future__ import annotations

import pytest

from conversation.errors import ConversationNotFound, MessageNotFound, MessageReplaced
from conversation.identity import Caller
from conversation.messages.items import set_title
from conversation.messages.models import Status
from conversation.tenants.store import PolicyCache
from conversation.threads import forks as forks_module
from conversation.threads.forks import ConversationForks, ForkTooLong
from conversation.threads.lifecycle import Lifecycle
from conversation.threads.message_versions import Versions
from conversation.threads.repository import ConversationRepository
from conversation.turns.admission import IncomingMessage
from storage.sqlite.table import SqliteTable
from storage.table import Table
from storage.tenant_table import Tables
from tests.fakes.aws.tables import Crash, CrashAt, ObservedTable, Requests
from tests.fakes.data.scripted_turns import MAYA, scripted_service
from tests.fakes.run.clocks import ManualClock

DEREK = Caller(MAYA.tenant, "derek")


class Desk:
    """A conversation of so many turns, and copies of it."""

    def __init__(self, turns: int) -> None:
        self.table, self.clock = SqliteTable(":memory:"), ManualClock()
        self.turns = scripted_service(self.table, self.clock)
        self.id = self.turns.say("m1").conversation_id
        for number in range(2, turns + 1):
            self.turns.say(f"m{number}", self.id)
        self.conversations = ConversationRepository(tables=Tables(self.table), clock=self.clock)
        self.versions = Versions(
            tables=Tables(self.table), clock=self.clock, conversations=self.conversations
        )

    def forks(self, table: Table | None = None) -> ConversationForks:
        tables = Tables(table or self.table)
        policies = PolicyCache(tables=tables, clock=self.clock)
        conversations = ConversationRepository(tables=tables, clock=self.clock, policies=policies)
        return ConversationForks(
            tables=tables, clock=self.clock, policies=policies, conversations=conversations
        )

    def texts(self, conversation_id: str) -> list[str]:
        return [message.content for message in self.conversations.messages(MAYA, conversation_id)]

    def ids(self) -> set[str]:
        return {message.id for message in self.conversations.messages(MAYA, self.id)}


def test_a_copy_says_the_same_and_goes_on_by_itself() -> None:
    desk = Desk(3)
    desk.conversations.change(MAYA, desk.id, (set_title("Plans"),))
    copy = desk.forks().fork(MAYA, desk.id).made
    assert (copy.title, copy.count, copy.forked_from, copy.status) == ("Plans", 6, desk.id, Status.ACTIVE)
    assert desk.texts(copy.id) == desk.texts(desk.id)
    assert not desk.ids() & {message.id for message in desk.conversations.messages(MAYA, copy.id)}
    desk.turns.say("elsewhere", copy.id)
    assert desk.turns.master.histories[-1] == desk.texts(desk.id)
    assert (len(desk.texts(copy.id)), len(desk.texts(desk.id))) == (8, 6)
    assert {each.id for each in desk.conversations.list(MAYA, limit=9)[0]} == {copy.id, desk.id}


def test_a_key_of_the_original_is_new_to_the_copy() -> None:
    desk = Desk(1)
    desk.turns.say("once", desk.id, key="k")
    copy = desk.forks().fork(MAYA, desk.id).made
    assert desk.turns.say("something else", copy.id, key="k").content == "re: something else"


def test_a_copy_ends_with_the_message_that_was_named() -> None:
    desk = Desk(3)
    second = list(desk.conversations.messages(MAYA, desk.id))[3]
    copy = desk.forks().fork(MAYA, desk.id, up_to=second.id).made
    assert desk.texts(copy.id) == ["m1", "re: m1", "m2", "re: m2"]


def test_only_what_is_active_and_was_not_taken_back_is_copied() -> None:
    desk = Desk(3)
    first, _, second, *_ = desk.conversations.messages(MAYA, desk.id)
    desk.versions.delete(MAYA, desk.id, first.id)
    replaced = desk.versions.prepare_edit(MAYA, desk.id, second.id)
    desk.turns.run(IncomingMessage(MAYA, "other", desk.id, replaces=replaced))
    copy = desk.forks().fork(MAYA, desk.id).made
    assert desk.texts(copy.id) == ["re: m1", "other", "re: other"]
    with pytest.raises(MessageReplaced):
        desk.forks().fork(MAYA, desk.id, up_to=second.id)


def test_a_long_conversation_is_copied_in_batches() -> None:
    desk, requests = Desk(60), Requests()
    copy = desk.forks(ObservedTable(desk.table, requests)).fork(MAYA, desk.id).made
    assert requests.names.count("transact") == 5
    assert desk.texts(copy.id) == desk.texts(desk.id)


def test_too_long_a_conversation_is_copied_up_to_an_earlier_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forks_module, "MAX_MESSAGES", 4)
    desk = Desk(3)
    with pytest.raises(ForkTooLong):
        desk.forks().fork(MAYA, desk.id)
    second = list(desk.conversations.messages(MAYA, desk.id))[3]
    assert desk.forks().fork(MAYA, desk.id, up_to=second.id).made.count == 4


@pytest.mark.parametrize("nth", [1, 2, 3])
def test_half_a_copy_is_seen_by_nobody_and_completed_under_the_same_key(nth: int) -> None:
    desk, armed = Desk(30), CrashAt(nth, "before")

    def at_transactions(name: str, when: str) -> None:
        if name == "transact":
            armed(name, when)

    with pytest.raises(Crash):
        desk.forks(ObservedTable(desk.table, at_transactions)).fork(MAYA, desk.id, key="k")
    assert [each.id for each in desk.conversations.list(MAYA, limit=9)[0]] == [desk.id]
    [half] = desk.conversations.list(MAYA, limit=9, status=Status.DELETED)[0]
    policies = PolicyCache(tables=Tables(desk.table), clock=desk.clock)
    lifecycle = Lifecycle(
        tables=Tables(desk.table), clock=desk.clock, policies=policies, conversations=desk.conversations
    )
    with pytest.raises(ConversationNotFound):
        lifecycle.restore(MAYA, half.id)
    copy = desk.forks().fork(MAYA, desk.id, key="k").made
    assert (copy.id, desk.texts(copy.id)) == (half.id, desk.texts(desk.id))
    assert desk.forks().fork(MAYA, desk.id, key="k") == (copy, True)


def test_nobody_copies_what_is_not_theirs() -> None:
    desk = Desk(1)
    with pytest.raises(ConversationNotFound):
        desk.forks().fork(DEREK, desk.id)
    with pytest.raises(MessageNotFound):
        desk.forks().fork(MAYA, desk.id, up_to="1-" + "0" * 32)
    assert len(desk.conversations.list(MAYA, limit=9)[0]) == 1
