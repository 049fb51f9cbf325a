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
