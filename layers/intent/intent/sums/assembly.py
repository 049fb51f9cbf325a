"""Puts the numbers of a text together from left to right, as the words between them say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from intent.sums import terms
from intent.sums.gaps import Operation, Step, step_between
from intent.sums.quantities import Quantities, Quantity
from intent.sums.terms import Term

_POINTERS = frozenset({"that", "it", "this", "them", "those"})
_EACH = frozenset({"each", "apiece", "everyone", "everybody"})
_LEFT = frozenset({"left", "remain", "remains", "remaining", "difference", "change"})
_ALL = frozenset({"total", "altogether", "combined", "sum", "together"})
O = Operation  # noqa: E741


class Operand(NamedTuple):
    """A number of the text, or an earlier result (``number`` None), with its place among the words."""

    term: Term
    number: Quantity | None
    start: int
    end: int


def read_operands(read: Quantities, before: Term | None) -> list[Operand]:
    """Return the numbers, and words such as ``that`` where they stand for the earlier result."""
    found = [Operand(terms.term_of(one), one, one.start, one.end) for one in read.numbers]
    if before is not None:
        taken = {place for one in read.numbers for place in range(one.start, one.end)}
        starts = {one.start for one in read.numbers}
        # ``52 of them`` counts the things, and doesn't mean the result.
        taken |= {
            one.end + 1 for one in read.numbers
            if not (one.is_percent or one.is_part) and read.words[one.end : one.end + 1] == ("of",)
        }  # fmt: skip
        # Behind numbers of its own, ``what does that come to`` asks for their sum.
        end = read.numbers[-1].end if len(read.numbers) > 1 else len(read.words)
        found += [
            Operand(before, None, place, place + 1)
            for place, word in enumerate(read.words)
            if word in _POINTERS and place < end and place not in taken and place + 1 not in starts
        ][:1]
    return _bracketed(read, sorted(found, key=lambda one: one.start))


def _bracketed(read: Quantities, operands: list[Operand]) -> list[Operand]:
    """Return the operands with each pair of brackets worked out."""
    while (pair := _innermost(read.words, operands)) is not None:
        first, last = pair
        inside = [one for one in operands if first < one.start and one.end <= last]
        term = assembled(read, inside) if inside else None
        if term is None:
            return operands
        number = inside[0].number if len(inside) == 1 else None
        whole = Operand(replace(term, factors=()), number, first, last + 1)
        operands = sorted([*(one for one in operands if one not in inside), whole], key=lambda one: one.start)
    return operands


def _innermost(words: Sequence[str], operands: Sequence[Operand]) -> tuple[int, int] | None:
    covered = {place for one in operands for place in range(one.start, one.end)}
    opened = -1
    for place, word in enumerate(words):
        if word == "(" and place not in covered:
            opened = place
        elif word == ")" and opened >= 0 and place not in covered:
            return opened, place
    return None


def assembled(read: Quantities, operands: Sequence[Operand]) -> Term | None:
    """Return the value of operands from left to right, products before sums."""
    if len(operands) < 2:
        return operands[0].term if operands and operands[0].term.is_computed else None
    total = Total(operands[0].term)
    weak = False
    place = 1
    while place < len(operands):
        left, right = operands[place - 1], operands[place]
        step = _step(read, operands, place)
        if step is None:
            step = _by_question(read, operands)
        weak = weak or (step is not None and step.is_weak)
        if step is None:
            return None
        if step.operation is O.OF and is_part(left) and not is_part(right):
            total.replace_last(terms.part_of(left.term, right.term))
        else:
            total.take(step, right, _next_is_rate(read, operands, place))
        place += 1
    if weak and len(operands) == 2:
        if (asked := _by_question(read, operands)) is not None:
            total = Total(operands[0].term)
            total.take(asked, operands[1], False)
        elif not _may_add(read, *operands):
            return None
    return total.whole()


def _step(read: Quantities, operands: Sequence[Operand], place: int) -> Step | None:
    left, right = operands[place - 1], operands[place]
    end = operands[place + 1].start if place + 1 < len(operands) else len(read.words)
    gap, after = read.words[left.end : right.start], read.words[right.end : end]
    number = right.number or _PLAIN
    if "?" in gap:
        return None  # another question begins
    if place == 1 and "by" in gap and set(read.lead) & {"split", "divide", "share"}:
        return Step(O.DIVIDED)
    if place == 1 and number.is_percent and "by" in gap:
        gap = (*read.lead, *gap)
    return step_between(left.number, gap, number, after)


_PLAIN = Quantity(Fraction(1), "1")


def is_part(operand: Operand) -> bool:
    return operand.number is not None and (operand.number.is_percent or operand.number.is_part)


def _next_is_rate(read: Quantities, operands: Sequence[Operand], place: int) -> bool:
    """Return whether a number begins a product of its own: ``and 12 at 19``."""
    if place + 1 >= len(operands):
        return False
    step = _step(read, operands, place + 1)
    return step is not None and step.operation in {O.TIMES, O.DIVIDED} and not step.is_loose


class Total:
    """A sum as it is read: finished products, and the last one."""

    def __init__(self, first: Term) -> None:
        self._parts: list[tuple[bool, Term]] = [(False, first)]
        self._rate = first

    def replace_last(self, term: Term) -> None:
        """Put a term in the place of the last one."""
        self._parts[-1] = (self._parts[-1][0], term)

    def take(self, step: Step, operand: Operand, begins_product: bool) -> None:
        """Add an operand."""
        right = operand.term
        if step.is_loose:
            self._parts = [(False, self.whole())]
        is_less, last = self._parts[-1]
        match step.operation:
            case O.TIMES:
                new = terms.multiplied(last, right)
                self._rate = right
            case O.PART:
                new = terms.multiplied(last, terms.part_of(right, self._rate))
            case O.DIVIDED:
                new = terms.divided(last, right)
            case O.INTO:
                new = terms.divided(right, last)
            case O.FROM:
                new = terms.subtracted(right, last)
            case O.OF:
                new = terms.part_of(right, last)
            case O.WITH | O.OFF | O.WITHOUT:
                new = self._with_percent(step, last, operand)
            case O.PLUS | O.MINUS:
                self._append(operand, begins_product, is_less=step.operation is O.MINUS)
                return
        self._parts[-1] = (is_less, new)

    @staticmethod
    def _with_percent(step: Step, last: Term, operand: Operand) -> Term:
        is_rate_first = operand.number is None or not operand.number.is_percent
        whole, rate = (operand.term, last) if is_rate_first else (last, operand.term)
        if step.operation is O.WITHOUT:
            return terms.without_percent(whole, rate)
        return terms.with_percent(whole, rate, is_less=step.operation is O.OFF)

    def _append(self, operand: Operand, begins_product: bool, *, is_less: bool) -> None:
        was_less, last = self._parts[-1]
        number = operand.number
        same = next((one for one in last.factors if number and number.head and one.head == number.head), None)
        if same is not None and len(last.factors) > 1 and not begins_product:
            self._parts[-1] = (was_less, terms.with_factor(last, same, operand.term, is_less=is_less))
        else:
            self._parts.append((is_less, operand.term))

    def whole(self) -> Term:
        """Return the value of all parts."""
        (_, result), *rest = self._parts
        for is_less, term in rest:
            result = terms.subtracted(result, term) if is_less else terms.added(result, term)
        return result


def _by_question(read: Quantities, operands: Sequence[Operand]) -> Step | None:
    """Return what the question itself asks to do with two numbers: ``what does each one pay?``"""
    if len(operands) != 2:
        return None
    words = set(read.lead) | set(read.tail)
    first, second = operands[0].number, operands[1].number
    if first is None or second is None:
        return None
    asks_each = words & _EACH or "per" in words or ("head" in words and "a" in words)
    if asks_each and bool(first.currency) != bool(second.currency):
        return Step(O.DIVIDED if first.currency else O.INTO)
    if asks_each and not first.currency:
        return Step(O.DIVIDED if first.value >= second.value else O.INTO)
    if words & _LEFT and second.is_percent and not first.is_percent:
        return Step(O.OFF)
    if words & _LEFT or "more" in words:
        return Step(O.MINUS if first.value >= second.value else O.FROM)
    if words & _ALL and first.head == second.head and bool(first.currency) == bool(second.currency):
        return Step(O.PLUS)
    return None


def _may_add(read: Quantities, left: Operand, right: Operand) -> bool:
    """Return whether a mere ``and`` adds two numbers: not members and an amount of money."""
    asks_all = bool((set(read.lead) | set(read.tail)) & (_ALL | {"many", "much"}))
    return asks_all or left.term.is_computed or left.term.unit == right.term.unit
