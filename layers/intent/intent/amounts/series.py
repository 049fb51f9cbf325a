"""`Series`: amounts that were told together, each with its label."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from intent.regular_expressions import lower, straighten_quotes
from intent.sums.quantities import Quantity, noun_stem, read_quantities, shown
from intent.sums.units import unit_named

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['&-][^\W\d_]+)*|\w+|[^\w\s]")
MONTHS = frozenset(
    "jan january feb february mar march apr april may jun june jul july aug august sep sept september oct"
    " october nov november dec december".split()
)
DAYS = frozenset(
    "mon monday tue tues tuesday wed weds wednesday thu thur thurs thursday fri friday sat saturday sun"
    " sunday".split()
)
_NO_UNITS = (
    MONTHS
    | DAYS
    | frozenset(
        "am pm a p o'clock oclock st nd rd th x and or road street lane avenue close drive elm".split()
    )
)
"""Words behind a number that make it a date, a time of day or the number of a house."""
_TOTALS = frozenset("total totals sum subtotal sub-total gesamt summe altogether".split())
_NAMING = frozenset(
    "id ids code codes pin pins port ports phone phones tel telephone mobile extension extensions ext zip"
    " postcode postcodes birth birthday birthdays dob born year years version versions date dates floor"
    " floors nr".split()
)
"""What numbers are that only name something: they have no sum."""
_FIRST_YEAR, _LAST_YEAR = 1900, 2035


class Row(NamedTuple):
    """A label with a number for each column; None where there is none."""

    label: str
    numbers: tuple[Quantity | None, ...]
    factors: str = ""
    """How the only number comes about: ``3 × 62``; empty where it was told itself."""


class Amount(NamedTuple):
    """A label with its one number."""

    label: str
    number: Quantity
    factors: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """Labelled numbers in the order told. ``start`` and ``end`` are the place of all in the text."""

    heading: str
    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ("",)
    """The names of the columns of numbers; empty where nothing names them."""
    label_name: str = ""
    start: int = 0
    end: int = 0
    asked_end: int = 0
    """The place behind the words of the text that ask for their total; 0: none do."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels of all rows, totals included."""
        return tuple(row.label for row in self.rows)

    def amounts(self, column: int = 0) -> tuple[Amount, ...]:
        """Return the numbers of a column without those that the list itself gives as a total.

        A currency or unit that only the first or the last number has is meant for all.
        """
        found = [
            Amount(row.label, number, row.factors)
            for row in self.rows
            if (number := row.numbers[column]) is not None and not is_total(row.label)
        ]
        return tuple(_with_shared(found, self.heading if len(self.columns) == 1 else ""))

    def stated_total(self, column: int = 0) -> Quantity | None:
        """Return the total that the list itself gives; None without one."""
        rows = (row for row in self.rows if is_total(row.label))
        return next((number for row in rows if (number := row.numbers[column]) is not None), None)

    def only_names(self, column: int = 0) -> bool:
        """Return whether the numbers only name something, as years and ports do, and have no sum."""
        numbers = [one.number for one in self.amounts(column)]
        if any(number.currency or number.unit or number.places for number in numbers):
            return False
        named = set(words_of(f"{self.columns[column]} {self.heading}"))
        if named & _NAMING or _is_of_numbers(named):
            return True
        return bool(numbers) and all(_FIRST_YEAR <= one.value <= _LAST_YEAR for one in numbers)


def _is_of_numbers(words: set[str]) -> bool:
    return bool(words & {"numbers", "number", "no"}) and "of" not in words


def is_total(label: str) -> bool:
    """Return whether a label says that its number is the sum of the others."""
    return bool(_TOTALS & set(words_of(label)))


def words_of(text: str) -> list[str]:
    """Return the words, numbers and marks of a text in lower case."""
    return _WORD.findall(lower(straighten_quotes(text)).replace("_", " ").replace("w/o ", "without "))


_LONGEST_NUMBER = 60


def whole_number(text: str) -> Quantity | None:
    """Return the number that a text is, with its currency or unit and nothing else; None for other texts."""
    if len(text) > _LONGEST_NUMBER or not any(mark.isdigit() for mark in text):
        return None
    stripped = text.strip().strip("*")
    is_negative = stripped[:1] in {"-", "\u2212"} and stripped[1:2] not in {"", " "}
    read = read_quantities(stripped[1:] if is_negative else stripped)
    if len(read.numbers) != 1:
        return None
    number = read.numbers[0]
    is_whole = number.start == 0 and number.end == len(read.words)
    if not is_whole or number.is_part or set(number.unit.split()) & _NO_UNITS:
        return None
    if is_negative:
        number = replace(number, value=-number.value, text=shown(-number.value, number.places))
    return number


def _with_shared(amounts: Sequence[Amount], heading: str) -> Sequence[Amount]:
    """Return the amounts, each with the currency and the unit that are said once for all of them."""
    if not amounts or any(one.number.is_percent for one in amounts):
        return amounts
    currencies = {one.number.currency for one in amounts} - {""}
    units = {noun_stem(one.number.unit) for one in amounts} - {""}
    if not currencies and not units:
        unit, currency = _named_in(heading)
    else:
        ends = (amounts[0].number, amounts[-1].number)
        currency = next(iter(currencies)) if len(currencies) == 1 else ""
        has_unit = [one for one in amounts if one.number.unit]
        is_ellipsis = len(has_unit) == 1 and has_unit[0].number in ends and not currencies
        unit = has_unit[0].number.unit if is_ellipsis else ""
    return [
        one._replace(
            number=replace(
                one.number, currency=one.number.currency or ("" if one.number.unit else currency),
                unit=one.number.unit or unit,
            )
        )
        for one in amounts
    ]  # fmt: skip


def _named_in(heading: str) -> tuple[str, str]:
    """Return the unit and the currency that a heading names: ``on-call hours``, ``costs in euro``."""
    words = words_of(heading)
    named = (word for word in words if word.isalpha() or not word.isalnum())
    read = read_quantities(" ".join(f"1 {word}" for word in named if word != "p"))  # ``p95`` is no price
    currency = next((one.currency for one in read.numbers if one.currency), "")
    long = (word for word in words if len(word) >= _LONG or word in {"km", "kg"})
    unit = next((word for word in long if (found := unit_named(word)) and word != found.name), "")
    return ("", currency) if currency else (unit if unit not in _PERIODS else "", "")


_LONG = 4
_PERIODS = frozenset("days day week weeks month months year years".split())
"""Units that a heading has for when, and seldom for what is counted."""


def total_of(amounts: Sequence[Amount]) -> Fraction:
    """Return the sum of amounts."""
    return sum((one.number.value for one in amounts), Fraction(0))
