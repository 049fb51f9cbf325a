"""Cron expressions with five fields: their validation, and the days and times that they name.

A field holds numbers, ranges and steps. The day of the month may also be ``L`` (the last day), ``15W`` (the
weekday nearest to the 15th, in the same month) and ``LW`` (the last weekday); the day of the week may be
``5L`` (the last Friday) and ``2#1`` (the first Tuesday).

`conversation.timing` computes the moments of a schedule. Interpreting a user's words is not done here.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from typing import NamedTuple

_WEEKDAY_LIMITS = (0, 7)
_LIMITS = ((0, 59), (0, 23), (1, 31), (1, 12), _WEEKDAY_LIMITS)
_DAYS_OF_MONTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_PART = re.compile(r"(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:/(\d{1,2}))?")
_PLACED_DAY = re.compile(r"L|LW|(\d{1,2})W")
_PLACED_WEEKDAY = re.compile(r"([0-7])(?:#([1-5])|(L))")
_LAST = -1

EVERY_DAY = frozenset(range(1, 32))
EVERY_WEEKDAY = frozenset(range(7))
_NONE: frozenset[int] = frozenset()


class PlacedWeekday(NamedTuple):
    """A weekday (Sunday is 0) with its place in the month; -1 is the last."""

    weekday: int
    place: int


class Cron(NamedTuple):
    """The allowed values of each field; weekdays are counted from Sunday, 0."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    placed_days: frozenset[str] = frozenset()
    """``L``, ``LW`` and the like; beside them ``days`` may be empty."""
    placed_weekdays: frozenset[PlacedWeekday] = frozenset()
    """Beside them ``weekdays`` may be empty."""

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
        fields[2], placed_days = _placed_days(fields[2])
        fields[4], placed_weekdays = _placed_weekdays(fields[4])
        minutes, hours, days, months, numbers = map(_values, fields, _LIMITS)
        weekdays = frozenset(number % 7 for number in numbers)
        # Cron matches days by both fields when one of them begins with a star, and by either field otherwise.
        has_star = fields[2].startswith("*") or fields[4].startswith("*")
        if not has_star and (days == EVERY_DAY or weekdays == EVERY_WEEKDAY):
            days, weekdays = EVERY_DAY, EVERY_WEEKDAY
        cron = cls(minutes, hours, days, months, weekdays, placed_days, placed_weekdays)
        if has_star and cron.matches_either_day_field:
            raise ValueError("steps through the month can't be combined with days of the week")
        if not cron._comes():
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
        """Whether the expression names times on this day."""
        if day.month not in self.months:
            return False
        by_day = day.day in self.days or any(
            day.day == _day_of(name, day.year, day.month) for name in self.placed_days
        )
        by_weekday = _sunday_first(day) in self.weekdays or any(
            _is_placed(day, placed) for placed in self.placed_weekdays
        )
        return by_day or by_weekday if self.matches_either_day_field else by_day and by_weekday

    def _comes(self) -> bool:
        if self.matches_either_day_field or self.placed_days or self.placed_weekdays:
            return True
        return any(min(self.days) <= _DAYS_OF_MONTHS[month - 1] for month in self.months)


def _placed_days(field: str) -> tuple[str, frozenset[str]]:
    """The plain part of a field for days of the month, and its other days."""
    parts = field.split(",")
    placed = [part for part in parts if (match := _PLACED_DAY.fullmatch(part)) and _is_day(match[1])]
    return ",".join(part for part in parts if part not in placed), frozenset(placed)


def _is_day(digits: str | None) -> bool:
    return digits is None or 1 <= int(digits) <= 31


def _placed_weekdays(field: str) -> tuple[str, frozenset[PlacedWeekday]]:
    parts = field.split(",")
    matches = {part: match for part in parts if (match := _PLACED_WEEKDAY.fullmatch(part))}
    placed = frozenset(PlacedWeekday(int(match[1]) % 7, int(match[2] or _LAST)) for match in matches.values())
    return ",".join(part for part in parts if part not in matches), placed


def _values(field: str, limits: tuple[int, int]) -> frozenset[int]:
    if not field:  # all of it were placed days
        return _NONE
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


def _sunday_first(day: date) -> int:
    return (day.weekday() + 1) % 7


def _is_placed(day: date, placed: PlacedWeekday) -> bool:
    if _sunday_first(day) != placed.weekday:
        return False
    if placed.place == _LAST:
        return day.day > monthrange(day.year, day.month)[1] - 7
    return (day.day - 1) // 7 + 1 == placed.place


def _day_of(name: str, year: int, month: int) -> int | None:
    """The day of the month that ``L``, ``LW`` or ``15W`` names; None in a month without a 31st, say."""
    last = monthrange(year, month)[1]
    wanted = last if name.startswith("L") else int(name.removesuffix("W"))
    if wanted > last:
        return None
    weekday = date(year, month, wanted).weekday()
    if not name.endswith("W") or weekday < 5:
        return wanted
    if weekday == 5:
        return wanted - 1 if wanted > 1 else wanted + 2
    return wanted + 1 if wanted < last else wanted - 2


_NAMES = {name: str(place) for place, name in enumerate(("sun", "mon", "tue", "wed", "thu", "fri", "sat"))}


def normalise_cron(cron: str) -> str:
    """The expression with single spaces and numbered weekdays, when it is valid.

    Raises:
        ValueError: otherwise, without quoting it.
    """
    *times, weekdays = cron.upper().split() or [""]
    fields = [*times, re.sub(r"[A-Z]{3}", lambda day: _NAMES.get(day[0].lower(), day[0]), weekdays)]
    Cron.parse(" ".join(fields))
    return " ".join(fields)


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
        if weekday == "*":
            return "daily"
        return "weekly" * weekday.isdigit() or "monthly" * bool(_PLACED_WEEKDAY.fullmatch(weekday))
    is_one_day = day.isdigit() or _PLACED_DAY.fullmatch(day) is not None
    return "monthly" if is_one_day and weekday == "*" else ""
