"""Cron expressions with five numeric fields, and the moments they match.

Time zones work as in EventBridge Scheduler: a local time that a clock change skips does not match, and one
that occurs twice matches the first time only. Interpreting a user's words is not done here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

_WEEKDAY_LIMITS = (0, 7)
_LIMITS = ((0, 59), (0, 23), (1, 31), (1, 12), _WEEKDAY_LIMITS)
_DAYS_OF_MONTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_PART = re.compile(r"(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:/(\d{1,2}))?")
_ONE_DAY = timedelta(days=1)
_LOOK_BACK = 8 * 366 * _ONE_DAY
"""29 February recurs after eight years at the latest."""

EVERY_DAY = frozenset(range(1, 32))
EVERY_WEEKDAY = frozenset(range(7))


class Cron(NamedTuple):
    """The allowed values of each field; weekdays are counted from Sunday, 0."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]

    @classmethod
    def parse(cls, text: str) -> Cron:
        """Parse an expression; weekdays 0 and 7 are Sunday.

        Raises:
            ValueError: the expression is malformed, never matches, or combines day-of-month steps with
                restricted weekdays.
        """
        fields = text.split()
        if len(fields) != len(_LIMITS):
            raise ValueError("a schedule is five cron fields: minute, hour, day of month, month, day of week")
        minutes, hours, days, months, numbers = map(_values, fields, _LIMITS)
        weekdays = frozenset(number % 7 for number in numbers)
        # Cron matches days by both fields when one of them begins with a star, and by either field otherwise.
        has_star = fields[2].startswith("*") or fields[4].startswith("*")
        if not has_star and (days == EVERY_DAY or weekdays == EVERY_WEEKDAY):
            days, weekdays = EVERY_DAY, EVERY_WEEKDAY
        cron = cls(minutes, hours, days, months, weekdays)
        if has_star and cron.matches_either_day_field:
            raise ValueError("steps through the month can't be combined with days of the week")
        if not cron.matches_either_day_field and not any(
            min(days) <= _DAYS_OF_MONTHS[month - 1] for month in months
        ):
            raise ValueError("the schedule names a day that never comes")
        return cron

    @property
    def matches_either_day_field(self) -> bool:
        """Whether day of month and day of week are both restricted, so that a day may match either."""
        return self.days != EVERY_DAY and self.weekdays != EVERY_WEEKDAY

    @property
    def max_times_per_hour(self) -> int:
        """The maximum number of matches within an hour."""
        return len(self.minutes)

    def matches_day(self, day: date) -> bool:
        """Whether any moment of the day matches."""
        is_day, is_weekday = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        is_named = is_day or is_weekday if self.matches_either_day_field else is_day and is_weekday
        return is_named and day.month in self.months

    def latest(self, *, after: datetime, until: datetime, zone: ZoneInfo) -> datetime | None:
        """The latest match in UTC that is after ``after`` and at most ``until``; None when there is none."""
        day = until.astimezone(zone).date()
        first = max(after.astimezone(zone).date(), day - _LOOK_BACK)
        while day >= first:
            if self.matches_day(day):
                for moment in self._moments(day, zone):
                    if moment <= until:
                        return moment if moment > after else None
            day -= _ONE_DAY
        return None

    def _moments(self, day: date, zone: ZoneInfo) -> Iterator[datetime]:
        """The day's matches, latest first."""
        for hour in sorted(self.hours, reverse=True):
            for minute in sorted(self.minutes, reverse=True):
                local = datetime.combine(day, time(hour, minute), zone)
                moment = local.astimezone(UTC)
                if moment.astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None):
                    yield moment


def _values(field: str, limits: tuple[int, int]) -> frozenset[int]:
    return frozenset(value for part in field.split(",") for value in _part_values(part, limits))


def _part_values(part: str, limits: tuple[int, int]) -> range:
    match = _PART.fullmatch(part)
    if match is None:
        raise ValueError("a field of a schedule is numbers, ranges and steps")
    low, high, step = (None if text is None else int(text) for text in match.groups())
    # A step after a single number goes on to the end of the field's range.
    end = 6 if limits == _WEEKDAY_LIMITS else limits[1]
    first = limits[0] if low is None else low
    last = high if high is not None else end if low is None or step is not None else low
    if step == 0 or not limits[0] <= first <= last <= limits[1]:
        raise ValueError("a field of a schedule is out of its range")
    return range(first, last + 1, step or 1)


MAX_RUNS_PER_HOUR = 12
"""How often an agent may run on schedule within an hour: every five minutes."""

_NAMES = {name: str(place) for place, name in enumerate(("sun", "mon", "tue", "wed", "thu", "fri", "sat"))}


def normalise_cron(cron: str) -> str:
    """The expression with single spaces and numbered weekdays, when it is valid.

    Raises:
        ValueError: otherwise, without quoting it.
    """
    *times, weekdays = cron.split() or [""]
    fields = [*times, re.sub(r"[a-z]{3}", lambda day: _NAMES.get(day[0], day[0]), weekdays.lower())]
    Cron.parse(" ".join(fields))
    return " ".join(fields)


def is_too_frequent(cron: str) -> bool:
    """Whether a valid expression matches more often than an agent may run on schedule."""
    return Cron.parse(cron).max_times_per_hour > MAX_RUNS_PER_HOUR


def frequency(cron: str) -> str:
    """``hourly``, ``daily``, ``weekly`` or ``monthly``; empty for anything else."""
    minute, hour, day, month, weekday = cron.split()
    if month != "*" or not minute.isdigit():
        return ""
    if hour == "*":
        return "hourly" if (day, weekday) == ("*", "*") else ""
    if not hour.isdigit():
        return ""
    if day == "*":
        return "daily" if weekday == "*" else "weekly" * weekday.isdigit()
    return "monthly" if day.isdigit() and weekday == "*" else ""
