"""Stretches of the year that an agent should leave out: refused plainly, with what comes near."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

_SCHEDULE = {"cron": "0 8 * * 1", "time_zone": "UTC", "text": "Mondays at 8:00 AM"}


def shown() -> Talk:
    talk = Talk()
    talk.create("toll-report", "tolls from the sheet", schedule=_SCHEDULE)
    talk.classify_and_answer("show toll-report")
    return talk


@pytest.mark.parametrize(
    ("message", "first", "last"),
    [
        ("skip the summer holidays, 20 July to 1 September", "July 20", "September 1"),
        ("leave out the week from 3 to 10 August", "August 3", "August 10"),
        ("no runs between 24 December and 2 January", "December 24", "January 2"),
        ("it shouldn't run from April 3 until April 19", "April 3", "April 19"),
    ],
)
def test_dates_that_cannot_be_left_out_are_refused_and_nothing_changes(
    message: str, first: str, last: str
) -> None:
    talk = shown()
    before = talk.agents()

    said = talk.classify_and_answer(message)

    assert said.text.startswith("I can't leave out single dates, so toll-report runs as before.")
    assert first in said.text
    assert last in said.text
    assert talk.agents() == before


def test_the_months_that_lie_within_are_offered_and_can_be_left_out() -> None:
    talk = shown()

    assert "“not in August”" in talk.classify_and_answer("skip the holidays, 20 July to 1 September").text
    talk.classify_and_answer("not in August")

    schedule = talk.agents()[0].schedule
    assert schedule is not None
    assert schedule.cron == "0 8 * 1,2,3,4,5,6,7,9,10,11,12 1"


def test_a_month_by_itself_is_left_out() -> None:
    talk = shown()

    assert "except August" in talk.classify_and_answer("not in August").text


def test_a_pause_for_a_stretch_to_come_is_asked_about_first() -> None:
    talk = shown()
    before = talk.agents()

    said = talk.classify_and_answer("pause toll-report from 3 to 10 August")

    assert "August 3" in said.text
    assert said.text.endswith("?")
    assert talk.agents() == before


@pytest.mark.parametrize(
    "message",
    [
        "toll-report can skip next Monday",
        "don't run toll-report next Monday",
        "skip the next run of toll-report",
        "no toll-report tomorrow please",
        "cancel tomorrow's toll-report run",
        "it can skip tomorrow",
    ],
)
def test_a_pause_is_offered_in_place_of_leaving_out_the_next_run(message: str) -> None:
    talk = shown()
    before = talk.agents()

    said = talk.classify_and_answer(message)

    assert said.text.startswith("I can't leave out a single run. Shall I pause toll-report now?")
    assert talk.agents() == before
    assert talk.classify_and_answer("yes").text == "toll-report is paused."


@pytest.mark.parametrize(
    "message",
    [
        "toll-report needn't run on 4 March",
        "leave out toll-report on Monday the 9th",
        "toll-report should not run on Christmas day",
    ],
)
def test_a_later_run_that_cannot_be_left_out_changes_nothing(message: str) -> None:
    talk = shown()
    before = talk.agents()

    said = talk.classify_and_answer(message)

    assert said.text.startswith("I can't leave out a single run, so toll-report runs as before.")
    assert talk.agents() == before


@pytest.mark.parametrize(
    "message", ["no runs on Mondays, Tuesdays at 9 instead", "skip it on Mondays, run it Tuesdays"]
)
def test_days_that_come_again_are_no_single_run(message: str) -> None:
    talk = shown()

    assert "single run" not in talk.classify_and_answer(message).text


def test_a_question_why_an_agent_did_not_run_is_answered() -> None:
    assert "hasn't run yet" in shown().classify_and_answer("why did toll-report not run today?").text
