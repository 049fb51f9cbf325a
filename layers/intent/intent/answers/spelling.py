"""Corrects misspelled words of a question by the words of the index.

Pure. Only a word that no question has is corrected, and only into one that begins with the same letter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import lru_cache

_SHORTEST = 4
"""Shorter words are too near to each other."""
_SHORTEST_OF_TWO = 8
"""From how many letters on there may be two slips."""


class Speller:
    """Finds the known word that a misspelled one stands for; keeps what it found."""

    def __init__(self, known: Collection[str], heads: Mapping[str, str]) -> None:
        """``known``: the stems of the index. ``heads``: stems that count as another one."""
        self._heads = heads
        single = (each for each in known if " " not in each)
        self._words = frozenset(word for word in (*single, *heads) if _is_plain(word))
        self._by_letter = defaultdict[str, list[str]](list)
        for word in sorted(self._words):
            self._by_letter[word[0]].append(word)
        self.correct = lru_cache(maxsize=4_096)(self._correct)

    def _correct(self, stem: str) -> str:
        """Return the stem of the word that is meant; the stem itself where none is near."""
        if stem in self._words or not _is_plain(stem):
            return stem
        most = 2 if len(stem) >= _SHORTEST_OF_TWO else 1
        # A word of four letters is corrected only where one is missing or two are swapped.
        least = _SHORTEST if len(stem) > _SHORTEST else _SHORTEST + 1
        near = [
            (slips, word)
            for word in self._by_letter.get(stem[0], ())
            if len(word) >= least and (slips := _slips(stem, word, most)) <= most
        ]
        found = min(near, default=(0, stem))[1]
        return self._heads.get(found, found)


def _is_plain(word: str) -> bool:
    return len(word) >= _SHORTEST and word.isascii() and word.isalpha()


def _slips(one: str, other: str, most: int) -> int:
    """Return how many slips make one word of another: a letter too few, too many or wrong, or two swapped.

    More than ``most`` are not counted. Source: the optimal string alignment distance.
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, 1):
        earlier, before, row = before, row, [place]
        for at, behind in enumerate(other, 1):
            cost = min(before[at] + 1, row[at - 1] + 1, before[at - 1] + (letter != behind))
            if earlier and at > 1 and letter == other[at - 2] and one[place - 2] == behind:
                cost = min(cost, earlier[at - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]
