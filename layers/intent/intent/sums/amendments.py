"""A sum with one of its numbers taken out or exchanged: ``without the 96.75``, ``make the 10 a 12``."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from fractions import Fraction

from conversation.sentences import sentence_spans
from intent.sums import terms
from intent.sums.quantities import Quantities, Quantity, read_quantities
from intent.sums.result import EarlierSum

_PLUS = " + "
_REMOVING = frozenset(
    "without except excluding exclude leave leaving drop dropping skip remove removing ignore duplicate"
    " duplicated twice".split()
)
_OUT = frozenset({"out", "off", "away"})
_MOVING = frozenset({"take", "taking", "took", "cut"})
_AROUND = frozenset(
    "the a an no not nope oh sorry wait actually really make it it's its is was were be should to that that's"
    " i mean meant instead of but rather change changed one please and if so in fact now should've been"
    " , . ? ! ' : ;".split()
)
_EXCHANGING = frozenset("is was were be should make not change changed meant instead really".split())
_AROUND_REMOVAL = frozenset(
    "and what what's how much many would will does do can could you we i if for of from back total again then"
    " counting count there one altogether come comes us me $ £ € %".split()
)
_PAIR = 2


def says_to_remove(words: Collection[str]) -> bool:
    """Return whether words take a number out of what was told."""
    said = set(words)
    return bool(said & _REMOVING or (said & _MOVING and said & _OUT) or {"not", "counting"} <= said)


def only_removes(sentence: str, labels: Iterable[str] = ()) -> bool:
    """Return whether a sentence does nothing but take a number out; ``labels``: words that may name it."""
    words = read_quantities(sentence).words
    known = _REMOVING | _OUT | _MOVING | _AROUND | _AROUND_REMOVAL | set(labels)
    return all(word in known or any(map(str.isdigit, word)) for word in words)


def amended(text: str, read: Quantities, earlier: EarlierSum) -> str | None:
    """Return the earlier sum as a text amends it; empty where it takes out what isn't in it, None where it
    amends nothing.
    """
    parts = earlier.expression.split(_PLUS)
    told = [_only(part) for part in parts]
    numbers = [one for one in read.numbers if not one.is_part]
    if len(parts) < _PAIR or None in told or len(numbers) != len(read.numbers):
        return None
    values = [_key(one) for one in told if one is not None]
    if len(numbers) == 1 and says_to_remove(read.words):
        if not only_removes(numbered_sentence(text)):
            return None
        if _key(numbers[0]) not in values:
            return ""
        at = values.index(_key(numbers[0]))
        return _PLUS.join([*parts[:at], *parts[at + 1 :]])
    inside = [one for one in numbers if _key(one) in values]
    if len(numbers) != _PAIR or len(inside) != 1 or not _exchanges(read):
        return None
    new = next(one for one in numbers if one is not inside[0])
    at = values.index(_key(inside[0]))
    old = told[at]
    currency = new.currency or (old.currency if old else "")
    parts[at] = terms.term_of(replace(new, unit=old.unit if old else "", currency=currency)).text
    return _PLUS.join(parts)


def numbered_sentence(text: str) -> str:
    """Return the first sentence of a text that has a figure; the text without one."""
    spans = (text[start:end] for start, end in sentence_spans(text))
    return next((one for one in spans if any(map(str.isdigit, one))), text)


def _key(number: Quantity) -> tuple[Fraction, bool]:
    return number.value, number.is_percent


def _only(part: str) -> Quantity | None:
    read = read_quantities(part)
    is_whole = len(read.numbers) == 1 and read.numbers[0].end == len(read.words) and not read.numbers[0].start
    return read.numbers[0] if is_whole else None


def _exchanges(read: Quantities) -> bool:
    taken = {place for one in read.numbers for place in range(one.start, one.end)}
    rest = {word for place, word in enumerate(read.words) if place not in taken}
    return bool(rest & _EXCHANGING) and rest <= _AROUND
