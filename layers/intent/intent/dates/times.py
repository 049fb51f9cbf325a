"""Days of the week and times of day in English text, with their spans; the words for numbers and months.

`intent.dates.schedules` combines them with the rates of `intent.dates.recurrence`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from re import Match

from intent.regular_expressions import either, lower_pattern

SUNDAY_FIRST = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONDAY_FIRST = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LONG_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
LONG_MONTH = either(_LONG_MONTHS)
MONTH = either(f"{_LONG_MONTHS}|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec")
_DAYS_IN = {"day": 1, "week": 7, "month": 30, "year": 365}
MAX_DAYS = 36_500
WEEKDAYS = frozenset({1, 2, 3, 4, 5})
WEEKEND = frozenset({0, 6})

EVERY = either("every single|every|each and every|each|evry|evrey|eveyr")
LONG_DAY = either("(?:sun|mon|tues|wednes|thurs|fri|satur)days?")
_SHORT_DAY = either("sun|mon|tues?|wed|thu(?:rs?)?|fri|sat")
_DAY = rf"(?:{LONG_DAY}|{_SHORT_DAY})\b\.?"

_RANGE = lower_pattern(rf"\b({_DAY})\s*(?:-|to|till|until|through|thru)\s*({_DAY})")
_GROUPS = (
    (lower_pattern(r"\b(?:(?:every|each|on|all) )?(?:week|work|business|working)[- ]?days?\b"), WEEKDAYS),
    (lower_pattern(rf"\b(?:(?:{EVERY}|on|at the|at) )?weekends?\b(?! off)"), WEEKEND),
)
_NAMED = lower_pattern(rf"\b(?:(?:{EVERY}(?: other| second)?|on|and|or) )?({LONG_DAY})\b")
_ABBREVIATED = lower_pattern(
    rf"(?:\b(?:{EVERY}|on) |(?<=[,/&+])\s*|(?<=\band)\s)({_SHORT_DAY})\b",
    rf"\b({_SHORT_DAY})\b(?=\s*(?:[,/&+]|and\b)\s*{_DAY})",
)

_NUMBER_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
NUMBERS = {word: number for number, word in enumerate(_NUMBER_WORDS)}
COUNTED = "|".join(_NUMBER_WORDS[1:])
"""The words for numbers from one on."""
COUNT = rf"\d{{1,4}}|an|a|{COUNTED}"
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10,
}  # fmt: skip
_PARTS = {
    "morning": (9, 0), "lunchtime": (12, 0), "lunch": (12, 0), "noon": (12, 0), "midday": (12, 0),
    "afternoon": (14, 0), "evening": (18, 0), "night": (22, 0), "midnight": (0, 0),
}  # fmt: skip
_LATE = frozenset({"afternoon", "evening", "night"})
_PART = lower_pattern(
    rf"(?<!until\s)(?<!till\s)(?<!before\s)(?<!after\s)(?<!whole\s)\b({'|'.join(_PARTS)})s?\b(?!\s+(?:money|menu|order|break|room|shift))"
)
_WORKING_DAY = "of (?:(?:the|every|each) )?(?:working )?day"
_EDGES = (
    (lower_pattern(rf"\b(?:at )?(?:the )?(?:start|beginning) {_WORKING_DAY}\b"), (9, 0)),
    (lower_pattern(rf"\b(?:at )?(?:the )?(?:end {_WORKING_DAY}|eod|close of business)\b"), (17, 0)),
)
_HALF = lower_pattern(r"\b(?:at )?(half|quarter) (past|to) (\w+)(?:\s*([ap])\.?m)?\b")
_DIGITAL = lower_pattern(
    r"(?:(?:\b(?:at|by|around|about) |@\s*)(\d{1,2})[:.h](\d{2})|(?<![:\d.,/-])\b(\d{1,2})[:h](\d{2}))"
    r"(?![\d:])(?:\s*([ap])\.?m\b\.?)?"
)
_TWELVE = lower_pattern(
    r"(?:\b(?:at|by|around|about) |@\s*|\b)(\d{1,2}|\w{3,6})\s*(?:([ap])\.?m\b\.?|o'?clock\b)"
)
_BARE = lower_pattern(
    rf"(?:\bat|@)\s*(\d{{1,2}}|{COUNTED})\b(?!\s*(?:%|st\b|nd\b|rd\b|th\b|hours?\b|min|days?\b"
    r"|weeks?\b|months?\b"
    r"|[.,:]?\d))",
    r"\b(\d{1,2})(?= (?:in the|at|every|each) (?:morning|afternoon|evening|night)\b)",
)


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A span of text from ``start`` to ``end``."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class WeekdaySpan(TextSpan):
    """Days of the week, Sunday is 0. ``recurring`` means that the words themselves say so."""

    days: frozenset[int]
    recurring: bool


@dataclass(frozen=True, slots=True)
class TimeOfDay(TextSpan):
    """A time of day."""

    hour: int
    minute: int


def parse_number(word: str) -> int | None:
    """Return the number in ``3`` or ``three``; None for anything else."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 6 else NUMBERS.get(word.lower())


def parse_count(words: str) -> int | None:
    """Return the number in words that `COUNT` matches: also 1 for ``a``."""
    return 1 if words in ("a", "an") else parse_number(words)


def days_in(count: int, unit: str) -> int:
    """Return the days in a number of units: ``day``, ``week``, ``month`` or ``year``."""
    return count * _DAYS_IN[unit]


def month_number(name: str) -> int:
    """Return the number of a month, from its lower-case name in full or short."""
    return _MONTHS.index(name[:3]) + 1


def valid_date(year: int, month: int, day: int) -> date | None:
    """Return the date; None when the month has no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def find_days(text: str) -> list[WeekdaySpan]:
    """Return the days of the week that a text names, in order."""
    spans: list[WeekdaySpan] = []
    for day in _days(text):
        if not any(day.start < other.end and other.start < day.end for other in spans):
            spans.append(day)
    return sorted(spans, key=lambda day: day.start)


def _days(text: str) -> Iterator[WeekdaySpan]:
    for match in _RANGE.finditer(text):
        first, last = _day_number(match[1]), _day_number(match[2])
        days = frozenset((first + step) % 7 for step in range((last - first) % 7 + 1))
        yield WeekdaySpan(match.start(), match.end(), days, recurring=True)
    for form, days in _GROUPS:
        for match in form.finditer(text):
            yield WeekdaySpan(match.start(), match.end(), days, recurring=True)
    for match in _NAMED.finditer(text):
        recurring = match[0].lower().startswith("e") or match[1].lower().endswith("s")
        yield WeekdaySpan(match.start(), match.end(), frozenset({_day_number(match[1])}), recurring)
    for match in _ABBREVIATED.finditer(text):
        day = _day_number(match[1] or match[2])
        yield WeekdaySpan(
            match.start(), match.end(), frozenset({day}), match[0].strip().lower().startswith("e")
        )


def _day_number(word: str) -> int:
    return next(place for place, day in enumerate(SUNDAY_FIRST) if day.lower().startswith(word.lower()[:3]))


def find_times(text: str) -> list[TimeOfDay]:
    """Return the times of day in a text, in order. Parts of the day count only without clock times."""
    spans = [*_clock_times(text), *_edges(text)]
    kept: list[TimeOfDay] = []
    for time in spans:
        if not any(time.start < other.end and other.start < time.end for other in kept):
            kept.append(time)
    return sorted(kept, key=lambda time: time.start) or _parts(text)


def _clock_times(text: str) -> Iterator[TimeOfDay]:
    late = any(match[1].lower() in _LATE for match in _PART.finditer(text))
    for match in _HALF.finditer(text):
        hour = parse_number(match[3])
        if hour is not None and hour <= 12:
            minutes = (30 if match[1].lower() == "half" else 15) * (1 if match[2].lower() == "past" else -1)
            yield from _time(match, hour, minutes, match[4], late)
    for match in _DIGITAL.finditer(text):
        yield from _time(match, int(match[1] or match[3]), int(match[2] or match[4]), match[5], late)
    for match in _TWELVE.finditer(text):
        hour = parse_number(match[1])
        if hour is not None:
            yield from _time(match, hour, 0, match[2], late)
    for match in _BARE.finditer(text):
        yield from _time(match, parse_number(match[1] or match[2]) or 0, 0, None, late)


def _time(match: Match[str], hour: int, minute: int, half: str | None, late: bool) -> Iterator[TimeOfDay]:
    if half is not None:
        if not 1 <= hour <= 12:
            return
        hour = hour % 12 + (12 if half.lower().startswith("p") else 0)
    elif late and 1 <= hour < 12:
        hour += 12
    total = hour * 60 + minute
    if 0 <= total < 24 * 60 and minute < 60:
        yield TimeOfDay(match.start(), match.end(), total // 60, total % 60)


def _edges(text: str) -> Iterator[TimeOfDay]:
    for form, (hour, minute) in _EDGES:
        for match in form.finditer(text):
            yield TimeOfDay(match.start(), match.end(), hour, minute)


def _parts(text: str) -> list[TimeOfDay]:
    return [
        TimeOfDay(match.start(), match.end(), *_PARTS[match[1].lower()]) for match in _PART.finditer(text)
    ][:1]
