"""Problems that a person tells with numbers, and whose question names no operation: what is left, how many
packs, what so many people earn in so many hours, ``is 30 times 1.5 45?``
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from intent.sums import contrasts, payments, periods, terms
from intent.sums.assembly import assembled, read_operands
from intent.sums.quantities import Quantities, Quantity, noun_stem, shown
from intent.sums.result import Sum, equation, sum_of
from intent.sums.terms import Term

_ONE = frozenset({"a", "an", "per", "each", "every", "/"})
_LEFT = frozenset("left remaining remains remain over".split())
_SPENDING = frozenset(
    "spend spent spending pay paid paying after minus less use used using sold sell selling gave give lost"
    " lose took take and , . then but on if i we i've is are was".split()
)
_TIME_HEADS = frozenset({"hour", "day", "week", "month", "year", "night", "minut", "shift", "session"})
_ASKS_COST = frozenset("pay cost costs much bill total come comes charge owe what's what whats price".split())
_EQUALS = (("make",), ("makes",), ("equal",), ("equals",), ("=",), ("come", "to"), (), ("equal", "to"))
_FEWEST_OF_WAGES = 3


def solve(read: Quantities) -> Sum | None:
    """Return what is asked of numbers told in words; None where the words between them say what to do."""
    return next((found for formula in _FORMULAS if (found := formula(read)) is not None), None)


def _left(read: Quantities) -> Sum | None:
    """``I had 500, spent 180 and 75.50. What's left?``"""
    first, *rest = read.numbers
    if (
        not rest
        or not _LEFT & {*read.lead, *read.tail}
        or not {"what", "what's", "whats", "much", "many"} & set(read.words)
    ):
        return None
    gaps = [read.gap(place) for place in range(len(rest))]
    if not all(map(_is_spending, gaps)) and not _lists_spending(gaps):
        return None
    if not _all_alike(read.numbers):
        return None
    term = terms.term_of(first)
    for one in rest:
        term = terms.subtracted(term, terms.term_of(one))
    return sum_of(term, read.numbers) if term.value >= 0 else None


def _is_spending(gap: Sequence[str]) -> bool:
    return bool(gap) and not set(gap) - _SPENDING


def _lists_spending(gaps: Sequence[Sequence[str]]) -> bool:
    """Return whether what is spent is told with its purpose: ``spent 2,350 on ads and 1,900 on print``."""
    first, *others = gaps
    is_told = _is_spending(first) and bool(_SPENT & set(first))
    return is_told and all(
        gap[:1] in {("on",), ("for",)} and gap[-1] in {"and", ",", "plus"} for gap in others
    )


_SPENT = frozenset("spend spent pay paid used use sold gave lost".split())


def _all_alike(numbers: Sequence[Quantity]) -> bool:
    """Return whether numbers count the same, or nothing is said of some."""
    is_plain = not any(one.is_percent or one.is_part for one in numbers)
    heads, currencies = ({one.head for one in numbers} - {""}, {one.currency for one in numbers} - {""})
    return is_plain and len(heads) + len(currencies) <= 1


def _packs(read: Quantities) -> Sum | None:
    """``how many boxes of 6 do I need for 480 eggs``"""
    if len(read.numbers) != 2 or any(one.is_percent or one.is_part or one.currency for one in read.numbers):
        return None
    size, needed = read.numbers
    asks = read.lead[-4:-2] == ("how", "many") and read.lead[-1:] in {("of",), ("with",)}
    if not asks or "for" not in read.gap(0) or size.unit or not size.value:
        return None
    exact = needed.value / size.value
    count = Fraction(math.ceil(exact))
    term = terms.divided(terms.term_of(needed), terms.term_of(size))
    packs = f"{shown(count)} {read.lead[-2]}"
    text = equation(term) if exact == count else f"{equation(term)}, so {shown(count)}"
    return Sum(f"{text} {read.lead[-2]}", count, term.text, packs, (size.text, needed.text))


def _wages(read: Quantities) -> Sum | None:
    """``3 painters need 4 days at 180 a day each``, ``3 people, 12.50 an hour for 6 hours``"""
    numbers = read.numbers
    if len(numbers) != _FEWEST_OF_WAGES or any(one.is_percent or one.is_part for one in numbers):
        return None
    rates = [(place, unit) for place in range(len(numbers)) if (unit := _rate_unit(read, place))]
    if len(rates) != 1:
        return None
    place, unit = rates[0]
    others = [one for at, one in enumerate(numbers) if at != place]
    spans = [one for one in others if one.head == unit]
    people = [
        one for one in others if one.head and one.head != unit and noun_stem(one.head) not in _TIME_HEADS
    ]
    if unit not in _TIME_HEADS or len(spans) != 1 or len(people) != 1 or people[0].value.denominator != 1:
        return None
    if not (_ASKS_COST | {"earn", "many"}) & set(read.words) or numbers[place].unit:
        return None
    term = terms.term_of(people[0])
    for one in (spans[0], numbers[place]):
        term = terms.multiplied(term, terms.term_of(one))
    return sum_of(term, numbers)


def _rate_unit(read: Quantities, place: int) -> str:
    """Return the stem of what a number is said for one of: of hour in ``12.50 an hour``."""
    behind = read.after(place)
    return noun_stem(behind[1]) if len(behind) > 1 and behind[0] in _ONE else ""


def _price_each(read: Quantities) -> Sum | None:
    """``there are 17 of them and it's 2.40 a cone, what will I pay?``"""
    if len(read.numbers) != 2:
        return None
    count, price = read.numbers
    is_count = count.value.denominator == 1 and not (count.currency or count.is_percent or count.is_part)
    is_rate = bool(_rate_unit(read, 1)) or read.after(1)[:1] in {("each",), ("apiece",)}
    is_told = read.gap(0)[:2] == ("of", "them") or read.gap(0)[:2] == ("of", "us")
    if not (is_count and is_rate and is_told) or price.is_percent or not _ASKS_COST & set(read.words):
        return None
    if noun_stem(read.after(1)[1] if len(read.after(1)) > 1 else "") in _TIME_HEADS:
        return None
    return sum_of(terms.multiplied(terms.term_of(count), terms.term_of(price)), read.numbers)


def _confirmed(read: Quantities) -> Sum | None:
    """``is 30 times 1.5 45?``, ``does 7 times 8 make 54``"""
    if len(read.numbers) <= 2 or not {"is", "does", "do", "isn't", "doesn't"} & set(read.lead[-2:]):
        return None
    *asked, claimed = read.numbers
    if read.gap(len(asked) - 1) not in _EQUALS or claimed.unit:
        return None
    cut = Quantities(read.words[: asked[-1].end], tuple(asked))
    term = assembled(cut, read_operands(cut, None))
    if term is None:
        return None
    verdict = "yes" if term.value == claimed.value else f"not {terms.term_of(claimed).text}"
    found = sum_of(term, asked)
    return Sum(f"{found.text}: {verdict}", found.value, found.expression, found.result, found.operands)


def _dozens(read: Quantities) -> Sum | None:
    """``12 dozen eggs, how many is that``"""
    words = read.words
    if len(read.numbers) != 1 or "dozen" not in words or not {"many", "what"} & set(words):
        return None
    number = read.numbers[0]
    if number.value % 12 or number.value <= 12:
        return None
    term = terms.multiplied(Term(number.value / 12, shown(number.value / 12)), Term(Fraction(12), "12"))
    return sum_of(term, read.numbers)


_FORMULAS: Sequence[Callable[[Quantities], Sum | None]] = (
    _confirmed, payments.change_due, _left, contrasts.difference, _packs, contrasts.affordable, _wages,
    periods.over_period, payments.several_at_price, periods.how_long, _price_each, _dozens,
)  # fmt: skip
