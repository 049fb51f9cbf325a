"""Local due times of tasks: the UTC moment of one, and the next one of a repetition. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from conversation.cron import Cron, normalise_cron

MAX_TIMES_PER_HOUR = 2
"""How often a task may repeat: every time brings a message."""

_LONGEST_GAP_DAYS = 8 * 366
"""From one 29 February to the next, across a year such as 2100, which has none."""


def checked_repetition(cron: str) -> str:
    """The normalised expression, when a task may repeat as it says.

    Raises:
        ValueError: otherwise, without quoting it.
    """
    normalised = normalise_cron(cron)
    if Cron.parse(normalised).max_times_per_hour > MAX_TIMES_PER_HOUR:
        raise ValueError("a task repeats at most twice an hour")
    return normalised


def moment_of(local: datetime, time_zone: str) -> datetime | None:
    """The UTC moment of a local time; None where there is none, at the ends of the calendar.

    A time that a clock change skips is an hour later; of one that comes twice, it is the first.
    """
    try:
        return local.replace(tzinfo=ZoneInfo(time_zone)).astimezone(UTC)
    except OverflowError:
        return None


def next_time(cron: str, time_zone: str, *, after: datetime) -> datetime | None:
    """The first local time that matches and whose moment is after ``after``, in UTC; None: never again."""
    parsed = Cron.parse(cron)
    times = [time(hour, minute) for hour in sorted(parsed.hours) for minute in sorted(parsed.minutes)]
    try:
        first = after.astimezone(ZoneInfo(time_zone)).date()
    except OverflowError:
        return None
    for day in _days_from(first):
        if not parsed.matches_day(day):
            continue
        for at in times:
            local = datetime.combine(day, at)
            moment = moment_of(local, time_zone)
            if moment is not None and moment > after:
                return local
    return None


def _days_from(first: date) -> Iterator[date]:
    for days in range(_LONGEST_GAP_DAYS):
        try:
            yield first + timedelta(days=days)
        except OverflowError:
            return
