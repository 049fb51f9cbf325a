"""The one day that words such as ``Friday`` or ``the 15th`` name, reckoned from today."""

from __future__ import annotations

from datetime import date, timedelta

from intent.times.words.dates import next_weekday
from intent.times.words.items import Days
from intent.times.words.lexicon import WEEKEND


def single_weekday(item: Days, today: date) -> date | None:
    """Returns the day of a weekday: ``next Friday`` is in next week, ``Friday`` the first from tomorrow.

    ``this Friday`` may be today, and ``this weekend`` is the one that has begun.
    """
    weekday = min(item.days)
    is_today = (today.weekday() + 1) % 7 in item.days
    if item.days == WEEKEND:
        if is_today and item.which != "next" and not item.weeks_later:
            return today
        weekday = 6
    elif item.which == "this" and is_today and len(item.days) == 1 and item.day_of_month is None:
        return today
    if item.day_of_month is not None:
        return _weekday_with_number(weekday, item.day_of_month, today)
    if item.which == "next":
        monday = today + timedelta(days=7 - today.weekday())
        return monday + timedelta(days=(weekday - 1) % 7)
    return next_weekday(weekday, today) + timedelta(days=7 * item.weeks_later)


def _weekday_with_number(weekday: int, number: int, today: date) -> date | None:
    day = today
    for _ in range(400):
        if day.day == number:
            return day if (day.weekday() + 1) % 7 == weekday else None
        day += timedelta(days=1)
    return None


def next_month_day(name: str, today: date) -> date | None:
    """Returns the next day of a month, from today on: the ``15``th, the last (``L``)."""
    if name == "L":
        return month_end(today.year, today.month)
    if not name.isdigit():
        return None
    day = today
    for _ in range(70):
        if day.day == int(name):
            return day
        day += timedelta(days=1)
    return None


def month_end(year: int, month: int) -> date:
    """Returns the last day of a month."""
    first_of_next = date(year + month // 12, month % 12 + 1, 1)
    return first_of_next - timedelta(days=1)
