"""Splits text into words for search, and folds and stems them. Pure.

Words are indexed as they are written, without case and accents. Stemming (`stem`) is applied at search time,
so that ``decided`` also finds ``decides``. Scripts without spaces are searched by pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

LONGEST = 40
"""How many characters of a word are indexed: nobody searches for the end of a hash."""

_SHORTEST_STEM = 3

_UNSPACED = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_RUNS = re.compile(rf"([{_UNSPACED}]+)|[^\W_{_UNSPACED}]+")
_SUFFIXES = ("ings", "ing", "edly", "ies", "ied", "ly", "ed", "es", "s", "e", "y")
_VOWELS = frozenset("aeiouy")

COMMON = frozenset({
    "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at",
    "be", "because", "been", "being", "but", "by", "can", "could", "did", "do", "does", "doing", "done",
    "down", "each", "few", "for", "from", "further", "had", "has", "have", "having", "he", "her", "here",
    "hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "ll", "let", "me",
    "more", "most", "my", "no", "nor", "not", "now", "of", "off", "on", "once", "only", "or", "other",
    "our", "ours", "out", "over", "own", "re", "s", "same", "she", "should", "so", "some", "such", "t",
    "than", "that", "the", "their", "theirs", "them", "then", "there", "these", "they", "this", "those",
    "through", "to", "too", "under", "until", "up", "us", "ve", "very", "was", "we", "were", "what", "when",
    "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your",
    "yours", "d", "m", "don", "isn", "wasn", "aren", "doesn", "didn", "won",
})  # fmt: skip
"""English words too frequent to be useful search terms; they count only inside phrases."""


class Word(NamedTuple):
    """One word of a text: its folded form, and its range of characters in the text."""

    term: str
    start: int
    end: int


def words(text: str) -> Iterator[Word]:
    """The words of the text, in order."""
    for run in _RUNS.finditer(text):
        if run[1]:
            yield from _pairs(run[1], run.start())
        elif term := fold_word(run[0]):
            yield Word(term, run.start(), run.end())


@lru_cache(maxsize=16_384)
def fold_word(word: str) -> str:
    """The word without case, accents and anything but letters and digits."""
    if word.isascii():
        return word.lower()[:LONGEST]
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(character for character in decomposed if character.isalnum())[:LONGEST]


@lru_cache(maxsize=16_384)
def stem(term: str) -> str:
    """The common beginning of the forms of an English word; other words are their own stem."""
    if not (term.isascii() and term.isalpha()):
        return term
    for suffix in _SUFFIXES:
        bare = term.removesuffix(suffix)
        if bare != term and len(bare) >= _SHORTEST_STEM and not _VOWELS.isdisjoint(bare):
            return _undoubled(bare)
    return _undoubled(term)


def marker(name: str) -> str:
    """The term under which everything about the thing with this name is indexed; never part of a text."""
    return "@" + "-".join(word.term for word in words(name))


def _undoubled(term: str) -> str:
    is_doubled = len(term) > _SHORTEST_STEM and term[-1] == term[-2] and term[-1] not in _VOWELS
    return term[:-1] if is_doubled else term


def _pairs(run: str, start: int) -> Iterator[Word]:
    if len(run) == 1:
        yield Word(run, start, start + 1)
    for place in range(len(run) - 1):
        yield Word(run[place : place + 2], start + place, start + place + 2)
