"""Cron expressions with five numeric fields: their validation, and the values of each field.

EventBridge Scheduler computes the moments that they match; in the twin, `local.events.scheduler` does.
Interpreting a user's words is not done here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_WEEKDAY_LIMITS = (0, 7)
_LIMITS = ((0, 59), (0, 23), (1, 31), (1, 12), _WEEKDAY_LIMITS)
_DAYS_OF_MONTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_PART = re.compile(r"(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:/(\d{1,2}))?")

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
