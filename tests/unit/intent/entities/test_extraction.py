"""What utterances mention, by the keys of a decision."""

from __future__ import annotations

import pytest
from pydantic import JsonValue

from intent.entities.extraction import extract_answer, extract_entities
from tests.fakes.data.situations import NOW


def mentioned(text: str) -> dict[str, JsonValue]:
    found = extract_entities(text, now=NOW, time_zone="Europe/Berlin")
    return {key: value for key, value in found.items() if key not in ("cron", "time_zone")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            (
                "Our team wastes hours every Monday compiling project updates from Notion. Can the platform "
                "help with that?"
            ),
            {"source": "notion", "what": "project updates", "schedule_text": "every Monday"},
        ),
        (
            "Create an agent that monitors our Jira board for overdue tickets",
            {"source": "jira", "what": "overdue tickets"},
        ),
        (
            "The PLATFORM project, past due date, and Slack alerts",
            {"scope": "PLATFORM", "condition": "past due date", "delivery": "slack"},
        ),
        (
            "I'm fed up typing the same answer to where-is-my-parcel mails",
            {"what": "where-is-my-parcel mails"},
        ),
        ("Our drivers ring me each time a gate is locked", {}),
        (
            "the interns should get a mail when a lab report is late",
            {"what": "lab report is late", "delivery": "email"},
        ),
        (
            "I want to create an agent for weekly financial reports",
            {"what": "financial reports", "schedule_text": "weekly"},
        ),
        (
            (
                "I need to analyze our customer churn data and put together a presentation for the board "
                "meeting next week"
            ),
            {
                "what": "customer churn data",
                "topic": "customer churn",
                "output": "presentation",
                "deadline": "next week",
            },
        ),
        ("Keep our chats for ninety days", {"days": 90}),
        ("run the same thing as last time but for Q1 data", {"period": "Q1"}),
        ("rename jira-overdue-monitor to platform-overdue", {"new_name": "platform-overdue"}),
        ("change the name of test2 to 'Supplier Chaser'", {"new_name": "Supplier Chaser"}),
        (
            "new agent called invoice-chaser that reminds customers about unpaid invoices in Xero",
            {
                "agent_name": "invoice-chaser",
                "source": "xero",
                "what": "reminding customers about unpaid invoices",
            },
        ),
        (
            "an agent that copies new leads every day",
            {"what": "copying new leads", "schedule_text": "every day"},
        ),
        (
            "a bot that matches payments to invoices and shows them here",
            {"what": "matching payments to invoices", "delivery": "conversation"},
        ),
        (
            "make a weekly digest of merged PRs from GitHub and post it to #dev",
            {
                "source": "github",
                "what": "merged PRs",
                "output": "digest",
                "schedule_text": "weekly",
                "delivery": "slack",
                "recipients": ["#dev"],
            },
        ),
        ("hello there", {}),
        ("", {}),
    ],
)
def test_mentions(text: str, expected: dict[str, JsonValue]) -> None:
    assert mentioned(text) == expected


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("it lives in google sheet", "google sheets"),
        ("our g-sheets", "google sheets"),
        ("everything is in Git Hub", "github"),
        ("in Postgres", "postgresql"),
        ("it comes from Frobnicator", "frobnicator"),
        ("from our shared inbox", "email"),
        ("a CSV file", "files"),
    ],
)
def test_sources_are_known_by_many_names(text: str, source: str) -> None:
    assert mentioned(text)["source"] == source


@pytest.mark.parametrize(
    ("text", "delivery"),
    [
        ("ping us on Slack", "slack"),
        ("Slack alerts please", "slack"),
        ("email me the results", "email"),
        ("send me an e-mail", "email"),
        ("text me when it drops", "sms"),
        ("notify the team on MS Teams", "teams"),
        ("post the report to our webhook", "webhook"),
        ("just tell me here", "conversation"),
        ("mail it to sre-leads@example.com", "email"),
    ],
)
def test_deliveries(text: str, delivery: str) -> None:
    found = mentioned(text)
    assert found["delivery"] == delivery
    assert "source" not in found


def test_a_service_that_is_read_is_no_delivery() -> None:
    assert mentioned("watch our Slack channel for complaints").get("delivery") is None


@pytest.mark.parametrize(
    ("text", "asked", "expected"),
    [
        ("Google Sheets", ["source"], {"source": "google sheets"}),
        ("it's all in our Basecamp account", ["source"], {"source": "basecamp"}),
        ("the intranet", ["source"], {"source": "intranet"}),
        ("same for blocked ones", ["source"], {}),
        ("revenue and costs by month", ["what"], {"what": "revenue and costs by month"}),
        ("revenue and costs by month", ["details"], {"what": "revenue and costs by month"}),
        ("Slack", ["delivery"], {"delivery": "slack"}),
        ("by mail, at nine", ["schedule", "delivery"], {"schedule_text": "at nine", "delivery": "email"}),
        ("Monday at 9", ["schedule"], {"schedule_text": "Monday at 9"}),
        ("actually, make it monthly", ["details"], {"schedule_text": "monthly"}),
    ],
)
def test_bare_answers_count_for_what_was_asked(
    text: str, asked: list[str], expected: dict[str, JsonValue]
) -> None:
    found = extract_answer(text, asked, now=NOW, time_zone="UTC")
    assert {key: value for key, value in found.items() if key not in ("cron", "time_zone")} == expected


def test_whose_time_a_schedule_is_in_is_no_part_of_the_job() -> None:
    found = extract_entities(
        "a daily digest of open Jira tickets at 8am in Berlin time", now=NOW, time_zone="UTC"
    )

    assert (found["what"], found["time_zone"]) == ("open tickets", "Europe/Berlin")


def test_a_schedule_is_read_in_the_speakers_zone_unless_another_is_named() -> None:
    assert extract_entities("daily at 6", now=NOW, time_zone="Europe/Berlin")["time_zone"] == "Europe/Berlin"
    assert (
        extract_entities("daily at 6 Asia/Tokyo", now=NOW, time_zone="Europe/Berlin")["time_zone"]
        == "Asia/Tokyo"
    )


@pytest.mark.parametrize("asked", ["source", "what", "scope"])
def test_a_time_alone_answers_no_question_but_when(asked: str) -> None:
    found = extract_answer("at quarter past seven", [asked], now=NOW, time_zone="Europe/Berlin")
    assert asked not in found
    assert found["cron"] == "15 7 * * *"


def test_what_counts_is_no_part_of_the_source_to_look_at() -> None:
    found = extract_answer("anything older than two days", ["scope"], now=NOW, time_zone="Europe/Berlin")
    assert found == {"condition": "older than two days"}
