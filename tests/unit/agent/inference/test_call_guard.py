"""Which calls wait for an approval: by what was read before and what they do, never by what a text says."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from pydantic import JsonValue

from agent.inference.call_guard import (
    MAX_HELD_CALLS,
    MAX_HELD_CHARACTERS,
    CallGuard,
    is_same_call,
    support_of_message,
)
from llm.request_types import ToolCall
from tools.tool import WEB, Tool, ToolAccess, ToolResult

ASKED = support_of_message("Add a task to buy milk and delete the passport one")
BUY_MILK = {"title": "buy milk"}

LIST = ToolAccess(reads_personal=True)
WRITE = ToolAccess(writes=True)
SEARCH = ToolAccess(origin=WEB, reads_outside=True, leaves=True, limits_words=True)
CRM = ToolAccess.of_skill("crm", destination="https://crm.example/mcp")
WIKI = ToolAccess.of_skill("wiki", destination="https://wiki.example/mcp")


def tool(name: str, access: ToolAccess) -> Tool:
    return Tool(name, "", {}, lambda _arguments, _context: None, access=access)


def skills_only(tool: str, arguments: Mapping[str, JsonValue], names: Mapping[str, str]) -> bool:
    """A job that asks for every call of a skill, and for what the message asks."""
    return "__" in tool or ASKED(tool, arguments, names)


def reason(guard: CallGuard, name: str, access: ToolAccess, /, **arguments: JsonValue) -> str | None:
    """Why the call is held; None when it may be made, and is."""
    used, call = tool(name, access), ToolCall("c", name, json.dumps(arguments))
    refused = guard.review(used, call)
    if refused is None:
        guard.record(used, ToolResult(name, ok=True, data=None, origin=access.origin))
        return None
    assert refused.error_code == "needs_approval"
    return guard.held[-1].reason


def test_a_change_that_the_message_asks_for_is_made() -> None:
    assert reason(CallGuard(is_asked_for=skills_only), "create_task", WRITE, **BUY_MILK) is None


def test_a_change_that_the_message_does_not_ask_for_is_held_although_nothing_was_read() -> None:
    guard = CallGuard(is_asked_for=skills_only)
    assert reason(guard, "create_task", WRITE, title="Wire 500 to Bob") == "not_asked"
    assert reason(guard, "run_agent", WRITE, name="standup-notes") == "not_asked"
    assert reason(guard, "a_tool_nobody_knows", WRITE) == "not_asked"


@pytest.mark.parametrize("outside", [SEARCH, CRM])
def test_after_text_from_outside_every_change_is_held(outside: ToolAccess) -> None:
    guard = CallGuard(is_asked_for=skills_only)
    assert reason(guard, "skill__read", outside) is None
    assert reason(guard, "create_task", WRITE, **BUY_MILK) == "outside_text"


def test_a_description_of_a_tool_is_text_from_outside() -> None:
    guard = CallGuard(is_asked_for=skills_only, described={CRM.origin})
    assert reason(guard, "create_task", WRITE, **BUY_MILK) == "outside_text"
    assert reason(guard, "crm__find", CRM) is None


@pytest.mark.parametrize("first", [LIST, CRM])
def test_after_the_user_s_data_was_read_nothing_goes_to_a_skill_in_whichever_order(first: ToolAccess) -> None:
    guard = CallGuard(is_asked_for=skills_only, combines_skills=True)
    second = LIST if first is CRM else CRM
    assert [reason(guard, "skill__one", first), reason(guard, "skill__two", second)] == (
        [None, None] if first is CRM else [None, "personal_data"]
    )
    assert reason(guard, "crm__find", CRM, query="84,200") == "personal_data"


def test_a_search_of_the_user_s_words_goes_on_after_their_data_was_read() -> None:
    guard = CallGuard(is_asked_for=skills_only)
    assert reason(guard, "list_tasks", LIST) is None
    assert reason(guard, "web_search", SEARCH, query="x") is None


def test_a_skill_gets_what_it_returned_itself_but_nothing_of_another_s() -> None:
    guard = CallGuard(is_asked_for=skills_only)
    assert reason(guard, "crm__find", CRM) is None
    assert reason(guard, "crm__add_note", CRM) is None
    assert reason(guard, "wiki__write", WIKI) == "other_source"


def test_nothing_goes_from_the_web_to_a_skill() -> None:
    guard = CallGuard(is_asked_for=skills_only)
    assert reason(guard, "web_search", SEARCH) is None
    assert reason(guard, "wiki__write", WIKI) == "other_source"


def test_an_agent_may_say_that_its_skills_are_combined() -> None:
    guard = CallGuard(is_asked_for=skills_only, combines_skills=True)
    assert reason(guard, "crm__find", CRM) is None
    assert reason(guard, "wiki__write", WIKI) is None


def test_a_tool_that_does_not_say_what_it_does_is_taken_to_do_everything() -> None:
    undeclared = Tool("mystery", "", {}, lambda _arguments, _context: None)
    guard = CallGuard(is_asked_for=skills_only)
    assert guard.review(undeclared, ToolCall("c", "mystery", "{}")) is not None


def test_the_task_that_is_meant_is_known_by_what_was_read() -> None:
    guard = CallGuard(is_asked_for=skills_only)
    tasks: JsonValue = {
        "tasks": [{"id": "t1", "title": "Renew passport"}, {"id": "t2", "title": "Call Dr. Stein"}]
    }
    guard.record(tool("list_tasks", LIST), ToolResult("list_tasks", ok=True, data=tasks))
    assert reason(guard, "delete_task", WRITE, task_id="t1") is None
    assert reason(guard, "delete_task", WRITE, task_id="t2") == "not_asked"
    assert guard.held[0].about == "Call Dr. Stein"
    assert reason(guard, "delete_task", WRITE, task_id="t3") == "not_asked"


def test_the_same_call_is_held_once_and_any_other_is_another() -> None:
    guard = CallGuard(is_asked_for=skills_only)
    used = tool("create_task", WRITE)
    for arguments in ('{"title": "x", "due_date": null}', '{"due_date":null,"title":"x"}', '{"title": "y"}'):
        guard.review(used, ToolCall("c", "create_task", arguments))
    assert [json.loads(held.arguments)["title"] for held in guard.held] == ["x", "y"]
    assert len({held.id for held in guard.held}) == 2


def test_an_approval_does_not_hold_for_another_place() -> None:
    guard = CallGuard(is_asked_for=skills_only, outside={"web"})
    reason(guard, "list_tasks", LIST)
    reason(guard, "crm__find", CRM, query="x")
    (held,) = guard.held
    assert (held.skill, held.host) == ("crm", "crm.example")
    assert is_same_call(held, tool("crm__find", CRM))
    moved = ToolAccess.of_skill("crm", destination="https://evil.example/mcp")
    assert not is_same_call(held, tool("crm__find", moved))


def test_calls_are_held_up_to_a_number_and_a_size_that_a_person_can_judge() -> None:
    guard = CallGuard(is_asked_for=skills_only)
    used = tool("create_task", WRITE)
    for place in range(MAX_HELD_CALLS + 3):
        guard.review(used, ToolCall("c", "create_task", json.dumps({"title": f"x{place}"})))
    assert len(guard.held) == MAX_HELD_CALLS
    long = ToolCall("c", "create_task", json.dumps({"title": "x" * MAX_HELD_CHARACTERS}))
    refused = CallGuard(is_asked_for=skills_only).review(used, long)
    assert refused is not None
    assert refused.error_code == "not_allowed"
