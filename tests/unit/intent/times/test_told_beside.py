"""What is only told beside a time: what it is for, why, what happened overnight, what does not matter."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from intent.times.reader import read_times
from intent.times.reading import Kind, TimeReading

NOW = datetime(2026, 4, 1, 9, 0, tzinfo=UTC)


def read(say: str, wanted: Kind = Kind.SCHEDULE) -> TimeReading:
    [reading] = read_times(say, now=NOW, zone="Europe/London", wanted=wanted)
    return reading


def crons(say: str) -> tuple[str, ...]:
    timing = read(say).timing
    return timing.crons if timing else ()


@pytest.mark.parametrize(
    "say",
    [
        "every Monday at 9:55, five minutes before the rota flips",
        "Mondays at 9:55 (an hour before we open)",
        "every Monday at 9:55, half an hour before they come in",
        "Mondays, 9:55 am, 20 minutes after we start",
        "on Mondays at 9.55, so five minutes before the call",
        "Mondays 9:55 - an hour after the night shift ends",
        "each Monday at 9:55am, ten minutes before the bell rings",
        "Mondays at 9:55, two hours after they open",
    ],
)
def test_a_length_behind_a_time_tells_what_it_is_for(say: str) -> None:
    assert crons(say) == ("55 9 * * 1",)


@pytest.mark.parametrize(
    "say", ["every Monday an hour before we open", "every Monday at 9 and an hour before we close"]
)
def test_a_length_before_an_event_is_no_time(say: str) -> None:
    assert read(say).problem is not None


@pytest.mark.parametrize(
    "say",
    [
        "send me what broke overnight every weekday at 8",
        "overnight sales every weekday at 8",
        "the overnight alerts every weekday at 8",
        "list what came in overnight, weekdays at 8",
        "what failed overnight, each weekday at 8",
        "overnight bookings at 8 on weekdays",
        "every weekday at 8 what changed overnight",
        "new overnight orders, weekdays at 8",
    ],
)
def test_what_happened_overnight_says_nothing_about_when_it_is_told(say: str) -> None:
    assert crons(say) == ("0 8 * * 1-5",)


def test_a_run_overnight_is_still_in_the_night() -> None:
    assert read("run it overnight at 11").timing is not None
    assert crons("run it overnight at 11") == ("0 23 * * *",)


@pytest.mark.parametrize(
    "say",
    [
        "every month on the 15th at 15:00, even if it's a weekend",
        "the 15th of every month at 3 pm, even if it is Sunday",
        "the 15th of each month at 15:00, if it falls on weekend also fine",
        "the 15th of every month, 15:00, even when it falls on a holiday",
        "on the 15th of every month at 15:00, if it's a Saturday that's ok",
        "the 15th of every month at 15:00, if it is a weekend no problem",
        "every month on the 15th at 15:00, if that's a Sunday it doesn't matter",
        "the 15th of each month at 15:00 even if it is a bank holiday",
    ],
)
def test_a_condition_that_changes_nothing_is_passed_over(say: str) -> None:
    assert crons(say) == ("0 15 15 * *",)


@pytest.mark.parametrize(
    "say",
    [
        "the 15th of every month at 15:00, if it's a weekend then Monday",
        "the 15th of every month at 15:00, if it falls on a Sunday that is not fine",
        "the 15th of every month at 15:00 unless it's a weekend",
        "every weekday at 9, even on Sundays",
        "weekdays at 9, if it is a holiday skip it",
    ],
)
def test_a_condition_that_changes_something_is_asked_or_refused(say: str) -> None:
    reading = read(say)
    assert reading.timing is None
    assert reading.problem is not None


@pytest.mark.parametrize(
    ("say", "day"),
    [
        ("before 15 August, it is Independence Day and all will be closed", date(2026, 8, 15)),
        ("first thing Tuesday, what with Monday being a bank holiday", date(2026, 4, 7)),
        ("on Tuesday, Monday is a bank holiday", date(2026, 4, 7)),
        ("on Tuesday because Monday is a holiday", date(2026, 4, 7)),
        ("by 24 December, that's Christmas Eve", date(2026, 12, 24)),
        ("on 1 May, which is a public holiday", date(2026, 5, 1)),
        ("Tuesday please, Monday is a day off", date(2026, 4, 7)),
        ("by the 30th, it's a bank holiday here", date(2026, 4, 30)),
    ],
)
def test_a_holiday_told_of_a_day_is_no_second_day(say: str, day: date) -> None:
    assert read(say, Kind.DAY).day == day


@pytest.mark.parametrize(
    "say", ["weekdays at 9 unless it is a bank holiday", "daily at 9, not when it's a holiday"]
)
def test_a_holiday_under_a_condition_is_refused(say: str) -> None:
    reading = read(say)
    assert reading.timing is None
    assert reading.problem is not None


@pytest.mark.parametrize(
    "say",
    [
        "at closing, 9pm, every day",
        "every day at bedtime (9pm)",
        "daily at teatime, say 9pm",
        "every day, dinner time, 21:00",
        "at shift change (21:00) every day",
        "every day at closing time, so 9 pm",
        "every day at opening, that is 21:00",
        "daily, 9pm, bedtime",
    ],
)
def test_a_time_behind_an_unknown_one_is_its_meaning(say: str) -> None:
    assert crons(say) == ("0 21 * * *",)


@pytest.mark.parametrize(
    "say",
    [
        "every day before opening at 9",
        "every day at closing",
        "when the shop opens each morning",
        "at teatime every day",
        "when we close every day",
    ],
)
def test_an_unknown_time_alone_is_asked(say: str) -> None:
    assert read(say).timing is None


@pytest.mark.parametrize(
    "say",
    [
        "every five minutes, day and night",
        "every 5 minutes round the clock",
        "every 5 minutes, 24/7",
        "every 5 minutes all day long",
        "all day, every 5 minutes",
        "every five minutes, night and day",
        "around the clock every 5 minutes",
        "every 5 minutes, 24 hours a day",
    ],
)
def test_the_whole_day_is_what_an_interval_has_anyway(say: str) -> None:
    assert crons(say) == ("*/5 * * * *",)
