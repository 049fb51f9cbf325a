"""Counts of which each tells how many of the next there are: ``17 pallets with 48 cartons each, 12.5 kg a
carton``.
"""

from __future__ import annotations

from collections.abc import Sequence

from intent.sums import terms
from intent.sums.quantities import Quantities, Quantity, noun_stem
from intent.sums.result import Sum, equation

_EACH = frozenset({"each", "apiece"})
_ONE = frozenset({"a", "an", "per", "every", "each", "one", "/"})
_MOST_BETWEEN = 3
_FEWEST = 2


def chained(read: Quantities) -> Sum | None:
    """Return the product of counts of which each is said per one of the count before; None for others."""
    numbers = [one for one in read.numbers if not _is_one_of(one, read.numbers)]
    if len(numbers) < _FEWEST or any(one.is_percent or one.is_part for one in numbers):
        return None
    if not numbers[0].unit or numbers[0].currency or _per(read, numbers, 0):
        return None
    if not all(one.unit or one.currency for one in numbers):
        return None
    known = {numbers[0].head}
    for place in range(1, len(numbers)):
        per = _per(read, numbers, place)
        if per != numbers[place - 1].head:
            return None
        known.add(numbers[place].head)
    if len(known) < len(numbers) or (len(numbers) == _FEWEST and numbers[1].currency):
        return None
    term = terms.term_of(numbers[0])
    for one in numbers[1:]:
        term = terms.multiplied(term, terms.term_of(one))
    unit = "" if term.currency else f" {numbers[-1].unit}"
    operands = tuple(terms.term_of(one).text for one in numbers)
    return Sum(f"{equation(term)}{unit}", term.value, term.text, f"{term.result}{unit}", operands)


def _is_one_of(number: Quantity, numbers: Sequence[Quantity]) -> bool:
    """Return whether ``one carton`` says what another number is for, and counts nothing."""
    is_one = number.value == 1 and bool(number.head)
    return is_one and any(one is not number and one.head == number.head for one in numbers)


def _per(read: Quantities, numbers: Sequence[Quantity], place: int) -> str:
    """Return the head of what a number is said for one of; empty when it is for all."""
    number = numbers[place]
    end = numbers[place + 1].start if place + 1 < len(numbers) else len(read.words)
    behind = [word for word in read.words[number.end : end][:_MOST_BETWEEN] if word != "in"]
    heads = {one.head for one in numbers if one is not number and one.head}
    if behind and behind[0] in _EACH:
        return numbers[place - 1].head if place else ""
    if len(behind) > 1 and behind[0] in _ONE and noun_stem(behind[1]) in heads:
        return noun_stem(behind[1])
    start = numbers[place - 1].end if place else 0
    before = read.words[start : number.start]
    for at in range(len(before) - 1):
        if before[at] in _ONE and noun_stem(before[at + 1]) in heads:
            return noun_stem(before[at + 1])
    return numbers[place - 1].head if place and _EACH & set(before) else ""
