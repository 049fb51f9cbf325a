"""Days that are placed in a period: the first Monday of the quarter, the 3rd of every other month."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from intent.times.reader import read_times
from intent.times.reading import Kind, Problem, TimeReading

NOW = datetime(2026, 4, 1, 9, 0, tzinfo=UTC)
LONDON = "Europe/London"


def read(say: str, wanted: Kind = Kind.SCHEDULE) -> TimeReading:
    [reading] = read_times(say, now=NOW, zone=LONDON, wanted=wanted)
    return reading


@pytest.mark.parametrize(
    ("say", "crons"),
    [
        ("the first Monday of the quarter at 9", ("0 9 * 1,4,7,10 1#1",)),
        ("first Tuesday of each quarter, 10am", ("0 10 * 1,4,7,10 2#1",)),
        ("last Friday of the quarter at 16:00", ("0 16 * 3,6,9,12 5L",)),
        ("the last Thursday of every quarter at noon", ("0 12 * 3,6,9,12 4L",)),
        ("the 3rd of each quarter at 9", ("0 9 3 1,4,7,10 *",)),
        ("the first Monday of the year at 9", ("0 9 * 1 1#1",)),
        ("last Friday of each year at 15:00", ("0 15 * 12 5L",)),
        ("the first working day of the year at 9", ("0 9 1W 1 *",)),
        ("last working day of every year at 9", ("0 9 LW 12 *",)),
        ("second Wednesday of every year at 8am", ("0 8 * 1 3#2",)),
    ],
)
def test_a_day_of_a_quarter_or_year_comes_in_its_months_only(say: str, crons: tuple[str, ...]) -> None:
    timing = read(say).timing
    assert timing is not None
    assert timing.crons == crons


@pytest.mark.parametrize(
    ("say", "every", "day"),
    [
        ("on the 1st of every other month at 9", 2, "1"),
        ("the 15th of every second month at 9", 2, "15"),
        ("the 15th of every third month at 9", 3, "15"),
        ("the 20th of alternate months at 9", 2, "20"),
        ("on the 5th every 2 months at 9", 2, "5"),
        ("the 5th of every 4 months at 9", 4, "5"),
        ("5th of each alternate month, 9am", 2, "5"),
        ("on the 10th of every 6 months at 9", 6, "10"),
    ],
)
def test_a_day_of_every_other_month_skips_months(say: str, every: int, day: str) -> None:
    timing = read(say).timing
    assert timing is not None
    assert (timing.every, timing.unit, timing.crons) == (every, "months", (f"0 9 {day} * *",))


@pytest.mark.parametrize(
    "say",
    [
        "first Monday of each semester at 9",
        "the last Friday of term at 9",
        "first Monday of every sprint at 9",
        "the second Tuesday of the season at 9",
        "the first Monday of each week at 9",
        "the last Thursday of every pay period at 9",
        "first Wednesday of the school year at 9",
        "last Friday of our fiscal year at 9",
        "the first working day of the sprint at 9",
        "the fifth Monday of the year at 9",
        "first Monday of the year in March at 9",
    ],
)
def test_a_day_of_a_period_without_known_dates_is_asked(say: str) -> None:
    reading = read(say)
    assert reading.timing is None
    assert reading.problem is Problem.ASK


@pytest.mark.parametrize("say", ["first Monday of the quarter", "the last working day of the quarter"])
def test_a_quarter_that_is_not_named_is_asked_for_a_single_day(say: str) -> None:
    assert read(say, Kind.DAY).problem is Problem.ASK


@pytest.mark.parametrize(
    "say",
    [
        "on the first of the month at 9, weekends excluded",
        "the 15th of every month at 9 except Sundays",
        "the 1st and the 15th at 9, not on weekends",
        "every month on the 3rd at 9, skip Saturdays",
        "last day of the month at 17:00 but not on Sundays",
        "on the 10th of each month at 9 without weekends",
        "every year on 1 May at 9 except Sundays",
        "the first Monday and Friday of the month at 9 but not Fridays",
    ],
)
def test_weekdays_left_out_of_days_of_the_month_are_never_dropped(say: str) -> None:
    reading = read(say)
    assert reading.timing is None
    assert reading.problem is not None


def test_weekdays_that_a_placed_day_never_is_take_nothing_from_it() -> None:
    timing = read("the first Monday of the month at 9, no weekends").timing
    assert timing is not None
    assert timing.crons == ("0 9 * * 1#1",)


@pytest.mark.parametrize(
    "say",
    [
        "every other weekday at 10",
        "every second weekday at 10",
        "alternate weekdays at 9",
        "every other working day at 9",
        "every third business day at 9",
        "every other workday at 8:30",
        "alternating weekdays at 9",
        "every other Monday to Friday at 9",
    ],
)
def test_every_other_weekday_may_be_every_other_week_and_is_asked(say: str) -> None:
    reading = read(say)
    assert reading.timing is None
    assert reading.problem is not None


@pytest.mark.parametrize(
    "say",
    [
        "every hour, not before 9",
        "not before 9, every hour",
        "every hour but nothing before 9",
        "every 30 minutes, no earlier than 8",
        "hourly, not earlier than 9am",
        "every hour from 9am",
        "every 15 minutes starting at 8",
        "hourly from 9",
        "every half hour, no sooner than 10",
    ],
)
def test_an_interval_that_begins_in_the_day_is_asked_until_when(say: str) -> None:
    reading = read(say)
    assert reading.timing is None
    assert reading.problem is Problem.ASK


@pytest.mark.parametrize(
    "say", ["every 31 April at 9", "every year on 31 June at 9", "yearly on September 31 at 9"]
)
def test_the_day_behind_the_last_of_a_month_is_asked_for_a_schedule(say: str) -> None:
    assert (read(say).problem, read(say).missing) == (Problem.ASK, ("day",))


@pytest.mark.parametrize("say", ["every 30 February at 9", "every year on 31 February at 9"])
def test_a_day_that_is_far_from_any_is_refused_for_a_schedule(say: str) -> None:
    assert read(say).problem is Problem.UNSUPPORTED


@pytest.mark.parametrize(
    ("say", "day"),
    [
        ("on day 15 of every month at 9", "15"),
        ("the tenth of each month at nine", "10"),
        ("the twenty-fifth of every month at nine", "25"),
        ("on the twenty first at nine each month", "21"),
        ("the seventeenth of every month at nine", "17"),
        ("every fifteenth at nine", "15"),
        ("the fifteenth, monthly, at nine", "15"),
        ("each month, first thing on the first", "1"),
        ("every month on its last day at nine", "L"),
        ("on the thirteenth of every month, nine o'clock", "13"),
    ],
)
def test_days_of_the_month_in_words(say: str, day: str) -> None:
    timing = read(say).timing
    assert timing is not None
    assert timing.crons == (f"0 9 {day} * *",)


@pytest.mark.parametrize(
    "say", ["the first draft every month", "every second at nine", "the fifth floor, monthly"]
)
def test_a_rank_is_no_day(say: str) -> None:
    assert read(say).timing is None


@pytest.mark.parametrize(
    ("say", "every"),
    [
        ("one Friday in two, at three", 2),
        ("one Friday out of three at 15:00", 3),
        ("one Friday in every two at 3pm", 2),
        ("at three, one Friday in four", 4),
        ("one Friday out of every 2, 15:00", 2),
        ("one Friday in 3 at three", 3),
    ],
)
def test_one_weekday_in_several_skips_weeks(say: str, every: int) -> None:
    timing = read(say).timing
    assert timing is not None
    assert (timing.crons, timing.every) == (("0 15 * * 5",), every)


@pytest.mark.parametrize(
    "say",
    [
        "all seven days at eight",
        "seven days a week at eight",
        "7 days a week, 8am",
        "day in, day out, at eight",
        "every day of the week at 8",
        "all 7 days of the week at eight",
        "each day of the week, 8 am",
        "all days of the week at 8",
    ],
)
def test_all_seven_days_are_every_day(say: str) -> None:
    timing = read(say).timing
    assert timing is not None
    assert (timing.crons, timing.every) == (("0 8 * * *",), 1)


@pytest.mark.parametrize("say", ["every Friday but one, at three", "all five days at 8", "all 6 days at 8"])
def test_days_that_may_be_others_are_asked(say: str) -> None:
    assert read(say).timing is None


@pytest.mark.parametrize(
    ("say", "crons"),
    [
        ("daily at nine, on Sundays an hour later", ("0 9 * * 1,2,3,4,5,6", "0 10 * * 0")),
        ("every day at 9, on weekends two hours later", ("0 9 * * 1-5", "0 11 * * 0,6")),
        ("weekdays at nine, Fridays an hour earlier", ("0 9 * * 1,2,3,4", "0 8 * * 5")),
        ("daily at 9am; Sundays an hour later", ("0 9 * * 1,2,3,4,5,6", "0 10 * * 0")),
        ("Tuesdays at nine and Thursdays an hour later", ("0 9 * * 2", "0 10 * * 4")),
        ("daily at 9am, Saturdays half an hour later", ("0 9 * * 0,1,2,3,4,5", "30 9 * * 6")),
        ("every morning at 9, on Mondays an hour earlier", ("0 9 * * 0,2,3,4,5,6", "0 8 * * 1")),
        ("daily save Sundays at nine", ("0 9 * * 1,2,3,4,5,6",)),
    ],
)
def test_some_days_have_a_time_that_is_told_from_the_others(say: str, crons: tuple[str, ...]) -> None:
    timing = read(say).timing
    assert timing is not None
    assert timing.crons == crons


@pytest.mark.parametrize(
    "say", ["daily at 9am, an hour later on Sundays", "Mondays at nine, and an hour earlier on Fridays"]
)
def test_a_length_before_its_days_is_asked(say: str) -> None:
    assert read(say).timing is None


@pytest.mark.parametrize(
    ("say", "said"),
    [
        ("at quarter-hour intervals from 9 to 11", "Every 15 minutes from 9:00 AM to 11:00 AM"),
        ("at ten-minute intervals from 9 to 12", "Every 10 minutes from 9:00 AM to 12:00 PM"),
        ("in 30 minute steps between 9 and 12", "Every 30 minutes from 9:00 AM to 12:00 PM"),
        ("at intervals of two hours", "Every 2 hours"),
        ("two-hourly from eight till eight", "Every 2 hours from 8:00 AM to 8:00 PM"),
        ("half-hourly between 9 and 12", "Every 30 minutes from 9:00 AM to 12:00 PM"),
        ("quarter-hourly on weekdays", "Every 15 minutes on weekdays"),
        ("four-hourly", "Every 4 hours"),
        ("every 2 hours in December", "Every 2 hours in December"),
        (
            "every hour on weekdays in January, April, July and October",
            "Every hour on weekdays in January, April, July and October",
        ),
    ],
)
def test_intervals_in_other_words(say: str, said: str) -> None:
    reading = read(say)
    assert reading.timing is not None
    assert reading.said == said


@pytest.mark.parametrize(
    ("say", "crons"),
    [
        ("seven each morning and nine each evening", ("0 7,21 * * *",)),
        ("7 every morning and again at 7 every evening", ("0 7,19 * * *",)),
        ("eight each morning, six each evening", ("0 8,18 * * *",)),
        ("at 6 every morning and at 10 every night", ("0 6,22 * * *",)),
    ],
)
def test_each_part_of_the_day_has_the_time_before_it(say: str, crons: tuple[str, ...]) -> None:
    timing = read(say).timing
    assert timing is not None
    assert timing.crons == crons


@pytest.mark.parametrize(
    "say",
    [
        "the first of January, April, July and October at nine, four times a year",
        "four times a year on the first of January, April, July and October at nine",
    ],
)
def test_a_day_of_four_months_is_four_times_a_year(say: str) -> None:
    timing = read(say).timing
    assert timing is not None
    assert timing.crons == ("0 9 1 1,4,7,10 *",)
