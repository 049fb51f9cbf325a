"""Questions the templates have no answer to: sums without a model, and what is told of tools' results."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from pydantic import JsonValue

from agent.inference.tool_loop import ToolUse
from agent.inference.tool_report import ToolReport, build_tool_report
from conversation.identity import ADMIN, Caller
from conversation.tenants.policy import Budget, TenantPolicy
from conversation.usage.counters import ModelUsage, counts_of_turn, increment
from intent.decision import ActionType
from intent.sums.arithmetic_questions import expression_in
from llm.request_types import ToolCall
from storage.keys import TenantId
from tests.fakes.data.chat_session import Talk
from tools.tool import ToolResult


@pytest.mark.parametrize(
    ("message", "expression"),
    [
        ("What is 5 factorial times 8?", "5! * 8"),
        ("what's 12*7", "12*7"),
        ("How much is 1,200 plus 300?", "1200 + 300"),
        ("calculate 15% of 80", "15 / 100 * 80"),
        ("what is the factorial of 5", "5!"),
        ("seven times eight?", "7 * 8"),
        ("What does 5 times 5 equal?", "5 * 5"),
        ("5+3", "5+3"),
        ("what is 9**9**9", "9**9**9"),
        ("2.5e-7 * 2", "2.5e-7 * 2"),
        ("what is 1e3 * 3", "1e3 * 3"),
        ("5 mod 3", "5 % 3"),
    ],
)
def test_plain_arithmetic_is_understood_in_words_and_signs(message: str, expression: str) -> None:
    assert expression_in(message) == expression


@pytest.mark.parametrize(
    "message",
    [
        "24/7", "9-5", "what is 2024-01-15?", "call 555-1234", "What is 5?", "add 5 to my list",
        "what is 12 * 7 in the sales sheet?", "every 2 * 3 days", "", "7" * 500,
    ],
)  # fmt: skip
def test_what_is_more_or_less_than_arithmetic_is_none(message: str) -> None:
    assert expression_in(message) is None


@pytest.mark.parametrize("action", list(ActionType))
def test_a_sum_is_worked_out_without_a_model_whatever_it_was_taken_for(action: ActionType) -> None:
    said = Talk().say("What is 5 factorial times 8?", action)

    assert (said.text, said.tools, said.effects) == ("5! * 8 = 960", ("calculator",), ())


def test_a_sum_that_can_not_be_worked_out_is_answered_with_the_reason() -> None:
    talk = Talk()

    assert talk.say("What is 9**9**9?", ActionType.QUERY_INFO).text.startswith("This is too large")
    assert talk.say("What is 1/0?", ActionType.QUERY_INFO).text.startswith("This has no value")


def test_a_sum_while_an_agent_is_being_set_up_leaves_it_as_it_is() -> None:
    talk = Talk()
    asked = talk.classify_and_answer("Create an agent that watches our Jira board")

    said = talk.classify_and_answer("5 * 3")

    assert asked.note.draft is not None
    assert said.note.draft == {**asked.note.draft, "is_recalled": True}


def test_a_question_without_an_answer_is_answered_honestly_without_a_model() -> None:
    said = Talk().classify_and_answer("Who won the elections in Norway?")

    assert "I can't look that up" in said.text
    assert said.tools == ()


MADE = "2026-01-30T09:00:00Z"


def task(task_id: str, title: str, **fields: JsonValue) -> dict[str, JsonValue]:
    return {"id": task_id, "title": title, "created_at": MADE, "updated_at": MADE, **fields}


def use(name: str, data: JsonValue, *, ok: bool = True) -> ToolUse:
    return ToolUse(ToolCall("c", name, "{}"), ToolResult(name, ok, data))


def told(*uses: ToolUse) -> ToolReport:
    return build_tool_report(uses, date(2026, 1, 30))


def test_changes_are_told_from_results_and_add_up() -> None:
    facts = told(
        use("create_task", task("01A", "buy milk", due_date="2026-02-03")),
        use("complete_task", task("01B", "call mum", completed=True)),
        use("delete_task", None, ok=False),
        use("calculator", {"value": 3, "text": "3"}),
    )

    assert facts.is_change
    added, completed = facts.text.split("\n\n")
    assert added == 'I\'ve added the task "buy milk", due Tuesday, February 3.'
    assert completed == 'Done: I\'ve marked "call mum" as completed.'
    assert "buy milk" in facts.note.did


def test_lists_are_told_from_results_and_can_be_referred_to() -> None:
    tasks: JsonValue = [
        {"id": "01A", "title": "buy milk", "due_date": None, "completed": False},
        {"id": "01B", "title": "sleep", "due_date": None, "completed": True},
    ]
    facts = told(use("list_tasks", {"tasks": tasks, "more": False}))

    assert facts.text == "You have 2 tasks:\n\n1. buy milk\n2. sleep (done)"
    assert [(item.kind, item.id) for item in facts.note.listed] == [("task", "01A"), ("task", "01B")]
    assert not facts.is_change


def test_what_only_computes_or_looks_up_is_left_to_the_model() -> None:
    assert told(use("calculator", {"value": 3, "text": "3"})).text == ""
    assert told(use("web_search", {"results": []})).text == ""


def spent(talk: Talk, user: str, cost_usd: float, now: datetime) -> None:
    took = ModelUsage().with_call(1_000, 200, cost_usd)
    caller = Caller(talk.caller.tenant, user)
    talk.tables.for_tenant(caller.tenant).update(increment(caller, "c", now, counts_of_turn(took)))


def test_what_was_spent_is_told_from_the_counters() -> None:
    talk = Talk()
    now = talk.clock.now()
    spent(talk, "maya", 0.25, now)
    spent(talk, "maya", 4.0, now - timedelta(days=60))
    spent(talk, "noah", 1.5, now)

    said = talk.classify_and_answer("how much did we spend so far?")

    assert "You spent 0.25 USD on models" in said.text
    assert "1 message and no runs" in said.text
    assert "0.25 USD" in talk.classify_and_answer("how much did I spend today?").text


def test_an_administrator_is_told_of_the_whole_workspace_and_its_budget() -> None:
    talk = Talk(Caller(TenantId("acme"), "maya", frozenset({ADMIN})))
    talk.tenants.save(talk.caller.tenant, TenantPolicy(budget=Budget(usd_per_day=5)))
    spent(talk, "noah", 1.5, talk.clock.now())

    spending = talk.classify_and_answer("how much did all of us spend this month?").text
    budget = talk.classify_and_answer("how much budget is left?").text

    assert "1.50 USD" in spending
    assert "Models have cost 1.50 USD of 5.00 USD today." in budget


def test_where_no_model_is_set_up_nothing_was_spent_and_the_reason_is_told() -> None:
    talk = Talk()
    talk.create("notion-bot")
    talk.say("show notion-bot", ActionType.QUERY_INFO, agent_name="notion-bot")

    said = talk.classify_and_answer("what did this cost us this month?")

    assert "No model is set up here, so nothing can cost anything." in said.text
    assert said.note.about
    assert said.note.about.name == "notion-bot"
