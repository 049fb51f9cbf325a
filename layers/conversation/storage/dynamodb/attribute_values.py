"""Converts values to DynamoDB's attribute values and back.

Numbers stay `int`, where boto3 would return decimals.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, assert_never

from storage.table import Item, Value

AttributeValue: TypeAlias = dict[str, Any]


def to_wire(item: Mapping[str, Value]) -> dict[str, AttributeValue]:
    """The attribute values of a whole item, or of the key of one."""
    return {name: to_attribute(value) for name, value in item.items()}


def from_wire(attributes: Mapping[str, Mapping[str, Any]]) -> Item:
    """The item from which `to_wire` made the attribute values."""
    return {name: _from_attribute(attribute) for name, attribute in attributes.items()}


def to_attribute(value: Value) -> AttributeValue:
    """The attribute value of one value."""
    match value:
        case None:
            return {"NULL": True}
        case bool():
            return {"BOOL": value}
        case str():
            return {"S": value}
        case int():
            return {"N": str(value)}
        case frozenset():
            return {"SS": sorted(value)}
        case list():
            return {"L": [to_attribute(element) for element in value]}
        case dict():
            return {"M": to_wire(value)}
        case _:
            assert_never(value)


def _from_attribute(attribute: Mapping[str, Any]) -> Value:
    """The value from which `to_attribute` made the attribute value."""
    [(kind, value)] = attribute.items()
    match kind:
        case "S" | "BOOL":
            return value  # type: ignore[no-any-return]
        case "N":
            return int(value)
        case "M":
            return from_wire(value)
        case "L":
            return [_from_attribute(element) for element in value]
        case "SS":
            return frozenset(value)
        case "NULL":
            return None
        case _:
            raise ValueError(f"no item holds attributes of type {kind!r}")
