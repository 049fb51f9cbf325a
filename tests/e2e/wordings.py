"""The five journeys of seed 001 in several wordings and orders, written before the rules that read them.

Each says what the user types; the facts that must hold afterwards are in `test_journeys`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """Journey 1: a described problem, and what a model would find in it."""

    message: str
    confidence: float = 0.88


PROBLEMS = (
    Problem(
        "Our team wastes hours every Monday compiling project updates from Notion. "
        "Can the platform help with that?"
    ),
    Problem(
        "Can something be done about this? "
        "Half of our Monday goes into pulling project updates out of Notion by hand."
    ),
    Problem(
        "Notion is where the project updates are, and collecting them each Monday is wearing my people out.",
        0.81,
    ),
    Problem(
        "Mondays are painful: four of us copy project updates out of Notion until lunch. Any way out?",
        0.79,
    ),
)


OVERDUE_MONITORS = (
    (
        "Create an agent that monitors our Jira board for overdue tickets",
        "The PLATFORM project, past due date, and Slack alerts",
        "Every morning at 9am",
    ),
    (
        "I need a bot that watches Jira for overdue tickets every morning at 9",
        "Send the alerts to Slack",
        "It's the PLATFORM project, and overdue means past the due date",
    ),
    (
        "Can you set up something that keeps an eye on overdue tickets in Jira and pings us on Slack?",
        "Daily at 9 am",
        "Only the PLATFORM project. Anything past its due date",
    ),
    (
        "Please build me a Jira monitor",
        "It should look for overdue tickets, that is past their due date, in the PLATFORM project",
        "Let us know on Slack",
        "Each day at 9:00 in the morning",
    ),
)
"""Journey 2: each ends with the same agent: Jira, PLATFORM, past the due date, daily at 9, told on Slack."""


@dataclass(frozen=True, slots=True)
class Resumption:
    """Journey 3: what was said yesterday, and how the user comes back."""

    yesterday: tuple[str, ...]
    today: str


RESUMPTIONS = (
    Resumption(
        ("I want to create an agent for weekly financial reports", "Google Sheets"),
        "Sorry, I had to step away. Where were we?",
    ),
    Resumption(
        ("Set up a bot that makes our weekly financial report", "The numbers live in Google Sheets"),
        "Hi again! Can you remind me what we were doing?",
    ),
    Resumption(
        ("Please build an agent that reads from Google Sheets", "It should write weekly financial reports"),
        "I'm back. Let's pick up where we left off",
    ),
    Resumption(
        ("I'd like an agent that writes a weekly financial report from Google Sheets",),
        "Where did we stop yesterday?",
    ),
)


@dataclass(frozen=True, slots=True)
class FollowUp:
    """Journey 4: a list, then a message only the list explains; ``place`` from 0, -1 is the last."""

    listing: str
    run: str
    place: int


FOLLOW_UPS = (
    FollowUp("List my agents", "Run the first one", 0),
    FollowUp("Which agents do I have?", "Please start number 1", 0),
    FollowUp("Show me all my bots", "Go ahead and kick off the first on the list", 0),
    FollowUp("What agents have I got?", "Now run the last one", -1),
    FollowUp("list all agents please", "the second one, run it", 1),
)


AMBIGUOUS_REQUESTS = (
    (
        "I need to analyze our customer churn data and put together a presentation "
        "for the board meeting next week"
    ),
    "The board meets next week and I have to present our customer churn. The data still has to be analyzed",
    "Can you turn an analysis of customer churn into a presentation? It's for next week's board meeting",
    "Presentation for the board, due next week: what is going on with customer churn",
)
"""Journey 5: two readings are about as likely, and the nearest agent does not fit."""
