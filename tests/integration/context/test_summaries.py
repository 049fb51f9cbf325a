"""Summaries of long conversations: folded behind the turns, told to those that follow, and told again."""

from __future__ import annotations

import json
from dataclasses import replace

from agent.after_turn.summaries import SummaryFollower
from agent.dialogue.talk import open_work
from agent.turn_events import Done
from conversation.context.summary_updater import ExtractiveSummariser, SummaryUpdater, read_summary
from conversation.identity import TurnId
from conversation.messages.history import newest_messages
from conversation.messages.models import Note
from conversation.messages.summaries import Summary, SummaryLine
from conversation.threads.context_report import ContextReports, TurnContext
from conversation.threads.message_versions import Versions
from conversation.threads.pins import Pins
from conversation.threads.repository import ConversationRepository
from conversation.turns.admission import IncomingMessage
from storage import keys
from storage.sqlite.table import SqliteTable
from storage.table import Key, Query, StreamRecord
from storage.tenant_table import Tables
from tests.fakes.aws.tables import ObservedTable, Requests
from tests.fakes.data.chat_session import Talk
from tests.fakes.data.scripted_turns import MAYA, Fixture, scripted_service
from tests.fakes.run.clocks import ManualClock


class Memory:
    """A conversation with Maya that is folded whenever a reply asks for it."""

    def __init__(self) -> None:
        self.table, self.clock = SqliteTable(":memory:"), ManualClock()
        self.tables = Tables(self.table)
        self.turns: Fixture = scripted_service(self.table, self.clock)
        self.conversations = ConversationRepository(tables=self.tables, clock=self.clock)
        self.memories = Pins(tables=self.tables, clock=self.clock, conversations=self.conversations)
        self.folding = SummaryUpdater(tables=self.tables, clock=self.clock, summariser=ExtractiveSummariser())
        self.follower = SummaryFollower(self.folding)
        self.id = self.turns.say("Hello").conversation_id

    def say(self, *messages: str) -> list[str]:
        """Have the messages answered; the turns' ids."""
        return [self._said(message) for message in messages]

    def noted(self, did: str) -> None:
        """Have a reply do something."""
        self.turns.master.note = Note(did=did)
        self.say("Do it")
        self.turns.master.note = Note()

    def chat(self, turns: int) -> None:
        """Talk about nothing."""
        self.say(*("And what else is there to say about it?" for _ in range(turns)))

    @property
    def summary(self) -> Summary | None:
        return read_summary(self.table, MAYA.tenant, self.id)

    @property
    def told(self) -> str:
        """What the summary tells."""
        return self.summary.render() if self.summary else ""

    def context(self, turn_id: str) -> TurnContext:
        contexts = ContextReports(tables=self.tables, conversations=self.conversations)
        return contexts.of_turn(MAYA, turn_id)

    def message_id(self, content: str) -> str:
        """The id of the message that says this."""
        said = self.conversations.messages(MAYA, self.id)
        return next(message.id for message in said if message.content == content)

    def _said(self, message: str) -> str:
        turn_id = self.turns.say(message, self.id).turn_id
        newest = keys.conversation(MAYA.tenant, self.id)
        page = self.table.query(Query(newest, 1, prefix=keys.MESSAGE_PREFIX, newest_first=True))
        [reply] = page.items
        self.follower.handle(StreamRecord(Key(str(reply["pk"]), str(reply["sk"])), None, reply))
        return turn_id


BUDGET = "The budget for the fair in Lisbon is 4,250 euros."


def test_a_short_conversation_has_no_summary_and_keeps_no_receipt() -> None:
    memory = Memory()
    memory.say(BUDGET, "Thanks")
    assert memory.summary is None
    newest = newest_messages(memory.table, MAYA.tenant, memory.id, limit=1)
    assert "context" not in newest[0].metadata


def test_what_the_window_would_drop_is_told_by_the_summary() -> None:
    memory = Memory()
    memory.say(BUDGET)
    memory.chat(12)
    assert "Lisbon is 4,250 euros" in memory.told
    [turn_id] = memory.say("What was it again?")
    context = memory.context(turn_id).context
    assert context.summary is not None
    assert BUDGET not in [message.content for message in context.messages]
    assert "4,250 euros" in context.summary.render()


def test_a_summary_grows_by_what_came_since_and_never_leaves_a_gap() -> None:
    memory = Memory()
    memory.say(BUDGET)
    lasts = []
    for _ in range(30):
        memory.chat(1)
        if memory.summary is not None:
            lasts.append(memory.summary.last)
            oldest_read = memory.conversations.get(MAYA, memory.id).count - 19 + 1
            assert memory.summary.last >= oldest_read - 1
    assert len(set(lasts)) < len(lasts) / 3, "it is folded every few turns, not with each"
    assert "4,250 euros" in memory.told


def test_a_turn_with_a_summary_takes_as_many_requests_as_one_without() -> None:
    memory, requests = Memory(), Requests()
    memory.chat(20)
    assert memory.summary is not None
    watched = scripted_service(ObservedTable(memory.table, requests), memory.clock)
    watched.say("And now?", memory.id)
    requests.names.clear()
    watched.say("And now?", memory.id)
    assert requests.names == ["update", "query", "transact"]


def test_folding_the_same_messages_again_changes_nothing() -> None:
    memory = Memory()
    memory.say(BUDGET)
    memory.chat(12)
    memory.folding.update_summary(MAYA.tenant, memory.id)
    before = memory.summary
    assert memory.folding.update_summary(MAYA.tenant, memory.id) is None
    assert memory.summary == before


def test_a_deleted_conversation_gets_no_summary() -> None:
    memory = Memory()
    memory.say(BUDGET)
    memory.conversations.delete(MAYA, memory.id)
    assert memory.folding.update_summary(MAYA.tenant, memory.id) is None
    assert memory.summary is None


def test_a_pinned_message_goes_along_however_long_ago_it_was() -> None:
    memory = Memory()
    memory.say("please speak plainly")
    memory.memories.pin(MAYA, memory.id, memory.message_id("please speak plainly"))
    memory.chat(30)
    assert "please speak plainly" in memory.told
    memory.memories.unpin(MAYA, memory.id, memory.message_id("please speak plainly"))
    assert "please speak plainly" not in memory.told


def test_a_message_that_is_pinned_late_is_in_the_summary_at_once() -> None:
    memory = Memory()
    memory.say("please speak plainly")
    memory.chat(30)
    assert "please speak plainly" not in memory.told
    memory.memories.pin(MAYA, memory.id, memory.message_id("please speak plainly"))
    assert "please speak plainly" in memory.told


def test_nothing_of_a_deleted_message_is_left_in_any_summary() -> None:
    memory = Memory()
    memory.say(BUDGET)
    memory.chat(30)
    versions = Versions(tables=memory.tables, clock=memory.clock, conversations=memory.conversations)
    versions.delete(MAYA, memory.id, memory.message_id(BUDGET))
    versions.delete(MAYA, memory.id, memory.message_id(f"re: {BUDGET}"))
    page = memory.table.query(Query(keys.conversation(MAYA.tenant, memory.id), 1_000))
    assert "4,250" not in json.dumps(page.items, default=str)
    memory.chat(12)
    assert "4,250" not in memory.told


def test_a_context_is_told_again_as_it_was_although_the_summary_has_gone_on() -> None:
    memory = Memory()
    memory.say(BUDGET)
    memory.chat(15)
    [turn_id] = memory.say("What was it again?")
    before = memory.context(turn_id)
    assert memory.turns.master.histories[-1] == [message.content for message in before.context.messages]
    memory.say("The fair in Lisbon now costs 5,100 euros.")
    memory.chat(15)
    assert "5,100" in memory.told
    assert memory.context(turn_id) == before
    assert before.context.summary is not None
    assert "5,100" not in before.context.summary.render()
    assert [left_out.reason for left_out in before.omitted] == ["summarised"]


def test_what_was_edited_away_is_told_by_no_summary() -> None:
    memory = Memory()
    memory.say(BUDGET)
    memory.chat(12)
    assert "4,250" in memory.told
    versions = Versions(tables=memory.tables, clock=memory.clock, conversations=memory.conversations)
    replaced = versions.prepare_edit(MAYA, memory.id, memory.message_id(BUDGET))
    [*_, done] = memory.turns.run(
        IncomingMessage(MAYA, "The budget is 900 francs now.", memory.id, replaces=replaced)
    )
    assert isinstance(done, Done)
    context = memory.context(done.answer.turn_id).context
    assert context.summary is None
    memory.chat(12)
    assert "900 francs" in memory.told
    assert "4,250" not in memory.told


def test_what_agents_were_made_is_never_dropped() -> None:
    memory = Memory()
    for place in range(3):
        memory.noted(f"created the agent watcher-{place}")
        memory.chat(15)
    assert all(f"created the agent watcher-{place}" in memory.told for place in range(3))


def test_the_context_of_an_ordinary_turn_needs_no_receipt() -> None:
    memory = Memory()
    [*_, turn_id] = memory.say(BUDGET, "Thanks", "Bye")
    told = memory.context(turn_id)
    assert memory.turns.master.histories[-1] == [message.content for message in told.context.messages]
    assert told.omitted == ()
    assert TurnId.parse(turn_id) is not None


def test_who_comes_back_is_told_what_was_done_last_however_long_ago() -> None:
    turn = Talk().turn(str(TurnId.make("c" * 32, ManualClock().now())), "Where were we?")
    summary = Summary(1, 1, 40, decisions=(SummaryLine(2, "2026-01-05: created the agent jira-digest", 9),))
    told = open_work.describe(replace(turn, situation=replace(turn.situation, summary=summary)))
    assert "I created the agent jira-digest" in told.text
