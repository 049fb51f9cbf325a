"""Evaluates conditions and applies changes, as pure functions over plain items.

`storage.sqlite.table` uses them. DynamoDB evaluates its own expressions, which `storage.dynamodb.expressions`
writes; the contract tests check that both backends give the same results.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final, TypeAlias, assert_never

from storage.errors import InvalidRequest
from storage.table import (
    Add,
    AnyOf,
    Append,
    AtLeast,
    AtMost,
    Change,
    Changes,
    Condition,
    Conditions,
    Contains,
    Equals,
    Exclude,
    Exists,
    Include,
    Item,
    NotContains,
    NotExists,
    Remove,
    RemoveAt,
    Set,
    SetIfAbsent,
    SizeBelow,
    Value,
)


class _Absent(Enum):
    ABSENT = "absent"


_ABSENT: Final = _Absent.ABSENT
_Found: TypeAlias = "Value | _Absent"
_Edit: TypeAlias = Callable[[_Found], _Found]


def conditions_hold(conditions: Conditions, item: Item | None) -> bool:
    """Whether the item, None when there is none, meets all conditions."""
    return all(_holds(condition, item) for condition in conditions)


def apply_changes(changes: Changes, item: Item) -> Item:
    """A new item with the changes applied; the given item is not modified.

    Raises:
        InvalidRequest: a change does not fit the existing value, such as a number added to a string, or an
            entry set in something that is not a map.
    """
    for change in changes:
        item = _edited(item, change.path, change.path.split("."), _edit(change))
    return item


def _holds(condition: Condition, item: Item | None) -> bool:
    if isinstance(condition, AnyOf):
        return any(conditions_hold(group, item) for group in condition.groups)
    found = _found(item, condition.path)
    match condition:
        case Exists():
            return found is not _ABSENT
        case NotExists():
            return found is _ABSENT
        case Equals():
            return type(found) is type(condition.value) and found == condition.value
        case AtMost():
            return _order(found, condition.value) in (-1, 0)
        case AtLeast():
            return _order(found, condition.value) in (0, 1)
        case Contains():
            return _contains(found, condition.value)
        case NotContains():
            return not _contains(found, condition.value)
        case SizeBelow():
            return isinstance(found, list) and len(found) < condition.limit
        case _:
            assert_never(condition)


def _found(item: Item | None, path: str) -> _Found:
    found: _Found = _ABSENT if item is None else item
    for name in path.split("."):
        found = found.get(name, _ABSENT) if isinstance(found, dict) else _ABSENT
    return found


def _order(found: _Found, value: int | str) -> int | None:
    """-1, 0 or 1 when the found value is below, at or above the value; None: they can't be compared."""
    # Python compares strings by code point, which is the order of UTF-8 bytes. A bool is not a number here.
    if isinstance(found, str) and isinstance(value, str):
        return (found > value) - (found < value)
    if type(found) is int and isinstance(value, int):
        return (found > value) - (found < value)
    return None


def _contains(found: _Found, value: str) -> bool:
    return isinstance(found, (frozenset, list, str)) and value in found


def _edited(container: Item, path: str, names: list[str], edit: _Edit) -> Item:
    name, *inner = names
    copy = dict(container)
    if inner:
        entry = container.get(name)
        if not isinstance(entry, dict):
            raise InvalidRequest(f"the path {path!r} does not lead through maps")
        copy[name] = _edited(entry, path, inner, edit)
        return copy
    new = edit(container.get(name, _ABSENT))
    if new is _ABSENT:
        copy.pop(name, None)
    else:
        copy[name] = new
    return copy


def _edit(change: Change) -> _Edit:
    match change:
        case Set():
            return lambda _: change.value
        case SetIfAbsent():
            return lambda found: change.value if found is _ABSENT else found
        case Add():
            return lambda found: _number(found, change.path) + change.amount
        case Append():
            return lambda found: [*_list(found, change.path), *change.values]
        case Include():
            return lambda found: _set(found, change.path) | change.members
        case Exclude():
            return lambda found: (_set(found, change.path) - change.members) or _ABSENT
        case Remove():
            return lambda _: _ABSENT
        case RemoveAt():
            return lambda found: _without(found, change)
        case _:
            assert_never(change)


def _number(found: _Found, path: str) -> int:
    if found is _ABSENT:
        return 0
    if type(found) is int:
        return found
    raise InvalidRequest(f"{path!r} does not hold a number")


def _list(found: _Found, path: str) -> list[Value]:
    if found is _ABSENT:
        return []
    if isinstance(found, list):
        return found
    raise InvalidRequest(f"{path!r} does not hold a list")


def _set(found: _Found, path: str) -> frozenset[str]:
    if found is _ABSENT:
        return frozenset()
    if isinstance(found, frozenset):
        return found
    raise InvalidRequest(f"{path!r} does not hold a set")


def _without(found: _Found, change: RemoveAt) -> _Found:
    if found is _ABSENT:
        raise InvalidRequest(f"{change.path!r} does not hold a list")
    elements = _list(found, change.path)
    return [*elements[: change.index], *elements[change.index + 1 :]]
