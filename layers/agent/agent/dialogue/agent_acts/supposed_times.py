"""Whether a schedule has the days and times that the words of a question suppose."""

from __future__ import annotations

import calendar
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from agent.workspace.agents import Schedule
from conversation.cron import Cron
from intent.acts.agent_filters import WEEKDAYS
from intent.acts.tokens import tokenise
from intent.times.reader import read_times
from intent.times.reading import Kind

_MONTHS = frozenset(
    name.lower() for names in (calendar.month_name, calendar.month_abbr) for name in names if name
)
_SETS = {
    "weekend": {0, 6}, "weekends": {0, 6}, "weekday": {1, 2, 3, 4, 5}, "weekdays": {1, 2, 3, 4, 5},
    "daily": set(range(7)), "everyday": set(range(7)),
}  # fmt: skip
_RELATIVE = frozenset({"today", "tomorrow"})


def named_day(text: str, now: datetime, zone: str) -> date | None:
    """Return the one day in the calendar that words name: ``Friday 20 March``, ``tomorrow``; else None."""
    words = [token.word for token in tokenise(text)]
    if not (_MONTHS | _RELATIVE) & set(words):
        return None
    kept = [
        word
        for word in words
        if word in _MONTHS | _RELATIVE or _weekday(word) is not None or word[0].isdigit()
    ]
    found = read_times(" ".join(kept), now=now, zone=zone, wanted=Kind.DAY)
    return next((reading.day for reading in found if reading.day is not None), None)


def past_day(text: str, today: date) -> date | None:
    """Return the day gone by that words name: ``today``, ``yesterday``, ``on Tuesday``; None: none."""
    words = [token.word for token in tokenise(text)]
    if "today" in words or "yesterday" in words:
        return today - timedelta(days="yesterday" in words)
    number = next((found for word in words if (found := _weekday(word)) is not None), None)
    return None if number is None else today - timedelta(days=(today.isoweekday() - number) % 7)


def is_so(schedule: Schedule | None, text: str, now: datetime, zone: str) -> bool | None:
    """Return whether a schedule has the day, the weekdays and the time that words name; None: they name none.

    An agent without a schedule has none of them.
    """
    day, weekdays, at = named_day(text, now, zone), _weekdays(text), _time(text)
    if day is None and not weekdays and at is None:
        return None
    if schedule is None:
        return False
    if day is not None:
        return _has_day(schedule, day)
    crons = [Cron.parse(cron) for cron in schedule.timing().crons]
    has_days = weekdays <= {weekday for cron in crons for weekday in cron.weekdays}
    return has_days and (at is None or any(_has_time(cron, at) for cron in crons))


def _has_day(schedule: Schedule, day: date) -> bool:
    zone = ZoneInfo(schedule.time_zone)
    first = datetime(day.year, day.month, day.day, tzinfo=zone)
    coming = next(schedule.timing().moments(first), None)
    return coming is not None and coming.astimezone(zone).date() == day


def _weekdays(text: str) -> set[int]:
    """Return the days of the week that words name, Sunday is 0."""
    words = [token.word for token in tokenise(text)]
    found = {number for word in words if (number := _weekday(word)) is not None}
    for word in words:
        found |= _SETS.get(word, set())
    return found | set(range(7)) if "every day" in " ".join(words) else found


def _weekday(word: str) -> int | None:
    name = word.removesuffix("s")
    return WEEKDAYS.index(name) if name in WEEKDAYS else None


def _time(text: str) -> tuple[int, int, bool] | None:
    """Return the hour and minute that words name, and whether they may be of either half of the day."""
    tokens = tokenise(text)
    for place, token in enumerate(tokens):
        hour, _, minute = token.text.partition(":")
        behind = tokens[place + 1].word if place + 1 < len(tokens) else ""
        before = tokens[place - 1].word if place else ""
        if not hour.isdigit() or not (minute or behind in {"am", "pm", "a.m", "p.m"} or before == "at"):
            continue
        if int(hour) > 23 or not (minute or "0").isdigit():
            continue
        is_late = behind in {"pm", "p.m"} and int(hour) < 12
        is_open = behind not in {"am", "pm", "a.m", "p.m"} and 0 < int(hour) <= 12
        return int(hour) + 12 * is_late, int(minute or 0), is_open
    return None


def _has_time(cron: Cron, at: tuple[int, int, bool]) -> bool:
    hour, minute, is_open = at
    return minute in cron.minutes and (hour in cron.hours or (is_open and (hour + 12) % 24 in cron.hours))
