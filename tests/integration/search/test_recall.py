"""What was said before, asked in plain words or by a model's tool: found in the user's own messages."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from agent.inference.factory import compose_toolboxes
from agent.workspace.roster import read_roster
from conversation.clock import Deadline
from conversation.identity import Caller
from conversation.messages.models import Message
from conversation.search.index import SearchIndex
from llm.request_types import ToolCall
from storage.keys import TenantId
from tests.fakes.data.chat_session import Talk, TalkReply
from tests.fakes.data.stored_conversations import ConversationWriter
from tools.builtin.conversations import FoundMessages
from tools.outbound.client import ToolSettings
from tools.tool import ToolContext, ToolResult

QUESTION = "What did we decide about the Jira agent last week?"
DECISION = "OK, we decided: the Jira agent posts at nine, not at eight."
BEN = Caller(TenantId("acme"), "ben")


class Memory:
    """Maya talks to the offline tier; what she said before is in the table and its index."""

    def __init__(self) -> None:
        self.talk = Talk()
        table = self.talk.tables.across_tenants
        self.spoken = ConversationWriter(table, self.talk.clock)
        self.index = SearchIndex(tables=self.talk.tables, clock=self.talk.clock)
        settings = ToolSettings(outbound=self.talk.outbound, search_url="", search_key=lambda: None)
        self.toolboxes = compose_toolboxes(settings, tables=self.talk.tables, clock=self.talk.clock)

    def said(
        self, text: str, answer: str = "Noted.", *, title: str = "Tickets", by: Caller | None = None
    ) -> Message:
        caller = by or self.talk.caller
        reply = self.spoken.write_turn(caller, self.spoken.begin(caller, title=title), text, answer)
        self.index.enqueue(caller.tenant, reply.conversation_id, reply.sequence)
        return reply

    def pass_days(self, days: int) -> None:
        self.talk.clock.advance(timedelta(days=days).total_seconds())

    def use(self, by: Caller | None = None, **arguments: Any) -> ToolResult:
        caller, clock = by or self.talk.caller, self.talk.clock
        context = ToolContext(caller, clock.now(), "UTC", "turn.0", Deadline.after(clock, 20))
        roster = read_roster(self.talk.tables, caller.tenant, clock.now())
        box = self.toolboxes.for_caller(caller, roster)
        return box.call(ToolCall("c1", "search_conversations", json.dumps(arguments)), context)

    def hear(self, text: str) -> TalkReply:
        return self.talk.classify_and_answer(text)


@pytest.fixture
def memory() -> Memory:
    """Friday, 30 January 2026."""
    return Memory()


def test_what_was_decided_last_week_is_quoted_with_its_day(memory: Memory) -> None:
    memory.said("Should the Jira agent post at eight?")
    memory.said(DECISION, title="Jira agent")
    memory.pass_days(7)
    said = memory.hear(QUESTION)
    assert "the Jira agent posts at nine, not at eight" in said.text
    assert "30" in said.text
    assert said.tools == ("search_conversations",)


def test_what_was_said_at_another_time_is_quoted_with_its_day(memory: Memory) -> None:
    memory.said(DECISION)
    memory.pass_days(20)
    assert "30" in memory.hear(QUESTION).text.partition("“")[0]


def test_where_nothing_was_said_that_is_the_answer(memory: Memory) -> None:
    memory.said("The budget is fine.")
    said = memory.hear("Have we ever discussed the offsite?")
    assert said.text.startswith("I don't find “offsite” in anything you told me.")


def test_the_question_itself_is_no_answer_when_it_is_asked_again(memory: Memory) -> None:
    memory.said(QUESTION)
    assert memory.hear(QUESTION).text.startswith("I don't find “Jira agent”")


def test_nobody_recalls_what_others_said(memory: Memory) -> None:
    memory.said(DECISION, by=BEN)
    assert "posts at nine" not in memory.hear("What did we decide about the Jira agent?").text


def test_models_find_the_same_with_a_tool(memory: Memory) -> None:
    memory.said(DECISION)
    found = memory.use(query="jira decided", since="2026-01-26")
    assert found.ok, found.message
    messages = FoundMessages.model_validate(found.data).messages
    assert [message.text for message in messages] == [DECISION]
    assert memory.use(by=BEN, query="jira").data == {"messages": [], "more": False}
    assert memory.use(query="jira", until="2026-01-01").data == {"messages": [], "more": False}


@pytest.mark.parametrize(
    "arguments", [{}, {"query": ""}, {"query": "the"}, {"query": "x" * 501}, {"query": "a", "since": "soon"}]
)
def test_a_tool_call_that_names_nothing_is_refused_as_data(memory: Memory, arguments: dict[str, Any]) -> None:
    assert memory.use(**arguments).error_code == "invalid_arguments"
