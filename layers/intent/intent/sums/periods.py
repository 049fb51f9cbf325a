"""What comes to so much a month or a week, over another period: ``39 a month, how much a year?``, and how
long something lasts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from intent.sums import terms
from intent.sums.quantities import Quantities, Quantity, noun_stem, read_quantities
from intent.sums.result import Sum, sum_of
from intent.sums.terms import Term

ONE = frozenset({"a", "an", "per", "each", "every", "/", "one", "the", "whole"})
_PERIODS = {
    ("month", "year"): 12, ("week", "year"): 52, ("day", "year"): 365, ("quarter", "year"): 4,
    ("month", "quarter"): 3,
    ("day", "week"): 7, ("hour", "day"): 24, ("year", "decade"): 10,
}  # fmt: skip
"""How many of one period another has, where each is one."""
_ADVERBS = {
    "annually": "year", "yearly": "year", "annual": "year", "annum": "year", "monthly": "month",
    "weekly": "week", "daily": "day", "quarterly": "quarter",
}  # fmt: skip
_ASKING = frozenset("what what's whats how much total ? come comes".split())
_PERSONS = frozenset(
    map(noun_stem, "people person user member seat employee colleague staff kid child children student"
        " licence license player".split())
)  # fmt: skip


def period_told(words: Sequence[str]) -> str:
    """Return the stem of the period that words name first: of month in ``39 a month``; empty without one."""
    return next(periods_in(words), "")


def periods_in(words: Sequence[str]) -> Iterator[str]:
    """Yield the stems of all periods that words name, in order."""
    known = {name for pair in _PERIODS for name in pair}
    for before, word in pairwise(["", *words]):
        stem = noun_stem(word)
        if word in _ADVERBS:
            yield _ADVERBS[word]
        elif before in ONE and stem in known:
            yield stem


def period_asked(text: str) -> str:
    """Return the stem of the period over which a question without numbers asks how much something is: of year
    in ``and per year?``, ``how much annually?``; empty for any other text.
    """
    read = read_quantities(text)
    said = [word for word in read.words if word[0].isalpha()]
    asks = bool(_ASKING & set(read.words)) or said[:1] == ["and"]
    periods = [*periods_in(read.words)]
    is_plain = not read.numbers and asks and len(said) <= _MOST_WORDS and len(periods) == 1
    return periods[0] if is_plain and not _OTHERS & set(said) else ""


_MOST_WORDS = 10
_OTHERS = frozenset("average when which who often many times day".split())


def times_in(inner: str, outer: str) -> Term | None:
    """Return how many of one period another has, as a term; None where nothing is known of them."""
    count = _PERIODS.get((inner, outer))
    return None if count is None else Term(Fraction(count), f"{count} {inner}s", unit=f"{inner}s")


def over_period(read: Quantities) -> Sum | None:
    """``600 a month for a year``, ``Slack is 87 a month and hosting 210, how much a year?``"""
    if not read.numbers or any(one.is_percent or one.is_part for one in read.numbers):
        return None
    first = read.numbers[0]
    named = [*periods_in(read.words[first.end :])]
    if len(named) < _PAIR and named != [*periods_in(read.tail)]:
        named = [*periods_in(read.words)]
    inner, outer = (named[0], named[-1]) if len(set(named)) == _PAIR else ("", "")
    count, shorter = times_in(inner, outer), times_in(outer, inner)
    asks = bool(_ASKING & set(read.words)) or len(read.numbers) == 1
    base = _base(read.numbers) if asks and outer in [*periods_in(read.tail)] else None
    if base is None or (count is None and shorter is None):
        return None
    term = terms.multiplied(base, count) if count is not None else terms.divided(base, shorter or base)
    return sum_of(term, read.numbers)


_PAIR = 2


def _base(numbers: Sequence[Quantity]) -> Term | None:
    """Return what one period comes to: the sum of the amounts, times the persons that are counted."""
    counts = [one for one in numbers if one.head in _PERSONS and not one.currency]
    amounts = [one for one in numbers if one not in counts]
    if not amounts or len(counts) > 1 or any(one.unit and not one.currency for one in amounts):
        return None
    if len({one.currency for one in amounts} - {""}) > 1:
        return None
    base = terms.term_of(amounts[0])
    for one in amounts[1:]:
        base = terms.added(base, terms.term_of(one))
    return terms.multiplied(base, terms.term_of(counts[0])) if counts else base


def how_long(read: Quantities) -> Sum | None:
    """``how many weeks do 1,200 last if we use 150 a week?``"""
    if len(read.numbers) != _PAIR or any(one.is_percent or one.is_part for one in read.numbers):
        return None
    asked = [noun_stem(word) for before, word in pairwise(read.words) if before == "many"]
    if not {"last", "lasts", "enough", "through"} & set(read.words):
        return None
    rates = [at for at in range(_PAIR) if (per := period_told(read.after(at)[:2])) and per in asked]
    if len(rates) != 1 or not read.numbers[rates[0]].value:
        return None
    rate, whole = (replace(read.numbers[at], unit="") for at in (rates[0], 1 - rates[0]))
    term = replace(terms.divided(terms.term_of(whole), terms.term_of(rate)), currency="")
    result = f"{term.result} {asked[0]}s"
    text = f"{term.text} {term.equals} {result}"
    return Sum(text, term.value, term.text, result, (whole.text, rate.text))
