"""What numbers are of one another: a share in percent, a change in percent, an average."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from intent.letter_slips import is_one_slip
from intent.sums import terms
from intent.sums.assembly import Operand, is_part
from intent.sums.quantities import Quantities, shown
from intent.sums.result import Sum, equation
from intent.sums.terms import Term


def ratio(read: Quantities, operands: Sequence[Operand]) -> Sum | None:
    """Return what one number is of another in percent, or the change from one to the other."""
    taken = {place for one in read.numbers for place in range(one.start, one.end)}
    others = {word for place, word in enumerate(read.words) if place not in taken}
    if (
        len(operands) != 2
        or not others & {"percent", "percentage", "%", "pct"}
        or any(map(is_part, operands))
    ):
        return None
    left, right = operands[0].term, operands[1].term
    gap = read.words[operands[0].end : operands[1].start]
    if "to" in gap:
        whole, part = left, terms.subtracted(right, left)
    elif _is_whole_first(read, gap, left, right):
        whole, part = left, right
    else:
        whole, part = right, left
    quotient = terms.divided(part, whole)
    value = quotient.value * 100
    rounded = Fraction(round(value * 100), 100)
    sign = "=" if rounded == value else "≈"
    result = f"{shown(rounded)}%"
    return Sum(
        f"{quotient.text} {sign} {result}", quotient.value, quotient.text, result, (left.text, right.text)
    )


def _is_whole_first(read: Quantities, gap: Sequence[str], left: Term, right: Term) -> bool:
    """Return whether the second number is a part of the first: ``the target is 85k, we're at 61k``."""
    if "is" in gap and "of" in read.lead:
        return True
    if "of" in gap or "is" in gap:
        return False
    marks = {place: _is_aim(words) for place, words in enumerate((read.lead, gap))}
    return marks[0] if marks[0] is not marks[1] else bool(gap) and left.value > right.value


def _is_aim(words: Sequence[str]) -> bool:
    return any(word.rstrip("s") in _AIMS for word in words)


_AIMS = frozenset(
    "target quota goal aim budget limit plan planned total wanted need needed capacity allowance max".split()
)


def average(read: Quantities, operands: Sequence[Operand]) -> Sum | None:
    """Return the average of all numbers where that is asked for."""
    if len(operands) < 2 or not _asks_average((*read.lead, *read.tail)):
        return None
    total = operands[0].term
    for one in operands[1:]:
        total = terms.added(total, one.term)
    count = Fraction(len(operands))
    mean = terms.divided(total, Term(count, shown(count)))
    return Sum(equation(mean), mean.value, mean.text, mean.result, tuple(one.term.text for one in operands))


def _asks_average(words: Sequence[str]) -> bool:
    """Return whether words ask for an average; ``averge`` is one, and ``I mean`` isn't."""
    is_mean = ("the", "mean") in pairwise(words)
    return is_mean or any(word == "avg" or is_one_slip(word, "average") for word in words)
