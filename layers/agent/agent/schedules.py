"""Cron expressions of five fields: whether one is valid, and how often it fires. Understanding people's words
is not done here.
"""

from __future__ import annotations

import re

_RANGES = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
_PART = re.compile(r"(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:/(\d{1,2}))?")
_NAMES = {name: str(place) for place, name in enumerate(("sun", "mon", "tue", "wed", "thu", "fri", "sat"))}


def known_cron(cron: str) -> str:
    """The expression with single spaces and numbered weekdays, when it is valid.

    Raises:
        ValueError: otherwise, without quoting it.
    """
    fields = cron.split()
    if len(fields) == len(_RANGES):
        fields[4] = re.sub(r"[a-z]{3}", lambda day: _NAMES.get(day[0], day[0]), fields[4].lower())
    if len(fields) != len(_RANGES) or not all(map(_is_field, fields, _RANGES)):
        raise ValueError("a schedule is five cron fields: minute, hour, day of month, month, day of week")
    return " ".join(fields)


def frequency(cron: str) -> str:
    """``hourly``, ``daily``, ``weekly``, ``monthly``; empty for anything else."""
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


def _is_field(field: str, limits: tuple[int, int]) -> bool:
    return all(_is_part(part, limits) for part in field.split(","))


def _is_part(part: str, limits: tuple[int, int]) -> bool:
    match = _PART.fullmatch(part)
    if match is None:
        return False
    low, high, step = (None if text is None else int(text) for text in match.groups())
    numbers = [number for number in (low, high) if number is not None]
    is_ordered = low is None or high is None or low <= high
    return is_ordered and step != 0 and all(limits[0] <= number <= limits[1] for number in numbers)
