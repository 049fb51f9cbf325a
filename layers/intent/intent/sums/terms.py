"""Arithmetic on terms: a value with the text that shows how it comes about."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from intent.sums.quantities import Quantity, is_exact, shown

_ATOM, _PRODUCT, _TOTAL = 2, 1, 0
"""How firmly the parts of a text hold together: a number, a product, a sum."""


@dataclass(frozen=True, slots=True)
class Term:
    """A computed value. ``text`` is the expression; ``factors`` are the numbers it multiplies."""

    value: Fraction
    text: str
    currency: str = ""
    unit: str = ""
    places: int = 0
    level: int = _ATOM
    factors: tuple[Quantity, ...] = ()
    is_money: bool = False
    """Whether it is an amount of money without a currency: its result has at most two decimals."""

    @property
    def is_computed(self) -> bool:
        """Return whether it is more than a number."""
        return self.level != _ATOM

    @property
    def result(self) -> str:
        """Return the value for people, with its currency."""
        places = self.places if self.places == 2 else 0
        if not self._has_cents:
            return shown(self.value, places)
        cents = Fraction(math.floor(self.value * 100 + Fraction(1, 2)), 100)
        return with_currency(shown(cents, 2 if cents.denominator != 1 else places), self.currency)

    @property
    def equals(self) -> str:
        """Return the sign between expression and result: whether the result was rounded."""
        is_whole = (self.value * 100).denominator == 1 if self._has_cents else is_exact(self.value)
        return "=" if is_whole else "≈"

    @property
    def _has_cents(self) -> bool:
        return bool(self.currency) or self.is_money


def with_currency(text: str, currency: str) -> str:
    """Return a number with its currency: ``€12.50``, ``12.50 CHF``."""
    if not currency:
        return text
    return f"{currency}{text}" if len(currency) == 1 else f"{text} {currency}"


def term_of(number: Quantity) -> Term:
    """Return a number as a term."""
    text = with_currency(number.text, number.currency)
    if number.is_percent:
        text = f"{number.text}%"
    elif number.unit:
        text = f"{text} {number.unit}"
    value = number.value / 100 if number.is_percent else number.value
    return Term(value, text, number.currency, number.unit, number.places, _ATOM, (number,))


def multiplied(left: Term, right: Term) -> Term:
    """Return the product."""
    currency = "" if left.currency and right.currency else left.currency or right.currency
    text = f"{_held(left, _PRODUCT)} × {_held(right, _PRODUCT)}"
    return Term(
        left.value * right.value, text, currency, "", max(left.places, right.places), _PRODUCT,
        (*left.factors, *right.factors),
    )  # fmt: skip


def divided(left: Term, right: Term) -> Term:
    """Return the quotient.

    Raises:
        ZeroDivisionError: the second term is 0.
    """
    currency = "" if left.currency and right.currency else left.currency
    text = f"{_held(left, _PRODUCT)} ÷ {_held(right, _ATOM)}"
    return Term(left.value / right.value, text, currency, "", left.places, _PRODUCT)


def added(left: Term, right: Term) -> Term:
    """Return the sum."""
    return _total(left, right, left.value + right.value, "+", right.text)


def subtracted(left: Term, right: Term) -> Term:
    """Return the difference."""
    return _total(left, right, left.value - right.value, "−", _held(right, _PRODUCT))


def _total(left: Term, right: Term, value: Fraction, sign: str, shown_right: str) -> Term:
    places = max(left.places, right.places)
    return Term(
        value, f"{left.text} {sign} {shown_right}", left.currency or right.currency, "", places, _TOTAL
    )


def with_percent(term: Term, rate: Term, *, is_less: bool) -> Term:
    """Return the term with a percentage of it added or taken off."""
    value = term.value * (1 - rate.value if is_less else 1 + rate.value)
    sign = "−" if is_less else "+"
    places = max(term.places, 2 if term.places else 0)
    return replace(
        term, value=value, text=f"{_held(term, _PRODUCT)} {sign} {rate.text}", level=_TOTAL, places=places,
        factors=(), unit="", is_money=term.is_money or term.places == 2,
    )  # fmt: skip


def without_percent(term: Term, rate: Term) -> Term:
    """Return what the term was before a percentage was added: the net of a gross amount."""
    text = f"{_held(term, _PRODUCT)} ÷ {shown(1 + rate.value)}"
    return replace(term, value=term.value / (1 + rate.value), text=text, level=_PRODUCT, factors=(), unit="",
                   is_money=term.places == 2)  # fmt: skip


def part_of(part: Term, term: Term) -> Term:
    """Return a percentage or fraction of a term: ``15% of 860``."""
    if part.text.endswith("%"):
        text = f"{part.text} of {_held(term, _ATOM)}"
    elif part.value.numerator == 1:
        return replace(
            term, value=term.value * part.value, text=f"{_held(term, _PRODUCT)} ÷ {part.value.denominator}",
            level=_PRODUCT, factors=(), unit="",
        )  # fmt: skip
    else:
        text = f"{_held(term, _PRODUCT)} × {part.value}"
    return replace(term, value=term.value * part.value, text=text, level=_PRODUCT, factors=(), unit="")


def with_factor(term: Term, changed: Quantity, by: Term, *, is_less: bool) -> Term:
    """Return a product in which one factor is larger or smaller: ``7.5 hours × (22 − 3) days``."""
    sign = "−" if is_less else "+"
    new = changed.value - by.value if is_less else changed.value + by.value
    old_text = term_of(changed).text
    number = with_currency(changed.text, changed.currency)
    new_text = old_text.replace(number, f"({number} {sign} {by.factors[0].text})", 1)
    return replace(
        term,
        value=term.value / changed.value * new,
        text=term.text.replace(old_text, new_text, 1),
        factors=(),
    )


def _held(term: Term, level: int) -> str:
    return term.text if term.level >= level else f"({term.text})"
