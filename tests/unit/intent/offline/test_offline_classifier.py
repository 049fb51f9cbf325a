"""The offline tier on messages that stand alone:

the journeys' first words in several wordings, and its limits.
"""

from __future__ import annotations

import time

import pytest

from conversation.clock import SystemClock
from intent.analysis.analyzer import IntentAnalyzer
from intent.decision import ActionType, Decision
from intent.offline.offline_classifier import OfflineClassifier
from intent.rules.scoring import score
from intent.situation import KnownAgent
from tests.evals.measurement import OWN_CASES, measure, read_cases
from tests.fakes.data.situations import draft_note, situation_after


def decided(message: str) -> Decision:
    return OfflineClassifier().classify(situation_after(None, message))


@pytest.mark.parametrize(
    "message",
    [
        (
            "Our team wastes hours every Monday compiling project updates from Notion. Can the platform "
            "help with that?"
        ),
        (
            "Every Monday we spend half the day pulling project updates out of Notion by hand. Is there a "
            "way out?"
        ),
        "It takes us ages each Monday to collect project updates from Notion - could you take that over?",
        "Compiling project updates from Notion eats up my whole Monday, every week. Anything you can do?",
    ],
)
def test_a_recurring_pain_is_a_wish_for_an_agent(message: str) -> None:
    decision = decided(message)
    assert decision.action_type is ActionType.CREATE_AGENT
    assert not decision.needs_clarification(0.7)
    assert (decision.entities["source"], decision.entities["what"]) == ("notion", "project updates")
    assert decision.entities["cron"] == "0 9 * * 1"


@pytest.mark.parametrize(
    "message",
    [
        "Create an agent that monitors our Jira board for overdue tickets",
        "I'd like a bot that keeps an eye on Jira for overdue tickets",
        "Can you set up something that watches our Jira board for overdue tickets?",
        "Build me an automation to check Jira for overdue tickets",
    ],
)
def test_an_agent_is_wished_for(message: str) -> None:
    decision = decided(message)
    assert decision.action_type is ActionType.CREATE_AGENT
    assert not decision.needs_clarification(0.7)
    assert (decision.entities["source"], decision.entities["what"]) == ("jira", "overdue tickets")


@pytest.mark.parametrize(
    "message", ["List my agents", "show me all my agents", "Which agents do I have?", "my agents please"]
)
def test_agents_are_listed(message: str) -> None:
    decision = decided(message)
    assert decision.action_type is ActionType.QUERY_INFO
    assert decision.entities["operation"] == "list_agents"
    assert not decision.needs_clarification(0.7)


@pytest.mark.parametrize(
    "message",
    [
        (
            "I need to analyze our customer churn data and put together a presentation for the board "
            "meeting next week"
        ),
        "We have to look into customer churn and prepare slides for next week's board meeting",
        "Please analyze customer churn and build a presentation for the board next week",
    ],
)
def test_work_of_several_parts_is_ambiguous(message: str) -> None:
    decision = decided(message)
    assert (decision.action_type, decision.is_ambiguous) == (ActionType.EXECUTE_TASK, True)
    assert decision.alternative_action is ActionType.CREATE_AGENT
    assert decision.confidence == 0.72
    assert decision.entities["topic"] == "customer churn"


@pytest.mark.parametrize(
    "message",
    [
        "Keep our chats for 90 days",
        "Please store all conversations for three months",
        "Set chat retention to 90 days",
        "delete our chats after 90 days",
    ],
)
def test_retention_is_the_platforms_business(message: str) -> None:
    decision = decided(message)
    assert decision.action_type is ActionType.MANAGE_PLATFORM
    assert decision.entities == {"operation": "set_retention", "days": 90}


@pytest.mark.parametrize(
    "message",
    [
        "My truncated branch",
        "Somehow it broke",
        "I have a prune question",
        "asdf",
        "",
        "   ",
        "😀",
        "Good morning!",
    ],
)
def test_words_inside_other_words_and_chatter_are_no_command(message: str) -> None:
    decision = decided(message)
    assert decision.action_type is ActionType.UNKNOWN or decision.needs_clarification(below=0.7)
    assert score(message).action is ActionType.UNKNOWN


@pytest.mark.parametrize(
    ("message", "action"),
    [
        ("Please have Lead Scorer go over yesterday's sign-ups", ActionType.EXECUTE_TASK),
        ("can lead-scorer run at 8am London time", ActionType.UPDATE_AGENT),
        ("quota-nudge ought to run on the 28th of each month", ActionType.UPDATE_AGENT),
    ],
)
def test_an_agents_name_says_nothing_of_what_is_wanted_of_it(message: str, action: ActionType) -> None:
    agents = (KnownAgent("1", "lead-scorer", "Scores leads"), KnownAgent("2", "quota-nudge", "Nudges reps"))
    decision = OfflineClassifier().classify(situation_after(None, message, agents=agents))
    assert decision.action_type is action
    assert decision.entities["agent_id"] in ("1", "2")


def test_curly_quotes_and_dashes_read_like_straight_ones() -> None:
    assert (
        decided("What\u2019s the status of my agents \u2014 all of them?").action_type
        is ActionType.QUERY_INFO
    )


def test_its_own_utterances_are_mostly_understood() -> None:
    clock = SystemClock()
    analyzer = IntentAnalyzer(offline=OfflineClassifier(), completion=None, model=None, clock=clock)
    assert measure(read_cases(OWN_CASES), analyzer).overall.accuracy >= 0.9


@pytest.mark.parametrize(
    "piece",
    [
        " ",
        ".",
        "\n",
        ". ",
        "! ?",
        ".\n",
        "a, ",
        "@a ",
        "please, ",
        "ok. ",
        "every ",
        "a-",
        "1. ",
        "send me ",
        "\t",
        "😀",
        '"',
        "and ",
    ],
)
def test_no_message_costs_the_rules_long(piece: str) -> None:
    message = (piece * 8_000)[:8_000]
    started = time.thread_time()
    OfflineClassifier().classify(
        situation_after(draft_note("what, schedule, delivery"), message, reply=message)
    )
    assert time.thread_time() - started < 1.0
