"""Answers questions about amounts, exactly; says so where a total would mean nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from intent.amounts.questions import Asked, Question
from intent.amounts.series import Amount, Series, is_total, total_of, words_of
from intent.sums import terms
from intent.sums.quantities import noun_stem, read_quantities, shown
from intent.sums.reader import read_sum
from intent.sums.result import EarlierSum, Sum, equation
from intent.sums.terms import Term
from intent.sums.units import unit_named

_MOST_SHOWN, _MOST_NAMED = 12, 4


def work_out(
    question: Question, series: Series, text: str, *, earlier: EarlierSum | None = None
) -> Sum | None:
    """Return the answer to a question, which ``text`` asks, in words and with its value; None where it has
    none. It has an expression only where a later question can go on from it. ``earlier`` is the sum before.
    """
    column = question.column
    if column is None and len(series.columns) > 1:
        return _words(ask_for_column(series))
    at = column or 0
    amounts = _chosen(question, series, at)
    if not amounts:
        return None
    if question.asked is Asked.EACH:
        return _each(amounts)
    if question.asked is Asked.COUNT:
        return _words(f"{len(amounts)}.")
    if question.asked in {Asked.MOST, Asked.LEAST}:
        return _words(_mixed(amounts) or _extreme(amounts, is_most=question.asked is Asked.MOST))
    if (refused := _only_names(amounts) if series.only_names(at) else _mixed(amounts)) is not None:
        return _words(refused)
    if question.asked is Asked.SHARE:
        return _share(amounts, _whole_of(text, earlier) or _expression(series.amounts(at)))
    return _reckoned(question, series, amounts, text)


def _whole_of(text: str, earlier: EarlierSum | None) -> Term | None:
    """Return the result before where a question means it by "that"; None where it means the total."""
    if earlier is None or not _RESULT & set(words_of(text)):
        return None
    numbers = read_quantities(earlier.result or earlier.expression).numbers
    return terms.term_of(numbers[0]) if len(numbers) == 1 and not numbers[0].is_percent else None


_RESULT = frozenset({"that", "it", "this", "result"})


def _share(amounts: Sequence[Amount], whole: Term) -> Sum | None:
    """Return what amounts are of a whole in percent; None where they are more than it is."""
    part = _expression(amounts)
    if not 0 < part.value <= whole.value:
        return None
    share = part.value / whole.value * 100
    rounded = Fraction(round(share * 10), 10)
    sign = "=" if rounded == share else "\u2248"
    names = _listed([one.label for one in amounts], "and")
    held = Term(whole.value, whole.result, whole.currency)
    text = f"{terms.divided(part, held).text} {sign} {shown(rounded)}% for {names}."
    return Sum(text, part.value / whole.value, f"{shown(rounded)}%", f"{shown(rounded)}%")


def _reckoned(question: Question, series: Series, amounts: Sequence[Amount], text: str) -> Sum | None:
    if question.asked is Asked.DIFFERENCE:
        return _difference(amounts)
    if question.asked is Asked.RANGE:
        ordered = sorted(amounts, key=lambda one: one.number.value)
        return _difference([ordered[-1], ordered[0]])
    if question.asked is Asked.AVERAGE:
        return _average(amounts)
    if question.asked is Asked.FURTHER:
        return read_sum(text, earlier=EarlierSum.of(_total(amounts, question, series)))
    if question.asked is Asked.RATE:
        return _at_rate(amounts, text)
    return _total(amounts, question, series)


def _at_rate(amounts: Sequence[Amount], text: str) -> Sum | None:
    """Return the total at a rate: ``what does that cost at 38 euro an hour``."""
    read = read_quantities(text)
    rate = read.numbers[0]
    unit = amounts[0].number.unit
    per = next(
        (
            noun_stem(word)
            for mark, word in zip(read.words, read.words[1:], strict=False)
            if mark in _EACH and unit_named(word) is not None
        ),
        "",
    )
    own, named = unit_named(unit), unit_named(per)
    if rate.is_percent or rate.is_part or (own is not None and named is not None and own != named):
        return None
    total = _expression(amounts)
    result = f"{total.result} {unit}".rstrip()
    whole = Term(total.value, result, total.currency, unit, total.places)
    price = terms.term_of(replace(rate, unit="" if noun_stem(rate.unit) == noun_stem(unit) else rate.unit))
    term = terms.multiplied(whole, price)
    return Sum(f"{equation(term)}.", term.value, term.text, term.result, (result, price.text))


_EACH = frozenset({"a", "an", "per", "each", "every", "/"})


def ask_for_column(series: Series) -> str:
    """Return the question which of several columns is meant."""
    names = [name for name in series.columns if name]
    if len(names) < len(series.columns):
        return "Which column do you mean? Give me the one you want with its labels, and I'll add it up."
    return f"Which column: {_listed(names, 'or')}? For example: \u201csum of {names[0]}\u201d."


def _chosen(question: Question, series: Series, column: int) -> list[Amount]:
    amounts = series.amounts(column)
    if not question.rows and not question.without:
        return list(amounts)
    own = [
        at
        for at, row in enumerate(series.rows)
        if row.numbers[column] is not None and not is_total(row.label)
    ]
    shared = dict(zip(own, amounts, strict=True))
    if question.without:
        return [amount for at, amount in shared.items() if at not in question.without]
    told = {
        at: Amount(row.label, number, row.factors)
        for at, row in enumerate(series.rows)
        if (number := row.numbers[column]) is not None
    }
    return [{**told, **shared}[at] for at in question.rows if at in told]


def _words(text: str) -> Sum:
    return Sum(text, Fraction(0))


def _shown(amount: Amount) -> str:
    return terms.term_of(amount.number).text


def _each(amounts: Sequence[Amount]) -> Sum:
    lines = [f"{one.label}: {_shown(one)}" if one.label else _shown(one) for one in amounts]
    if len(amounts) > 1:
        return _words("\n".join(lines))
    term = terms.term_of(amounts[0].number)
    return Sum(lines[0], term.value, term.text, term.text, (term.text,))


def _extreme(amounts: Sequence[Amount], *, is_most: bool) -> str:
    best = (max if is_most else min)(one.number.value for one in amounts)
    found = [one for one in amounts if one.number.value == best]
    names = _listed([one.label or _shown(one) for one in found[:_MOST_NAMED]], "and")
    head = "The most" if is_most else "The least"
    each = " each" if len(found) > 1 else ""
    return f"{head}: {names}, {_shown(found[0])}{each}." if found[0].label else f"{head}: {names}."


def _only_names(amounts: Sequence[Amount]) -> str:
    shown = _listed([one.number.text.replace(",", "") for one in amounts[:_MOST_NAMED]], "and")
    return f"Numbers such as {shown} look like years or numbers that name something, so I don't add them up."


def _mixed(amounts: Sequence[Amount]) -> str | None:
    """Return why amounts can't be put together; None where they can."""
    if any(one.number.is_percent for one in amounts):
        return "These are percentages, so I don't add them up."
    kinds = {(one.number.currency, noun_stem(one.number.unit)): one.number for one in amounts}
    if len(kinds) == 1:
        return None
    if all(currency for currency, _ in kinds):
        sums = [_expression([one for one in amounts if one.number.currency == kind[0]]) for kind in kinds]
        lines = "\n".join(equation(term) if term.is_computed else term.text for term in sums)
        return f"They are in different currencies, so I add each apart:\n{lines}"
    units = [number.currency or number.unit or f"none for {number.text}" for number in kinds.values()]
    return f"They have different units ({_listed(units, 'and')}), so I don't add them up. Which do you mean?"


def _expression(amounts: Sequence[Amount]) -> Term:
    unit = amounts[0].number.unit
    bare = [_as_told(one) for one in amounts]
    total = bare[0]
    for one in bare[1:]:
        total = terms.subtracted(total, _positive(one)) if one.value < 0 else terms.added(total, one)
    return replace(total, unit=unit)


def _as_told(amount: Amount) -> Term:
    """Return an amount without its unit, as the product that it is where it was told as one."""
    term = terms.term_of(replace(amount.number, unit=""))
    return replace(term, text=amount.factors) if amount.factors else term


def _positive(term: Term) -> Term:
    return replace(term, value=-term.value, text=term.text.replace("-", "", 1))


def _total(amounts: Sequence[Amount], question: Question, series: Series) -> Sum:
    term = _expression(amounts)
    unit = f" {term.unit}" if term.unit else ""
    result = f"{term.result}{unit}"
    said = f"{term.text} = {result}" if term.is_computed else result
    if len(amounts) > _MOST_SHOWN:
        said = f"The {len(amounts)} amounts come to {result}"
    text = f"{said}{_behind(question, series, amounts)}"
    if (
        (stated := series.stated_total(question.column or 0)) is not None
        and not question.rows
        and not question.without
    ):
        is_same = stated.value == total_of(amounts)
        given = terms.term_of(replace(stated, currency=amounts[0].number.currency)).text
        text += ", as your list says" if is_same else f". Your list gives {given} as the total"
    operands = tuple(_shown(one) for one in amounts[:_MOST_SHOWN])
    return Sum(f"{text}.", term.value, result, result, operands)


def _behind(question: Question, series: Series, amounts: Sequence[Amount]) -> str:
    """Return which amounts were taken, in words: `` without Piotr``."""
    if question.without:
        return f" without {_listed([series.labels[row] for row in question.without], 'and')}"
    named = [one.label for one in amounts if one.label] if question.rows else []
    return f" for {_listed(named, 'and')}" if named else ""


def _difference(amounts: Sequence[Amount]) -> Sum | None:
    if len(amounts) != 2:
        return None
    high, low = sorted(amounts, key=lambda one: -one.number.value)
    term = terms.subtracted(*(terms.term_of(replace(one.number, unit="")) for one in (high, low)))
    unit = f" {high.number.unit}" if high.number.unit else ""
    text = f"{equation(term)}{unit}: {high.label} has more."
    return Sum(text, term.value, f"{term.result}{unit}", f"{term.result}{unit}")


def _average(amounts: Sequence[Amount]) -> Sum:
    term = terms.divided(_expression(amounts), Term(Fraction(len(amounts)), str(len(amounts))))
    unit = f" {amounts[0].number.unit}" if amounts[0].number.unit else ""
    result = f"{term.result}{unit}"
    text = f"{term.text} {term.equals} {result}"
    if len(amounts) > _MOST_SHOWN:
        text = f"The average of the {len(amounts)} amounts is {result}"
    return Sum(f"{text}.", term.value, result, result)


def _listed(names: Sequence[str], joint: str) -> str:
    *first, last = names
    return f"{', '.join(first)} {joint} {last}" if first else last
