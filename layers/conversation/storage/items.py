"""Rules for keys and items: rejects what DynamoDB would reject, before anything is sent or stored."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import assert_never

from storage.errors import InvalidRequest, LimitExceeded, UnknownVersion
from storage.table import (
    MAX_ITEM_BYTES,
    MAX_PARTITION_KEY_BYTES,
    MAX_SORT_KEY_BYTES,
    SCHEMA_VERSION,
    Conditions,
    Index,
    Item,
    Key,
    Put,
    Remove,
    Set,
    SetIfAbsent,
    Update,
    Value,
)

_COLLECTION_BYTES = 3
_ELEMENT_BYTES = 1


def item_bytes(item: Mapping[str, Value]) -> int:
    """The size of a whole item, including attribute names."""
    return sum(_text_bytes(name) + value_bytes(value) for name, value in item.items())


def value_bytes(value: Value) -> int:
    """The size of one attribute's value."""
    match value:
        case None | bool():
            return 1
        case str():
            return _text_bytes(value)
        case int():
            return _number_bytes(value)
        case frozenset():
            return sum(map(_text_bytes, value))
        case list():
            return _COLLECTION_BYTES + _elements_bytes(value)
        case dict():
            return _COLLECTION_BYTES + sum(map(_text_bytes, value)) + _elements_bytes(value.values())
        case _:
            assert_never(value)


def _text_bytes(text: str) -> int:
    """The size of a string: its UTF-8 bytes."""
    return len(text) if text.isascii() else len(text.encode())


def _number_bytes(number: int) -> int:
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


VERSION_ATTRIBUTE = "v"


def add_version_to_put(put: Put) -> Put:
    """The same write with the current schema version on its item."""
    return Put({**put.item, VERSION_ATTRIBUTE: SCHEMA_VERSION}, put.conditions)


def add_version_to_update(update: Update) -> Update:
    """The same update; an item that it creates gets the current schema version."""
    return Update(
        update.key, (*update.changes, SetIfAbsent(VERSION_ATTRIBUTE, SCHEMA_VERSION)), update.conditions
    )


def rewrite(item: Item, conditions: Conditions = (), *, optional: Collection[str] = ()) -> Update:
    """The write that replaces what this version knows of an item, and keeps all other attributes.

    ``optional`` are the attributes that are removed when ``item`` lacks them. Unlike a `Put`, it loses
    nothing that a later version stored.
    """
    key = item_key(item)
    given = tuple(Set(name, value) for name, value in item.items() if name not in ("pk", "sk"))
    return Update(key, (*given, *(Remove(name) for name in optional if name not in item)), conditions)


def upgrade(item: Item) -> Item:
    """The item in the current schema version.

    An item of the version after this one, which may have been rolled back, is returned as it is: what it adds
    is left alone. So is an item that an index projects, which carries no version.

    Raises:
        UnknownVersion: for any version but the current one, the one before and the one after.
    """
    version = item.get(VERSION_ATTRIBUTE, SCHEMA_VERSION)
    if version in (SCHEMA_VERSION, SCHEMA_VERSION + 1):
        return item
    if version == SCHEMA_VERSION - 1:
        return {**item, VERSION_ATTRIBUTE: SCHEMA_VERSION}
    raise UnknownVersion(version)


_MAX_DEPTH = 32
_MAX_NUMBER = 10**38


def item_key(item: Mapping[str, Value]) -> Key:
    """The primary key of an item."""
    partition, sort = item.get("pk"), item.get("sk")
    if not isinstance(partition, str) or not isinstance(sort, str):
        raise InvalidRequest("an item needs the attributes 'pk' and 'sk', both strings")
    return Key(partition, sort)


def check_key(key: Key) -> None:
    """Reject a key with an empty or too long part."""
    check_key_text("pk", key.partition, MAX_PARTITION_KEY_BYTES)
    check_key_text("sk", key.sort, MAX_SORT_KEY_BYTES)


def check_item(item: Item, indexes: Sequence[Index]) -> None:
    """Reject an item that can't be stored, or whose index keys are not valid."""
    _check_names(item)
    for value in item.values():
        check_value(value)
    if item_bytes(item) > MAX_ITEM_BYTES:
        raise LimitExceeded("the item is larger than 400 KB")
    for index in indexes:
        _check_index_key(item, index.partition, MAX_PARTITION_KEY_BYTES)
        _check_index_key(item, index.sort, MAX_SORT_KEY_BYTES)


def check_key_text(name: str, text: str, limit: int) -> None:
    """Reject a part of a key that is empty or too long."""
    if not text:
        raise InvalidRequest(f"{name!r} must not be empty")
    _check_text(text)
    if _text_bytes(text) > limit:
        raise LimitExceeded(f"{name!r} is longer than {limit} bytes")


def _check_index_key(item: Item, name: str, limit: int) -> None:
    value = item.get(name)
    if isinstance(value, str):
        check_key_text(name, value, limit)
    elif name in item:
        raise InvalidRequest(f"{name!r} is the key of an index and must be a string")


def check_value(value: object, depth: int = _MAX_DEPTH) -> None:
    """Reject a value that no attribute can hold: a float, an empty set, half a surrogate pair."""
    if depth == 0:
        raise LimitExceeded(f"values are nested more than {_MAX_DEPTH} levels deep")
    match value:
        case None | bool():
            return
        case str():
            _check_text(value)
        case int():
            _check_number(value)
        case frozenset():
            _check_set(value)
        case list():
            _check_values(value, depth - 1)
        case dict():
            _check_names(value)
            _check_values(value.values(), depth - 1)
        case _:
            raise InvalidRequest(f"a {type(value).__name__} can't be stored")


def _check_values(values: Iterable[object], depth: int) -> None:
    for value in values:
        check_value(value, depth)


def _check_names(names: Iterable[object]) -> None:
    for name in names:
        _check_text(name)
        if not name:
            raise InvalidRequest("the name of an attribute must not be empty")


def _check_number(number: int) -> None:
    if abs(number) >= _MAX_NUMBER:
        raise InvalidRequest("a number has at most 38 digits")


def _check_set(members: frozenset[object]) -> None:
    if not members:
        raise InvalidRequest("an empty set can't be stored")
    for member in members:
        _check_text(member)


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        raise InvalidRequest(f"a {type(text).__name__} can't be stored where a string belongs")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidRequest("a string with half a surrogate pair can't be stored") from None
