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


def filled(read: Quantities) -> Sum | None:
    """Return how many there are in things of which each has so many: ``3 boxes with 24 pieces and 5 boxes
    with 36 pieces``; None where the numbers may count beside each other, or the things are asked for.
    """
    numbers = read.numbers
    pairs = [*zip(numbers[::2], numbers[1::2], strict=False)]
    if len(numbers) % _FEWEST or not pairs or not all(_holds(read, at) for at in range(0, len(numbers), 2)):
        return None
    boxes, pieces = ({one.head for one in half} for half in zip(*pairs, strict=True))
    asked = _counted_in(read.words)
    is_alike = len(boxes) == 1 or len(pieces) == 1
    is_meant = asked in pieces if len(pairs) == 1 or asked else bool(_TOTALS & {*read.lead, *read.tail})
    joins = (read.gap(at) for at in range(1, len(numbers) - 1, 2))
    if not is_alike or not is_meant or any(_STEPS & set(gap) for gap in joins):
        return None
    products = [terms.multiplied(terms.term_of(one), terms.term_of(two)) for one, two in pairs]
    term = products[0]
    for one in products[1:]:
        term = terms.added(term, one)
    unit = f" {numbers[-1].unit}"
    operands = tuple(terms.term_of(one).text for one in numbers)
    return Sum(f"{equation(term)}{unit}", term.value, term.text, f"{term.result}{unit}", operands)


def _holds(read: Quantities, at: int) -> bool:
    """Return whether each of what a number counts has what the next tells: ``3 boxes with 24 pieces``."""
    box, piece = read.numbers[at], read.numbers[at + 1]
    is_plain = not any(one.currency or one.is_percent or one.is_part for one in (box, piece))
    gap = [word for word in read.gap(at) if word not in _EACH]
    return is_plain and bool(box.unit and piece.unit) and box.head != piece.head and gap in _HOLDING


_HOLDING = (
    ["with"],
    ["of"],
    ["having"],
    ["holding"],
    ["containing"],
    ["has"],
    ["have"],
    ["hold"],
    ["contain"],
)
_STEPS = frozenset("minus less without - \u2212 x times * \u00d7".split())
_TOTALS = frozenset("total altogether together all sum".split())


def _counted_in(words: Sequence[str]) -> str:
    """Return the stem of what a question counts: of pieces in ``how many pieces``; empty without one."""
    return next(
        (
            noun_stem(three)
            for one, two, three in zip(words, words[1:], words[2:], strict=False)
            if (one, two) == ("how", "many")
        ),
        "",
    )


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
