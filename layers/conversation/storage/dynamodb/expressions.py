"""Translates conditions, changes and queries into DynamoDB's expression language.

Every name is aliased, so none can be a reserved word or be parsed as syntax. `storage.sqlite.conditions`
implements the same meaning in Python.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, assert_never

from storage.dynamodb.attribute_values import AttributeValue, to_attribute
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
    NotContains,
    NotExists,
    Query,
    Remove,
    RemoveAt,
    Set,
    SetIfAbsent,
    SimpleCondition,
    SizeBelow,
    Value,
)

_CLAUSES = ("SET", "REMOVE", "ADD", "DELETE")


def write_expressions(conditions: Conditions, changes: Changes = ()) -> dict[str, Any]:
    """The expression arguments of one write; empty expressions are left out."""
    aliases = _Aliases()
    expressions: dict[str, Any] = {}
    if changes:
        expressions["UpdateExpression"] = _update(changes, aliases)
    if conditions:
        expressions["ConditionExpression"] = _all(conditions, aliases)
    return expressions | aliases.arguments()


def key_expressions(query: Query, partition: str, sort: str) -> dict[str, Any]:
    """The expression arguments that select a query's items by the two named key attributes."""
    aliases = _Aliases()
    terms = [f"{aliases.name(partition)} = {aliases.value(query.partition)}"]
    if query.low is not None and query.high is not None:
        low, high = aliases.value(query.low), aliases.value(query.high)
        terms.append(f"{aliases.name(sort)} BETWEEN {low} AND {high}")
    elif query.prefix:
        terms.append(f"begins_with({aliases.name(sort)}, {aliases.value(query.prefix)})")
    return {"KeyConditionExpression": " AND ".join(terms)} | aliases.arguments()


class _Aliases:
    """Collects the names and values that an operation's expressions use."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._values: dict[str, AttributeValue] = {}

    def path(self, path: str) -> str:
        return ".".join(map(self.name, path.split(".")))

    def name(self, name: str) -> str:
        return self._names.setdefault(name, f"#{len(self._names)}")

    def value(self, value: Value) -> str:
        alias = f":{len(self._values)}"
        self._values[alias] = to_attribute(value)
        return alias

    def arguments(self) -> dict[str, Any]:
        arguments: dict[str, Any] = {}
        if self._names:
            arguments["ExpressionAttributeNames"] = {alias: name for name, alias in self._names.items()}
        if self._values:
            arguments["ExpressionAttributeValues"] = self._values
        return arguments


def _all(conditions: Conditions, aliases: _Aliases) -> str:
    terms = [_condition(condition, aliases) for condition in conditions]
    # DynamoDB rejects redundant parentheses, so only an OR next to other terms gets them.
    return terms[0] if len(terms) == 1 else " AND ".join(f"({t})" if " OR " in t else t for t in terms)


def _condition(condition: Condition, aliases: _Aliases) -> str:
    if isinstance(condition, AnyOf):
        return " OR ".join(_all(group, aliases) for group in condition.groups)
    return _test(condition, aliases)


def _test(condition: SimpleCondition, aliases: _Aliases) -> str:
    path = aliases.path(condition.path)
    match condition:
        case Exists():
            return f"attribute_exists({path})"
        case NotExists():
            return f"attribute_not_exists({path})"
        case Equals():
            return f"{path} = {aliases.value(condition.value)}"
        case AtMost():
            return f"{path} <= {aliases.value(condition.value)}"
        case AtLeast():
            return f"{path} >= {aliases.value(condition.value)}"
        case Contains():
            return f"contains({path}, {aliases.value(condition.value)})"
        case NotContains():
            return f"NOT contains({path}, {aliases.value(condition.value)})"
        case SizeBelow():
            return f"size({path}) < {aliases.value(condition.limit)}"
        case _:
            assert_never(condition)


def _update(changes: Changes, aliases: _Aliases) -> str:
    clauses: dict[str, list[str]] = defaultdict(list)
    for change in changes:
        clause, term = _change(change, aliases.path(change.path), aliases)
        clauses[clause].append(term)
    return " ".join(f"{clause} {', '.join(clauses[clause])}" for clause in _CLAUSES if clause in clauses)


def _change(change: Change, path: str, aliases: _Aliases) -> tuple[str, str]:
    match change:
        case Set():
            return "SET", f"{path} = {aliases.value(change.value)}"
        case SetIfAbsent():
            return "SET", f"{path} = if_not_exists({path}, {aliases.value(change.value)})"
        case Add():
            zero, amount = aliases.value(0), aliases.value(change.amount)
            return "SET", f"{path} = if_not_exists({path}, {zero}) + {amount}"
        case Append():
            empty, values = aliases.value([]), aliases.value(list(change.values))
            return "SET", f"{path} = list_append(if_not_exists({path}, {empty}), {values})"
        case Include():
            return "ADD", f"{path} {aliases.value(change.members)}"
        case Exclude():
            return "DELETE", f"{path} {aliases.value(change.members)}"
        case Remove():
            return "REMOVE", path
        case RemoveAt():
            return "REMOVE", f"{path}[{change.index}]"
        case _:
            assert_never(change)
