"""Requests for an agent behind a greeting or a story: the sentence that asks says what it is for."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    ("preface", "request_", "label", "schedule"),
    [
        (
            "Good morning and God bless.",
            "Kindly arrange that every Sunday at 8 pm the offering totals in our Airtable go to t@grace.ng.",
            "the offering totals",
            "0 20 * * 0",
        ),
        (
            "My mother did the books on Sunday evenings with sherry, and I'd like to keep that up.",
            "Every Sunday at 7 in the evening send me the week's sales from Square, to nora@duck.ie",
            "the week's sales",
            "0 19 * * 0",
        ),
        (
            "Grandad ran this yard for forty years and never missed a ticket.",
            "Every weekday at 7 am post the open tickets from Jira to #yard.",
            "the open tickets",
            "0 7 * * 1-5",
        ),
        (
            "The old bookkeeper wrote it all in a red ledger.",
            "I'd like an agent that mails me the unpaid invoices in Xero each Friday at 10 am to p@f.com.",
            "the unpaid invoices",
            "0 10 * * 5",
        ),
        (
            "My wife says a garden without roses is a car park.",
            "So would you send me every Friday at 4 pm which plants are low in Airtable, to r@rose.com?",
            "which plants are low",
            "0 16 * * 5",
        ),
        (
            "Hello and peace be with you.",
            "Please let the unpaid fees in our Airtable be mailed every Monday at 9 am to b@school.org.",
            "the unpaid fees",
            "0 9 * * 1",
        ),
        (
            "We had a lovely wedding here on Saturday with forty guests.",
            "Each Monday at 9 am list the new enquiries in HubSpot and mail them to inn@inn.ie",
            "the new enquiries",
            "0 9 * * 1",
        ),
        (
            "Top of the morning to you.",
            "Every Thursday at 5 pm mail the week's bookings from Airtable to bob@hall.org",
            "the week's bookings",
            "0 17 * * 4",
        ),
    ],
)
def test_a_story_before_a_request_is_no_part_of_the_job(
    preface: str, request_: str, label: str, schedule: str
) -> None:
    talk = Talk()
    talk.say(f"{preface} {request_}")
    (agent,) = talk.agents()
    assert agent.what == label
    assert agent.schedule is not None
    assert agent.schedule.timing().crons == (schedule,)


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("Our tickets are kept in Kitab. Every Monday at 9 am send me the open ones, to a@b.com.", "kitab"),
        (
            "birthdays! I miss them. could you tell me mondays at 9 am which kids have one, from Xero, here",
            "birthdays",
        ),
        ("We have late payers. Every Monday at 9 am send me them from Xero, to a@b.com", "late payers"),
    ],
)
def test_what_a_request_points_back_to_counts(message: str, told: str) -> None:
    talk = Talk()
    talk.say(message)
    (agent,) = talk.agents()
    assert told in f"{agent.brief} {' '.join(agent.sources)}".lower()


def test_a_request_behind_a_story_asks_for_what_lacks() -> None:
    said = Talk().say(
        "My aunt always said a toy shop without a kite is no toy shop. Well, yesterday at ten past nine a man"
        " came in for exactly that. So could you tell me every evening at 6 what's running low? It's all in"
        " Square."
    )
    assert "aunt" not in said.text
    assert "what's running low, from Square, daily at 6:00 PM" in said.text
