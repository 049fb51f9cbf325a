"""What is taken off the result of the sum before: ``take off the 50 deposit``, ``once I've paid the 640?``,
``I paid with a 50, what change do I get?``
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from intent.sums import terms
from intent.sums.quantities import Quantities, Quantity
from intent.sums.result import EarlierSum, Sum, equation
from intent.sums.terms import Term

_TAKING = frozenset("take taking took taken knock knocking knocked shave shaved cut drop dropped".split())
_OFF = frozenset({"off", "away"})
_DEDUCTING = frozenset("deduct deducts deducting deducted subtract subtracts subtracting subtracted".split())
_PAYING = frozenset(
    "pay pays paid paying spend spent spending use used using goes gone go went deposit prepaid".split()
)
_SETTLING = frozenset(
    "once when after already if left remaining open outstanding owe owing still due deposit".split()
)
"""Words by which a payment is one of what the result tells."""
_CHANGE = frozenset({"change", "back"})
_HANDING = frozenset("with gave give giving hand handed tendered note".split())
_LEFT, _SUPPOSING = frozenset({"left", "remaining", "remains"}), frozenset({"if", "after", "once", "when"})
_TIMES = frozenset({"hour", "day", "week", "month", "year", "minut", "night"})


def read_deduction(read: Quantities, earlier: EarlierSum, before: Term) -> Sum | None:
    """Return the result with the only number of a text taken off, or the change that this number leaves; None
    where the text does neither.
    """
    number = read.numbers[0]
    if len(read.numbers) > 1 or number.is_percent or number.is_part or not _is_alike(number, before):
        return None
    paid = terms.term_of(number if before.unit else replace(number, unit=""))
    if _asks_for_change(read) and paid.value >= before.value:
        return _told(paid, before)
    was_left = " \u2212 " in earlier.expression and _goes_off(read)
    is_taken = says_deduction(read) or was_left or (_is_left(read) and paid.value <= before.value)
    return _told(before, paid) if is_taken else None


def _is_left(read: Quantities) -> bool:
    """Return whether a text asks what is left in a case: ``what's left if the coach costs 300?``"""
    words = set(read.words)
    return bool(_LEFT & words) and bool(_SUPPOSING & words)


def says_deduction(read: Quantities) -> bool:
    """Return whether a text takes its number off what was worked out before."""
    return _takes_off(read) or _is_paid(read)


def _told(whole: Term, part: Term) -> Sum:
    term = terms.subtracted(whole, part)
    return Sum(equation(term), term.value, term.text, term.result, (whole.text, part.text))


def _is_alike(number: Quantity, before: Term) -> bool:
    """Return whether a number may be a part of the result: not so days of an amount of money."""
    is_money = number.currency == before.currency or not (number.currency and before.currency)
    return is_money and (number.head not in _TIMES or bool(before.unit))


def _takes_off(read: Quantities) -> bool:
    words = set(read.words)
    if words & _DEDUCTING:
        return "from" not in words
    takes = bool(words & _TAKING and words & _OFF)
    return takes and not ("?" in words and set(read.words[:2]) & {"can", "could", "may"})


def _is_paid(read: Quantities) -> bool:
    """Return whether the number is paid of the result: ``we've paid 500 of it, what's still open?``"""
    words = set(read.words)
    asks = "?" in words or bool(words & {"what's", "what", "how", "left"})
    return asks and bool(words & _PAYING) and bool(words & _SETTLING)


def _goes_off(read: Quantities) -> bool:
    """Return whether the number goes off what was left: ``and after the 400 for the printer?``"""
    said = [word for word in read.words if word[0].isalpha() and word not in _LEADS]
    goes = ("goes", "on") in pairwise(read.words) or bool(set(said) & (_PAYING - {"go"}))
    return said[:1] == ["after"] or (goes and "?" in read.words)


_LEADS = frozenset("and so then now ok okay but also what's what left how much is".split())


def _asks_for_change(read: Quantities) -> bool:
    """Return whether a text asks what comes back of a note: ``I paid with a 50, what's my change?``"""
    words = set(read.words)
    gives = bool(words & _HANDING)
    return bool(words & _CHANGE) and (gives or "change" in words) and ("from" in words or gives)
