"""Dates of the year that are one day of several months, and days of the month beside ``once a month``."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from conversation.timing import Timing
from intent.times.reader import read_times
from intent.times.reading import Kind

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def crons(say: str, was: str = "") -> tuple[str, ...]:
    known = Timing((was,), "UTC") if was else None
    readings = read_times(say, now=NOW, zone="UTC", was=known, wanted=Kind.SCHEDULE)
    return readings[0].timing.crons if readings and readings[0].timing else ()


@pytest.mark.parametrize(
    ("say", "expected"),
    [
        ("On 1 January, 1 April, 1 July and 1 October at 9.00 a.m.", "0 9 1 1,4,7,10 *"),
        ("Jan 1, Apr 1, Jul 1 and Oct 1 at 9", "0 9 1 1,4,7,10 *"),
        ("Jan 1st, Apr 1st, Jul 1st, Oct 1st, 9am", "0 9 1 1,4,7,10 *"),
        ("the 1st of Jan, Apr, Jul and Oct at 9", "0 9 1 1,4,7,10 *"),
        ("the 1st of Jan, the 1st of Apr and the 1st of Jul at 9", "0 9 1 1,4,7 *"),
        ("on 15 March and 15 September at 8:00", "0 8 15 3,9 *"),
        ("on May 3, August 3 and November 3 at 7:45", "45 7 3 5,8,11 *"),
    ],
)
def test_dates_of_one_day_come_every_year(say: str, expected: str) -> None:
    assert crons(say) == (expected,)


def test_dates_of_one_day_keep_the_time_of_a_schedule() -> None:
    assert crons("1 January and 1 July", "30 20 * * *") == ("30 20 1 1,7 *",)


@pytest.mark.parametrize(
    "say",
    [
        "1 January, 2 April and 3 July at 9",
        "1 January at 9",
        "1 January 2027 and 1 April 2027 at 9",
        "on 1 January or 1 April at 9",
        "29 February and 29 March at 9",
        "1 Jan, 1 Apr and on Fridays at 9",
    ],
)
def test_other_dates_are_no_schedule(say: str) -> None:
    assert crons(say) == ()


def test_dates_without_an_agent_are_no_schedule() -> None:
    readings = read_times("1 January and 1 April at 9", now=NOW, zone="UTC")
    assert all(reading.timing is None for reading in readings)


@pytest.mark.parametrize(
    ("was", "say", "expected"),
    [
        ("30 9 * * 1", "Once a month, on the first, at the same hour as now, would be plenty", "30 9 1 * *"),
        ("30 9 * * 1", "just the first of the month, same time", "30 9 1 * *"),
        ("30 9 * * 1", "once a month on the first is enough", "30 9 1 * *"),
        ("0 9 * * *", "once a month, on the first, at 9:30", "30 9 1 * *"),
        ("0 9 * * *", "once per month, on the third", "0 9 3 * *"),
        ("0 9 * * *", "once a month, on the first Monday", "0 9 * * 1#1"),
    ],
)
def test_a_day_beside_once_a_month_is_one_of_the_month(was: str, say: str, expected: str) -> None:
    assert crons(say, was) == (expected,)


@pytest.mark.parametrize(
    ("was", "say"),
    [
        ("30 9 * * 1", "once a month at 9:30"),
        ("30 9 * * 1", "once a month, at 8"),
        ("0 9 * * 1-5", "once a week, at 8"),
        ("0 9 * * 1", "three times a week"),
        ("0 9 * * *", "the first report once a month"),
        ("0 9 * * *", "once a week, on the first"),
    ],
)
def test_fewer_days_without_their_names_are_asked(was: str, say: str) -> None:
    assert crons(say, was) == ()


@pytest.mark.parametrize(
    ("was", "say", "expected"),
    [
        ("30 9 1 * *", "once a month at 10", "0 10 1 * *"),
        ("0 9 * * 1,3", "twice a week at 8", "0 8 * * 1,3"),
        ("0 9 * * 1", "once a week at 8", "0 8 * * 1"),
    ],
)
def test_a_rate_that_the_schedule_has_leaves_its_days(was: str, say: str, expected: str) -> None:
    assert crons(say, was) == (expected,)
