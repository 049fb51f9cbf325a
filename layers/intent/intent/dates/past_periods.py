"""Past periods in English text: ``last week``, ``in March``, ``three days ago``.

Weeks begin on Monday. Future days are in `intent.dates.due_dates`.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from re import Match
from typing import TypeAlias

from intent.dates.times import (
    COUNT,
    MAX_DAYS,
    MONDAY_FIRST,
    MONTH,
    TextSpan,
    days_in,
    month_number,
    parse_count,
    valid_date,
)
from intent.regular_expressions import LowerPattern, lower_pattern

_ONE_DAY = timedelta(days=1)

DayRange: TypeAlias = tuple[date, date]
"""The first and the last day."""


@dataclass(frozen=True, slots=True)
class PastPeriod(TextSpan):
    """A range of days, including ``last``, with its span in the text."""

    first: date
    last: date


def find_past_period(text: str, today: date) -> PastPeriod | None:
    """Return the first period the text names, relative to the user's ``today``; None when it names none."""
    periods: list[PastPeriod] = []
    for form, read in _FORMS:
        for match in form.finditer(text):
            days = read(match, today)
            if days is not None:
                periods.append(PastPeriod(match.start(), match.end(), *days))
    return min(periods, key=lambda past: (past.start, -past.end), default=None)


def _named(match: Match[str], today: date) -> DayRange:
    day = today - _ONE_DAY * ("yesterday" in match[0] or "last night" in match[0])
    day -= _ONE_DAY * match[0].startswith("the day before")
    return day, day


def _weekday(match: Match[str], today: date) -> DayRange:
    """The latest such day before today."""
    back = (today.weekday() - MONDAY_FIRST.index(match[1]) - 1) % 7 + 1
    day = today - back * _ONE_DAY
    return day, day


def _stretch(match: Match[str], today: date) -> DayRange:
    """``last month`` is the whole previous month; ``this month`` runs from its first day to today."""
    first = _begin(match[2], today)
    if match[1] in ("this", "the current"):
        return first, today
    last = first - _ONE_DAY
    return _begin(match[2], last), last


def _begin(stretch: str, day: date) -> date:
    match stretch:
        case "week":
            return day - day.weekday() * _ONE_DAY
        case "month":
            return day.replace(day=1)
        case "quarter":
            return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
        case _:
            return day.replace(month=1, day=1)


def _lately(match: Match[str], today: date) -> DayRange | None:
    days = _days(match)
    return None if days is None else (today - days * _ONE_DAY, today)


def _ago(match: Match[str], today: date) -> DayRange | None:
    """A range, because durations are rarely exact: two weeks ago means around that week."""
    days = _days(match)
    if days is None:
        return None
    around = days_in(1, match[2]) // 2
    day = today - days * _ONE_DAY
    return day - around * _ONE_DAY, min(today, day + around * _ONE_DAY)


def _days(match: Match[str]) -> int | None:
    count = parse_count(match[1])
    days = None if count is None else days_in(count, match[2])
    return days if days is not None and days <= MAX_DAYS else None


def _month(match: Match[str], today: date) -> DayRange | None:
    """Without a year, the latest such month that has begun."""
    month = month_number(match[1])
    year = int(match[2]) if match[2] else today.year - (month > today.month)
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def _year(match: Match[str], _today: date) -> DayRange:
    return date(int(match[1]), 1, 1), date(int(match[1]), 12, 31)


def _iso(match: Match[str], _today: date) -> DayRange | None:
    day = valid_date(int(match[1]), int(match[2]), int(match[3]))
    return None if day is None else (day, day)


_LENGTH = rf"({COUNT}) (day|week|month|year)s?"
_FORMS: tuple[tuple[LowerPattern, Callable[[Match[str], date], DayRange | None]], ...] = (
    (lower_pattern(r"\b(?:the day before yesterday|yesterday|last night|earlier today|today)\b"), _named),
    (lower_pattern(rf"\b(?:(?:on|last|this|past) ){{1,4}}({'|'.join(MONDAY_FIRST)})\b"), _weekday),
    (
        lower_pattern(
            r"\b(?:(?:in|during|over|from|of) )?(?:the )?(last|previous|past|this|the current) "
            r"(week|month|quarter|year)\b"
        ),
        _stretch,
    ),
    (
        lower_pattern(rf"\b(?:(?:in|during|over|within|for) )?(?:the )?(?:last|past) (?:few )?{_LENGTH}\b"),
        _lately,
    ),
    (lower_pattern(rf"\b(?:about |around |some )?{_LENGTH} (?:ago|back)\b"), _ago),
    (lower_pattern(rf"\b(?:in|during|of|from|back in) ({MONTH})\b(?:,? (20\d\d)\b)?"), _month),
    (lower_pattern(r"\b(?:in|during|back in|of) (20\d\d)\b"), _year),
    (lower_pattern(r"\b(?:on )?(\d{4})-(\d{2})-(\d{2})\b"), _iso),
)
