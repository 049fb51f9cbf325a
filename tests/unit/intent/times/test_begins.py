"""From when a schedule runs: its first day, one week only, minutes of the hour, typed expressions."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from intent.times.reader import read_times
from intent.times.reading import Kind, Problem, TimeReading

NOW = datetime(2026, 4, 1, 9, 0, tzinfo=UTC)


def read(say: str) -> TimeReading:
    [reading] = read_times(say, now=NOW, zone="Europe/London", wanted=Kind.SCHEDULE)
    return reading


@pytest.mark.parametrize(
    ("say", "crons", "every"),
    [
        ("every two weeks starting 14 April at 9", ("0 9 * * 2",), 2),
        ("weekly starting Monday at 9", ("0 9 * * 1",), 1),
        ("weekly from tomorrow at 9", ("0 9 * * 4",), 1),
        ("every fortnight from Friday at 9", ("0 9 * * 5",), 2),
        ("monthly from the 15th at 9", ("0 9 15 * *",), 1),
        ("every month beginning on 3 May at 9", ("0 9 3 * *",), 1),
        ("every year starting 3 May at 9", ("0 9 3 5 *",), 1),
        ("every quarter from 15 April at 9", ("0 9 15 1,4,7,10 *",), 1),
        ("quarterly, first on 10 May, 9am", ("0 9 10 2,5,8,11 *",), 1),
        ("every 6 months beginning 1 July at 9", ("0 9 1 * *",), 6),
    ],
)
def test_the_day_on_which_it_begins_is_its_day(say: str, crons: tuple[str, ...], every: int) -> None:
    timing = read(say).timing
    assert timing is not None
    assert (timing.crons, timing.every) == (crons, every)


@pytest.mark.parametrize(
    "say",
    [
        "monthly starting 31 May at 9",
        "weekly starting next month at 9",
        "weekly from next week at 9",
        "twice a week from Monday at 9",
        "monthly from May at 9",
        "every year from 29 February at 9",
    ],
)
def test_a_begin_that_is_no_day_of_each_period_is_asked(say: str) -> None:
    assert read(say).problem is Problem.ASK


@pytest.mark.parametrize(
    ("say", "crons"),
    [
        ("daily at 4pm next week", ("0 16 * * *",)),
        ("weekdays at 9 next week", ("0 9 * * 1-5",)),
        ("every morning at 8 next week", ("0 8 * * *",)),
        ("daily at 4pm from monday till friday next week", ("0 16 * * 1-5",)),
        ("next week, every day at noon", ("0 12 * * *",)),
        ("every hour next week", ("0 * * * *",)),
        ("each evening at 7 next week", ("0 19 * * *",)),
        ("Monday to Thursday at 9 next week", ("0 9 * * 1,2,3,4",)),
    ],
)
def test_next_week_bounds_a_schedule(say: str, crons: tuple[str, ...]) -> None:
    timing = read(say).timing
    assert timing is not None
    assert (timing.crons, timing.start, timing.end) == (crons, datetime(2026, 4, 6), date(2026, 4, 12))  # noqa: DTZ001


@pytest.mark.parametrize(
    "say",
    ["every Monday at 9 next month", "daily at 9 sometime next week", "daily at 9 tomorrow and next week"],
)
def test_other_stretches_beside_a_schedule_are_asked(say: str) -> None:
    assert read(say).timing is None


@pytest.mark.parametrize(
    ("say", "start"),
    [
        ("every 90 minutes starting midnight tonight", "2026-04-02T00:00"),
        ("every 90 minutes starting at midnight tonight", "2026-04-02T00:00"),
        ("every 90 minutes starting tonight at midnight", "2026-04-02T00:00"),
        ("every 90 minutes from tonight at 10", "2026-04-01T22:00"),
        ("every 90 minutes starting tonight at 9pm", "2026-04-01T21:00"),
        ("every 45 minutes beginning tonight at 1am", "2026-04-02T01:00"),
        ("every 90 minutes, from 8 tonight", "2026-04-01T20:00"),
        ("every 90 minutes starting tomorrow at midnight", "2026-04-02T00:00"),
    ],
)
def test_an_interval_begins_tonight(say: str, start: str) -> None:
    timing = read(say).timing
    assert timing is not None
    assert timing.start == datetime.fromisoformat(start)


@pytest.mark.parametrize(
    ("say", "said"),
    [
        ("every hour at 10 past and 40 past", "Every 30 minutes from 12:10 AM"),
        ("at 5, 25 and 45 past every hour", "Every 20 minutes from 12:05 AM"),
        ("at 0, 20 and 40 past, from 6 until 9 in the morning", "Every 20 minutes from 6:00 AM to 9:00 AM"),
        ("every hour at 5, 20 and 45 past", "At 5, 20 and 45 minutes past every hour"),
        ("at ten and thirty past each hour", "At 10 and 30 minutes past every hour"),
        ("at quarter past and half past every hour", "At 15 and 30 minutes past every hour"),
        ("at 5 past, 20 past and 50 past every hour", "At 5, 20 and 50 minutes past every hour"),
        ("hourly, 10 and 25 minutes past, on weekdays", "At 10 and 25 minutes past every hour on weekdays"),
    ],
)
def test_several_minutes_of_every_hour(say: str, said: str) -> None:
    reading = read(say)
    assert reading.timing is not None
    assert reading.said == said


@pytest.mark.parametrize(
    "say",
    [
        "at 5 and 10 past 9 every day",
        "quarter past and quarter to every hour",
        "every 2 hours at 10 past and 40 past",
        "pay 5, 10 and 20 past dues every Monday at 9",
    ],
)
def test_minutes_that_may_be_hours_are_asked(say: str) -> None:
    assert read(say).timing is None


@pytest.mark.parametrize(
    ("say", "crons"),
    [
        ("0 0 1 */3 * but at 6 in the morning, not midnight", ("0 6 1 1,4,7,10 *",)),
        ("0 9 * * 1-5 but not on Fridays", ("0 9 * * 1,2,3,4",)),
        ("0 9 * * 1-5, but at 8:30", ("30 8 * * 1-5",)),
        ("0 9 * * * but only on weekdays", ("0 9 * * 1-5",)),
        ("0 9 * * * except Sundays", ("0 9 * * 1,2,3,4,5,6",)),
        ("0 9 * * * only in June", ("0 9 * 6 *",)),
        ("0 9 * * 1 but an hour later", ("0 10 * * 1",)),
        ("@daily but at 7 am", ("0 7 * * *",)),
    ],
)
def test_a_typed_expression_is_amended_by_the_words_behind_it(say: str, crons: tuple[str, ...]) -> None:
    timing = read(say).timing
    assert timing is not None
    assert timing.crons == crons


@pytest.mark.parametrize(
    "say", ["0 9 * * 1-5 and at 10 too", "0 9 * * 1-5 for Mondays", "0 9 * * 1 but soon"]
)
def test_other_words_beside_a_typed_expression_are_asked(say: str) -> None:
    assert read(say).timing is None or read(say).timing.crons == ("0 9 * * 1",)  # type: ignore[union-attr]
