"""Single days and moments: weekdays said on that day, nights, dates in figures, days that no year has."""

from __future__ import annotations

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from intent.times.reader import read_times
from intent.times.reading import Kind, Problem, TimeReading

LONDON = "Europe/London"
WEDNESDAY, FRIDAY, SATURDAY, SUNDAY = (
    datetime(2026, 4, day, 10, 0, tzinfo=ZoneInfo(LONDON)) for day in (1, 3, 4, 5)
)


def read(say: str, now: datetime = WEDNESDAY, zone: str = LONDON) -> TimeReading:
    [reading] = read_times(say, now=now, zone=zone, wanted=Kind.DAY)
    return reading


@pytest.mark.parametrize(
    ("say", "now", "day"),
    [
        ("this weekend", WEDNESDAY, 4),
        ("this weekend", SATURDAY, 4),
        ("this weekend", SUNDAY, 5),
        ("over the weekend", SATURDAY, 4),
        ("at the weekend", SUNDAY, 5),
        ("next weekend", SATURDAY, 11),
        ("next weekend", SUNDAY, 11),
        ("this Friday", FRIDAY, 3),
        ("this Friday", WEDNESDAY, 3),
        ("next Friday", FRIDAY, 10),
        ("Friday", FRIDAY, 10),
        ("Friday week", FRIDAY, 17),
    ],
)
def test_a_day_of_this_week_may_be_today(say: str, now: datetime, day: int) -> None:
    assert read(say, now).day == date(2026, 4, day)


@pytest.mark.parametrize(
    ("say", "day"),
    [
        ("on Friday at 9am", 10),
        ("on Friday at 3pm, today", 3),
        ("today, Friday, at 3pm", 3),
        ("Friday 3 April at 3pm", 3),
        ("next Friday at 3pm", 10),
        ("this Friday at 3pm", 3),
    ],
)
def test_a_weekday_that_is_told_apart_from_today_is_not_asked(say: str, day: int) -> None:
    assert read(say, FRIDAY).day == date(2026, 4, day)


@pytest.mark.parametrize(
    ("say", "day"),
    [
        ("tonight at midnight", 2),
        ("at midnight tonight", 2),
        ("tonight at 12", 2),
        ("tomorrow night at 12", 3),
        ("tomorrow night at midnight", 3),
        ("Friday night at midnight", 4),
        ("on Saturday night at 12", 5),
        ("midnight on Sunday night", 6),
    ],
)
def test_midnight_of_a_night_is_its_end(say: str, day: int) -> None:
    reading = read(say)
    assert (reading.day, reading.at) == (date(2026, 4, day), time())


@pytest.mark.parametrize(
    "say",
    [
        "tomorrow night at 1",
        "Friday night at 1am",
        "Saturday night at 2:30",
        "on Sunday night at 3",
        "Friday at midnight",
        "tomorrow at midnight",
        "midnight on Friday",
        "Thursday night at half past one",
    ],
)
def test_a_small_hour_of_a_named_night_is_asked(say: str) -> None:
    assert read(say).problem is Problem.ASK


@pytest.mark.parametrize(
    ("say", "day", "at"),
    [
        ("Friday 3rd April", 3, None),
        ("Friday 3rd of April at 10", 3, time(10)),
        ("Friday, April 3rd", 3, None),
        ("Fri 3/4", 3, None),
        ("Fri, 3/4 at 5pm", 3, time(17)),
        ("Friday 03.04.", 3, None),
        ("Fri 17 April 14:15", 17, time(14, 15)),
        ("2026-04-17T14:15", 17, time(14, 15)),
        ("2026-04-17 14:15", 17, time(14, 15)),
        ("on 2026-04-17t09:05", 17, time(9, 5)),
        ("2026-04-17T14:15Z", 17, time(15, 15)),
    ],
)
def test_a_date_is_read_beside_its_weekday_and_time(say: str, day: int, at: time | None) -> None:
    reading = read(say)
    assert (reading.day, reading.at) == (date(2026, 4, day), at)


@pytest.mark.parametrize("say", ["Friday 4th April", "Thu 3/4", "Monday, 17.4.", "Sunday 2026-04-17"])
def test_a_date_that_is_another_weekday_is_asked(say: str) -> None:
    assert read(say).problem is Problem.ASK


@pytest.mark.parametrize(
    ("say", "why"),
    [
        ("31 June", "June has 30 days"),
        ("by 31/4", "April has 30 days"),
        ("by the 31st of April", "April has 30 days"),
        ("April 31st at 9", "April has 30 days"),
        ("30 February", "February has 28 or 29 days"),
        ("on Feb 30", "February has 28 or 29 days"),
        ("by 2026-02-30", "February has 28 or 29 days"),
        ("31.11.2026", "November has 30 days"),
        ("2026-13-01", "there is no such day"),
        ("September 31, 2026", "September has 30 days"),
    ],
)
def test_a_day_that_no_year_has_is_named(say: str, why: str) -> None:
    reading = read(say)
    assert (reading.problem, reading.why) == (Problem.UNSUPPORTED, why)


@pytest.mark.parametrize(
    ("say", "day"), [("29 February", 0), ("31 May", 31), ("30 June", 30), ("28 feb", 28)]
)
def test_a_day_that_some_year_has_is_no_mistake(say: str, day: int) -> None:
    reading = read(say)
    assert reading.why == ""
    assert (reading.day.day if reading.day else 0) == day


@pytest.mark.parametrize(
    "say",
    [
        "in 3-4 days",
        "in 2 to 3 weeks",
        "in 2.5 days",
        "within 2-3 weeks",
        "in two or three days",
        "in 1-2 months",
        "in 5 to 6 weeks",
        "in 3\u20134 days",
    ],
)
def test_a_vague_number_of_days_is_asked(say: str) -> None:
    assert read(say).problem is Problem.ASK


@pytest.mark.parametrize(
    "say",
    [
        "by end of sprint",
        "by the end of our term",
        "due end of the semester",
        "end of the season",
        "before the end of the project",
        "by the end of my shift",
        "end of summer",
        "by end of school year",
    ],
)
def test_the_end_of_a_period_without_known_dates_is_asked(say: str) -> None:
    reading = read(say)
    assert (reading.problem, reading.missing) == (Problem.ASK, ("day",))


@pytest.mark.parametrize(
    ("say", "day"),
    [("write the end of term report by Friday", 3), ("post the end of sprint notes tomorrow", 2)],
)
def test_the_end_of_a_period_in_a_name_takes_no_day_away(say: str, day: int) -> None:
    [reading] = read_times(say, now=WEDNESDAY, zone=LONDON)
    assert reading.day == date(2026, 4, day)


@pytest.mark.parametrize(
    "say",
    [
        "before the inspection",
        "ahead of our move",
        "in time for the party",
        "before we leave",
        "before my trip",
        "prior to the audit",
        "before they open the new shop",
        "in time for her birthday",
    ],
)
def test_a_day_that_is_named_by_an_event_is_asked(say: str) -> None:
    reading = read(say)
    assert (reading.problem, reading.missing) == (Problem.ASK, ("day",))


@pytest.mark.parametrize(
    "say", ["for May 22", "for June 9", "put it down for March 14", "for August 3 please"]
)
def test_a_number_behind_a_month_is_its_day_and_no_hour(say: str) -> None:
    found = read(say)
    assert found.day is not None
    assert str(found.day.day) in say
    assert found.at is None


@pytest.mark.parametrize(
    "say", ["only ratings below 3 from now on", "orders above 5", "more than 6 tickets", "anything under 4"]
)
def test_a_bound_of_something_else_is_no_hour(say: str) -> None:
    assert read_times(say, now=WEDNESDAY, zone=LONDON, wanted=Kind.SCHEDULE) == ()


@pytest.mark.parametrize(
    ("say", "day", "at"),
    [
        ("see the flat at 14 Elm Road on Friday at 2pm", 10, time(14)),
        ("collect it from 22 High Street tomorrow at 3pm", 4, time(15)),
        ("meet at 9 mill lane tomorrow at noon", 4, time(12)),
        ("tomorrow at 8am close the shop", 4, time(8)),
        ("ethics form 13 April at 9am", 13, time(9)),
        ("all three for tomorrow at 9am", 4, time(9)),
        ("2moro at 9am", 4, time(9)),
        ("dentist 3pm weds", 8, time(15)),
    ],
)
def test_numbers_of_houses_and_of_things_are_no_times(say: str, day: int, at: time) -> None:
    reading = read(say, FRIDAY)
    assert (reading.day, reading.at) == (date(2026, 4, day), at)
