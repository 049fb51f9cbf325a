"""Questions about what was said before, and the days they mean."""

from __future__ import annotations

from datetime import date

import pytest

from intent.dates.past_periods import find_past_period
from intent.offline.cost_questions import asks_about_costs
from intent.offline.recall_questions import parse_recall_question

WEDNESDAY = date(2026, 3, 25)


@pytest.mark.parametrize(
    ("text", "subject", "verb"),
    [
        ("What did we decide about the Jira agent last week?", "the Jira agent", "decide"),
        ("what did i say about pricing in March", "pricing", ""),
        ("When did we last talk about onboarding?", "onboarding", ""),
        ("Have we ever discussed the offsite?", "the offsite", ""),
        ("Remind me what we agreed on for the budget", "the budget", "agreed"),
        ("Search my conversations for cumin", "cumin", ""),
        ("Find the conversation where we talked about the Berlin trip", "the Berlin trip", ""),
        ("About the migration: what did we decide?", "the migration", "decide"),
        ("What was our decision on vendor lock-in?", "vendor lock-in", "decision"),
        ("What did we decide yesterday?", "", "decide"),
        ("Have I told you about my cat?", "my cat", ""),
    ],
)
def test_a_question_about_earlier_talk_says_what_to_look_for(text: str, subject: str, verb: str) -> None:
    recall = parse_recall_question(text, WEDNESDAY)
    assert recall is not None
    assert (recall.subject, recall.verb) == (subject, verb)


@pytest.mark.parametrize(
    "text",
    [
        "Where were we?",
        "What did you say?",
        "Remind me what we talked about",
        "Remind me to call Anna tomorrow",
        "Did you create the agent?",
        "What can you do?",
        "Watch our Slack messages for outages and tell me",
        "Create an agent that summarises conversations about pricing every Friday",
        "Keep chats for 90 days",
        "",
    ],
)
def test_anything_else_is_no_such_question(text: str) -> None:
    assert parse_recall_question(text, WEDNESDAY) is None


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("last week", "2026-03-16", "2026-03-22"),
        ("this week", "2026-03-23", "2026-03-25"),
        ("yesterday", "2026-03-24", "2026-03-24"),
        ("the day before yesterday", "2026-03-23", "2026-03-23"),
        ("earlier today", "2026-03-25", "2026-03-25"),
        ("on Wednesday", "2026-03-18", "2026-03-18"),
        ("last Friday", "2026-03-20", "2026-03-20"),
        ("last month", "2026-02-01", "2026-02-28"),
        ("last quarter", "2025-10-01", "2025-12-31"),
        ("this year", "2026-01-01", "2026-03-25"),
        ("in the last three days", "2026-03-22", "2026-03-25"),
        ("two weeks ago", "2026-03-08", "2026-03-14"),
        ("in March", "2026-03-01", "2026-03-31"),
        ("in May", "2025-05-01", "2025-05-31"),
        ("back in February 2024", "2024-02-01", "2024-02-29"),
        ("in 2024", "2024-01-01", "2024-12-31"),
        ("on 2026-01-02", "2026-01-02", "2026-01-02"),
    ],
)
def test_days_of_the_past_are_counted_from_today(text: str, first: str, last: str) -> None:
    past = find_past_period(f"What did we decide {text}?", WEDNESDAY)
    assert past is not None
    assert (past.first.isoformat(), past.last.isoformat()) == (first, last)


@pytest.mark.parametrize(
    "text", ["tomorrow", "on 2026-13-40", "in the last 99999 years", "9999 years ago", "now"]
)
def test_no_other_days_are_past_ones(text: str) -> None:
    assert find_past_period(text, WEDNESDAY) is None


@pytest.mark.parametrize(
    "text",
    [
        "how much did we spend?",
        "What has all this cost us so far?",
        "how many tokens did my team use last week",
        "what's our bill this month?",
        "do I have to pay for this?",
        "Are we over budget?",
    ],
)
def test_questions_about_the_cost_of_models_are_told_by_their_words(text: str) -> None:
    assert asks_about_costs(text, WEDNESDAY)


@pytest.mark.parametrize(
    "text",
    [
        "how much did we spend on marketing last quarter?",
        "what did the offsite cost us?",
        "watch what we spend and warn me",
        "our costs",
        "are the invoices paid?",
    ],
)
def test_questions_about_other_spending_are_left_to_others(text: str) -> None:
    assert not asks_about_costs(text, WEDNESDAY)
