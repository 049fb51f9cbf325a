"""Prepares and validates requests for both backends: adds the schema version, rejects what DynamoDB rejects.

Each backend itself enforces the limits that depend on stored data (the size of an item after an update).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import assert_never

from storage.errors import InvalidPosition, InvalidRequest, LimitExceeded
from storage.items import (
    add_version_to_put,
    add_version_to_update,
    check_item,
    check_key,
    check_key_text,
    check_value,
    item_bytes,
    item_key,
)
from storage.table import (
    MAX_PARTITION_KEY_BYTES,
    MAX_TRANSACTION_ACTIONS,
    MAX_TRANSACTION_BYTES,
    Action,
    Add,
    AnyOf,
    Append,
    Change,
    Check,
    Conditions,
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
)

_KEY_ATTRIBUTES = ("pk", "sk")


def prepare_put(put: Put, indexes: Sequence[Index]) -> Put:
    """The put, validated and with the schema version.

    Raises:
        InvalidRequest: for a value, a key or an index key that can't be stored.
        LimitExceeded: for a key or an item that is too large.
    """
    check_key(item_key(put.item))
    _check_conditions(put.conditions)
    versioned = add_version_to_put(put)
    check_item(versioned.item, indexes)
    return versioned


def prepare_update(update: Update) -> Update:
    """The update, validated and with the schema version.

    Raises:
        InvalidRequest: for changes of keys, overlapping changes, no changes, or values that can't be stored.
        LimitExceeded: for a key that is too large.
    """
    check_key(update.key)
    _check_conditions(update.conditions)
    if not update.changes:
        raise InvalidRequest("an update needs at least one change")
    versioned = add_version_to_update(update)
    _check_paths(change.path for change in versioned.changes)
    for change in update.changes:
        _check_change(change)
    return versioned


def prepare_delete(delete: Delete) -> Delete:
    """The delete, validated."""
    check_key(delete.key)
    _check_conditions(delete.conditions)
    return delete


def _prepare_action(action: Action, indexes: Sequence[Index]) -> Action:
    """One action of a transaction, validated and with the schema version."""
    match action:
        case Put():
            return prepare_put(action, indexes)
        case Update():
            return prepare_update(action)
        case Delete():
            return prepare_delete(action)
        case Check():
            return _prepare_check(action)
        case _:
            assert_never(action)


def prepare_transaction(actions: Sequence[Action], indexes: Sequence[Index]) -> tuple[Action, ...]:
    """The actions of a transaction, validated and with the schema version.

    Raises:
        InvalidRequest: for no action, two actions on one item, or an action that can't be carried out.
        LimitExceeded: for too many actions, or items that are too large alone or together.
    """
    if not actions:
        raise InvalidRequest("a transaction needs at least one action")
    if len(actions) > MAX_TRANSACTION_ACTIONS:
        raise LimitExceeded(f"a transaction has at most {MAX_TRANSACTION_ACTIONS} actions")
    prepared = tuple(_prepare_action(action, indexes) for action in actions)
    if len({action_key(action) for action in prepared}) < len(prepared):
        raise InvalidRequest("a transaction has at most one action per item")
    check_transaction_bytes(action.item for action in prepared if isinstance(action, Put))
    return prepared


def _prepare_check(check: Check) -> Check:
    check_key(check.key)
    _check_conditions(check.conditions)
    if not check.conditions:
        raise InvalidRequest("a check needs at least one condition")
    return check


def check_transaction_bytes(items: Iterator[Item]) -> None:
    """Reject items that are together too large for one transaction."""
    if sum(map(item_bytes, items)) > MAX_TRANSACTION_BYTES:
        raise LimitExceeded("the items of a transaction are larger than 4 MB")


def action_key(action: Action) -> Key:
    """The key of the item that an action writes or checks."""
    return item_key(action.item) if isinstance(action, Put) else action.key


def check_query(query: Query, index: Index | None) -> None:
    """Reject a query with contradictory bounds or no limit, or with a position of another query."""
    check_key_text("partition", query.partition, MAX_PARTITION_KEY_BYTES)
    if query.limit < 1:
        raise InvalidRequest("a query needs a limit of at least 1")
    if (query.low is None) != (query.high is None) or (query.low is not None and query.prefix):
        raise InvalidRequest("a query takes a prefix, or both ends of a range, or neither")
    if query.low is not None and query.high is not None and query.low > query.high:
        raise InvalidRequest("a range begins at its lower end")
    if query.after is not None:
        _check_position(query, query.after, index)


def position_attributes(index: Index | None) -> tuple[str, ...]:
    """The key attributes that make up a position."""
    return _KEY_ATTRIBUTES if index is None else (*_KEY_ATTRIBUTES, index.partition, index.sort)


def find_index(indexes: Sequence[Index], name: str | None) -> Index | None:
    """The index that a query names, None for the table itself."""
    if name is None:
        return None
    for index in indexes:
        if index.name == name:
            return index
    raise InvalidRequest(f"there is no index {name!r}")


def _check_position(query: Query, after: Position, index: Index | None) -> None:
    partition, sort = ("pk", "sk") if index is None else (index.partition, index.sort)
    if set(after) != set(position_attributes(index)) or not all(map(_is_key_text, after.values())):
        raise InvalidPosition("the position does not fit the query")
    inside = after[sort].startswith(query.prefix)
    if query.low is not None and query.high is not None:
        inside = query.low <= after[sort] <= query.high
    if after[partition] != query.partition or not inside:
        raise InvalidPosition("the position lies outside of the query")


def _is_key_text(part: object) -> bool:
    try:
        check_key_text("position", str(part), MAX_PARTITION_KEY_BYTES)
    except (InvalidRequest, LimitExceeded):
        return False
    return isinstance(part, str)


def _check_conditions(conditions: Conditions) -> None:
    for condition in conditions:
        if isinstance(condition, AnyOf) and not (condition.groups and all(condition.groups)):
            raise InvalidRequest("alternatives need at least one condition each")


def _check_paths(paths: Iterator[str]) -> None:
    """Reject overlapping paths: DynamoDB does not allow two changes of which one contains the other."""
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
            check_value(change.value)
        case Append():
            check_value(list(change.values))
        case Include() | Exclude():
            check_value(change.members)
            if "." in change.path:
                raise InvalidRequest("only the set of an attribute can gain or lose members")
        case RemoveAt():
            if change.index < 0:
                raise InvalidRequest("the elements of a list are counted from 0")
        case Add() | Remove():
            return
        case _:
            assert_never(change)
