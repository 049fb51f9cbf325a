"""Cron expressions of five fields: whether one is valid, and how often it fires. Understanding people's words
is not done here.
"""

from __future__ import annotations

import re

from conversation.crons import Cron

MOST_AN_HOUR = 12
"""How often an agent may work by itself within an hour: every five minutes."""

_NAMES = {name: str(place) for place, name in enumerate(("sun", "mon", "tue", "wed", "thu", "fri", "sat"))}


def known_cron(cron: str) -> str:
    """The expression with single spaces and numbered weekdays, when it is valid.

    Raises:
        ValueError: otherwise, without quoting it.
    """
    *times, weekdays = cron.split() or [""]
    fields = [*times, re.sub(r"[a-z]{3}", lambda day: _NAMES.get(day[0], day[0]), weekdays.lower())]
    Cron.parse(" ".join(fields))
    return " ".join(fields)


def is_too_frequent(cron: str) -> bool:
    """Whether a valid expression comes true more often than an agent may work by itself."""
    return Cron.parse(cron).times_an_hour > MOST_AN_HOUR


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
