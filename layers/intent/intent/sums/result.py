"""What was worked out, and what a conversation keeps of it for the questions that follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from intent.sums import terms
from intent.sums.quantities import Quantity
from intent.sums.terms import Term


@dataclass(frozen=True, slots=True)
class Sum:
    """What was worked out. ``text`` shows the expression and its result."""

    text: str
    value: Fraction
    expression: str = ""
    """What a later ``and for 7 nights?`` changes; empty: nothing can be changed."""
    result: str = ""
    """The result alone, with its currency or unit; empty: the value as it is."""
    operands: tuple[str, ...] = ()
    """The numbers it was worked out from, as they are shown."""


class EarlierSum(NamedTuple):
    """The last sum of a conversation; every part is a text that `read_quantities` reads."""

    expression: str = ""
    result: str = ""
    """Empty: what the expression gives."""
    operands: tuple[str, ...] = ()

    @classmethod
    def of(cls, found: Sum) -> EarlierSum:
        """Return what is kept of a sum."""
        return cls(found.expression, found.result, found.operands)

    @classmethod
    def of_note(cls, stored: Mapping[str, object]) -> EarlierSum | None:
        """Return the sum that `to_note` stored; None where what is stored has another form."""
        expression, result, operands = (stored.get(name) for name in cls._fields)
        if not isinstance(expression, str) or not isinstance(result, str):
            return None
        listed = operands if isinstance(operands, Sequence) and not isinstance(operands, str) else ()
        return cls(expression, result, tuple(one for one in listed if isinstance(one, str)))

    def to_note(self) -> Mapping[str, str | list[str]]:
        """Return the sum in the form stored in a note."""
        return {"expression": self.expression, "result": self.result, "operands": list(self.operands)}


def equation(term: Term) -> str:
    """Return the expression with its result."""
    return f"{term.text} {term.equals} {term.result}"


def sum_of(term: Term, numbers: Sequence[Quantity]) -> Sum:
    """Return the sum that a term is, with the numbers that it was worked out from."""
    operands = tuple(dict.fromkeys(terms.term_of(one).text for one in numbers))
    return Sum(equation(term), term.value, term.text, term.result, operands)
