"""What follows a first message and feedback: titles and labelled examples."""

from __future__ import annotations

import pytest

from agent.after_turn.feedback_labels import FeedbackLabels, named_action
from agent.after_turn.titles import TitleUpdater
from agent.chat.labelled_examples import read_examples
from conversation.errors import ConversationNotFound, MessageNotFound, WrongMessageRole
from conversation.identity import Caller
from conversation.messages.items import set_title
from conversation.messages.models import Message
from conversation.retention.removal_writes import force_mark_for_removal
from conversation.tenants.lessons import LessonStore
from conversation.tenants.store import PolicyCache, TenantStore
from conversation.threads.example_removal import ExampleRemover
from conversation.threads.feedback import FeedbackStore, Rating
from conversation.threads.forks import ConversationForks
from conversation.threads.message_versions import Versions
from conversation.threads.repository import ConversationRepository
from intent.decision import ActionType
from storage import keys
from storage.sqlite.table import SqliteTable
from storage.table import Key, StreamRecord, Table
from storage.tenant_table import Tables
from tests.fakes.aws.tables import ObservedTable
from tests.fakes.data.scripted_turns import MAYA, scripted_service
from tests.fakes.run.clocks import ManualClock


class Desk:
    """A table with conversations, and those who follow its stream."""

    def __init__(self) -> None:
        self.table, self.clock = SqliteTable(":memory:"), ManualClock()
        tables, tenants = Tables(self.table), TenantStore(tables=Tables(self.table), clock=self.clock)
        self.conversations = ConversationRepository(tables=tables, clock=self.clock)
        self.feedback = FeedbackStore(tables=tables, clock=self.clock, conversations=self.conversations)
        self.corrections = FeedbackLabels(tables=tables, clock=self.clock, tenants=tenants)

        policies = PolicyCache(tables=tables, clock=self.clock)
        self.versions = Versions(tables=tables, clock=self.clock, conversations=self.conversations)
        self.forks = ConversationForks(
            tables=tables, clock=self.clock, policies=policies, conversations=self.conversations
        )
        self.forgetting = ExampleRemover(tables)

    def taught(self, text: str) -> Message:
        """The request of a conversation whose answer was corrected."""
        request, reply = self.asked(text)
        self.correct(reply)
        return request

    def correct(self, reply: Message) -> None:
        where = (MAYA, reply.conversation_id, reply.id)
        self.feedback.save_feedback(*where, rating=Rating.DOWN, correction="create agent")
        self.follow(keys.feedback(MAYA.tenant, reply.conversation_id, reply.sequence))

    def examples(self) -> list[str]:
        return [each.text for each in read_examples(Tables(self.table), MAYA.tenant, self.clock.now())]

    def follow(self, key: Key) -> None:
        self.title_over(self.table, key)
        self.corrections.handle(StreamRecord(key, None, self.table.get(key)))

    def title_over(self, table: Table, key: Key) -> None:
        titling = TitleUpdater(tables=Tables(table), model=None)
        titling.handle(StreamRecord(key, None, self.table.get(key)))

    def asked(self, text: str) -> list[Message]:
        conversation = scripted_service(self.table, self.clock).say(text).conversation_id
        self.follow(keys.message(MAYA.tenant, conversation, 1))
        return list(self.conversations.messages(MAYA, conversation))


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_first_request_gives_its_conversation_a_title(desk: Desk) -> None:
    first, _ = desk.asked("Hello! Please list my overdue tickets")
    assert desk.conversations.get(MAYA, first.conversation_id).title == "List my overdue tickets"


def test_a_title_that_somebody_gave_stays(desk: Desk) -> None:
    first, _ = desk.asked("Hello!")
    desk.conversations.change(MAYA, first.conversation_id, (set_title("Mine"),))
    desk.follow(keys.message(MAYA.tenant, first.conversation_id, 1))
    assert desk.conversations.get(MAYA, first.conversation_id).title == "Mine"


def test_a_title_given_at_the_same_moment_stays(desk: Desk) -> None:
    conversation = scripted_service(desk.table, desk.clock).say("List my tickets").conversation_id

    def rename(name: str, when: str) -> None:
        if (name, when) == ("get", "after"):
            desk.conversations.change(MAYA, conversation, (set_title("Mine"),))

    desk.title_over(ObservedTable(desk.table, rename), keys.message(MAYA.tenant, conversation, 1))
    assert desk.conversations.get(MAYA, conversation).title == "Mine"


def test_a_title_is_no_activity_and_a_deleted_conversation_gets_none(desk: Desk) -> None:
    conversation = scripted_service(desk.table, desk.clock).say("List my tickets").conversation_id
    before = desk.conversations.get(MAYA, conversation).updated_at
    desk.clock.advance(60)
    desk.follow(keys.message(MAYA.tenant, conversation, 1))
    assert desk.conversations.get(MAYA, conversation).updated_at == before
    other = scripted_service(desk.table, desk.clock).say("List my tasks").conversation_id
    desk.conversations.delete(MAYA, other)
    desk.follow(keys.message(MAYA.tenant, other, 1))
    assert "title" not in (desk.table.get(keys.head(MAYA.tenant, other)) or {})


def test_the_latest_feedback_on_an_answer_counts(desk: Desk) -> None:
    _, reply = desk.asked("Hello!")
    where = (MAYA, reply.conversation_id, reply.id)
    assert desk.feedback.read(*where) is None
    desk.feedback.save_feedback(*where, rating=Rating.DOWN, comment="slow")
    desk.feedback.save_feedback(*where, rating=Rating.UP)
    said = desk.feedback.read(*where)
    assert said is not None
    assert (said.rating, said.comment, said.turn_id) == (Rating.UP, None, reply.turn_id)


def test_feedback_is_for_own_answers_only(desk: Desk) -> None:
    request, reply = desk.asked("Hello!")
    with pytest.raises(WrongMessageRole):
        desk.feedback.save_feedback(MAYA, request.conversation_id, request.id, rating=Rating.UP)
    with pytest.raises(ConversationNotFound):
        desk.feedback.save_feedback(
            Caller(MAYA.tenant, "derek"), reply.conversation_id, reply.id, rating=Rating.UP
        )
    for other in ("2-" + "0" * 32, "99-" + "0" * 32, "HEAD", ""):
        with pytest.raises(MessageNotFound):
            desk.feedback.save_feedback(MAYA, reply.conversation_id, other, rating=Rating.UP)


def test_a_correction_that_names_an_action_becomes_an_example(desk: Desk) -> None:
    request, reply = desk.asked("Set up something that watches my tickets")
    key = keys.feedback(MAYA.tenant, reply.conversation_id, reply.sequence)
    for _ in range(2):
        desk.feedback.save_feedback(
            MAYA, reply.conversation_id, reply.id, rating=Rating.DOWN, correction="create agent"
        )
        desk.follow(key)
    [example] = read_examples(Tables(desk.table), MAYA.tenant, desk.clock.now())
    assert (example.text, example.label, example.lesson) == (
        request.content,
        ActionType.CREATE_AGENT,
        "feedback",
    )


def test_a_correction_that_names_nothing_teaches_nothing(desk: Desk) -> None:
    _, reply = desk.asked("What is new?")
    for correction in ("this was rude", "query_info"):
        desk.feedback.save_feedback(
            MAYA, reply.conversation_id, reply.id, rating=Rating.DOWN, correction=correction
        )
        desk.follow(keys.feedback(MAYA.tenant, reply.conversation_id, reply.sequence))
    assert list(read_examples(Tables(desk.table), MAYA.tenant, desk.clock.now())) == []


def test_a_deleted_conversation_takes_along_what_it_taught_and_nothing_else(desk: Desk) -> None:
    taught, other = desk.taught("Set up something that watches my tickets"), desk.taught("Watch my invoices")
    desk.conversations.delete(MAYA, taught.conversation_id)
    assert desk.examples() == ["Watch my invoices"]
    desk.conversations.delete(MAYA, other.conversation_id)
    assert desk.examples() == []


def test_a_conversation_that_is_swept_takes_along_what_it_taught(desk: Desk) -> None:
    taught = desk.taught("Set up something that watches my tickets")
    desk.taught("Watch my invoices")
    head = keys.head(MAYA.tenant, taught.conversation_id)
    desk.forgetting.handle(StreamRecord(head, None, desk.table.get(head)))
    assert len(desk.examples()) == 2
    before = desk.table.get(head)
    after = desk.table.update(force_mark_for_removal(head))
    for _ in range(2):
        desk.forgetting.handle(StreamRecord(head, before, after))
    assert desk.examples() == ["Watch my invoices"]
    desk.forgetting.handle(StreamRecord(head, after, after))


def test_a_copy_that_is_deleted_takes_along_what_older_words_taught(desk: Desk) -> None:
    _, reply = desk.asked("Set up something that watches my tickets")
    desk.clock.advance(3_600)
    copy = desk.forks.fork(MAYA, reply.conversation_id).made
    desk.correct(list(desk.conversations.messages(MAYA, copy.id))[1])
    assert len(desk.examples()) == 1
    desk.conversations.delete(MAYA, copy.id)
    assert desk.examples() == []


def test_a_message_that_is_taken_back_takes_along_what_it_taught(desk: Desk) -> None:
    taught = desk.taught("Set up something that watches my tickets")
    desk.clock.advance(60)
    more = scripted_service(desk.table, desk.clock).say("And another one", taught.conversation_id)
    *_, later, reply = desk.conversations.messages(MAYA, more.conversation_id)
    desk.correct(reply)
    assert len(desk.examples()) == 2
    desk.versions.delete(MAYA, later.conversation_id, later.id)
    assert desk.examples() == ["Set up something that watches my tickets"]
    desk.versions.delete(MAYA, taught.conversation_id, taught.id)
    assert desk.examples() == []


def test_plain_words_name_an_action() -> None:
    assert named_action("I wanted you to create an agent that checks tickets") is ActionType.CREATE_AGENT
    assert named_action("unknown") is None


def test_feedback_that_names_an_act_teaches_the_words_for_it(desk: Desk) -> None:
    request, reply = desk.asked("Write a chit for the lamp, ada@acme.example")
    where = (MAYA, reply.conversation_id, reply.id)
    for correction in ("query_info", "execute_task", "rubbish", "task.add", "task.add"):
        desk.feedback.save_feedback(*where, rating=Rating.DOWN, correction=correction)
        desk.follow(keys.feedback(MAYA.tenant, reply.conversation_id, reply.sequence))
    [lesson] = LessonStore(tables=Tables(desk.table), clock=desk.clock).list(MAYA.tenant)
    assert (lesson.wording, lesson.kind) == ("write a chit for the lamp email", "task.add")
    assert (lesson.user, lesson.times, lesson.turn_id) == (MAYA.user, 1, request.turn_id)
    desk.conversations.delete(MAYA, reply.conversation_id)
    assert LessonStore(tables=Tables(desk.table), clock=desk.clock).list(MAYA.tenant) == ()
