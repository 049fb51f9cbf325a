"""A calculator with its own parser, exact for whole numbers; no Python code is evaluated.

It knows numbers, ``+ - * / % **``, shifts of whole numbers, parentheses, percentages (``5%``, ``5% of 80``),
``pi``, ``sqrt(2)``, ``round(2.345, 2)`` and factorials as ``5!`` or ``factorial(5)``, but no other names and
no attributes. An operation that would take long is refused by its size before it is computed. A value that
had to be rounded on the way is said to be rounded.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from tools.errors import ToolError
from tools.tool import Tool, ToolAccess, ToolContext

MAX_CHARACTERS = 200
MAX_NODES = 64
MAX_FACTORIAL = 170
MAX_BITS = 1_024
"""The number of bits of the largest float."""

_MOST_EXACT_BITS = 1_280
"""Powers of whole numbers up to this size are computed exactly; what is larger is refused anyway."""
_MOST_DECIMALS = 15
_FINEST_BITS = 2_200
"""Values with a longer denominator are rounded to a float, whose denominator needs at most 1,074 bits."""
_SPELLINGS = str.maketrans(
    {"\u00d7": "*", "\u00b7": "*", "\u00f7": "/", "\u2212": "-", "^": "**", "\u2009": " ", "\u00a0": " "}
)
"""Common ways to write operators: multiplication cross and dot, division sign, minus sign, special spaces."""
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?)(?![\w.])"
    r"|(?P<sign>\*\*|<<|>>|[-+*/%()!,])|(?P<function>(?:factorial|sqrt|round)(?=\s*\())|(?P<name>(?:pi|of)\b))"
)
_STARTS = frozenset(".0123456789(")
_NAMES = frozenset({"factorial", "sqrt", "round", "pi"})
_PI = Fraction(math.pi)
_LEVELS = {"<<": 1, ">>": 1, "+": 2, "-": 2, "*": 3, "/": 3, "%": 3}
_ABOVE_ALL = 4


class Calculation(BaseModel):
    """The value of an expression."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    value: int | float
    text: str = Field(description="the value as text, whole numbers in full")
    is_rounded: bool = Field(default=False, description="whether the text is not the exact value")


def calculator() -> Tool:
    """Returns the calculator tool."""
    return Tool.of(calculate, access=ToolAccess(), name="calculator", timeout_s=1.0)


def calculate(
    _context: ToolContext,
    expression: Annotated[str, Field(description='such as "factorial(5) * 8" or "(1.05 ** 10 - 1) * 100"')],
) -> Calculation:
    """Work out an arithmetic expression exactly: numbers, + - * / % **, parentheses, percentages (5% of 80),
    pi, sqrt(2), round(2.345, 2) and factorials (5! or factorial(5), up to 170).
    """
    return compute(expression)


def compute(expression: str) -> Calculation:
    """Returns the value of the expression; whole numbers are exact, others have about 15 digits.

    Raises:
        ToolError: not_allowed for anything but arithmetic, too_large for an expression that is too long or
            would take too long, math_error for one that has no value.
    """
    value, is_exact = _evaluated(expression)
    if value.denominator == 1 and is_exact:
        return Calculation(value=int(value), text=str(int(value)))
    number = _as_number(value)
    text = f"{number:.15g}"
    return Calculation(value=number, text=text, is_rounded=not is_exact or Fraction(text) != value)


def _evaluated(expression: str) -> tuple[Fraction, bool]:
    """Returns the value and whether it is exact."""
    if len(expression) > MAX_CHARACTERS:
        raise _too_large(f"an expression has at most {MAX_CHARACTERS} characters")
    reader = _Reader(_tokens(expression.translate(_SPELLINGS)))
    return reader.whole(), reader.is_exact


def _as_number(value: Fraction) -> int | float:
    try:
        return int(value) if value.denominator == 1 else float(value)
    except OverflowError:
        raise _too_high() from None


def _too_large(why: str) -> ToolError:
    return ToolError("too_large", f"This is too large to work out: {why}.")


def _no_value(why: str) -> ToolError:
    return ToolError("math_error", f"This has no value: {why}.")


def _too_high() -> ToolError:
    return _no_value("it is beyond 10 to the power of 308")


def _no_arithmetic() -> ToolError:
    return ToolError(
        "not_allowed", "Only numbers, + - * / % **, parentheses, pi, sqrt, round and factorials are allowed."
    )


def _tokens(expression: str) -> list[str]:
    tokens: list[str] = []
    place = 0
    text = expression.strip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise _no_arithmetic()
        symbol = match[0].strip()
        tokens.append("*" if symbol == "of" else symbol)
        place = match.end()
    if len(tokens) > MAX_NODES:
        raise _too_large(f"an expression has at most {MAX_NODES} numbers and signs")
    return tokens


class _Reader:
    """A recursive-descent parser that computes as it reads; each level of precedence calls the next."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = [*tokens, ""]
        self._place = 0
        self.is_exact = True
        """Whether nothing had to be rounded so far."""

    def whole(self) -> Fraction:
        """Returns the value of all tokens together."""
        value = self._binary(1)
        if self._next():
            raise _no_arithmetic()
        return value

    def _binary(self, level: int) -> Fraction:
        if level == _ABOVE_ALL:
            return self._signed()
        value = self._binary(level + 1)
        while _LEVELS.get(self._next()) == level:
            sign = self._take()
            value = self._bounded(_SIGNS[sign](value, self._binary(level + 1)))
        return value

    def _signed(self) -> Fraction:
        if self._next() in ("+", "-"):
            return self._signed() if self._take() == "+" else -self._signed()
        value = self._marked()
        if self._next() != "**":
            return value
        self._take()
        exponent = self._signed()
        power, is_exact = _power(value, exponent)
        self.is_exact = self.is_exact and is_exact
        return self._bounded(power)

    def _marked(self) -> Fraction:
        value = self._single()
        while self._next() == "!" or self._is_percent():
            value = _factorial(value) if self._take() == "!" else value / 100
        return value

    def _is_percent(self) -> bool:
        """Whether a percent sign is next that divides by nothing: ``5% of 80``, ``5%``, ``(5% + 1)``."""
        after = self._tokens[min(self._place + 1, len(self._tokens) - 1)]
        begins = after[:1] in _STARTS if after else False
        return self._next() == "%" and not begins and after not in _NAMES

    def _single(self) -> Fraction:
        symbol = self._take()
        if symbol == "factorial":
            return _factorial(self._single())
        if symbol == "sqrt":
            return self._root(self._single())
        if symbol == "round":
            return self._rounded()
        if symbol == "pi":
            self.is_exact = False
            return _PI
        if symbol == "(":
            value = self._binary(1)
            if self._take() != ")":
                raise _no_arithmetic()
            return value
        if not symbol or symbol[0] not in ".0123456789":
            raise _no_arithmetic()
        return self._bounded(Fraction(symbol))

    def _root(self, value: Fraction) -> Fraction:
        if value < 0:
            raise _no_value("it is a root of a negative number")
        exact = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
        if exact * exact == value:
            return exact
        self.is_exact = False
        return Fraction(math.sqrt(value))

    def _rounded(self) -> Fraction:
        """Returns what ``round(value)`` or ``round(value, decimals)`` is; halves are rounded away from 0."""
        self._take()
        value, decimals = self._binary(1), Fraction(0)
        if self._next() == ",":
            self._take()
            decimals = self._binary(1)
        if self._take() != ")":
            raise _no_arithmetic()
        if decimals.denominator != 1 or not 0 <= decimals <= _MOST_DECIMALS:
            raise _no_value(f"numbers are rounded to 0 to {_MOST_DECIMALS} decimals")
        whole = math.floor(abs(value) * 10 ** int(decimals) + Fraction(1, 2))
        return Fraction(whole if value >= 0 else -whole, 10 ** int(decimals))

    def _bounded(self, value: Fraction) -> Fraction:
        bounded = _bounded(value)
        self.is_exact = self.is_exact and bounded == value
        return bounded

    def _next(self) -> str:
        return self._tokens[self._place]

    def _take(self) -> str:
        symbol = self._tokens[self._place]
        self._place = min(self._place + 1, len(self._tokens) - 1)
        return symbol


def _bounded(value: Fraction) -> Fraction:
    """Returns the value, rounded if it is finer than any float; refuses one that is too large for a float."""
    if abs(value.numerator).bit_length() - value.denominator.bit_length() >= MAX_BITS:
        raise _too_high()
    return Fraction(float(value)) if value.denominator.bit_length() > _FINEST_BITS else value


def _divided(value: Fraction, by: Fraction) -> Fraction:
    if by == 0:
        raise _no_value("it divides by zero")
    return value / by


def _rest(value: Fraction, by: Fraction) -> Fraction:
    if by == 0:
        raise _no_value("it divides by zero")
    return value % by


def _power(base: Fraction, exponent: Fraction) -> tuple[Fraction, bool]:
    """Returns the power, and whether it is exact."""
    if base == 0 and exponent < 0:
        raise _no_value("it divides by zero")
    if base < 0 and exponent.denominator != 1:
        raise _no_value("it is a root of a negative number")
    if abs(base) == 1 and exponent.denominator == 1:
        return base ** int(exponent % 2), True
    if exponent.denominator == 1 and _power_bits(base, abs(int(exponent))) <= _MOST_EXACT_BITS:
        return base ** int(exponent), True
    try:
        return Fraction(float(base) ** float(exponent)), False
    except OverflowError:
        raise _too_large("the power is beyond 10 to the power of 308") from None


def _power_bits(base: Fraction, exponent: int) -> float:
    """Returns about how many bits the larger part of a power has. A huge exponent is not counted."""
    if exponent > _MOST_EXACT_BITS:
        return math.inf
    largest = max(abs(base.numerator), base.denominator)
    return math.log2(largest) * exponent if largest.bit_length() <= _FINEST_BITS else math.inf


def _factorial(value: Fraction) -> Fraction:
    if value < 0 or value.denominator != 1:
        raise _no_value("only whole numbers from 0 have a factorial")
    if value > MAX_FACTORIAL:
        raise _too_large(f"factorials go up to {MAX_FACTORIAL}")
    return Fraction(math.factorial(int(value)))


def _shifted(value: Fraction, by: Fraction) -> Fraction:
    if value.denominator != 1 or by.denominator != 1 or by < 0:
        raise _no_value("only whole numbers can be shifted")
    if by > MAX_BITS:
        raise _too_large(f"shifts go up to {MAX_BITS}")
    return Fraction(int(value) << int(by))


def _shifted_back(value: Fraction, by: Fraction) -> Fraction:
    shift = _shifted(Fraction(1), by)
    return Fraction(math.floor(value / shift))


_SIGNS: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": _divided,
    "%": _rest,
    "<<": _shifted,
    ">>": _shifted_back,
}
