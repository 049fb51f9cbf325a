"""What both backends do to a request before they carry it out: give its items their version and refuse what
DynamoDB refuses.

Limits that depend on what is stored (the size of an item after an update) are the backends' own to enforce.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import assert_never

from storage.errors import InvalidPosition, InvalidRequest, LimitExceeded
from storage.sizes import item_bytes, text_bytes
from storage.table import (
    MAX_ITEM_BYTES,
    MAX_PARTITION_KEY_BYTES,
    MAX_SORT_KEY_BYTES,
    MAX_TRANSACTION_ACTIONS,
    MAX_TRANSACTION_BYTES,
    Action,
    Add,
    Append,
    Change,
    Check,
    Delete,
    Exclude,
    Include,
    Index,
    Item,
    Key,
    Position,
    Put,
    Query,
    Remove,
    RemoveAt,
    Set,
    SetIfAbsent,
    Update,
    Value,
)
from storage.versions import stamped_put, stamped_update

_KEY_ATTRIBUTES = ("pk", "sk")
_MAX_DEPTH = 32
_MAX_NUMBER = 10**38


def ready_put(put: Put, indexes: Sequence[Index]) -> Put:
    """The write as it is carried out.

    Raises:
        InvalidRequest: for a value, a key or an index key that can't be stored.
        LimitExceeded: for a key or an item that is too large.
    """
    check_key(key_of(put.item))
    check_item(put.item, indexes)
    return stamped_put(put)


def ready_update(update: Update) -> Update:
    """The update as it is carried out.

    Raises:
        InvalidRequest: for changes of keys, overlapping changes, none at all, or values that can't be stored.
        LimitExceeded: for a key that is too large.
    """
    check_key(update.key)
    if not update.changes:
        raise InvalidRequest("an update needs at least one change")
    stamped = stamped_update(update)
    _check_paths(change.path for change in stamped.changes)
    for change in update.changes:
        _check_change(change)
    return stamped


def ready_delete(delete: Delete) -> Delete:
    """The removal as it is carried out."""
    check_key(delete.key)
    return delete


def ready_action(action: Action, indexes: Sequence[Index]) -> Action:
    """One action of a transaction as it is carried out."""
    match action:
        case Put():
            return ready_put(action, indexes)
        case Update():
            return ready_update(action)
        case Delete():
            return ready_delete(action)
        case Check():
            check_key(action.key)
            return action
        case _:
            assert_never(action)


def ready_transaction(actions: Sequence[Action], indexes: Sequence[Index]) -> tuple[Action, ...]:
    """The actions of a transaction as they are carried out.

    Raises:
        InvalidRequest: for no action, two actions on one item, or an action that can't be carried out.
        LimitExceeded: for too many actions, or items that are too large alone or together.
    """
    if not actions:
        raise InvalidRequest("a transaction needs at least one action")
    if len(actions) > MAX_TRANSACTION_ACTIONS:
        raise LimitExceeded(f"a transaction has at most {MAX_TRANSACTION_ACTIONS} actions")
    ready = tuple(ready_action(action, indexes) for action in actions)
    if len({action_key(action) for action in ready}) < len(ready):
        raise InvalidRequest("a transaction has at most one action per item")
    check_transaction_bytes(action.item for action in ready if isinstance(action, Put))
    return ready


def check_transaction_bytes(items: Iterator[Item]) -> None:
    """Refuse items that are too large together for one transaction."""
    if sum(map(item_bytes, items)) > MAX_TRANSACTION_BYTES:
        raise LimitExceeded("the items of a transaction are larger than 4 MB")


def action_key(action: Action) -> Key:
    """Which item an action is about."""
    return key_of(action.item) if isinstance(action, Put) else action.key


def key_of(item: Mapping[str, Value]) -> Key:
    """The primary key an item holds."""
    partition, sort = item.get("pk"), item.get("sk")
    if not isinstance(partition, str) or not isinstance(sort, str):
        raise InvalidRequest("an item needs the attributes 'pk' and 'sk', both strings")
    return Key(partition, sort)


def check_key(key: Key) -> None:
    """Refuse a key with an empty or too long part."""
    _check_key_text("pk", key.partition, MAX_PARTITION_KEY_BYTES)
    _check_key_text("sk", key.sort, MAX_SORT_KEY_BYTES)


def check_item(item: Item, indexes: Sequence[Index]) -> None:
    """Refuse an item that can't be stored, or not under the keys of an index."""
    for value in item.values():
        _check_value(value, _MAX_DEPTH)
    if item_bytes(item) > MAX_ITEM_BYTES:
        raise LimitExceeded("the item is larger than 400 KB")
    for index in indexes:
        _check_index_key(item, index.partition, MAX_PARTITION_KEY_BYTES)
        _check_index_key(item, index.sort, MAX_SORT_KEY_BYTES)


def check_query(query: Query, index: Index | None) -> None:
    """Refuse a query without a meaning, or a position that is not of this query."""
    _check_key_text("partition", query.partition, MAX_PARTITION_KEY_BYTES)
    if query.limit < 1:
        raise InvalidRequest("a query needs a limit of at least 1")
    if (query.low is None) != (query.high is None) or (query.low is not None and query.prefix):
        raise InvalidRequest("a query takes a prefix, or both ends of a range, or neither")
    if query.low is not None and query.high is not None and query.low > query.high:
        raise InvalidRequest("a range begins at its lower end")
    if query.after is not None:
        _check_position(query, query.after, index)


def position_names(index: Index | None) -> tuple[str, ...]:
    """The attributes that tell where a page ended."""
    return _KEY_ATTRIBUTES if index is None else (*_KEY_ATTRIBUTES, index.partition, index.sort)


def find_index(indexes: Sequence[Index], name: str | None) -> Index | None:
    """The index a query names, None for the table itself."""
    if name is None:
        return None
    for index in indexes:
        if index.name == name:
            return index
    raise InvalidRequest(f"there is no index {name!r}")


def _check_position(query: Query, after: Position, index: Index | None) -> None:
    partition, sort = ("pk", "sk") if index is None else (index.partition, index.sort)
    if set(after) != set(position_names(index)) or not all(
        isinstance(part, str) and part for part in after.values()
    ):
        raise InvalidPosition("the position does not fit the query")
    inside = after[sort].startswith(query.prefix)
    if query.low is not None and query.high is not None:
        inside = query.low <= after[sort] <= query.high
    if after[partition] != query.partition or not inside:
        raise InvalidPosition("the position lies outside of the query")


def _check_key_text(name: str, text: str, limit: int) -> None:
    if not text:
        raise InvalidRequest(f"{name!r} must not be empty")
    _check_text(text)
    if text_bytes(text) > limit:
        raise LimitExceeded(f"{name!r} is longer than {limit} bytes")


def _check_index_key(item: Item, name: str, limit: int) -> None:
    value = item.get(name)
    if isinstance(value, str):
        _check_key_text(name, value, limit)
    elif name in item:
        raise InvalidRequest(f"{name!r} is the key of an index and must be a string")


def _check_paths(paths: Iterator[str]) -> None:
    """Refuse paths that overlap: DynamoDB takes no two changes of which one holds the other."""
    in_order = sorted(path.split(".") for path in paths)
    for path in in_order:
        if path[0] in _KEY_ATTRIBUTES or "" in path:
            raise InvalidRequest(f"{'.'.join(path)!r} can't be changed")
    for shorter, longer in pairwise(in_order):
        if longer[: len(shorter)] == shorter:
            raise InvalidRequest(f"{'.'.join(shorter)!r} is changed twice")


def _check_change(change: Change) -> None:
    match change:
        case Set() | SetIfAbsent():
            _check_value(change.value, _MAX_DEPTH)
        case Append():
            _check_value(list(change.values), _MAX_DEPTH)
        case Include() | Exclude():
            _check_value(change.members, _MAX_DEPTH)
            if "." in change.path:
                raise InvalidRequest("only the set of an attribute can gain or lose members")
        case RemoveAt():
            if change.index < 0:
                raise InvalidRequest("the elements of a list are counted from 0")
        case Add() | Remove():
            return
        case _:
            assert_never(change)


def _check_value(value: object, depth: int) -> None:
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
            for name in value:
                _check_text(name)
            _check_values(value.values(), depth - 1)
        case _:
            raise InvalidRequest(f"a {type(value).__name__} can't be stored")


def _check_values(values: Iterable[object], depth: int) -> None:
    for value in values:
        _check_value(value, depth)


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
