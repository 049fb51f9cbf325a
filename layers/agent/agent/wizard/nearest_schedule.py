"""Finds the nearest supported schedule for an unsupported one, in words `intent.dates.schedules` parses."""

from __future__ import annotations

import re
from collections.abc import Callable
from re import Match

MIN_INTERVAL_MINUTES = 5
_MINUTES = (5, 10, 15, 20, 30)
_HOURS = (1, 2, 3, 4, 6, 8, 12)
_SOME_DAYS = {2: "Monday, Wednesday and Friday", 3: "Monday and Thursday"}


def nearest_supported(unfit: str) -> str | None:
    """Returns ``every Monday at 9:00 AM`` for ``Every two weeks on Monday at 9:00 AM``.

    None when no supported schedule is near. The nearest schedule runs rather too often than too rarely.
    """
    for form, near in _FORMS:
        if match := form.fullmatch(unfit.strip()):
            return near(match)
    return None


def _minutes(match: Match[str]) -> str:
    count = int(match[1] or 1)
    on = (match[2] or "").replace("weekend day", "weekends")
    if count >= 45:
        return f"every hour{on}"
    return (
        f"every {max([each for each in _MINUTES if each <= count], default=MIN_INTERVAL_MINUTES)} minutes{on}"
    )


def _hours(match: Match[str]) -> str:
    count = int(match[1])
    if count >= 18:
        return f"every day at 9:00 AM{match[2] or ''}"
    return f"every {max(each for each in _HOURS if each <= max(count, 1))} hours{match[2] or ''}"


def _times_a_day(match: Match[str]) -> str:
    often = next((count for count in (2, 3, 4, 6, 8, 12, 24) if count >= int(match[1])), 24)
    return f"{often} times a day{match[2] or ''}"


def _same_minute(match: Match[str]) -> str:
    """Gives all times of a schedule the minute of the first, since cron has one minute field for all."""
    hours = re.sub(r":\d\d", f":{match[2]}", match[3])
    return f"{match[1]}:{match[2]}{hours}".replace("Daily", "every day")


def _days(match: Match[str]) -> str:
    return f"every {_SOME_DAYS.get(int(match[1]), 'Monday')} {match[2]}"


_FORMS: tuple[tuple[re.Pattern[str], Callable[[Match[str]], str]], ...] = tuple(
    (re.compile(form, re.IGNORECASE), near)
    for form, near in (
        (r"Every (\d+) days (at .+)", _days),
        (r"Every (?:(\d+) )?minutes?( on .+)?", _minutes),
        (r"(\d+) times a day( on .+)?", _times_a_day),
        (r"((?:Daily|Every .+) at \d+):(\d\d)( [AP]M and .+)", _same_minute),
        (r"Every (\d+) hours( on .+)?", _hours),
        (r"Every \d+ months (on the .+)", lambda match: f"every month {match[1]}"),
        (r"Monthly on the last day (at .+)", lambda match: f"every month on the 28th {match[1]}"),
        (r"Quarterly on the last day (at .+)", lambda match: f"every quarter on the 28th {match[1]}"),
        (
            r"(?:Every (?:two|\d+) weeks|Monthly) on (?:the \w+ )?(\w+days?\b.*) (at .+)",
            lambda match: f"every {match[1].replace('weekdays', 'weekday')} {match[2]}",
        ),
        (r"In real time|(?:every|each) .*sec(?:ond)?s?", lambda _: f"every {MIN_INTERVAL_MINUTES} minutes"),
    )
)
