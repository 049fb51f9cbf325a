"""`read_sum`: the value of what a person asks to be worked out, and the expression it was taken for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from intent.sums import problems, terms
from intent.sums.gaps import Operation, Step, leading_step, step_between
from intent.sums.quantities import Quantities, Quantity, read_quantities, shown
from intent.sums.terms import Term

NO_VALUE = "Nothing can be divided by zero."
_MOST_NUMBERS = 40
_POINTERS = frozenset({"that", "it", "this", "them", "those"})
_EACH = frozenset({"each", "apiece", "everyone", "everybody"})
_LEFT = frozenset({"left", "remain", "remains", "remaining", "difference", "change"})
_ALL = frozenset({"total", "altogether", "combined", "sum", "together"})
O = Operation  # noqa: E741


@dataclass(frozen=True, slots=True)
class Sum:
    """What was worked out. ``text`` shows the expression and its result."""

    text: str
    value: Fraction
    expression: str = ""
    """What a later ``and for 7 nights?`` changes; empty: nothing can be changed."""


class _Operand(NamedTuple):
    """A number of the text, or an earlier result (``number`` None), with its place among the words."""

    term: Term
    number: Quantity | None
    start: int
    end: int


def read_sum(text: str, *, previous: str = "") -> Sum | None:
    """Return what a text asks to be worked out; None when its words don't say what to do.

    ``previous`` is the expression of the sum before, which ``half of that`` and ``and for 7 nights?`` go on
    from.
    """
    read = read_quantities(text)
    if not read.numbers or len(read.numbers) > _MOST_NUMBERS:
        return None
    try:
        return _worked_out(read, previous)
    except ZeroDivisionError:
        return Sum(NO_VALUE, Fraction(0))


def _worked_out(read: Quantities, previous: str) -> Sum | None:
    if (solved := problems.solve(read)) is not None:
        return Sum(*solved)
    before = _value_of(previous)
    if before is None and _leans_on_other(read):
        return None
    operands = _operands(read, before)
    if (told := _ratio(read, operands) or _average(read, operands)) is not None:
        return told
    if (term := _followed(read, operands, before)) is not None:
        return _told(read, term)
    if len(operands) == 1 and previous:
        return _substituted(read.numbers[0], previous)
    term = _assembled(read, operands)
    return None if term is None else _told(read, _there_and_back(read, term))


def _there_and_back(read: Quantities, term: Term) -> Term:
    """Return the value twice where the price of one way was given for ``both ways``."""
    text = f" {' '.join(read.words)} "
    is_twice = any(f" {phrase} " in text for phrase in ("both ways", "there and back", "both directions"))
    return terms.multiplied(term, Term(Fraction(2), "2")) if is_twice and "each way" in text else term


def _leans_on_other(read: Quantities) -> bool:
    """Return whether it counts with a number that was named elsewhere: ``4,870 less that``."""
    pairs = zip(read.words, read.words[1:], strict=False)
    return any(second in {"that", "it"} and first in _TAKES_NUMBER for first, second in pairs)


_TAKES_NUMBER = frozenset({"less", "minus", "plus", "times", "by", "of", "half", "double", "twice"})


def _value_of(expression: str) -> Term | None:
    """Return the result of an earlier expression as one number; None without one."""
    if not expression:
        return None
    read = read_quantities(expression)
    operands = _operands(read, None)
    term = operands[0].term if len(operands) == 1 else _assembled(read, operands)
    if term is None:
        return None
    return Term(term.value, term.result, term.currency, "", term.places)


def _operands(read: Quantities, before: Term | None) -> list[_Operand]:
    """Return the numbers, and words such as ``that`` where they stand for the earlier result."""
    found = [_Operand(terms.term_of(one), one, one.start, one.end) for one in read.numbers]
    if before is not None:
        taken = {place for one in read.numbers for place in range(one.start, one.end)}
        starts = {one.start for one in read.numbers}
        found += [
            _Operand(before, None, place, place + 1)
            for place, word in enumerate(read.words)
            if word in _POINTERS and place not in taken and place + 1 not in starts
        ][:1]
    return _bracketed(read, sorted(found, key=lambda one: one.start))


def _bracketed(read: Quantities, operands: list[_Operand]) -> list[_Operand]:
    """Return the operands with each pair of brackets worked out."""
    while (pair := _innermost(read.words, operands)) is not None:
        first, last = pair
        inside = [one for one in operands if first < one.start and one.end <= last]
        term = _assembled(read, inside) if inside else None
        if term is None:
            return operands
        number = inside[0].number if len(inside) == 1 else None
        whole = _Operand(replace(term, factors=()), number, first, last + 1)
        operands = sorted([*(one for one in operands if one not in inside), whole], key=lambda one: one.start)
    return operands


def _innermost(words: Sequence[str], operands: Sequence[_Operand]) -> tuple[int, int] | None:
    covered = {place for one in operands for place in range(one.start, one.end)}
    opened = -1
    for place, word in enumerate(words):
        if word == "(" and place not in covered:
            opened = place
        elif word == ")" and opened >= 0 and place not in covered:
            return opened, place
    return None


def _assembled(read: Quantities, operands: Sequence[_Operand]) -> Term | None:
    """Return the value of operands from left to right, products before sums."""
    if len(operands) < 2:
        return operands[0].term if operands and operands[0].term.is_computed else None
    total = _Total(operands[0].term)
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
        if step.operation is O.OF and _is_part(left) and not _is_part(right):
            total.replace_last(terms.part_of(left.term, right.term))
        else:
            total.take(step, right, _next_is_rate(read, operands, place))
        place += 1
    if weak and len(operands) == 2:
        if (asked := _by_question(read, operands)) is not None:
            total = _Total(operands[0].term)
            total.take(asked, operands[1], False)
        elif not _may_add(read, *operands):
            return None
    return total.whole()


def _step(read: Quantities, operands: Sequence[_Operand], place: int) -> Step | None:
    left, right = operands[place - 1], operands[place]
    end = operands[place + 1].start if place + 1 < len(operands) else len(read.words)
    gap, after = read.words[left.end : right.start], read.words[right.end : end]
    number = right.number or _PLAIN
    if place == 1 and "by" in gap and set(read.lead) & {"split", "divide", "share"}:
        return Step(O.DIVIDED)
    if place == 1 and number.is_percent and "by" in gap:
        gap = (*read.lead, *gap)
    return step_between(left.number, gap, number, after)


_PLAIN = Quantity(Fraction(1), "1")


def _is_part(operand: _Operand) -> bool:
    return operand.number is not None and (operand.number.is_percent or operand.number.is_part)


def _next_is_rate(read: Quantities, operands: Sequence[_Operand], place: int) -> bool:
    """Return whether a number begins a product of its own: ``and 12 at 19``."""
    if place + 1 >= len(operands):
        return False
    step = _step(read, operands, place + 1)
    return step is not None and step.operation in {O.TIMES, O.DIVIDED} and not step.is_loose


class _Total:
    """A sum as it is read: finished products, and the last one."""

    def __init__(self, first: Term) -> None:
        self._parts: list[tuple[bool, Term]] = [(False, first)]
        self._rate = first

    def replace_last(self, term: Term) -> None:
        """Put a term in the place of the last one."""
        self._parts[-1] = (self._parts[-1][0], term)

    def take(self, step: Step, operand: _Operand, begins_product: bool) -> None:
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
    def _with_percent(step: Step, last: Term, operand: _Operand) -> Term:
        is_rate_first = operand.number is None or not operand.number.is_percent
        whole, rate = (operand.term, last) if is_rate_first else (last, operand.term)
        if step.operation is O.WITHOUT:
            return terms.without_percent(whole, rate)
        return terms.with_percent(whole, rate, is_less=step.operation is O.OFF)

    def _append(self, operand: _Operand, begins_product: bool, *, is_less: bool) -> None:
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


def _by_question(read: Quantities, operands: Sequence[_Operand]) -> Step | None:
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
    if words & _LEFT or "more" in words:
        return Step(O.MINUS if first.value >= second.value else O.FROM)
    if words & _ALL and first.head == second.head and bool(first.currency) == bool(second.currency):
        return Step(O.PLUS)
    return None


def _may_add(read: Quantities, left: _Operand, right: _Operand) -> bool:
    """Return whether a mere ``and`` adds two numbers: not members and an amount of money."""
    asks_all = bool((set(read.lead) | set(read.tail)) & (_ALL | {"many", "much"}))
    return asks_all or left.term.is_computed or left.term.unit == right.term.unit


def _followed(read: Quantities, operands: Sequence[_Operand], before: Term | None) -> Term | None:
    """Return the value of a text that goes on from the earlier result without naming it."""
    number = operands[0].number if operands else None
    if before is None or number is None or any(one.number is None for one in operands):
        return None
    end = operands[1].start if len(operands) > 1 else len(read.words)
    step = leading_step(read.lead, number, read.words[number.end : end])
    if step is None or (len(operands) > 1 and read.lead and _is_own(read)):
        return None
    start = _Operand(before, None, 0, 0)
    total = _Total(before)
    total.take(step, operands[0], False)
    whole = total.whole()
    if len(operands) == 1:
        return whole
    return _assembled(read, [_Operand(whole, None, start.start, operands[0].end), *operands[1:]])


def _is_own(read: Quantities) -> bool:
    """Return whether a leading verb takes both numbers that follow: ``split 640 by 38``."""
    return bool(set(read.lead) & {"split", "divide", "multiply", "add", "take", "subtract", "share", "knock"})


def _substituted(number: Quantity, previous: str) -> Sum | None:
    """Return the earlier sum with one of its numbers exchanged: ``and for 7 nights?``"""
    read = read_quantities(previous)
    old = _counterpart(number, read.numbers)
    if old is None:
        return None
    unit, currency = number.unit or old.unit, number.currency or old.currency
    new = replace(number, unit=unit, currency=currency)
    old_text, new_text = terms.term_of(old).text, terms.term_of(new).text
    return read_sum(previous.replace(old_text, new_text, 1))


def _counterpart(number: Quantity, numbers: Sequence[Quantity]) -> Quantity | None:
    same_unit = [one for one in numbers if number.head and one.head == number.head]
    same_kind = [
        one for one in numbers
        if one.is_percent is number.is_percent and bool(one.currency) is bool(number.currency)
        and (bool(one.unit) or not number.unit)
    ]  # fmt: skip
    return next(iter((*same_unit, *same_kind)), None)


def _ratio(read: Quantities, operands: Sequence[_Operand]) -> Sum | None:
    """Return what one number is of another in percent, or the change from one to the other."""
    taken = {place for one in read.numbers for place in range(one.start, one.end)}
    others = {word for place, word in enumerate(read.words) if place not in taken}
    if (
        len(operands) != 2
        or not others & {"percent", "percentage", "%", "pct"}
        or any(map(_is_part, operands))
    ):
        return None
    left, right = operands[0].term, operands[1].term
    gap = read.words[operands[0].end : operands[1].start]
    if "to" in gap:
        whole, part = left, terms.subtracted(right, left)
    elif "is" in gap and "of" in read.lead:
        whole, part = left, right
    else:
        whole, part = right, left
    quotient = terms.divided(part, whole)
    value = quotient.value * 100
    rounded = Fraction(round(value * 100), 100)
    sign = "=" if rounded == value else "≈"
    return Sum(f"{quotient.text} {sign} {shown(rounded)}%", quotient.value)


def _average(read: Quantities, operands: Sequence[_Operand]) -> Sum | None:
    if len(operands) < 2 or "average" not in {*read.lead, *read.tail}:
        return None
    total = operands[0].term
    for one in operands[1:]:
        total = terms.added(total, one.term)
    count = Fraction(len(operands))
    average = terms.divided(total, Term(count, shown(count)))
    return Sum(_equation(average), average.value, average.text)


def _told(read: Quantities, term: Term) -> Sum:
    words = _named_unit(read)
    text = f"{_equation(term)}{words}"
    rate = read.numbers[-1] if read.numbers[-1].is_percent else read.numbers[0]
    if rate.is_percent and rate.value and term.text.endswith(f"+ {rate.text}%"):
        share = term.value - term.value / (1 + rate.value / 100)
        text = f"{text} (the {rate.text}% is {replace(term, value=share).result})"
    return Sum(text, term.value, term.text)


def _equation(term: Term) -> str:
    return f"{term.text} {term.equals} {term.result}"


def _named_unit(read: Quantities) -> str:
    """Return the unit that a question asks for, after a space: ``how many hours``."""
    words = read.words
    for place, word in enumerate(words[:-1]):
        if word == "how" and words[place + 1] == "many" and place + 2 < len(words):
            unit = words[place + 2]
            return f" {unit}" if unit.isalpha() and unit not in _NO_UNIT else ""
    return (
        " each" if set(read.tail) & {"pay", "pays", "get", "gets", "owe", "owes"} and _asks_each(read) else ""
    )


def _asks_each(read: Quantities) -> bool:
    return len(read.numbers) == 2 and bool(set(read.tail) & _EACH)


_NO_UNIT = frozenset(
    {"is", "are", "do", "does", "of", "in", "times", "percent", "would", "will", "more", "that"}
)
