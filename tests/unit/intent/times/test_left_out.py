"""What is left out of a schedule: days of the month and year, places, months, hours of the night."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from intent.times.reader import read_times
from intent.times.reading import Kind, Problem, TimeReading

NOW = datetime(2026, 4, 1, 9, 0, tzinfo=UTC)
BUT_FIRST = ("0 9 2-31 * *",)
BUT_CHRISTMAS = ("0 9 * 1,2,3,4,5,6,7,8,9,10,11 *", "0 9 1-24,26-31 12 *")
EVERY_MONTH_BUT_AUGUST = "0 9 * 1,2,3,4,5,6,7,9,10,11,12 1"


def read(say: str) -> TimeReading:
    [reading] = read_times(say, now=NOW, zone="Europe/London", wanted=Kind.SCHEDULE)
    return reading


@pytest.mark.parametrize(
    ("say", "crons"),
    [
        ("daily at 9 except on the 1st", BUT_FIRST),
        ("every day at 9 but not on the 1st", BUT_FIRST),
        ("every day but the 1st at 9", BUT_FIRST),
        ("at 9 every day, not on the 1st", BUT_FIRST),
        ("every day at 9, skip the 1st", BUT_FIRST),
        ("every morning at 9 apart from the 1st", BUT_FIRST),
        ("daily at 9am without the 1st", BUT_FIRST),
        ("every day at 9 excluding the 1st of the month", BUT_FIRST),
        ("every day at 9 except the 1st and the 15th", ("0 9 2-14,16-31 * *",)),
        ("every day at 9 except the 1st through the 5th", ("0 9 6-31 * *",)),
        ("every day in December at 9 except the 25th", ("0 9 1-24,26-31 12 *",)),
    ],
)
def test_days_of_the_month_are_left_out_of_every_day(say: str, crons: tuple[str, ...]) -> None:
    timing = read(say).timing
    assert timing is not None
    assert timing.crons == crons


@pytest.mark.parametrize(
    "say",
    [
        "09:00 every day but Christmas",
        "daily at 9am, not on 25 December",
        "every day at 9 except December 25th",
        "every day at 9 apart from Christmas Day",
        "at nine in the morning every day, skip 25 December",
        "daily at 9 am except for christmas",
        "every day at 9, excluding the 25th of December",
        "every day at 9, but never on 25 December",
    ],
)
def test_a_day_of_the_year_is_left_out_of_every_day(say: str) -> None:
    timing = read(say).timing
    assert timing is not None
    assert timing.crons == BUT_CHRISTMAS


@pytest.mark.parametrize(
    ("say", "crons"),
    [
        ("every Saturday except second and fourth, 9 am", ("0 9 * * 6#1,6#3,6#5",)),
        ("every Saturday except the 2nd and 4th at 9", ("0 9 * * 6#1,6#3,6#5",)),
        ("every Saturday at 9 except the second Saturday", ("0 9 * * 6#1,6#3,6#4,6#5",)),
        ("Mondays at 9 but not the first Monday of the month", ("0 9 * * 1#2,1#3,1#4,1#5",)),
        ("every Friday at 9, skip the third Friday", ("0 9 * * 5#1,5#2,5#4,5#5",)),
        ("Tuesdays at 9 without the 2nd Tuesday of the month", ("0 9 * * 2#1,2#3,2#4,2#5",)),
        ("Mondays and Thursdays at 9, but not the first Monday", ("0 9 * * 4", "0 9 * * 1#2,1#3,1#4,1#5")),
        ("every Sunday at 9 except the first and the last but one", ()),
    ],
)
def test_some_places_of_a_weekday_are_left_out(say: str, crons: tuple[str, ...]) -> None:
    timing = read(say).timing
    assert (timing.crons if timing else ()) == crons


@pytest.mark.parametrize(
    "say",
    [
        "weekdays at 9 except the 1st",
        "weekdays at 9am except 25 December",
        "every Friday at 4 except the 13th",
        "every day at 9 except tomorrow",
        "daily at 9am except 25 December 2026",
        "every day at 9 except the last day of the month",
        "every Monday at 9 except the last Monday of the month",
        "every other day at 9 except the 1st",
        "the 1st, 10th and 20th at 9 but not 1 January",
        "every Monday at 9 except the first Tuesday of the month",
    ],
)
def test_single_days_that_no_expression_leaves_out_are_told(say: str) -> None:
    reading = read(say)
    assert reading.timing is None
    assert reading.problem is not None


@pytest.mark.parametrize(
    "say",
    [
        "every Monday at 9, August off",
        "every Monday at 9, we skip August",
        "every Monday at 9, August is skipped",
        "Mondays at 9, August we skip",
        "Mondays at 9, in August we pause",
        "Mondays at 9, August left out",
        "Mondays at 9, August doesn't count",
        "Mondays at 9am; August is out",
        "Mondays at 9, August excluded",
        "every Monday at 9, except in August",
    ],
)
def test_a_month_is_left_out_by_what_is_said_behind_it(say: str) -> None:
    timing = read(say).timing
    assert timing is not None
    assert timing.crons == (EVERY_MONTH_BUT_AUGUST,)


@pytest.mark.parametrize(
    "say",
    [
        "every weekday at 9, Fridays we skip",
        "every weekday at 9, Fridays are skipped",
        "weekdays at 9, Fridays off",
        "weekdays at 9, Fridays don't count",
        "weekdays at 9, Fridays left out",
        "weekdays at 9, Fridays are out",
        "weekdays at 9, Friday is off",
        "weekdays at 9, Fridays excluded",
    ],
)
def test_a_weekday_is_left_out_by_what_is_said_behind_it(say: str) -> None:
    timing = read(say).timing
    assert timing is not None
    assert timing.crons == ("0 9 * * 1,2,3,4",)


def test_a_short_month_that_is_left_out_needs_no_question() -> None:
    timing = read("every month on the 30th at 11 am, Feb we skip").timing
    assert timing is not None
    assert timing.crons == ("0 11 30 1,3,4,5,6,7,8,9,10,11,12 *",)


@pytest.mark.parametrize(
    ("say", "said"),
    [
        ("every hour but not between midnight and 6", "Every hour from 6:00 AM to 11:00 PM"),
        ("every hour except between 10pm and 6am", "Every hour from 6:00 AM to 9:00 PM"),
        ("every 30 minutes, not between 22:00 and 7:00", "Every 30 minutes from 7:00 AM to 9:30 PM"),
        ("hourly, never between 23:00 and 5:00", "Every hour from 5:00 AM to 10:00 PM"),
        ("every 2 hours excluding 22:00 to 6:00", "Every 2 hours from 6:00 AM to 8:00 PM"),
        ("hourly without midnight to 8am", "Every hour from 8:00 AM to 11:00 PM"),
        ("every hour apart from 9pm to 7am", "Every hour from 7:00 AM to 8:00 PM"),
        (
            "every hour on weekdays but not between midnight and 6",
            "Every hour from 6:00 AM to 11:00 PM on weekdays",
        ),
        ("every 45 minutes except between midnight and 6", "Every 45 minutes from 6:00 AM to 11:15 PM"),
    ],
)
def test_an_interval_rests_in_the_hours_of_the_night_that_are_left_out(say: str, said: str) -> None:
    reading = read(say)
    assert reading.timing is not None
    assert reading.said == said


@pytest.mark.parametrize(
    "say",
    [
        "every hour but not between 12 and 1",
        "every hour, not between 1am and 5am",
        "every hour, not between 11 and 6",
        "every hour from 8 to 6, not between 12 and 1",
        "every hour, not at night",
        "every hour except at night",
        "hourly, but not in the morning",
        "every hour between breakfast and dinner",
    ],
)
def test_hours_that_are_left_out_otherwise_are_asked(say: str) -> None:
    reading = read(say)
    assert reading.timing is None
    assert reading.problem is Problem.ASK
