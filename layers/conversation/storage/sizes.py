"""How many bytes DynamoDB counts for an item: what decides over its limits and its price.

Source: "DynamoDB item sizes and formats" in the developer guide (CapacityUnitCalculations).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from storage.table import Value

_COLLECTION_BYTES = 3
_ELEMENT_BYTES = 1


def item_bytes(item: Mapping[str, Value]) -> int:
    """The size of a whole item, names of attributes included."""
    return sum(text_bytes(name) + value_bytes(value) for name, value in item.items())


def value_bytes(value: Value) -> int:
    """The size of one attribute's value."""
    match value:
        case None | bool():
            return 1
        case str():
            return text_bytes(value)
        case int():
            return number_bytes(value)
        case frozenset():
            return sum(map(text_bytes, value))
        case list():
            return _COLLECTION_BYTES + _elements_bytes(value)
        case dict():
            return _COLLECTION_BYTES + sum(map(text_bytes, value)) + _elements_bytes(value.values())
        case _:
            assert_never(value)


def text_bytes(text: str) -> int:
    """The size of a string: its UTF-8 bytes."""
    return len(text) if text.isascii() else len(text.encode())


def number_bytes(number: int) -> int:
    """The size of a number: one byte, one per two significant digits, and one for a minus sign.

    Digits are stored in pairs counted from the decimal point, so an odd count of digits before it takes half
    a byte more.
    """
    if number == 0:
        return 1
    digits = str(abs(number))
    significant = len(digits.rstrip("0")) + len(digits) % 2
    return 1 + (significant + 1) // 2 + (number < 0)


def _elements_bytes(values: Iterable[Value]) -> int:
    return sum(_ELEMENT_BYTES + value_bytes(value) for value in values)
