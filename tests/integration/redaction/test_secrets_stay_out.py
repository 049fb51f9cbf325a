"""Where secrets that were said must never be found again, whatever the tenant's policy is.

Each place is filled the way the service fills it, and looked at as it is stored or told.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import JsonValue

from agent.after_turn.titles import TitleUpdater
from agent.chat.labelled_examples import example_to_item, make_example
from agent.dialogue.agent_acts.unfinished_agent import NewAgent
from agent.inference.router import Router
from agent.inference.tool_loop import ToolUse
from agent.workspace.agents import Agent, AgentCard, AgentSpec
from agent.workspace.items import agent_to_item, card_to_item, run_to_item
from agent.workspace.runs import Run
from conversation.clock import Deadline
from conversation.context.summary_updater import (
    ExtractiveSummariser,
    SummaryUpdater,
    pinned_line,
    read_summary,
)
from conversation.messages.items import message_to_item, set_title
from conversation.messages.models import Choice, Message, Note, Pending, Reference, Role
from conversation.messages.summaries import Summary, SummaryLine, summary_to_item
from conversation.search.index_items import documents_of
from conversation.search.postings import index_documents
from conversation.tenants.audit import Act, AuditLog
from intent.decision import ActionType, Decision, DecisionSource, Verdict
from llm.request_types import ToolCall
from llm.spend_guard import NoBudget
from storage import keys
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import StreamRecord
from storage.tenant_table import Tables
from tasks.task import TaskSpec
from tests.fakes.data.scripted_turns import MAYA, scripted_service
from tests.fakes.models.scripted_models import FAST, OTHER, STRONG, ScriptedModels, pool_of, response
from tests.fakes.run.clocks import ManualClock
from tools.builtin.calculator import calculator
from tools.tool import Toolbox, ToolResult

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
ACME = TenantId("acme")
CANARY = "k9Qx7Lm2Vt4Rb8Zp1Wn6"
SAID = f"The API key for the Berlin office is sk-proj-{CANARY} and must be kept until 3 May 2027."
WORDS: Mapping[str, JsonValue] = {"what": SAID, "topic": [SAID], "change": {"format": SAID}}


def message(content: str = SAID, sequence: int = 1, note: Note | None = None) -> Message:
    role = Role.USER if sequence % 2 else Role.ASSISTANT
    return Message(
        id=f"{sequence}-{'0' * 32}", conversation_id="c" * 32, sequence=sequence, role=role, content=content,
        created_at=NOW, turn_id=f"{'c' * 32}.01JD8M3Z7Q5W9X2R4T6Y8B0C1D", tokens=9, note=note or Note(),
    )  # fmt: skip


def decision(**fields: str) -> Decision:
    return Decision.model_validate(
        {"action_type": "create_agent", "confidence": 0.9, "source": "model", **fields}
    )


def entities() -> object:
    verdict = Verdict(action_type=ActionType.CREATE_AGENT, confidence=0.9, entities=WORDS)
    return verdict.to_decision(DecisionSource.MODEL)


def note(made: Note) -> Callable[[], object]:
    return lambda: message_to_item(ACME, message("Done.", 2, made))


def draft() -> object:
    stored = NewAgent(brief=SAID, what=SAID, job=SAID).to_note()
    return message_to_item(ACME, message("And then?", 2, Note(draft=stored)))


def title() -> object:
    table, clock = SqliteTable(":memory:"), ManualClock()
    tables = Tables(table)
    conversation = scripted_service(table, clock).say(SAID).conversation_id
    key = keys.message(ACME, conversation, 1)
    titling = TitleUpdater(tables=tables, model=None)
    titling.handle(StreamRecord(key, None, table.get(key)))
    head = table.get(keys.head(ACME, conversation))
    assert head is not None
    assert "Berlin" in str(head["title"])
    return head


def folded() -> object:
    table, clock = SqliteTable(":memory:"), ManualClock()
    tables, turns = Tables(table), scripted_service(table, clock)
    turns.master.note = Note(did="stored something")
    conversation = turns.say(f"In Berlin the password is:\n{CANARY} since 3 May 2027.").conversation_id
    SummaryUpdater(tables=tables, clock=clock, summariser=ExtractiveSummariser()).update_summary(
        ACME, conversation
    )
    summary = read_summary(tables.for_tenant(ACME), ACME, conversation)
    assert summary is not None
    assert "Berlin" in summary.render()
    return table.get(keys.summary(ACME, conversation))


def line_of_a_model() -> object:
    return summary_to_item(
        ACME, "c" * 32, Summary(1, 1, 2, lines=(SummaryLine(1, SAID, 9),), made_by="model")
    )


def search_index() -> object:
    lines = index_documents(documents_of([message()], 1, lambda _message, _file: ""))
    assert "berlin" in lines
    return lines


def example() -> object:
    return example_to_item(
        ACME,
        make_example(
            message(), [message(SAID, 1), message(SAID, 2)], decision=decision(),
            label=ActionType.CREATE_SKILL, lesson="feedback", example_id="e1", turn_id="t1", now=NOW,
            retention_days=30,
        ),
    )  # fmt: skip


def agent() -> Agent:
    spec = AgentSpec(what=SAID, scope=SAID, condition=SAID, format=SAID, instructions=SAID, summary=SAID)
    return Agent.create(spec, agent_id="a1", name="berlin", owner="maya", now=NOW)


def audit() -> object:
    log = AuditLog(tables=Tables(SqliteTable(":memory:")), clock=ManualClock())
    return log.build_record(MAYA, Act.SKILL_REGISTERED, SAID)


def tool_call() -> object:
    arguments = json.dumps({"url": "https://x.example", "token": f"sk-proj-{CANARY}"})
    return ToolUse(ToolCall("1", "fetch", arguments), ToolResult("fetch", ok=True, data=1)).to_event()


def routing() -> object:
    choice = {"model": STRONG, "tools": [], "can_answer": True, "reason": f"sk-proj-{CANARY}"}
    models = ScriptedModels(ManualClock(), [response(json.dumps(choice))])
    router = Router(pool_of(models, STRONG, OTHER), fast_model=FAST)
    chosen = router.route(
        "What now?", Toolbox([calculator()]), allowed=None, budget=NoBudget(),
        deadline=Deadline.after(ManualClock(), 20),
    )  # fmt: skip
    assert chosen is not None
    assert chosen.by == "model"
    return chosen.metadata()


PLACES: Mapping[str, Callable[[], object]] = {
    "entities": entities,
    "reasoning": lambda: decision(reasoning=SAID),
    "question back": lambda: decision(clarifying_question=SAID),
    "note of what was done": note(Note(did=SAID)),
    "note of what was listed": note(Note(listed=(Reference(id="1", name=SAID),))),
    "note of options": note(Note(choices=(Choice(label=SAID, action="create_agent", entities=WORDS),))),
    "note of what waits": note(Note(pending=Pending(action="create_agent", entities=WORDS, summary=SAID))),
    "draft": draft,
    "title": title,
    "title that was given": lambda: set_title(SAID),
    "summary": folded,
    "summary by a model": line_of_a_model,
    "pinned message": lambda: pinned_line(message()),
    "search index": search_index,
    "labelled example": example,
    "agent": lambda: agent_to_item(ACME, agent()),
    "card": lambda: card_to_item(ACME, AgentCard(id="a1", name="berlin", owner="maya", summary=SAID)),
    "run": lambda: run_to_item(
        ACME,
        Run(id="r", user="maya", agent_id="a", agent_name="b", parameters={"extra": SAID}, created_at=NOW),
    ),
    "task": lambda: TaskSpec(title=SAID, description=SAID),
    "audit": audit,
    "tool call": tool_call,
    "routing": routing,
}


@pytest.mark.parametrize("place", PLACES)
def test_a_secret_is_not_found_in(place: str) -> None:
    assert CANARY.casefold() not in repr(PLACES[place]()).casefold()


def test_an_agent_whose_words_grew_by_taking_a_secret_out_can_still_be_read() -> None:
    words = f"{'x' * 287} pin is 4921"
    spec = AgentSpec(what=words[-300:], instructions=("y" * 3_987) + " pin is 4921")
    made = Agent.create(spec, agent_id="a1", name="long", owner="maya", now=NOW + timedelta(days=1))
    assert Agent.model_validate_json(made.model_dump_json()) == made
    assert "4921" not in made.model_dump_json()
