"""A sum with one of its numbers taken out or exchanged: ``without the 96.75``, ``make the 10 a 12``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

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
    " oops nope hang on rather there are were we , . ? ! ' : ;".split()
)
_EXCHANGING = frozenset("is was were be should make not change changed meant instead really".split())
_AROUND_REMOVAL = frozenset(
    "and what what's how much many would will does do can could you we i if for of from back total again then"
    " counting count there one altogether come comes us me $ £ € %".split()
)
_PAIR = 2


def says_to_remove(words: Sequence[str]) -> bool:
    """Return whether words take a number out of what was told; ``where does that leave us`` takes none."""
    said = {one for one, behind in pairwise((*words, "")) if not (one == "leave" and behind in {"us", "me"})}
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
    if (corrected := _with_factor(read, earlier) or _exchanged(read, earlier)) is not None:
        return corrected
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
            return "" if set(read.words) & _REMOVING else None  # ``take 75 away`` takes it off the result
        at = values.index(_key(numbers[0]))
        return _PLUS.join([*parts[:at], *parts[at + 1 :]])
    place = place_in(read.words, len(parts)) if len(numbers) == 1 else None
    if place is not None:
        parts[place] = _in_place_of(told[place], numbers[0])
        return _PLUS.join(parts)
    inside = [one for one in numbers if _key(one) in values]
    if len(numbers) != _PAIR or len(inside) != 1 or not _exchanges(read):
        return None
    new = next(one for one in numbers if one is not inside[0])
    at = values.index(_key(inside[0]))
    parts[at] = _in_place_of(told[at], new)
    return _PLUS.join(parts)


def _exchanged(read: Quantities, earlier: EarlierSum) -> str | None:
    """Return the earlier sum with one number in place of another: ``and if it's 22 instead of the 18.4?``;
    None where words name no two such numbers.
    """
    if len(read.numbers) != _PAIR or any(one.is_part or one.is_percent for one in read.numbers):
        return None
    new, old = read.numbers
    between = tuple(word for word in read.gap(0) if word != "the")
    told = [one for one in read_quantities(earlier.expression).numbers if one.value == old.value]
    if between not in _INSTEAD or len(told) != 1 or earlier.expression.count(told[0].text) != 1:
        return None
    return earlier.expression.replace(told[0].text, new.text)


_INSTEAD = frozenset({("instead", "of"), ("rather", "than"), ("not",), (",", "not"), ("in", "place", "of")})


def _in_place_of(old: Quantity | None, new: Quantity) -> str:
    """Return a number as it is shown, with the unit and the currency of the one that it replaces."""
    currency = new.currency or (old.currency if old else "")
    return terms.term_of(replace(new, unit=old.unit if old else "", currency=currency)).text


def place_in(words: Sequence[str], count: int) -> int | None:
    """Return which of several amounts words mean by its place: ``the second one was``; None without one."""
    for at, word in enumerate(words):
        behind = [one for one in words[at + 1 : at + 4] if one not in _PLACED]
        is_bare = list(words[at + 1 : at + 2]) != behind[:1] or list(words[max(0, at - 1) : at]) == ["the"]
        if word in _PLACES and is_bare and behind[:1] and behind[0] in _BEING:
            place = _PLACES[word] if word != "last" else count - 1
            return place if place < count else None
    return None


_BEING = frozenset({"was", "is", "should", "were", "must", "really", "actually"})
_PLACES = {
    "first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "fifth": 4,
    "5th": 4, "sixth": 5, "6th": 5, "last": -1,
}  # fmt: skip
_PLACED = frozenset({"one", "amount", "number", "figure", "price"})


def _with_factor(read: Quantities, earlier: EarlierSum) -> str | None:
    """Return the earlier product with the factor that a text corrects: ``I meant 45 chairs``; else None."""
    numbers = [one for one in read.numbers if not one.is_percent]
    told = read_quantities(earlier.expression).numbers
    if not any(sign in earlier.expression for sign in _PRODUCTS) or not numbers or len(numbers) > _PAIR:
        return None
    new = next((one for one in numbers if one.unit), None)
    same = [one for one in told if new is not None and one.head == new.head]
    taken = {place for one in numbers for place in range(one.start, one.end)}
    rest = {word for place, word in enumerate(read.words) if place not in taken}
    olds = [one for one in numbers if one is not new]
    if new is None or len(same) != 1 or any(one.value != same[0].value for one in olds):
        return None
    old_text = terms.term_of(same[0]).text
    if not rest & _CORRECTING or not rest <= _AROUND or earlier.expression.count(old_text) != 1:
        return None
    new = replace(new, unit=same[0].unit, currency=same[0].currency)
    return earlier.expression.replace(old_text, terms.term_of(new).text)


_PRODUCTS = ("\u00d7", "\u00f7")
_CORRECTING = frozenset("sorry oops no nope wait mean meant actually not make should instead rather".split())


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
