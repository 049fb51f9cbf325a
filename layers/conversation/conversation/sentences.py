"""Where the sentences of a text begin and end: a full stop behind an abbreviation or an initial ends none."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BREAK = re.compile(r"(?<=[.!?;])\s+|\n+")
_TITLES = frozenset(
    "mr mrs ms mx dr prof rev hon fr sr sra capt sgt lt col gen sen gov pres hr mme mlle messrs".split()
)
"""Abbreviations that a name follows."""
_BEFORE_NUMBER = frozenset("no nos nr tel ext p pp vol ch sec fig art apt rm bldg".split())
"""Abbreviations that a number follows; before anything else some of them are words: ``No. Leave it.``"""
_WITHIN = frozenset(
    "approx e.g i.e eg ie cf vs incl excl est min max dept attn resp ca c.f viz misc mtg appt".split()
)
"""Abbreviations that end no sentence."""
_AT_EITHER = frozenset(
    "etc a.m p.m am pm inc ltd co corp bros jr jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues"
    " wed thu thur thurs fri sat sun u.s u.k ave rd blvd ln sq hrs hr mins kg".split()
)
"""Abbreviations that may end a sentence: what begins with a capital letter behind them is the next one."""


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each sentence of a text begins and ends, without the space between them.

    A line is a sentence of its own, and so is what semicolons part.
    """
    start = 0
    for found in _BREAK.finditer(text):
        if "\n" in found[0] or not _is_abbreviated(text, start, found.start(), found.end()):
            yield start, found.start()
            start = found.end()
    yield start, len(text)


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, each with the mark that ends it."""
    return [text[start:end] for start, end in sentence_spans(text)]


def _is_abbreviated(text: str, start: int, end: int, behind: int) -> bool:
    """Return whether the mark at the end of a stretch only shortens its last word."""
    if end == start or text[end - 1] != ".":
        return False
    *before, last = text[start : end - 1].split() or [""]
    word = last.lstrip("(\"'\u201c\u2018[").lower()
    follows = text[behind : behind + 1]
    if word == "st":
        return follows.isupper() and not (before and before[-1][:1].isupper() and len(before) > 1)
    if len(word) == 1 and word.isalpha():
        return follows.isupper() and word != "i"
    if word in _TITLES:
        return follows.isupper()
    if word in _BEFORE_NUMBER:
        return follows.isdigit()
    return word in _WITHIN or (word in _AT_EITHER and (follows.islower() or follows.isdigit()))
