"""What a key and an item may be: refuses what DynamoDB would refuse, before anything is sent or stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from storage.errors import InvalidRequest, LimitExceeded
from storage.sizes import item_bytes, text_bytes
from storage.table import MAX_ITEM_BYTES, MAX_PARTITION_KEY_BYTES, MAX_SORT_KEY_BYTES, Index, Item, Key, Value

_MAX_DEPTH = 32
_MAX_NUMBER = 10**38


def key_of(item: Mapping[str, Value]) -> Key:
    """The primary key an item holds."""
    partition, sort = item.get("pk"), item.get("sk")
    if not isinstance(partition, str) or not isinstance(sort, str):
        raise InvalidRequest("an item needs the attributes 'pk' and 'sk', both strings")
    return Key(partition, sort)


def check_key(key: Key) -> None:
    """Refuse a key with an empty or too long part."""
    check_key_text("pk", key.partition, MAX_PARTITION_KEY_BYTES)
    check_key_text("sk", key.sort, MAX_SORT_KEY_BYTES)


def check_item(item: Item, indexes: Sequence[Index]) -> None:
    """Refuse an item that can't be stored, or not under the keys of an index."""
    _check_names(item)
    for value in item.values():
        check_value(value)
    if item_bytes(item) > MAX_ITEM_BYTES:
        raise LimitExceeded("the item is larger than 400 KB")
    for index in indexes:
        _check_index_key(item, index.partition, MAX_PARTITION_KEY_BYTES)
        _check_index_key(item, index.sort, MAX_SORT_KEY_BYTES)


def check_key_text(name: str, text: str, limit: int) -> None:
    """Refuse a part of a key that is empty or too long."""
    if not text:
        raise InvalidRequest(f"{name!r} must not be empty")
    _check_text(text)
    if text_bytes(text) > limit:
        raise LimitExceeded(f"{name!r} is longer than {limit} bytes")


def _check_index_key(item: Item, name: str, limit: int) -> None:
    value = item.get(name)
    if isinstance(value, str):
        check_key_text(name, value, limit)
    elif name in item:
        raise InvalidRequest(f"{name!r} is the key of an index and must be a string")


def check_value(value: object, depth: int = _MAX_DEPTH) -> None:
    """Refuse a value that no attribute can hold: a float, an empty set, half a surrogate pair."""
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
