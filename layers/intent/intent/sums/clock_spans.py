"""The time between two times of day, and what it earns: ``from 21:45 to 06:15``, ``6am to 2:30pm at £12``."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from intent.regular_expressions import lower
from intent.sums.quantities import MAX_DIGITS, Quantity, read_quantities, shown
from intent.sums.result import Sum
from intent.sums.terms import with_currency
from intent.sums.units import unit_named

_DAY = 24 * 60
_HALVES = frozenset({"am", "pm", "a.m", "p.m", "a.m.", "p.m."})
_LINKS = frozenset(
    "to till til until and - \u2013 \u2014 through finish finishes finished end ends ended".split()
)
_ASKS = frozenset({"long", "many", "much", "hours", "hour", "minutes", "mins", "time", "hrs"})
_LESS = frozenset({"less", "minus", "break", "breaks", "lunch", "without", "unpaid"})


class _Time(NamedTuple):
    minutes: int
    start: int
    end: int
    """Its place among the words."""


def read_span(text: str) -> Sum | None:
    """Return the time from one time of day to another, where a text asks for it; None for any other."""
    words = _words(text)
    times = _times(words)
    pair = next(((a, b) for a, b in pairwise(times) if _is_linked(words, a, b)), None)
    if pair is None or not _ASKS & set(words):
        return None
    first, last = pair
    minutes = (last.minutes - first.minutes) % _DAY or _DAY
    said = f"{_clock(first)} to {_clock(last)}{' the next day' if last.minutes <= first.minutes else ''}"
    rest = read_quantities(" ".join([*words[: first.start], *words[last.end :]])).numbers
    pause = next((length for one in rest if (length := _length(one)) and _LESS & set(words)), 0)
    if 0 < pause < minutes:
        minutes, said = minutes - pause, f"{said} less {pause} minutes"
    rate = next(
        (one for one in rest if one.currency or "at" in words[: first.start] or "hour" in words), None
    )
    if rate is not None and not _length(rate) and not rate.is_percent:
        return _earned(said, minutes, rate)
    in_hours = f"{minutes // 60} h {minutes % 60:02} min" if minutes % 60 else f"{minutes // 60} h"
    is_in_minutes = bool({"minutes", "mins"} & set(words))
    result = f"{minutes} minutes" if is_in_minutes else f"{shown(Fraction(minutes, 60))} hours"
    return Sum(f"{said} = {in_hours} ({minutes} minutes)", Fraction(minutes), result, result)


def _earned(said: str, minutes: int, rate: Quantity) -> Sum:
    value = rate.value * minutes / 60
    hours = shown(Fraction(minutes, 60))
    price = with_currency(rate.text, rate.currency)
    result = with_currency(shown(Fraction(round(value * 100), 100), 2), rate.currency)
    expression = f"{hours} hours × {price}"
    return Sum(f"{said}: {expression} = {result}", value, expression, result, (f"{hours} hours", price))


def _length(number: Quantity) -> int:
    """Return how many minutes a number of hours or minutes is; 0 for any other number."""
    unit = unit_named(number.unit)
    if unit is None or unit.dimension != "time" or unit.factor > 3600:
        return 0
    return int(number.value * unit.factor / 60)


def _words(text: str) -> list[str]:
    spaced = lower(text[:1000])
    for mark in ("?", "!", ",", "(", ")", ";", "-", "\u2013", "\u2014"):
        spaced = spaced.replace(mark, f" {mark} ")
    return spaced.split()


def _times(words: list[str]) -> list[_Time]:
    found = []
    for place, word in enumerate(words):
        behind = words[place + 1] if place + 1 < len(words) else ""
        minutes = _minutes(word.rstrip("."), behind)
        if minutes is not None:
            is_joint = behind in _HALVES and not word[-1].isalpha()
            found.append(_Time(minutes, place, place + 1 + is_joint))
    return found


def _minutes(word: str, behind: str) -> int | None:
    """Return the minute of the day that a word names as a time; None for any other word."""
    half = next((one for one in ("am", "pm") if word.endswith(one)), "")
    plain = word.removesuffix(half).removesuffix("h") if half else word.removesuffix("h")
    half = half or (behind[:1] + "m" if behind in _HALVES else "")
    hour, mark, minute = plain.replace(".", ":").partition(":")
    is_clock = hour.isascii() and hour.isdigit() and len(hour) <= 2 and (not mark or len(minute) == 2)
    if not is_clock or (mark and not minute.isdigit()) or len(plain) > MAX_DIGITS:
        return None
    if not half and ":" not in word and not word.endswith("h"):
        return None  # a bare or decimal number
    hours, minutes = int(hour), int(minute or 0)
    if half:
        hours = hours % 12 + (12 if half == "pm" else 0)
    return hours * 60 + minutes if hours <= 24 and minutes < 60 else None


def _is_linked(words: list[str], first: _Time, last: _Time) -> bool:
    gap = words[first.end : last.start]
    return 0 < len(gap) <= 3 and bool(_LINKS & set(gap))


def _clock(time: _Time) -> str:
    return f"{time.minutes // 60:02}:{time.minutes % 60:02}"
