"""The labelled time phrases, and firings by another library."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from itertools import islice, takewhile
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from cronsim import CronSim
from dateutil.rrule import DAILY, MINUTELY, MONTHLY, rrule

from conversation.timing import Timing, Unit
from intent.times.reading import TimeReading
from tests.evals.times import CASES, TimeCase, judge, play, read_time_cases

UNDERSTOOD = {"p": 1.0, "q": 1.0, "r": 0.93, "s": 0.82, "t": 0.97, "u2": 0.87}
"""What was understood when this was last raised; it only rises."""
ALL = [case for path in CASES for case in read_time_cases(path)]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_labelled_phrases_are_understood_and_none_is_silently_wrong(path: Path) -> None:
    result = play(read_time_cases(path))
    assert result.wrong == []
    assert result.share >= UNDERSTOOD[path.stem]


def test_every_schedule_fires_when_another_library_says_so() -> None:
    compared = 0
    for case in ALL:
        for reading in case.read():
            if reading.timing is not None:
                compared += 1
                assert list(islice(reading.timing.moments(case.now), 5)) == by_library(
                    reading.timing, case.now
                )
    assert compared > 250


@pytest.mark.parametrize(
    "say",
    ["every day at 7", "bi-weekly at 9", "Mondays or Tuesdays at 9", "every week at 10", "9am IST daily"],
)
def test_words_with_two_meanings_are_asked(say: str) -> None:
    [reading] = as_said(say).read()
    assert reading.problem == "ask"
    assert reading.missing


def test_a_reading_that_fits_no_label_counts_as_wrong() -> None:
    case = as_said("Fridays at 4", expected=(("2026-03-06T04:00",),))
    assert judge(case, case.read()) == "wrong"


def as_said(say: str, expected: tuple[tuple[str, ...], ...] = ()) -> TimeCase:
    now = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)
    zone = "Europe/London"
    return TimeCase("1", say, zone, now, "schedule", None, "fires", expected, told_in=zone)


def by_library(timing: Timing, now: datetime) -> list[datetime]:
    """The next five moments by cronsim and dateutil, which know nothing of the product."""
    zone = ZoneInfo(timing.zone)
    begin = now.astimezone(zone).replace(tzinfo=None)
    found = set[datetime]()
    horizon = datetime.combine(timing.end, time.max) if timing.end else begin + timedelta(days=9 * 366)
    if timing.unit is Unit.MINUTES and timing.start is not None:
        steps = rrule(MINUTELY, interval=timing.every, dtstart=timing.start, count=200)
        return [local.replace(tzinfo=zone).astimezone(UTC) for local in steps if local > begin][:5]
    for cron in timing.crons:
        locals_ = nearest_weekdays(cron, begin) if "W" in cron.replace("LW", "") else CronSim(cron, begin)
        kept = (local for local in takewhile(lambda local: local <= horizon, locals_) if exists(local, zone))
        found.update(islice((local for local in kept if counts(local, timing)), 5))
    moments = sorted(local.replace(tzinfo=zone).astimezone(UTC) for local in found)
    return [moment for moment in moments if moment > now][:5]


def exists(local: datetime, zone: ZoneInfo) -> bool:
    return local.replace(tzinfo=zone).astimezone(UTC).astimezone(zone).replace(tzinfo=None) == local


def counts(local: datetime, timing: Timing) -> bool:
    """Whether the schedule's own recurrence, by dateutil, has the local moment."""
    if timing.end is not None and local.date() > timing.end:
        return False
    if timing.start is None:
        return True
    if local < timing.start:
        return False
    if timing.every == 1:
        return True
    midnight = local.replace(hour=0, minute=0)
    if timing.unit is Unit.MONTHS:
        first = timing.start.replace(day=1)
        return midnight.replace(day=1) in rrule(MONTHLY, interval=timing.every, dtstart=first)
    if timing.unit is Unit.DAYS:
        return midnight in rrule(DAILY, interval=timing.every, dtstart=timing.start)
    monday = timing.start - timedelta(days=timing.start.weekday())
    weeks = rrule(DAILY, interval=7 * timing.every, dtstart=monday.replace(hour=0, minute=0))
    return midnight - timedelta(days=midnight.weekday()) in weeks


def nearest_weekdays(cron: str, begin: datetime) -> list[datetime]:
    """The moments of ``15W``, which cronsim has not: the weekday of the month nearest to its 15th."""
    minute, hour, day, months_field, _ = cron.split()
    wanted = int(day.removesuffix("W"))
    allowed = range(1, 13) if months_field == "*" else list(map(int, months_field.split(",")))
    first_of_month = begin.replace(day=1, hour=int(hour), minute=int(minute))
    months = rrule(MONTHLY, dtstart=first_of_month, bymonth=allowed, count=8)
    found = []
    for first in months:
        near = [first + timedelta(days=offset) for offset in range(31)]
        weekdays = [each for each in near if each.month == first.month and each.weekday() < 5]
        found.append(min(weekdays, key=lambda each: abs(each.day - wanted)))
    return [each for each in found if each > begin]


def test_a_past_period_is_no_schedule() -> None:
    readings: tuple[TimeReading, ...] = as_said("last week's sales").read()
    assert [reading.timing for reading in readings] == [None]
