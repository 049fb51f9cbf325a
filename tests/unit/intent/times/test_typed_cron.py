"""Schedules that are typed as cron expressions."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from intent.times.reader import read_times
from intent.times.reading import Kind, Problem, TimeReading

NOW = datetime(2026, 3, 4, 10, 20, tzinfo=UTC)


def readings(say: str) -> tuple[TimeReading, ...]:
    return read_times(say, now=NOW, zone="Europe/London", wanted=Kind.SCHEDULE)


@pytest.mark.parametrize(
    ("say", "cron"),
    [
        ("*/15 8-17 * * 1-5", "*/15 8-17 * * 1-5"),
        ('run it at "0 6 * * *" please', "0 6 * * *"),
        ("use cron 30 22 * * sun", "30 22 * * 0"),
        ("0 9 1 JAN,JUL *", "0 9 1 1,7 *"),
        ("@hourly", "0 * * * *"),
    ],
)
def test_an_expression_is_the_schedule(say: str, cron: str) -> None:
    [reading] = readings(say)
    assert reading.timing is not None
    assert reading.timing.crons == (cron,)


@pytest.mark.parametrize(
    ("say", "problem"),
    [
        ("0 9 * * 1-5 until June", Problem.ASK),
        ("0 0 9 ? * MON-FRI", Problem.ASK),
        ("0 9 * * 1-5, Berlin", Problem.ASK),
        ("* * * * *", Problem.UNSUPPORTED),
    ],
)
def test_an_expression_that_is_not_sure_or_too_frequent_is_no_schedule(say: str, problem: Problem) -> None:
    [reading] = readings(say)
    assert reading.timing is None
    assert reading.problem is problem


def test_the_zone_beside_an_expression_counts() -> None:
    [reading] = readings("0 9 * * 1-5 UTC")
    assert reading.timing is not None
    assert reading.timing.zone == "UTC"


@pytest.mark.parametrize("say", ["* buy milk * call mum * eat *", "3 * 4 is 12", "mail me @work"])
def test_stars_and_signs_in_other_words_are_no_expression(say: str) -> None:
    assert all(reading.timing is None for reading in readings(say))
