"""`read_sum`: the value of what a person asks to be worked out, and the expression it was taken for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from intent.sums import amendments, clock_spans, comparisons, counts, problems, terms, told_problems
from intent.sums.asked_parts import asked_parts
from intent.sums.assembly import Operand, Total, assembled, read_operands
from intent.sums.follow_ups import counts_other_things, read_follow_up, tells_of_something_else, with_more
from intent.sums.gaps import leading_step, takes_off
from intent.sums.quantities import Quantities, Quantity, is_exact, read_quantities
from intent.sums.result import EarlierSum, Sum, equation
from intent.sums.terms import Term

_SHARED = re.compile(
    r"\b(?:cut|split|divide) (?:that|it|this|(?:the )?(?:total|bill|lot|whole thing)) (?:in|into|by|between)"
    r" (\w+)(?: (?:parts|ways|of us|people|pieces))?[ .?!]*$",
    re.IGNORECASE,
)
NO_VALUE = "Nothing can be divided by zero."
_MOST_NUMBERS = 40
_MOST_KEPT = 12
_EACH = frozenset({"each", "apiece", "everyone", "everybody"})


def read_sum(text: str, *, earlier: EarlierSum | None = None) -> Sum | None:
    """Return what a text asks to be worked out; None when its words don't say what to do.

    ``earlier`` is the sum before, which ``half of that``, ``and per child?`` and ``and for 7 nights?`` go on
    from.
    """
    if earlier is not None and (shared := _SHARED.search(text)) is not None:
        text = f"divide that by {shared[1]}"
    read = read_quantities(text)
    if len(read.numbers) > _MOST_NUMBERS or (not read.numbers and earlier is None) or _asks_for_more(read):
        return None
    amended = None if earlier is None else amendments.amended(text, read, earlier)
    if amended is not None:
        return read_sum(amended) or _one_left(amended)
    if earlier is not None and counts_other_things(read, earlier):
        more = with_more(read, earlier)
        return None if more is None else read_sum(more)
    try:
        return _worked_out(text, read, earlier) or _of_parts(text)
    except ZeroDivisionError:
        return Sum(NO_VALUE, Fraction(0))


def shares_result(text: str) -> bool:
    """Return whether a text ends by sharing the result before: ``so cut that in 3``."""
    return _SHARED.search(text) is not None


def _asks_for_more(read: Quantities) -> bool:
    """Return whether a text asks for more than operations: a root, a factorial, in how many ways."""
    text = f" {' '.join(read.words)} "
    return bool(_FUNCTIONS & set(read.words)) or any(phrase in text for phrase in _WAYS)


_WAYS = (" in how many orders ", *(f" how many {way} " for way in ("ways", "arrangements", "combinations")))
_FUNCTIONS = frozenset(
    "factorial root roots sqrt log ln logarithm sine cosine tangent modulo permutations".split()
)


def _of_parts(text: str) -> Sum | None:
    """Return the sums that parts of a text ask for, one a line; None where one of them has no value."""
    parts = asked_parts(text)
    if not parts or (len(parts) == 1 and parts[0] == text):
        return None
    found = [_worked_out(part, read_quantities(part), None) for part in parts]
    worked_out = [one for one in found if one is not None]
    if len(worked_out) < len(found):
        return None
    return replace(worked_out[-1], text="\n".join(dict.fromkeys(one.text for one in worked_out)))


def _worked_out(text: str, read: Quantities, earlier: EarlierSum | None) -> Sum | None:
    if earlier is not None and (
        solved := problems.result_converted(read, earlier.expression, earlier.result)
    ):
        return Sum(*solved)
    before = None if earlier is None else _value_of(earlier)
    followed = None if earlier is None or before is None else read_follow_up(read, earlier, before)
    if followed is not None:
        return followed
    if not read.numbers:
        return None
    if (spanned := clock_spans.read_span(text)) is not None:
        return spanned
    if (solved := problems.solve(read)) is not None:
        return Sum(*solved)
    if before is None and _leans_on_other(read):
        return None
    return told_problems.solve(read) or _assembled(read, earlier, before)


def _assembled(read: Quantities, earlier: EarlierSum | None, before: Term | None) -> Sum | None:
    """Return what the words between the numbers tell to do with them."""
    operands = read_operands(read, before)
    compared = comparisons.ratio(read, operands) or comparisons.average(read, operands)
    if compared is not None:
        return compared
    if (counted := counts.filled(read) or counts.chained(read)) is not None:
        return counted
    kept = earlier.operands if earlier is not None and any(one.number is None for one in operands) else ()
    if earlier is not None and _exchanges_rate(read, earlier):
        return _substituted(read.numbers[0], earlier.expression)
    if (term := _followed(read, operands, before)) is not None:
        return _told(read, term, earlier.operands if earlier is not None else ())
    if len(operands) == 1 and earlier is not None:
        if tells_of_something_else(read):
            return None
        changed = _with_percent_off(read, earlier) or _with_percent_on(read, earlier, before)
        return changed or _substituted(read.numbers[0], earlier.expression)
    term = assembled(read, operands)
    if term is None or _adds_up_what_is_left(read, term):
        return None
    return _told(read, _there_and_back(read, term), kept)


def _adds_up_what_is_left(read: Quantities, term: Term) -> bool:
    """Return whether all was added where the rest is asked for: ``3 at 4.50, paid with 20, what's left?``"""
    asks = bool(_LEFT & {*read.lead, *read.tail})
    return asks and " + " in term.text and " − " not in term.text


_LEFT = frozenset({"left", "remains", "remaining", "change"})


def _one_left(expression: str) -> Sum | None:
    """Return the only number that is left of a sum; None when none is."""
    numbers = read_quantities(expression).numbers
    if not numbers:
        return None
    term = terms.term_of(numbers[0])
    return Sum(term.result, term.value, term.text, term.result, (term.text,))


def _there_and_back(read: Quantities, term: Term) -> Term:
    """Return the value twice where the price of one way was given for ``both ways``."""
    text = f" {' '.join(read.words)} "
    is_twice = any(f" {phrase} " in text for phrase in ("both ways", "there and back", "both directions"))
    return terms.multiplied(term, Term(Fraction(2), "2")) if is_twice and "each way" in text else term


def _leans_on_other(read: Quantities) -> bool:
    """Return whether it counts with a number that was named elsewhere: ``4,870 less that``. ``While I think
    of it`` doesn't.
    """
    start = read.numbers[0].start - 1
    pairs = enumerate(pairwise(read.words))
    return any(
        second in {"that", "it"} and first in _TAKES_NUMBER and (first != "of" or place >= start)
        for place, (first, second) in pairs
    )


_TAKES_NUMBER = frozenset({"less", "minus", "plus", "times", "by", "of", "half", "double", "twice"})


def _value_of(earlier: EarlierSum) -> Term | None:
    """Return the result of an earlier sum as one number; None without one."""
    text = earlier.result or earlier.expression
    read = read_quantities(text)
    if not read.numbers:
        return None
    operands = read_operands(read, None)
    term = operands[0].term if len(operands) == 1 else assembled(read, operands)
    if term is None:
        return None
    is_percent = len(operands) == 1 and read.numbers[0].is_percent
    shown = term.text if is_percent else term.result
    return Term(_exact(earlier, term), shown, term.currency, term.unit, term.places)


def _exact(earlier: EarlierSum, shown: Term) -> Fraction:
    """Return the value of an earlier result before it was rounded to be shown."""
    read = read_quantities(earlier.expression)
    if len(read.numbers) < _FEWEST_ROUNDED or "%" in earlier.expression:
        return shown.value
    try:
        term = assembled(read, read_operands(read, None))
    except ZeroDivisionError:
        return shown.value
    is_same = term is not None and not is_exact(term.value)
    return term.value if term is not None and is_same and term.result == shown.result else shown.value


_FEWEST_ROUNDED = 2


def _followed(read: Quantities, operands: Sequence[Operand], before: Term | None) -> Term | None:
    """Return the value of a text that goes on from the earlier result without naming it."""
    number = operands[0].number if operands else None
    if before is None or number is None or any(one.number is None for one in operands):
        return None
    end = operands[1].start if len(operands) > 1 else len(read.words)
    step = leading_step(read.lead, number, read.words[number.end : end])
    if step is None or (len(operands) > 1 and read.lead and _is_own(read)):
        return None
    start = Operand(before, None, 0, 0)
    total = Total(before)
    total.take(step, operands[0], False)
    whole = total.whole()
    if len(operands) == 1:
        return whole
    return assembled(read, [Operand(whole, None, start.start, operands[0].end), *operands[1:]])


def _is_own(read: Quantities) -> bool:
    """Return whether a leading verb takes both numbers that follow: ``split 640 by 38``."""
    return bool(set(read.lead) & {"split", "divide", "multiply", "add", "take", "subtract", "share", "knock"})


def _with_percent_off(read: Quantities, earlier: EarlierSum) -> Sum | None:
    """Return the earlier sum with a percentage taken off, before one that was added: ``and 10% off?``"""
    number = read.numbers[0]
    if not number.is_percent or not (takes_off(read.words) or "less" in read.tail[:1]):
        return None
    base, plus, added = earlier.expression.rpartition(" + ")
    is_added = bool(plus) and added.endswith("%")
    tail = f" + {added}" if is_added else ""
    return read_sum(f"{base if is_added else earlier.expression} − {number.text}%{tail}")


def _exchanges_rate(read: Quantities, earlier: EarlierSum) -> bool:
    """Return whether a rate takes the place of the one that was added: ``and with 25% VAT?``"""
    is_rate = len(read.numbers) == 1 and read.numbers[0].is_percent and "with" in read.lead
    is_rate = is_rate and not takes_off(read.words)
    return is_rate and earlier.expression.endswith("%") and "+" in earlier.expression


def _with_percent_on(read: Quantities, earlier: EarlierSum, before: Term | None) -> Sum | None:
    """Return the earlier result with a percentage added, where it had none: ``and 20% on top?``"""
    number = read.numbers[0]
    is_on_top = ("on", "top") in pairwise(read.words) or bool(_ON_TOP & {*read.lead, *read.tail})
    if not number.is_percent or not is_on_top or before is None or "%" in earlier.expression:
        return None
    return _told(read, terms.with_percent(before, terms.term_of(number), is_less=False), earlier.operands)


_ON_TOP = frozenset("extra more added vat tax gst tip service surcharge contingency buffer".split())


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


def _told(read: Quantities, term: Term, kept: Sequence[str]) -> Sum:
    """Return the sum; ``kept`` are the numbers of the sum that it goes on from."""
    words = _named_unit(read)
    text = f"{equation(term)}{words}"
    rate = read.numbers[-1] if read.numbers[-1].is_percent else read.numbers[0]
    if rate.is_percent and rate.value and term.text.endswith(f"+ {rate.text}%"):
        share = term.value - term.value / (1 + rate.value / 100)
        text = f"{text} (the {rate.text}% is {replace(term, value=share).result})"
    text = f"{text}{_parts_of(read, term)}"
    operands = dict.fromkeys((*(terms.term_of(one).text for one in read.numbers), *kept))
    result = f"{term.result}{words.removesuffix(' each')}"
    return Sum(text, term.value, term.text, result, tuple(operands)[:_MOST_KEPT])


def _parts_of(read: Quantities, term: Term) -> str:
    """Return the value of each product where only an ``and`` joins two: ``12 x 4 and 7 x 8``."""
    products = term.text.split(" + ")
    is_bare = not any(one.unit or one.currency or one.is_percent for one in read.numbers)
    links = [read.gap(place) for place in range(len(read.numbers) - 1)]
    if len(products) != _PAIR or not is_bare or not all(" × " in one for one in products):
        return ""
    if sum(gap in _LINKS for gap in links) != 1 or _TOTALS & set(read.words):
        return ""
    first, second = (read_sum(one) for one in products)
    return f" ({first.result} + {second.result})" if first and second else ""


_PAIR = 2
_LINKS = (("and",), (",",), (",", "and"), ("&",))
_TOTALS = frozenset({"total", "altogether", "together", "all", "combined", "sum"})


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
    if len(read.numbers) != 2:
        return False
    is_price = bool({"at", "@", "for"} & set(read.gap(0))) and read.tail[:1] != () and read.tail[0] in _EACH
    return bool(set(read.tail[is_price:]) & _EACH)


_NO_UNIT = frozenset(
    {"is", "are", "do", "does", "of", "in", "times", "percent", "would", "will", "more", "that"}
)
