"""Messages edited, answered anew, selected and taken back."""

from __future__ import annotations

import pytest

from agent.turn_events import Answer, Done
from conversation.clock import Deadline
from conversation.errors import (
    ConversationBusy,
    ConversationNotFound,
    IdempotencyKeyReused,
    MessageNotFound,
    MessageReplaced,
    TooManyVersions,
    WrongMessageRole,
)
from conversation.identity import Caller
from conversation.messages.models import Message
from conversation.threads.message_versions import MAX_VERSIONS, Versions
from conversation.threads.repository import ConversationRepository
from conversation.turns.admission import IncomingMessage
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.aws.tables import Crash, CrashAt, ObservedTable, Requests
from tests.fakes.data.scripted_turns import MAYA, scripted_service
from tests.fakes.run.clocks import ManualClock

STRANGERS = [Caller(MAYA.tenant, "derek"), Caller(TenantId("acme-eu"), "maya")]


class Desk:
    """One conversation of Maya's, and all that can be done with its messages."""

    def __init__(self, *said: str) -> None:
        self.table, self.clock, self.requests = SqliteTable(":memory:"), ManualClock(), Requests()
        self.turns = scripted_service(ObservedTable(self.table, self.requests), self.clock)
        tables = Tables(self.table)
        self.conversations = ConversationRepository(tables=tables, clock=self.clock)
        self.versions = Versions(tables=tables, clock=self.clock, conversations=self.conversations)
        self.id = self.turns.say(said[0]).conversation_id
        for text in said[1:]:
            self.turns.say(text, self.id)

    def messages(self) -> list[Message]:
        return list(self.conversations.messages(MAYA, self.id))

    def texts(self) -> list[str]:
        return [message.content for message in self.messages()]

    def named(self, text: str) -> Message:
        return next(message for message in self.messages() if message.content == text)

    def edit(self, old: Message, new: str, key: str | None = None) -> Answer:
        replaced = self.versions.prepare_edit(MAYA, self.id, old.id)
        return self.answer(IncomingMessage(MAYA, new, self.id, key, replaces=replaced))

    def regenerate(self, reply: Message) -> Answer:
        request, replaced = self.versions.prepare_regeneration(MAYA, self.id, reply.id)
        return self.answer(IncomingMessage(MAYA, request.content, self.id, replaces=replaced))

    def answer(self, incoming: IncomingMessage) -> Answer:
        done = self.turns.run(incoming)[-1]
        assert isinstance(done, Done)
        return done.answer

    def versions_of(self, message: Message) -> list[tuple[str, bool]]:
        found = self.versions.message_versions(MAYA, self.id, message.id)
        return [(version.message.content, version.active) for version in found]


def test_an_edited_message_and_its_answer_take_the_place_of_what_followed() -> None:
    desk = Desk("a", "b", "c")
    assert desk.edit(desk.named("b"), "B").content == "re: B"
    assert desk.texts() == ["a", "re: a", "B", "re: B"]
    assert desk.conversations.get(MAYA, desk.id).active_count == 4
    assert desk.conversations.list(MAYA, limit=1)[0][0].active_count == 4


def test_an_edit_is_answered_knowing_only_what_came_before_it() -> None:
    desk = Desk("a", "b", "c")
    desk.edit(desk.named("b"), "B")
    desk.turns.say("d", desk.id)
    assert desk.turns.master.histories[-2:] == [["a", "re: a"], ["a", "re: a", "B", "re: B"]]


def test_the_first_message_can_be_edited() -> None:
    desk = Desk("a", "b")
    desk.edit(desk.named("a"), "A")
    assert (desk.texts(), desk.turns.master.histories[-1]) == (["A", "re: A"], [])


def test_an_answer_given_anew_replaces_the_old_one() -> None:
    desk = Desk("a", "b")
    desk.regenerate(desk.named("re: b"))
    assert desk.texts() == ["a", "re: a", "b", "re: b"]
    assert [message.sequence for message in desk.messages()] == [1, 2, 5, 6]
    assert desk.turns.master.histories[-1] == ["a", "re: a"]


def test_all_versions_stay_reachable() -> None:
    desk = Desk("a", "b")
    desk.edit(desk.named("b"), "B")
    desk.edit(desk.named("B"), "BB")
    assert desk.versions_of(desk.named("BB")) == [("b", False), ("B", False), ("BB", True)]
    assert desk.versions_of(desk.named("re: BB")) == [("re: b", False), ("re: B", False), ("re: BB", True)]
    assert [message.edited for message in desk.messages()] == [False, False, True, False]
    assert desk.versions_of(desk.named("a")) == [("a", True)]


def test_a_selected_version_comes_back_with_all_that_followed_it() -> None:
    desk = Desk("a", "b", "c")
    b = desk.named("b")
    desk.edit(b, "B")
    big_b = desk.named("B")
    desk.turns.say("d", desk.id)
    desk.versions.select(MAYA, desk.id, b.id)
    assert desk.texts() == ["a", "re: a", "b", "re: b", "c", "re: c"]
    desk.turns.say("e", desk.id)
    assert desk.texts()[-4:] == ["c", "re: c", "e", "re: e"]
    desk.versions.select(MAYA, desk.id, big_b.id)
    assert desk.texts() == ["a", "re: a", "B", "re: B", "d", "re: d"]
    desk.versions.select(MAYA, desk.id, b.id)
    assert desk.texts()[-2:] == ["e", "re: e"]


def test_versions_within_versions_are_selected_from_the_outside_in() -> None:
    desk = Desk("a", "b")
    a = desk.named("a")
    desk.edit(desk.named("b"), "B")
    hidden = desk.versions.message_versions(MAYA, desk.id, desk.named("B").id)[0].message
    desk.edit(a, "A")
    with pytest.raises(MessageReplaced):
        desk.versions.select(MAYA, desk.id, hidden.id)
    desk.versions.select(MAYA, desk.id, a.id)
    desk.versions.select(MAYA, desk.id, hidden.id)
    assert desk.texts() == ["a", "re: a", "b", "re: b"]


def test_pages_of_an_edited_conversation_hold_its_active_messages_only() -> None:
    desk = Desk("a", "b", "c", "d")
    desk.edit(desk.named("b"), "B")
    desk.turns.say("e", desk.id)

    def sequences(**where: int) -> list[int]:
        found = desk.conversations.page(MAYA, desk.id, limit=3, **where)
        return [message.sequence for message in found]

    assert sequences() == [10, 11, 12]
    assert sequences(before=10) == [1, 2, 9]
    assert sequences(after=0) == [1, 2, 9]
    assert sequences(after=9) == [10, 11, 12]
    assert sequences(before=1) == []


def test_a_turn_of_an_edited_conversation_takes_three_requests() -> None:
    desk = Desk(*(f"m{number}" for number in range(20)))
    desk.edit(desk.named("m5"), "other")
    desk.requests.names.clear()
    desk.turns.say("on", desk.id)
    assert desk.requests.names == ["update", "query", "transact"]
    assert desk.turns.master.histories[-1][0] == "m0"


def test_even_an_edit_far_back_does_not_forget_the_beginning() -> None:
    desk = Desk("my name is Maya", *(f"m{number}" for number in range(60)))
    desk.edit(desk.named("m0"), "other")
    desk.turns.say("who am I?", desk.id)
    assert desk.turns.master.histories[-1] == [
        "my name is Maya",
        "re: my name is Maya",
        "other",
        "re: other",
    ]


def test_a_repeated_edit_under_the_same_key_is_made_once() -> None:
    desk = Desk("a", "b")
    b = desk.named("b")
    first, again = desk.edit(b, "B", key="k"), desk.edit(b, "B", key="k")
    assert (again.message_id, again.replayed) == (first.message_id, True)
    assert desk.texts() == ["a", "re: a", "B", "re: B"]
    with pytest.raises(IdempotencyKeyReused):
        desk.edit(b, "different", key="k")


def test_what_is_not_active_any_more_is_not_edited() -> None:
    desk = Desk("a", "b")
    b = desk.named("b")
    desk.edit(b, "B")
    for _ in range(2):
        with pytest.raises(MessageReplaced):
            desk.edit(b, "again")
    assert desk.texts() == ["a", "re: a", "B", "re: B"]
    assert desk.turns.say("and on", desk.id).content == "re: and on"


def test_edits_of_a_process_that_died_are_finished_by_another() -> None:
    desk = Desk("a", "b")
    replaced = desk.versions.prepare_edit(MAYA, desk.id, desk.named("b").id)
    for text in ("B", "the same again"):
        dying = scripted_service(ObservedTable(desk.table, CrashAt(1, "after")), desk.clock)
        with pytest.raises(Crash):
            dying.run(IncomingMessage(MAYA, text, desk.id, replaces=replaced))
    desk.clock.advance(60)
    assert desk.turns.service.drain(MAYA.tenant, desk.id, Deadline.after(desk.clock, 20.0))
    # The second meant a message that the first took the place of.
    assert desk.texts() == ["a", "re: a", "B", "re: B"]
    assert desk.turns.say("c", desk.id).content == "re: c"


def test_only_requests_are_edited_and_only_answers_given_anew() -> None:
    desk = Desk("a")
    request, reply = desk.messages()
    with pytest.raises(WrongMessageRole):
        desk.versions.prepare_edit(MAYA, desk.id, reply.id)
    with pytest.raises(WrongMessageRole):
        desk.versions.prepare_regeneration(MAYA, desk.id, request.id)


@pytest.mark.parametrize("stranger", STRANGERS)
def test_messages_of_others_are_not_there(stranger: Caller) -> None:
    desk = Desk("a")
    request = desk.messages()[0]
    calls = (
        desk.versions.prepare_edit,
        desk.versions.prepare_regeneration,
        desk.versions.message_versions,
        desk.versions.select,
    )
    for call in (*calls, desk.versions.delete):
        with pytest.raises(ConversationNotFound):
            call(stranger, desk.id, request.id)
        with pytest.raises(MessageNotFound):
            call(MAYA, desk.id, "7-" + "0" * 32)
    assert desk.texts() == ["a", "re: a"]


def test_no_version_is_selected_while_a_turn_is_under_way() -> None:
    desk = Desk("a", "b")
    b = desk.named("b")
    desk.edit(b, "B")

    def select(_turn: object) -> None:
        with pytest.raises(ConversationBusy):
            desk.versions.select(MAYA, desk.id, b.id)

    desk.turns.master.before = select
    desk.turns.say("c", desk.id)
    assert desk.texts()[-4:] == ["B", "re: B", "c", "re: c"]


def test_a_message_is_edited_so_often_and_not_more() -> None:
    desk = Desk("a")
    for number in range(MAX_VERSIONS - 1):
        desk.edit(desk.messages()[0], f"a{number}")
    with pytest.raises(TooManyVersions):
        desk.edit(desk.messages()[0], "once too often")
    assert len(desk.versions_of(desk.messages()[0])) == MAX_VERSIONS


def test_a_message_taken_back_says_nothing_any_more() -> None:
    desk = Desk("a", "my secret", "c")
    secret = desk.named("my secret")
    desk.versions.delete(MAYA, desk.id, secret.id)
    assert desk.texts() == ["a", "re: a", "", "re: my secret", "c", "re: c"]
    assert [message.deleted for message in desk.messages()][2:4] == [True, False]
    desk.turns.say("d", desk.id)
    assert desk.turns.master.histories[-1] == ["a", "re: a", "re: my secret", "c", "re: c"]
    for call in (desk.versions.prepare_edit, desk.versions.delete, desk.versions.select):
        with pytest.raises(MessageNotFound):
            call(MAYA, desk.id, secret.id)
    with pytest.raises(MessageNotFound):
        desk.versions.prepare_regeneration(MAYA, desk.id, desk.named("re: my secret").id)
