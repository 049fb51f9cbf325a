"""Complaints that an agent comes too often: fewer days are offered, and what is settled on is done."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

WEEKDAYS = {"cron": "0 8 * * 1-5", "text": "Weekdays at 8:00 AM", "time_zone": "UTC"}
OFFER = (
    "churn-watch runs weekdays at 8:00 AM. It can run less often, such as Mondays at 8:00 AM, or be paused."
    " On which days should it run?"
)


def talk_with_two() -> Talk:
    talk = Talk()
    for name in ("churn-watch", "rota"):
        talk.create(name, f"what {name} is about", sources=["deputy"], schedule=WEEKDAYS)
    return talk


def cron(talk: Talk) -> str:
    agent = next(one for one in talk.agents() if one.name == "churn-watch")
    return agent.schedule.cron if agent.schedule else ""


@pytest.mark.parametrize(
    "complaint",
    [
        "churn-watch is kinda too much for me every single day. what could i do about it?",
        "the daily churn-watch is a bit much. any ideas?",
        "i get churn-watch too often, what are my options",
        "churn-watch comes too often for me",
        "every day is too often for churn-watch, hmm",
        "five churn-watch mails a week are too many for me, what could I do?",
        "churn-watch is too frequent",
    ],
)
def test_fewer_days_are_offered_and_nothing_changes_yet(complaint: str) -> None:
    talk = talk_with_two()

    said = talk.classify_and_answer(complaint)

    assert said.text == OFFER
    assert not said.effects


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("hmm dunno. maybe just mondays then", "0 8 * * 1"),
        ("hmm maybe just mondays then", "0 8 * * 1"),
        ("tuesdays and fridays perhaps", "0 8 * * 2,5"),
        ("yes", "0 8 * * 1"),
        ("no leave it", "0 8 * * 1-5"),
    ],
)
def test_what_somebody_settles_on_is_done(answer: str, expected: str) -> None:
    talk = talk_with_two()
    talk.classify_and_answer("churn-watch comes too often for me")

    talk.classify_and_answer(answer)

    assert cron(talk) == expected


@pytest.mark.parametrize(
    "wish",
    [
        "churn-watch is too much every day, make it mondays",
        "every day is too much for churn-watch, mondays are enough",
        "churn-watch is too often, just mondays please",
    ],
)
def test_a_complaint_with_what_is_wanted_instead_is_a_change(wish: str) -> None:
    talk = talk_with_two()

    talk.classify_and_answer(wish)

    assert cron(talk) == "0 8 * * 1"


@pytest.mark.parametrize(
    "complaint",
    ["churn-watch reads too much data", "churn-watch costs way too much", "churn-watch has too many rows"],
)
def test_a_complaint_about_something_else_offers_no_days(complaint: str) -> None:
    assert "less often" not in talk_with_two().classify_and_answer(complaint).text


def test_of_an_agent_that_runs_once_a_week_once_a_month_is_offered() -> None:
    talk = Talk()
    weekly = {"cron": "30 7 * * 1", "text": "Mondays at 7:30 AM", "time_zone": "UTC"}
    talk.create("churn-watch", "accounts that may cancel", sources=["deputy"], schedule=weekly)

    said = talk.classify_and_answer("churn-watch comes too often for me")

    assert "such as the 1st of every month at 7:30 AM" in said.text
