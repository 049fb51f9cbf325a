"""Schedules that words change: what is refused is never taken for what is wanted."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agent.dialogue.agent_acts.schedules import Requested, requested_schedule
from agent.workspace.agents import Schedule

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def changed(words: str, cron: str = "*/10 * * * *") -> Requested | None:
    was = Schedule(cron=cron, time_zone="UTC", text="before")
    return requested_schedule(words, now=NOW, zone="UTC", was=was)


@pytest.mark.parametrize("words", ["I don't want it at night", "I wouldn't have it on fridays"])
def test_a_refused_time_that_reads_as_a_wanted_one_is_asked_about(words: str) -> None:
    found = changed(words)
    assert found is not None
    assert found.schedule is None
    assert found.asks


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("never on weekends", "Every 10 minutes on weekdays"),
        ("not on sundays", "Every 10 minutes on Mondays to Saturdays"),
        ("I don't want it on mondays", "Every 10 minutes, every day except Monday"),
    ],
)
def test_an_exception_that_is_understood_changes_the_schedule(words: str, said: str) -> None:
    found = changed(words)
    assert found is not None
    assert found.schedule is not None
    assert found.schedule.text == said


def test_days_with_their_own_time_replace_the_whole_schedule() -> None:
    found = changed("8.30 on workdays please", "0 9 * * *")
    assert found is not None
    assert found.schedule is not None
    assert found.schedule.text == "Weekdays at 8:30 AM"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("drop the evening run", "Weekdays at 7:00 AM"),
        ("the morning run is plenty", "Weekdays at 7:00 AM"),
        ("only in the evening", "Weekdays at 7:00 PM"),
        ("no need for the second run", "Weekdays at 7:00 AM"),
        ("the evening one a quarter of an hour later", "Weekdays at 7:00 AM and 7:15 PM"),
        (
            "the morning run can go to 6am, the one at 7pm stays",
            "Weekdays at 6:00 AM and 7:00 PM",
        ),
        ("an hour later", "Weekdays at 8:00 AM and 8:00 PM"),
    ],
)
def test_the_run_that_is_named_among_several_changes_alone(words: str, said: str) -> None:
    found = changed(words, "0 7,19 * * 1-5")
    assert found is not None
    assert found.schedule is not None
    assert found.schedule.text == said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("to the 10th, no wait, the 12th", "The 12th of every month at 9:00 AM"),
        ("to 10th - sorry, 12th", "The 12th of every month at 9:00 AM"),
        ("put it on the 12th", "The 12th of every month at 9:00 AM"),
        ("weekly on Tuesdays, not monthly any more", "Tuesdays at 9:00 AM"),
        ("to the 12th, and to me, not to the team", "The 12th of every month at 9:00 AM"),
    ],
)
def test_what_is_taken_back_or_refused_beside_a_day_of_the_month_is_left_out(words: str, said: str) -> None:
    found = changed(words, "0 9 1 * *")
    assert found is not None
    assert found.schedule is not None
    assert found.schedule.text == said
