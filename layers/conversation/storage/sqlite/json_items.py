"""Converts items to JSON text and back, preserving sets, and maps with any key names."""

from __future__ import annotations

import json
from typing import Any

from storage.table import Item, Value

_SET = "$set"
_MAP = "$map"
_TAGS = frozenset((_SET, _MAP))
_decode = json.JSONDecoder().raw_decode
"""A turn reads 60 items: `json.loads` looks for blanks around each of them first."""


def to_json(item: Item) -> str:
    """The item as JSON; its own attributes are the members of the outermost object."""
    return json.dumps(
        {name: _tagged(value) for name, value in item.items()}, ensure_ascii=False, separators=(",", ":")
    )


def from_json(text: str) -> Item:
    """The item that `to_json` wrote."""
    item: Item = _decode(text)[0]
    if all(tag not in text for tag in _TAGS):
        return item
    return {name: _untagged(value) for name, value in item.items()}


def _tagged(value: Value) -> object:
    match value:
        case frozenset():
            return {_SET: sorted(value)}
        case list():
            return [_tagged(element) for element in value]
        case dict():
            plain = {name: _tagged(entry) for name, entry in value.items()}
            return plain if _TAGS.isdisjoint(plain) else {_MAP: plain}
        case _:
            return value


def _untagged(value: Any) -> Value:
    match value:
        case list():
            return [_untagged(element) for element in value]
        case {"$set": members}:
            return frozenset(members)
        case {"$map": entries}:
            return {name: _untagged(entry) for name, entry in entries.items()}
        case dict():
            return {name: _untagged(entry) for name, entry in value.items()}
        case _:
            return value  # type: ignore[no-any-return]
