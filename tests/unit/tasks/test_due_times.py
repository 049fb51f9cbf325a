"""Local times of tasks and their repetition, against an independent library."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from cronsim import CronSim

from tasks.due_times import checked_repetition, moment_of, next_time

START = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)
BERLIN = "Europe/Berlin"
local = datetime.fromisoformat

CRONS = [
    "0 16 * * 5",
    "30 7 * * 1-5",
    "0,30 9 * * *",
    "0 9 31 * *",
    "0 9 29 2 *",
    "0 9 13 * 5",
    "15 */6 1-7 * *",
    "0 9 L * *",
    "0 16 * * 5L",
    "30 8 * * 2#1",
]


@pytest.mark.parametrize("cron", CRONS)
def test_the_next_times_are_those_of_an_independent_library(cron: str) -> None:
    expected = CronSim(cron, START.replace(tzinfo=None))
    after = START
    for _ in range(20):
        found = next_time(cron, "UTC", after=after)
        assert found == next(expected)
        after = found.replace(tzinfo=UTC)


def test_a_time_that_a_clock_change_skips_comes_an_hour_later() -> None:
    before = datetime(2026, 3, 28, 12, 0, tzinfo=UTC)
    skipped = next_time("30 2 * * *", BERLIN, after=before)
    assert skipped == local("2026-03-29T02:30")
    assert moment_of(skipped, BERLIN) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)


def test_a_time_that_comes_twice_counts_once() -> None:
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert moment_of(local("2026-10-25T02:30"), BERLIN) == first
    assert next_time("30 2 * * *", BERLIN, after=first) == local("2026-10-26T02:30")


def test_29_february_is_found_across_a_century() -> None:
    after = datetime(2096, 3, 1, tzinfo=UTC)
    assert next_time("0 9 29 2 *", "UTC", after=after) == local("2104-02-29T09:00")


def test_at_the_end_of_the_calendar_there_is_no_next_time() -> None:
    end = datetime.max.replace(tzinfo=UTC) - timedelta(hours=1)
    for zone in ("UTC", "Pacific/Auckland", "America/Los_Angeles"):
        assert next_time("0 9 * * *", zone, after=end) is None
    assert moment_of(local("9999-12-31T23:59"), "America/Los_Angeles") is None
    assert moment_of(local("0001-01-01T00:00"), "Pacific/Auckland") is None


@pytest.mark.parametrize("cron", ["* * * * *", "*/20 * * * *", "0 9 31 2 *", "soon", "0 9 * *", ""])
def test_what_comes_too_often_or_never_is_no_repetition(cron: str) -> None:
    with pytest.raises(ValueError, match=r"schedule|twice an hour"):
        checked_repetition(cron)
    assert checked_repetition("0,30  9 * * mon") == "0,30 9 * * 1"
