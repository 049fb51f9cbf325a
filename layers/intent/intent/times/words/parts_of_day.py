"""Parts of the day in words: ``in the morning``, ``tonight``, ``Thursday eve``."""

from __future__ import annotations

from intent.times.words.items import Part
from intent.times.words.lexicon import PARTS, WEEKDAYS
from intent.times.words.tokens import Tokens, at, words_at

STARTS = frozenset(PARTS) | {"eve"}
_MORNING = frozenset({"morning", "mornings"})


def hour_in_part(hour: int, part: str) -> int:
    """Returns the hour, of a clock with twelve, in the morning, afternoon, evening or night."""
    if part in _MORNING:
        return hour % 12 if hour != 12 else 12
    if part.startswith(("n", "t")):  # at night: 12 to 4 are past midnight
        return hour % 12 if hour == 12 or hour < 5 else hour + 12
    return hour % 12 + 12


_SHORT_PARTS = {"eve": "evening"}
_BEFORE_SHORT_PARTS = frozenset({*WEEKDAYS, "tomorrow", "today"})


def part_at(tokens: Tokens, place: int) -> Part | None:
    """Returns the part of the day at a place."""
    word = at(tokens, place).text
    if word in _SHORT_PARTS and at(tokens, place - 1).text in _BEFORE_SHORT_PARTS:
        word = _SHORT_PARTS[word]
        return Part(place, place + 1, word, PARTS[word][0])
    if word not in PARTS or at(tokens, place).is_possessive:
        return None
    first = place
    for lead in ("in the", "at", "on", "the"):
        size = len(lead.split())
        if place >= size and words_at(tokens, place - size, lead) == place:
            first = place - size
            break
    previous = {token.text for token in tokens[max(0, place - 2) : place]}
    hour = -1 if previous & {"early", "late", "mid", "middle"} else PARTS[word][0]
    return Part(first, place + 1, word.rstrip("s") if word != "tonight" else word, hour, word.endswith("s"))
