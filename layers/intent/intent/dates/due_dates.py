"""Due dates in English text: ``by Friday``, ``tomorrow``, ``on March 6``.

Recurring days (``every Friday``) are schedules: see `intent.dates.schedules`.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from re import Match

from intent.dates.times import (
    COUNT,
    MONDAY_FIRST,
    MONTH,
    TextSpan,
    days_in,
    month_number,
    parse_count,
    valid_date,
)
from intent.regular_expressions import LowerPattern, lower_pattern

_DUE = r"\b(?:it(?:'s| is) )?due(?: on| by| date(?: is| of|:)?)?:? "
_LEAD = rf"(?:[,(-] ?)?(?:{_DUE}|\b(?:by|before|until|on|for) (?:the )?)"
_DAY_OF_MONTH = r"(\d{1,2})(?:st|nd|rd|th)?"
_LONGEST_DAYS = 3_650


@dataclass(frozen=True, slots=True)
class DueDate(TextSpan):
    """A due date with its span in the text."""

    day: date


def find_due_date(text: str, today: date) -> DueDate | None:
    """Return the last day the text names, relative to the user's ``today``; None when it names none."""
    dates: list[DueDate] = []
    for form, read in _FORMS:
        for match in form.finditer(text):
            day = read(match, today)
            if day is not None:
                dates.append(DueDate(match.start(), match.end(), day))
    return max(dates, key=lambda due: (due.end, -due.start), default=None)


def _named(match: Match[str], today: date) -> date | None:
    if match[1] == "yesterday":
        return today - timedelta(days=1)
    return today + timedelta(days=2 if match[1].startswith("day") else int(match[1] == "tomorrow"))


def _weekday(match: Match[str], today: date) -> date:
    """``Friday`` is the first one from tomorrow on, ``next Friday`` the one in next week."""
    wanted = MONDAY_FIRST.index(match[2])
    if match[1] == "next":
        monday = today + timedelta(days=7 - today.weekday())
        return monday + timedelta(days=wanted)
    return today + timedelta(days=(wanted - today.weekday() - 1) % 7 + 1)


def _ahead(match: Match[str], today: date) -> date | None:
    count = parse_count(match[1])
    if count is None:
        return None
    days = days_in(count, match[2])
    return today + timedelta(days=days) if days <= _LONGEST_DAYS else None


def _ending(match: Match[str], today: date) -> date:
    later = match[1] == "next"
    if match[2] == "week":
        return today + timedelta(days=(6 - today.weekday()) + 7 * later)
    if match[2] == "year":
        return date(today.year + later, 12, 31)
    year, month = (
        (today.year + today.month // 12, today.month % 12 + 1) if later else (today.year, today.month)
    )
    return date(year, month, monthrange(year, month)[1])


def _next_period(match: Match[str], today: date) -> date:
    if match[1] == "week":
        return today + timedelta(days=7 - today.weekday())
    return date(today.year + today.month // 12, today.month % 12 + 1, 1)


def _iso(match: Match[str], _today: date) -> date | None:
    return valid_date(int(match[1]), int(match[2]), int(match[3]))


def _month_day(match: Match[str], today: date) -> date | None:
    return _in_year(match[3], match[1], match[2], today)


def _day_month(match: Match[str], today: date) -> date | None:
    return _in_year(match[3], match[2], match[1], today)


def _of_this_month(match: Match[str], today: date) -> date | None:
    day = int(match[1])
    first = today.replace(day=1)
    following = (first + timedelta(days=32)).replace(day=1)
    month = first if day >= today.day else following
    return valid_date(month.year, month.month, day)


def _in_year(year: str | None, month: str, day: str, today: date) -> date | None:
    """Without a year, the next such day from today on."""
    place = month_number(month)
    if year is not None:
        return valid_date(int(year), place, int(day))
    this_year = valid_date(today.year, place, int(day))
    is_past = this_year is not None and this_year < today
    return valid_date(today.year + 1, place, int(day)) if is_past else this_year


_DAYS = "|".join(MONDAY_FIRST)
_FORMS: tuple[tuple[LowerPattern, Callable[[Match[str], date], date | None]], ...] = (
    (
        lower_pattern(
            rf"(?:{_LEAD})?\b(?:the )?(today|tonight|tomorrow|yesterday|day after tomorrow)"
            r"(?: (?:morning|afternoon|evening|night))?\b"
        ),
        _named,
    ),
    (lower_pattern(rf"{_LEAD}(?:(next|this|coming) )?({_DAYS})\b"), _weekday),
    (lower_pattern(rf"\b(next|this) ({_DAYS})\b"), _weekday),
    (lower_pattern(rf"(?:{_LEAD})?\b(?:with)?in ({COUNT}) (day|week|month)s?(?: time)?\b"), _ahead),
    (lower_pattern(rf"{_LEAD}(?:the )?end of (?:the |(this|next) )?(week|month|year)\b"), _ending),
    (lower_pattern(rf"(?:{_LEAD})?\bnext (week|month)\b"), _next_period),
    (lower_pattern(rf"(?:{_LEAD})?\b(\d{{4}})-(\d{{2}})-(\d{{2}})\b"), _iso),
    (lower_pattern(rf"{_LEAD}({MONTH})\.? {_DAY_OF_MONTH}(?:,? (20\d\d))?\b"), _month_day),
    (lower_pattern(rf"{_LEAD}{_DAY_OF_MONTH} (?:of )?({MONTH})\b\.?(?:,? (20\d\d)\b)?"), _day_month),
    (
        lower_pattern(
            rf"{_LEAD}(\d{{1,2}})(?:st|nd|rd|th)\b(?! (?:of|floor|time|one|grade|birthday|anniversary))"
        ),
        _of_this_month,
    ),
)
