"""Rates of recurrence in English text (every two hours, twice a day, weekly), with their spans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from re import Match

from intent.dates.times import EVERY, LONG_DAY, TextSpan, parse_number
from intent.regular_expressions import lower_pattern

_UNITS = {"min": "minute", "mins": "minute", "hr": "hour", "hrs": "hour", "h": "hour"}
_UNIT = r"(minutes?|mins?|hours?|hrs?|h|days?|weeks?|fortnights?|months?|quarters?|years?)\b"
_COUNT = (
    r"(\d{1,4}|two|three|four|five|six|seven|eight|nine|ten|twelve"
    r"|other|second|half(?:[- ]an)?|couple(?: of)?)"
)
_INTERVAL = lower_pattern(rf"\b{EVERY} (?:{_COUNT}[- ]*)?{_UNIT}")
_TIMES_PER = lower_pattern(
    rf"\b(once|twice|(?:\d{{1,2}}|two|three|four|six) times) (?:an?|per|each|every|in an?) {_UNIT}"
)
_PER = lower_pattern(rf"\bper {_UNIT}")
_ADVERB = lower_pattern(
    r"(?<![-\w])(hourly|daily|nightly|overnight|weekly|bi-?weekly|fortnightly|monthly|quarterly|yearly"
    r"|annually)\b(?![-_])"
)
_PART_OF_DAY = lower_pattern(
    rf"\b{EVERY} (?:morning|afternoon|evening|night|noon|midday|lunchtime|midnight)s?\b",
    r"\b(?:(?:on|in the) )?(?:mornings|afternoons|evenings|nights)\b",
    r"\bat night\b",
)
_EVERY_OTHER_DAY = lower_pattern(rf"\b{EVERY} (?:other|second) (?=\w+day)")
_OF_MONTH = "of (?:the|each|every) month"
_MONTH_DAY = lower_pattern(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)(?: day)? {_OF_MONTH}\b",
    r"\b(?:on )?the (\d{1,2})(?:st|nd|rd|th)\b",
    rf"\b(?:on )?(?:the )?(first|last)(?: day)? {_OF_MONTH}\b",
    rf"\b(?:at )?(?:the )?(end) {_OF_MONTH}\b",
    r"\b(?:at )?(?:(?:every|each) )?(month[- ]end)\b",
)
_EACH_MONTH = lower_pattern(rf"\b(?:first|last|end|\d{{1,2}}(?:st|nd|rd|th))(?: day)? {_OF_MONTH}\b")
_NTH_WEEKDAY = lower_pattern(
    rf"\b(first|second|third|fourth|last|1st|2nd|3rd|4th) {LONG_DAY}s? (?:of|in) (?:the|each|every|a) month\b"
)
_ADVERBS = {
    "hourly": "hour", "daily": "day", "nightly": "day", "overnight": "day", "weekly": "week",
    "monthly": "month", "quarterly": "quarter", "yearly": "year", "annually": "year",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rate(TextSpan):
    """Every ``count`` units, or ``times`` times per unit."""

    unit: str
    count: int = 1
    times: int = 1


@dataclass(frozen=True, slots=True)
class MonthDay(TextSpan):
    """A day of the month. -1 is the last."""

    day: int


@dataclass(frozen=True, slots=True)
class WeekdayOfMonth(TextSpan):
    """A weekday's position in a month: ``last`` in ``the last Friday of the month``."""

    place: str


def find_rates(text: str) -> list[Rate]:
    """Return the rates that a text names, in order."""
    return sorted(_rates(text), key=lambda rate: rate.start)


def _rates(text: str) -> Iterator[Rate]:
    for match in _INTERVAL.finditer(text):
        yield _interval(match)
    for match in _TIMES_PER.finditer(text):
        how_often = {"once": 1, "twice": 2}.get(match[1].lower()) or parse_number(match[1].split()[0]) or 1
        yield Rate(*match.span(), _unit(match[2]), times=how_often)
    for match in _PER.finditer(text):
        yield Rate(*match.span(), _unit(match[1]))
    for match in _ADVERB.finditer(text):
        yield Rate(*match.span(), _ADVERBS.get(match[1].lower(), "fortnight"))
    for match in _PART_OF_DAY.finditer(text):
        yield Rate(*match.span(), "day")


def _interval(match: Match[str]) -> Rate:
    count, unit = (match[1] or "1").lower(), _unit(match[2])
    if count.startswith("half"):
        return Rate(*match.span(), "minute" if unit == "hour" else unit, 30 if unit == "hour" else 1)
    several = 2 if count.startswith(("other", "second", "couple")) else parse_number(count) or 1
    return Rate(*match.span(), unit, several)


def _unit(word: str) -> str:
    plain = word.lower()
    return _UNITS.get(plain) or plain.removesuffix("s")


def is_monthly(text: str) -> bool:
    """Return whether the text names a day of every month: ``the last day of the month``."""
    return _EACH_MONTH.search(text) is not None


def skips_weeks(text: str, rates: Sequence[Rate]) -> bool:
    """Return whether the schedule is every second week, which cron can't express."""
    fortnightly = any(rate.unit == "fortnight" or (rate.unit == "week" and rate.count == 2) for rate in rates)
    return fortnightly or _EVERY_OTHER_DAY.search(text) is not None


def find_weekday_of_month(text: str) -> WeekdayOfMonth | None:
    """Return the first such weekday that a text names."""
    match = _NTH_WEEKDAY.search(text)
    return WeekdayOfMonth(*match.span(), match[1].lower()) if match else None


def find_month_day(text: str) -> MonthDay | None:
    """Return the first day of a month that a text names."""
    match = _MONTH_DAY.search(text)
    if match is None:
        return None
    word = next(group for group in match.groups() if group).lower()
    day = int(word) if word.isdigit() else {"first": 1}.get(word, -1)
    return MonthDay(*match.span(), day) if day <= 31 and day else None
