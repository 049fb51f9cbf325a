"""Phrases that mean what one word does: ``thrown an agent out`` is ``delete an agent``. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

_GAP = 3
"""How many words may stand before a particle that may stand apart: ``throw one of them away``."""
_MEANINGS = {
    "informed": (
        "hear about", "hears about", "hear of", "find out", "finds out", "get told", "gets told",
        "be told", "get to know", "gets to know", "get a message", "gets a message", "tells me",
        "tell me if", "told when",
    ),
    "fail": (
        "go wrong", "goes wrong", "went wrong", "going wrong", "fall over", "falls over", "fell over",
        "break down", "breaks down", "blow up", "blows up", "not work", "not run", "not run properly",
    ),
    "delete": (
        "get rid of", "got rid of", "throw .. out", "throw .. away", "thrown .. out", "thrown .. away",
        "threw .. out", "threw .. away", "throwing .. out", "throwing .. away", "chuck .. out",
    ),
    "restore": (
        "get .. back", "bring .. back", "have .. back", "come back", "comes back",
        "gone for good", "gone forever",
    ),
    "export": (
        "get .. out", "take .. with us", "take .. with me", "take .. along", "take .. home",
        "take .. elsewhere",
    ),
    "limit": ("as many as", "upper bound", "how many of these"),
    "purpose": ("good for", "is it for", "it is for", "supposed to do"),
}  # fmt: skip


class _Phrase(NamedTuple):
    words: tuple[str, ...]
    meaning: str
    is_apart: bool
    """Whether its last word may stand apart from the others."""


def without_phrases(said: Sequence[str]) -> Iterator[str]:
    """Yield the words; each phrase as the word that means the same."""
    used: set[int] = set()
    for place, word in enumerate(said):
        if place in used:
            continue
        found = ((one, _places(said, place, one)) for one in _BY_FIRST_WORD.get(word, ()))
        meant = next(((one.meaning, places) for one, places in found if places), None)
        used.update(() if meant is None else meant[1])
        yield word if meant is None else meant[0]


def _places(said: Sequence[str], place: int, phrase: _Phrase) -> tuple[int, ...]:
    """Return the places of the words of a phrase that begins there; empty where another begins."""
    last = place + len(phrase.words) - 1
    begins = tuple(said[place:last]) == phrase.words[:-1]
    ends = (at for at in range(last, min(len(said), last + 1 + _GAP * phrase.is_apart)))
    end = next((at for at in ends if said[at] == phrase.words[-1]), None)
    return (*range(place, last), end) if begins and end is not None else ()


def _by_first_word(meanings: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[_Phrase]]:
    found: dict[str, list[_Phrase]] = {}
    for meaning, phrases in meanings.items():
        for phrase in phrases:
            words = tuple(word for word in phrase.split() if word != "..")
            found.setdefault(words[0], []).append(_Phrase(words, meaning, ".." in phrase))
    return {first: sorted(ones, key=lambda one: -len(one.words)) for first, ones in found.items()}


_BY_FIRST_WORD = _by_first_word(_MEANINGS)
