"""Parts of the day that a question limits itself to: ``before nine``, ``after 2 pm``, ``in the morning``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

_HOURS = {
    word: place
    for place, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
} | {"noon": 12, "midday": 12, "lunch": 12}
_PARTS = {
    "morning": (5, 12),
    "afternoon": (12, 18),
    "evening": (17, 24),
    "night": (20, 24),
    "overnight": (0, 6),
}
_BEFORE, _AFTER = frozenset({"before", "until"}), frozenset({"after", "from", "since"})
_NOON, _DAY, _FIRST_OF_WORK = 12, 24, 6


class HourRange(NamedTuple):
    """A part of the day, in minutes after midnight; the end is not part of it."""

    start: int
    end: int

    def holds(self, hour: int, minute: int) -> bool:
        """Return whether a time of day is in it."""
        return self.start <= hour * 60 + minute < self.end


def read_hours(words: Sequence[str]) -> HourRange | None:
    """Return the part of the day that words limit a question to; None where they name none."""
    for place, word in enumerate(words):
        if word in _BEFORE and (minutes := _clock(words[place + 1 :])) is not None:
            return HourRange(0, minutes)
        if word in _AFTER and (minutes := _clock(words[place + 1 :])) is not None:
            return HourRange(minutes, _DAY * 60)
        if word in _PARTS and words[place - 1 : place] in (["the"], ["every"], ["at"], ["each"]):
            start, end = _PARTS[word]
            return HourRange(start * 60, end * 60)
    return None


def _clock(words: Sequence[str]) -> int | None:
    """Return the minutes after midnight of the time that words begin with; a bare hour is one at which people
    work. None where they begin with none.
    """
    said = "".join(words[:1])
    half = said.removesuffix("am").removesuffix("pm")
    hour, _, minute = half.replace(".", ":").partition(":")
    number = int(hour) if hour.isdigit() else _HOURS.get(hour)
    if number is None or number > _DAY or (minute and not minute.isdigit()):
        return None
    mark = said[len(half) :] or "".join(word for word in words[1:2] if word in {"am", "pm"})
    is_later = mark == "pm" or (not mark and not minute and number < _FIRST_OF_WORK)
    number = number + _NOON if is_later and number < _NOON else number
    return number * 60 + int(minute or 0)
