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


@pytest.mark.parametrize(
    ("was", "say", "crons"),
    [
        ("30 6 * * *", "make it 5:45, the bins are heating", ("45 5 * * *",)),
        ("30 6 * * *", "half five rather", ("30 5 * * *",)),
        ("0 6 * * *", "5 please", ("0 5 * * *",)),
        ("0 20 * * 0", "let it come at 9 instead", ("0 21 * * 0",)),
        ("0 20 * * 0", "at half eight from now on", ("30 20 * * 0",)),
        ("0 22 * * *", "make it 11", ("0 23 * * *",)),
        ("0 19 * * *", "8 would be better", ("0 20 * * *",)),
        ("0 13 * * *", "make it 11", ("0 11 * * *",)),
        ("0 11 * * *", "move it to one", ("0 13 * * *",)),
        ("0 7 * * *", "change that to six I get up early now", ("0 6 * * *",)),
        ("0 9 * * *", "move it back to eight so that I can read it on the train", ("0 8 * * *",)),
    ],
)
def test_a_bare_hour_near_the_old_one_is_in_its_half_of_the_day(
    was: str, say: str, crons: tuple[str, ...]
) -> None:
    reading = changed(was, say)
    assert reading.timing is not None
    assert reading.timing.crons == crons


@pytest.mark.parametrize(("was", "say"), [("0 7 * * *", "make it 5"), ("0 17 * * *", "make it 8")])
def test_a_bare_hour_two_hours_or_more_from_the_old_one_is_asked_about(was: str, say: str) -> None:
    assert changed(was, say).missing == ("am_pm",)


@pytest.mark.parametrize(
    ("was", "say", "crons"),
    [
        ("0 7 * * *", "and at 6 in the morning rather than at 7", ("0 6 * * *",)),
        ("0 7 * * *", "and at 8, not 7", ("0 8 * * *",)),
        ("0 7 * * *", "and 6:30 instead of 7 for the time", ("30 6 * * *",)),
        ("0 21 * * 1-5", "and the time, from 9pm to 10pm please", ("0 22 * * 1-5",)),
        ("0 21 * * 1-5", "and from 9 to 10 pm", ("0 22 * * 1-5",)),
        ("0 7 * * 1", "and on Tuesdays, not Mondays", ("0 7 * * 2",)),
        ("0 7 * * *", "and at 8", ("0 7,8 * * *",)),
        ("0 7 * * *", "also at 8", ("0 7,8 * * *",)),
    ],
)
def test_an_old_value_beside_the_new_one_is_exchanged_for_it(
    was: str, say: str, crons: tuple[str, ...]
) -> None:
    reading = changed(was, say)
    assert reading.timing is not None
    assert reading.timing.crons == crons


@pytest.mark.parametrize(
    ("was", "say", "crons"),
    [
        ("0 5 * * *", "Diesel one to 4 am.", ("0 4 * * *",)),
        (WEEKDAYS, "the other one to 11 please", ("0 11 * * 1-5",)),
        (WEEKDAYS, "move the first one to 8", ("0 8 * * 1-5",)),
        (WEEKDAYS, "at ten to ten", ("50 9 * * 1-5",)),
        (WEEKDAYS, "twenty-five to eleven", ("35 10 * * 1-5",)),
        (WEEKDAYS, "quarter to nine", ("45 8 * * 1-5",)),
        (WEEKDAYS, "three minutes to ten", ("57 9 * * 1-5",)),
    ],
)
def test_minutes_before_the_hour_are_those_that_people_say(
    was: str, say: str, crons: tuple[str, ...]
) -> None:
    reading = changed(was, say)
    assert reading.timing is not None
    assert reading.timing.crons == crons


BUSY, OFFICE = "*/10 * * * *", "*/15 9-17 * * 1-5"


@pytest.mark.parametrize(
    ("was", "say", "crons"),
    [
        (BUSY, "and make it every 5", ("*/5 * * * *",)),
        (BUSY, "make it every five please", ("*/5 * * * *",)),
        (BUSY, "every 30 is enough", ("*/30 * * * *",)),
        ("0 */2 * * *", "and make it every 4", ("0 */4 * * *",)),
        (OFFICE, "and on Saturdays from 9 to 12 as well", (OFFICE, "*/15 9,10,11 * * 6", "0 12 * * 6")),
        (OFFICE, "also Sundays between 10 and 11", (OFFICE, "*/15 10 * * 0", "0 11 * * 0")),
        ("*/15 * * * *", "weekdays between 9 and 5", ("*/15 9-16 * * 1-5", "0 17 * * 1-5")),
        ("*/15 * * * *", "only between 9 and 5 on weekdays", ("*/15 9-16 * * 1-5", "0 17 * * 1-5")),
        ("0 * * * *", "only while we're open, 6 to 18, not on sundays", ("0 6-18 * * 1,2,3,4,5,6",)),
        ("0 * * * *", "between 8 and 18 except in august", ("0 8-18 * 1,2,3,4,5,6,7,9,10,11,12 *",)),
        ("0 * * * *", "only 8 to 18", ("0 8-18 * * *",)),
        ("30 8-18 * * *", "only from 6 to 20", ("30 6-19 * * *",)),
        ("0 8-18 * * *", "every 2 hours, and not on mondays", ("0 8,10,12,14,16,18 * * 0,2,3,4,5,6",)),
        ("0 * * * *", "every 10 minutes, except in august", ("*/10 * * 1,2,3,4,5,6,7,9,10,11,12 *",)),
    ],
)
def test_an_interval_keeps_its_unit_and_the_hours_of_other_days(
    was: str, say: str, crons: tuple[str, ...]
) -> None:
    reading = changed(was, say)
    assert reading.timing is not None
    assert reading.timing.crons == crons


def test_hours_of_a_day_that_an_interval_lacks_are_asked_about() -> None:
    assert changed(OFFICE, "on Saturdays from 9 to 12").missing == ("rest",)


@pytest.mark.parametrize(
    ("was", "say", "crons"),
    [
        (WEEKDAYS, "it should also run on Saturdays, not only Monday to Friday", ("0 9 * * 1,2,3,4,5,6",)),
        (WEEKDAYS, "not only on weekdays, on Saturdays too", ("0 9 * * 1,2,3,4,5,6",)),
        (MONDAYS, "not just Mondays but Thursdays too", ("0 9 * * 1,4",)),
        (DAILY, "not only at 9 but also at 5", ("0 9,17 * * *",)),
    ],
)
def test_what_is_not_all_that_is_wanted_stays(was: str, say: str, crons: tuple[str, ...]) -> None:
    reading = changed(was, say)
    assert reading.timing is not None
    assert reading.timing.crons == crons


def test_six_days_from_monday_on_are_named_by_the_first_and_the_last() -> None:
    assert changed(DAILY, "not on Sundays").said == "Mondays to Saturdays at 9:00 AM"
    assert changed(DAILY, "not on Fridays").said == "Every day except Friday at 9:00 AM"
