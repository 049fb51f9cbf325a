"""Half of a schedule changes, the other half stays."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from conversation.timing import Timing, Unit
from intent.times.reader import read_times
from intent.times.reading import TimeReading

NOW = datetime(2026, 3, 4, 10, 20, tzinfo=UTC)
MONDAYS, WEEKDAYS, DAILY = "0 9 * * 1", "0 9 * * 1-5", "0 9 * * *"


def changed(was: str, say: str) -> TimeReading:
    [reading] = read_times(say, now=NOW, zone="Europe/London", was=Timing((was,), "Europe/London"))
    return reading


@pytest.mark.parametrize(
    ("was", "say", "crons"),
    [
        (MONDAYS, "move it to Thursday", ("0 9 * * 4",)),
        (MONDAYS, "move it from Monday to Thursday", ("0 9 * * 4",)),
        (MONDAYS, "at 6:30", ("30 6 * * 1",)),
        (MONDAYS, "at 4", ("0 16 * * 1",)),
        (MONDAYS, "make it 7.45 and Saturdays too", ("45 7 * * 1,6",)),
        (MONDAYS, "change it from 9 to 10", ("0 10 * * 1",)),
        (MONDAYS, "an hour earlier", ("0 8 * * 1",)),
        (MONDAYS, "push it back a day", ("0 9 * * 2",)),
        (MONDAYS, "add one at half five", ("0 9 * * 1", "30 17 * * 1")),
        (MONDAYS, "the first Monday of the month", ("0 9 * * 1#1",)),
        (WEEKDAYS, "no Fridays", ("0 9 * * 1,2,3,4",)),
        (WEEKDAYS, "add Saturday at 10", ("0 9 * * 1-5", "0 10 * * 6")),
        (DAILY, "weekdays only", ("0 9 * * 1-5",)),
        (DAILY, "not on Sundays", ("0 9 * * 1,2,3,4,5,6",)),
        ("0 9,17 * * 1-5", "drop the 5 pm one", ("0 9 * * 1-5",)),
        ("*/15 * * * *", "only between 9 and 5", ("*/15 9-16 * * *", "0 17 * * *")),
        (DAILY, "weekdays at 10, weekends at 11", ("0 10 * * 1-5", "0 11 * * 0,6")),
        ("0 9 * * 1,3", "Wednesday at noon, Monday as before", ("0 9 * * 1", "0 12 * * 3")),
        (DAILY, "from April on", (DAILY,)),
        ("0 * * * *", "at quarter past", ("15 * * * *",)),
        ("0 9,17 * * *", "skip the morning one", ("0 17 * * *",)),
        (WEEKDAYS, "Fridays at 3, the other days stay", ("0 9 * * 1,2,3,4", "0 15 * * 5")),
        ("30 9 * * 1,4", "Thursday at 3, Monday stays", ("30 9 * * 1", "0 15 * * 4")),
        ("30 9 * * 1,4", "Monday at 8 and Thursday at 10", ("0 8 * * 1", "0 10 * * 4")),
        ("30 9 * * 1,4", "Tuesday instead of Monday", ("30 9 * * 2,4",)),
        ("0 9 1 * *", "and the 15th", ("0 9 1,15 * *",)),
        ("45 23 * * 0-4", "push it back a quarter of an hour", ("0 0 * * 1-5",)),
    ],
)
def test_what_the_words_leave_open_stays(was: str, say: str, crons: tuple[str, ...]) -> None:
    reading = changed(was, say)
    assert reading.timing is not None
    assert reading.timing.crons == crons


@pytest.mark.parametrize(
    ("was", "say", "missing"),
    [
        (WEEKDAYS, "at 10 on Fridays", "rest"),
        (WEEKDAYS, "except Fridays at 8", "rest"),
        (WEEKDAYS, "Tuesday at 3 and Wednesday at 4", "rest"),
        (WEEKDAYS, "bump that up 30 min", "direction"),
        (DAILY, "weekly", "day"),
        ("0 18 * * *", "make it 8", "am_pm"),
    ],
)
def test_a_change_with_two_meanings_is_asked(was: str, say: str, missing: str) -> None:
    reading = changed(was, say)
    assert (reading.timing, reading.missing) == (None, (missing,))


def test_every_other_week_begins_with_the_next_of_its_days() -> None:
    timing = changed(MONDAYS, "every other week instead").timing
    assert timing is not None
    assert (timing.every, timing.unit, str(timing.start)) == (2, Unit.WEEKS, "2026-03-09 00:00:00")


def test_a_zone_an_end_and_a_start_change_nothing_else() -> None:
    zone = changed(MONDAYS, "Chicago time").timing
    end = changed(MONDAYS, "until the end of June").timing
    start = changed(MONDAYS, "start next week").timing
    assert zone == Timing((MONDAYS,), "America/Chicago")
    assert end == Timing((MONDAYS,), "Europe/London", end=date(2026, 6, 30))
    assert start == Timing((MONDAYS,), "Europe/London", start=datetime.fromisoformat("2026-03-09"))


@pytest.mark.parametrize("say", ["send it to #ops instead", "less often please"])
def test_words_about_something_else_change_nothing(say: str) -> None:
    was = Timing((WEEKDAYS,), "Europe/London")
    assert read_times(say, now=NOW, zone="Europe/London", was=was) == ()


@pytest.mark.parametrize(
    ("say", "day", "at"),
    [
        ("make it Friday", "2026-03-13", "15:00"),
        ("push it to 4", "2026-03-10", "16:00"),
        ("two days later", "2026-03-12", "15:00"),
        ("an hour earlier", "2026-03-10", "14:00"),
    ],
)
def test_a_due_moment_keeps_its_day_or_its_time(say: str, day: str, at: str) -> None:
    now, was = datetime(2026, 3, 9, 9, tzinfo=UTC), datetime(2026, 3, 10, 15, tzinfo=UTC)
    [reading] = read_times(say, now=now, zone="UTC", was=was)
    assert (str(reading.day), f"{reading.at:%H:%M}") == (day, at)
