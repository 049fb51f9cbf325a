"""Due days told by another date: ``one week before this date``, ``the same day as the graphics``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from intent.acts.tokens import Token
from intent.regular_expressions import pattern
from intent.times.reader import read_times
from intent.times.reading import Kind

_COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10,
    "couple": 2, "few": 3,
}  # fmt: skip
_DAYS = {"day": 1, "week": 7, "fortnight": 14, "month": 30}
_BEFORE = frozenset({"before", "earlier", "ahead", "prior", "beforehand"})
_AFTER = frozenset({"after", "later", "afterwards"})
_POINTS = frozenset("this that it then the date day deadline end expiry of".split())
_GOING_ON = frozenset("to at please pls remind can could would around about".split())
_DATES = frozenset({"day", "date", "deadline", "time"})


class Offset(NamedTuple):
    """How many days before (negative) or after a date, with its place among the tokens."""

    days: int
    start: int
    end: int


def find_offset(tokens: Sequence[Token], *, is_free: bool = False) -> Offset | None:
    """Return the offset from a date said elsewhere in the message; None without one.

    ``is_free``: whether words that go on with a request may follow: ``the day before at 4 remind me …``.
    """
    for place, token in enumerate(tokens):
        unit = _DAYS.get(token.word.rstrip("s"))
        if unit is None or not 0 < place < len(tokens) - 1:
            continue
        count = 1 if tokens[place - 1].word == "the" else _count(tokens[place - 1])
        direction = tokens[place + 1].word
        if count is None or direction not in _BEFORE | _AFTER:
            continue
        end = place + 2
        while end < len(tokens) and tokens[end].word in _POINTS:
            end += 1
        is_pointed = bool({token.word for token in tokens[place + 2 : end]} & {"this", "that", "it", "then"})
        goes_on = is_free and end < len(tokens) and tokens[end].word in _GOING_ON
        is_said = end < len(tokens) and tokens[end].is_word and not goes_on
        if is_said and not (is_pointed and tokens[end].word == "to"):
            continue  # ``one week before Easter`` says its own date
        start = place - 1
        while start and tokens[start - 1].word in {"a", "the", "for", "by", "on", "at", "about"}:
            start -= 1
        return Offset(count * unit * (-1 if direction in _BEFORE else 1), start, end)
    return None


def _count(token: Token) -> int | None:
    return int(token.word) if token.word.isdigit() and len(token.word) < 4 else _COUNTS.get(token.word)


def last_day_in(text: str, *, now: datetime, zone: str) -> date | None:
    """Return the last day that a text names; None when it names none."""
    for said in (text, _BARE_HOUR.replace_matches(text)):
        readings = read_times(said, now=now, zone=zone)
        days = [one.day for one in readings if one.kind is not Kind.PERIOD and one.day is not None]
        if days:
            return days[-1]
    return None


_BARE_HOUR = pattern(r"\bat \d\d?(?::\d\d)?(?!\w)")
"""An hour that may be one of the morning or of the evening, so that no moment is read."""


def offset_day(day: date, offset: Offset) -> date:
    """Return the day an offset from a day."""
    return day + timedelta(days=offset.days)


def anchor_place(tokens: Sequence[Token]) -> int | None:
    """Return the place behind ``the same day as``, where the thing is named that has the day; else None."""
    for place in range(len(tokens) - 3):
        words = [token.word for token in tokens[place : place + 3]]
        if words[0] == "same" and words[1] in _DATES and words[2] in {"as", "like"}:
            return place + 3
    return None
