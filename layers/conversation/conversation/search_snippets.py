"""The piece of a message that shows why it was found. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from conversation.search_query import Wanted
from conversation.search_words import Word, words

LENGTH = 240
_BEFORE = 60
_MOST_CHARACTERS = 100_000
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of a text, and which parts of it, from and to, were searched for; counted in characters."""

    text: str
    matches: tuple[tuple[int, int], ...]


def snippet_of(text: str, wanted: Wanted) -> Snippet | None:
    """The piece that holds most of what is wanted; None where nothing or not every phrase is there."""
    found = list(words(text[:_MOST_CHARACTERS]))
    phrased = [_places(found, phrase) for phrase in wanted.phrases]
    if not all(phrased):
        return None
    meant = {term for term in {word.term for word in found} if _is_meant(term, wanted)}
    matches = [word for word in found if word.term in meant]
    matches += [word for places in phrased for word in places]
    spans = sorted({(word.start, word.end) for word in matches})
    return _cut(text, spans) if spans else None


def may_hold(text: str, wanted: Wanted) -> bool:
    """Whether the text may hold every phrase, told without a look at each of its words."""
    return not text.isascii() or all(_phrase(phrase).search(text) for phrase in wanted.phrases)


@lru_cache(maxsize=64)
def _phrase(phrase: tuple[str, ...]) -> re.Pattern[str]:
    # Only their beginnings: a word may be longer than what is kept of it.
    return re.compile(r"[^\W_]*[\W_]+".join(map(re.escape, phrase)), re.IGNORECASE)


def _is_meant(term: str, wanted: Wanted) -> bool:
    return any(term.startswith(clause.root) and clause.matches(term) for clause in wanted.clauses)


def _places(found: Sequence[Word], phrase: tuple[str, ...]) -> list[Word]:
    """The words of every place the phrase stands at."""
    terms = [word.term for word in found]
    starts = (place for place, term in enumerate(terms) if term == phrase[0])
    return [
        word
        for place in starts
        if tuple(terms[place : place + len(phrase)]) == phrase
        for word in found[place : place + len(phrase)]
    ]


def _cut(text: str, spans: Sequence[tuple[int, int]]) -> Snippet:
    start = max(0, _best_start(spans) - _BEFORE)
    if len(text) - start < LENGTH:
        start = max(0, len(text) - LENGTH)
    start = _at_a_word(text, start)
    end = len(text) if len(text) - start <= LENGTH else _before_a_word(text, start + LENGTH)
    lead = _ELLIPSIS if start else ""
    shift = len(lead) - start
    inside = _united([(low + shift, high + shift) for low, high in spans if start <= low and high <= end])
    return Snippet(lead + text[start:end] + (_ELLIPSIS if end < len(text) else ""), inside)


def _best_start(spans: Sequence[tuple[int, int]]) -> int:
    """Where the window begins that holds most of the spans; the first of several."""
    within = LENGTH - _BEFORE
    counts = {low: sum(low <= other < low + within for other, _ in spans) for low, _ in spans[:100]}
    return max(counts, key=lambda low: (counts[low], -low), default=0)


def _at_a_word(text: str, place: int) -> int:
    if place == 0:
        return 0
    gap = text.find(" ", place, place + _BEFORE // 2)
    return gap + 1 if gap >= 0 else place


def _before_a_word(text: str, place: int) -> int:
    gap = text.rfind(" ", place - _BEFORE // 2, place)
    return gap if gap >= 0 else place


def _united(spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Overlapping ones as one: pairs of characters overlap."""
    united: list[tuple[int, int]] = []
    for low, high in spans:
        if united and low < united[-1][1]:
            united[-1] = (united[-1][0], max(high, united[-1][1]))
        else:
            united.append((low, high))
    return tuple(united)
