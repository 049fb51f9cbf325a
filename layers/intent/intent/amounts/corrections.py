"""`read_correction`: the amount that a text puts in the place of another: ``94, not 84``.

Pure. What was told before, and which amount of it is meant, is the matter of `intent.amounts.figures`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from conversation.sentences import sentence_spans
from intent.sums.quantities import Quantities, Quantity, read_quantities

CORRECTING = frozenset(
    "crap damn argh sorry actually no nope wait oops correction correct hang hold mistake wrong meant"
    " typo rather nah should change".split()
)
"""Words of a message that corrects an amount."""
_NOT = frozenset({"not", "isn't", "wasn't", "aren't", "weren't"})
_INSTEAD = frozenset({("instead", "of"), ("rather", "than"), ("in", "place", "of")})
_BUT = frozenset({("but",), ("it's",), ("it", "is"), ("but", "it's"), ("make", "it"), ("make", "that"), ()})
_WAS = frozenset({("was",), ("were",), ("now", "was"), ("it", "was"), ("now", "it", "was"), ("up", "from")})
_SHOULD_BE = frozenset(
    tuple(words.split())
    for words in (
        "should have been", "should've been", "should be", "must be", "has to be", "needs to be",
        "was really", "is really", "is actually", "was actually", "was supposed to be", "was meant to be",
    )
)  # fmt: skip
_CHANGING = frozenset(
    "up down rise rises rose raised increase increases increased drop drops dropped change changes changed"
    " move moves moved grow grows grew lower lowered fall falls fell cut went amended corrected".split()
)
_LONGEST = 300


class Correction(NamedTuple):
    """An amount, and the one that it takes the place of."""

    new: Quantity
    old: Quantity


def read_correction(text: str) -> Correction | None:
    """Return the first amount that a short text puts in the place of another; None for none.

    ``94, not 84``, ``12 instead of 10``, ``96 now, was 110``, ``up from 420 to 455``.
    """
    if len(text) > _LONGEST or not any(mark.isdigit() for mark in text):
        return None
    return next(_corrections(text), None)


def _corrections(text: str) -> Iterator[Correction]:
    for start, end in sentence_spans(text):
        if text[start:end].rstrip().endswith("?"):
            continue
        read = read_quantities(text[start:end])
        for place in range(len(read.numbers) - 1):
            found = _of_pair(read, place)
            if found is not None and _is_alike(found):
                yield found


def _of_pair(read: Quantities, place: int) -> Correction | None:
    left, right = read.numbers[place], read.numbers[place + 1]
    gap = tuple(word for word in read.gap(place) if word[0].isalpha())
    before = read.words[max(0, left.start - 1) : left.start]
    if gap[-1:] and gap[-1] in _NOT and len(gap) <= _MOST_BEFORE_NOT:
        return Correction(left, right)
    if gap in _INSTEAD or gap in _WAS:
        return Correction(left, right)
    if gap in _SHOULD_BE:
        return Correction(right, left)
    if before and before[0] in _NOT and gap in _BUT:
        return Correction(right, left)
    changes = _CHANGING & set(read.words[: left.start])
    return Correction(right, left) if before == ("from",) and gap == ("to",) and changes else None


_MOST_BEFORE_NOT = 2


def _is_alike(found: Correction) -> bool:
    """Return whether two amounts may be values of the same."""
    new, old = found
    is_plain = not (new.is_part or old.is_part) and new.is_percent is old.is_percent
    is_same = new.head == old.head or not new.head or not old.head
    return is_plain and is_same and (new.currency == old.currency or not new.currency or not old.currency)
