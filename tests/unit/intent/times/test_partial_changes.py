"""Changes of a part: some days, one of several times, an interval's pace; and of a single moment."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from conversation.timing import Timing
from intent.times.reader import read_times
from intent.times.reading import Problem, TimeReading

NOW = datetime(2026, 4, 1, 9, 0, tzinfo=UTC)
LONDON = "Europe/London"


def changed(was: str, say: str) -> TimeReading | None:
    readings = read_times(say, now=NOW, zone=LONDON, was=Timing((was,), LONDON))
    return readings[0] if readings else None


def crons(was: str, say: str) -> tuple[str, ...]:
    reading = changed(was, say)
    return reading.timing.crons if reading and reading.timing else ()


@pytest.mark.parametrize(
    "say",
    [
        "an hour later on Saturdays",
        "Saturdays an hour later",
        "on Saturdays an hour later",
        "60 minutes later on Saturdays",
        "make it an hour later on Saturdays",
        "push it back an hour on Saturdays",
        "an hour later for Saturdays",
        "on Saturdays push it back an hour",
    ],
)
def test_some_days_are_shifted_and_the_others_stay(say: str) -> None:
    assert crons("0 8 * * *", say) == ("0 8 * * 0,1,2,3,4,5", "0 9 * * 6")


@pytest.mark.parametrize(
    ("was", "say"),
    [
        ("0 8 * * 1-5", "an hour later on Sundays"),
        ("0 8 * * 1-5", "an hour earlier, on Fridays"),
        ("0 23 * * *", "two hours later on Fridays"),
        ("0 8 1 * *", "an hour later on Fridays"),
    ],
)
def test_days_that_it_does_not_have_are_asked(was: str, say: str) -> None:
    assert crons(was, say) == ()


@pytest.mark.parametrize(
    ("was", "say", "expected"),
    [
        ("0 12 1 * *", "move the whole thing to the 3rd, the 1st is a mess", "0 12 3 * *"),
        ("0 12 * * 1", "move it to Thursday, Monday is full", "0 12 * * 4"),
        ("0 12 * * 1", "move it to Thursday, Mondays are a mess", "0 12 * * 4"),
        ("0 12 * * 1", "Thursday please, Monday clashes with the rota", "0 12 * * 4"),
        ("0 12 * * 1", "Thursday then, Mondays are awful", "0 12 * * 4"),
        ("0 12 * * 1", "shift it to Wednesday because Monday is always hectic", "0 12 * * 3"),
        ("0 12 15 * *", "make it the 20th, the 15th is too early", "0 12 20 * *"),
        ("0 12 15 * *", "to the 20th, the 15th is payday", "0 12 20 * *"),
    ],
)
def test_an_old_day_that_is_complained_of_goes(was: str, say: str, expected: str) -> None:
    assert crons(was, say) == (expected,)


@pytest.mark.parametrize(
    ("was", "say"),
    [
        ("0 12 * * 1,3", "move it to Thursday, Monday is full"),
        ("0 12 * * 1", "Thursday is full, Friday is busy"),
    ],
)
def test_one_of_several_days_that_is_complained_of_is_asked(was: str, say: str) -> None:
    assert crons(was, say) == ()


@pytest.mark.parametrize(
    "say",
    [
        "weekly not daily, Thursdays do",
        "weekly instead of daily, on Thursdays",
        "weekly, not daily, on Thursdays",
        "not daily, on Thursdays",
        "once a week rather than daily, Thursdays",
        "not every day, Thursdays",
    ],
)
def test_what_is_denied_ends_at_the_comma(say: str) -> None:
    assert crons("0 11 * * *", say) == ("0 11 * * 4",)


@pytest.mark.parametrize(
    ("was", "say", "expected"),
    [
        ("0 * * * *", "twice as often", "*/30 * * * *"),
        ("0 * * * *", "half as often please", "0 */2 * * *"),
        ("*/30 * * * *", "double the frequency", "*/15 * * * *"),
        ("*/30 * * * *", "three times as often", "*/10 * * * *"),
        ("*/30 * * * *", "run it twice as frequently", "*/15 * * * *"),
        ("*/15 * * * *", "half as often", "*/30 * * * *"),
        ("*/20 * * * *", "2 times as often", "*/10 * * * *"),
        ("*/10 * * * *", "halve the rate", "*/20 * * * *"),
    ],
)
def test_an_interval_comes_more_or_less_often(was: str, say: str, expected: str) -> None:
    assert crons(was, say) == (expected,)


@pytest.mark.parametrize(
    ("was", "say"),
    [("0 9 * * 1", "twice as often"), ("*/5 * * * *", "twice as often"), ("0 */8 * * *", "half as often")],
)
def test_a_pace_that_can_not_be_told_is_asked(was: str, say: str) -> None:
    reading = changed(was, say)
    assert reading is not None
    assert reading.problem is Problem.ASK


@pytest.mark.parametrize(
    ("say", "expected"),
    [
        ("not at 9 but at 10", "0 10,17 * * 1-5"),
        ("10 instead of 9", "0 10,17 * * 1-5"),
        ("move the 9 one to 8", "0 8,17 * * 1-5"),
        ("move the 9 o'clock run to 8", "0 8,17 * * 1-5"),
        ("the afternoon one at 4", "0 9,16 * * 1-5"),
        ("the morning run at 8 please", "0 8,17 * * 1-5"),
        ("move the 5pm one to 6", "0 9,18 * * 1-5"),
        ("move the second one to 6", "0 9,18 * * 1-5"),
        ("the first one at 8", "0 8,17 * * 1-5"),
        ("only at 8", "0 8 * * 1-5"),
        ("8 and 16", "0 8,16 * * 1-5"),
    ],
)
def test_one_of_several_times_is_exchanged(say: str, expected: str) -> None:
    assert crons("0 9,17 * * 1-5", say) == (expected,)


@pytest.mark.parametrize("say", ["at 8", "make it 8", "8 instead", "not at 7 but at 8", "the noon one at 8"])
def test_one_time_for_several_is_asked(say: str) -> None:
    assert crons("0 9,17 * * 1-5", say) == ()


@pytest.mark.parametrize(
    "say",
    [
        "at 10 from May",
        "from May on at 10",
        "starting next month, at 10",
        "at 10 as of 1 June",
        "Tuesdays from May",
        "at 10 starting on the 20th",
        "from 1 May at half past ten",
        "at 10 beginning in June",
    ],
)
def test_a_change_that_begins_later_keeps_the_schedule_until_then(say: str) -> None:
    assert crons("0 9 * * 1", say) == ()


def test_a_change_before_which_the_schedule_does_not_come_needs_no_question() -> None:
    assert crons("0 9 * * 1", "move it to Thursdays at 10 starting next week") == ("0 10 * * 4",)


@pytest.mark.parametrize(
    "say", ["also tomorrow at 10", "tomorrow at 10", "at 10 today", "on 3 May at 10 too"]
)
def test_one_day_with_a_time_changes_no_other_day(say: str) -> None:
    assert crons("0 9 * * 1", say) == ()


def test_an_interval_does_not_lose_a_time_in_silence() -> None:
    assert crons("*/30 9-17 * * 1-5", "not over lunch") == ()


@pytest.mark.parametrize(
    ("say", "day", "at"),
    [
        ("in the afternoon", 3, time(14)),
        ("in the evening", 3, time(18)),
        ("Friday that week", 3, time(9)),
        ("Wednesday of that week", 1, time(9)),
        ("on Saturday that week", 4, time(9)),
        ("tomorrow instead", 2, time(9)),
        ("midnight that night", 4, time()),
        ("the same day at noon", 3, time(12)),
    ],
)
def test_a_moment_keeps_what_the_words_leave_open(say: str, day: int, at: time) -> None:
    was = datetime(2026, 4, 3, 9, 0, tzinfo=ZoneInfo(LONDON))
    [reading] = read_times(say, now=NOW, zone=LONDON, was=was)
    assert (reading.day, reading.at) == (date(2026, 4, day), at)


@pytest.mark.parametrize(
    "say", ["midnight", "push it by two", "move it by three", "the end of that month", "later that month"]
)
def test_a_moment_that_words_leave_in_doubt_is_asked(say: str) -> None:
    was = datetime(2026, 4, 3, 9, 0, tzinfo=ZoneInfo(LONDON))
    assert all(reading.day is None for reading in read_times(say, now=NOW, zone=LONDON, was=was))
