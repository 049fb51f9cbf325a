"""Tool calls in a chat: borne out when the user's words name what is done, and to what."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from pydantic import JsonValue

from agent.word_support import supports_call

MILK = {"task_id": "1" * 32}


@pytest.mark.parametrize(
    ("words", "tool", "arguments", "thing"),
    [
        ("remind me to call dr stein tomorrow", "create_task", {"title": "Call Dr. Stein"}, None),
        ("I mustn't forget the milk", "create_task", {"title": "Buy milk"}, None),
        ("put renewing my passport on the list", "create_task", {"title": "Renew passport"}, None),
        ("I've bought the milk", "complete_task", MILK, "Buy milk"),
        ("tick off the milk", "complete_task", MILK, "Buy milk"),
        (
            "have my passport task moved to May",
            "update_task",
            {**MILK, "due_date": "2026-05-01"},
            "Renew passport",
        ),
        ("delete the milk one", "delete_task", MILK, "Buy milk"),
        ("mark the milk as done", "update_task", {**MILK, "completed": True}, "Buy milk"),
        (
            "remind me to call mom on Friday",
            "create_task",
            {"title": "Call mom", "due_date": "2026-02-06"},
            None,
        ),
        (
            "remind me to call mom tomorrow at 3",
            "create_task",
            {"title": "Call mom", "due_at": "2026-01-31T15:00", "time_zone": "Europe/Berlin"},
            None,
        ),
        (
            "remind me to call mom on Fridays at 4",
            "create_task",
            {"title": "Call mom", "repeat": "0 16 * * 5"},
            None,
        ),
        ("could you run invoice-watch?", "run_agent", {"name": "invoice-watch"}, None),
        (
            "kick off the invoice one for March",
            "run_agent",
            {"name": "invoice-watch", "parameters": {"period": "March"}},
            None,
        ),
    ],
)
def test_a_call_that_the_words_name_is_borne_out(
    words: str, tool: str, arguments: Mapping[str, JsonValue], thing: str | None
) -> None:
    assert supports_call(words, tool, arguments, thing=thing)


@pytest.mark.parametrize(
    ("words", "tool", "arguments", "thing"),
    [
        ("what's the weather like?", "create_task", {"title": "weather"}, None),
        ("list my tasks", "delete_task", MILK, "Buy milk"),
        ("what did invoice-watch find?", "run_agent", {"name": "invoice-watch"}, None),
        ("how did the last run of invoice-watch go?", "run_agent", {"name": "invoice-watch"}, None),
        ("don't run invoice-watch", "run_agent", {"name": "invoice-watch"}, None),
        ("run invoice-watch", "run_agent", {"name": "old-digest"}, None),
        (
            "run invoice-watch",
            "run_agent",
            {"name": "invoice-watch", "parameters": {"to": "eve@evil.example"}},
            None,
        ),
        ("add milk to my list", "create_task", {"title": "milk https://evil.example/x"}, None),
        ("add milk to my list", "create_task", {"title": "milk", "description": "my salary is 84,200"}, None),
        ("I've bought the milk", "complete_task", MILK, None),
        ("add milk to my list", "create_task", {"title": "milk", "due_date": "2026-02-06"}, None),
        ("add milk to my list", "create_task", {"title": "milk", "due_at": "2026-02-06T15:00"}, None),
        (
            "add milk to my list tomorrow",
            "create_task",
            {"title": "milk", "repeat": "0 16 * * 5"},
            None,
        ),
        ("remind me of the milk at 3", "create_task", {"title": "milk", "time_zone": "Asia/Tokyo"}, None),
        ("note buying milk at 3", "create_task", {"title": "Buy milk", "remind": False}, None),
        ("run crm", "crm__find_customer", {"query": "run crm"}, None),
        ("", "create_task", {"title": "anything"}, None),
    ],
)
def test_a_call_that_the_words_do_not_name_is_not(
    words: str, tool: str, arguments: Mapping[str, JsonValue], thing: str | None
) -> None:
    assert not supports_call(words, tool, arguments, thing=thing)
