"""Lambda's filter patterns, which select the records that an event source mapping passes to its function.

Only the operators that our templates use are supported.

Source: "Filter rule syntax" in the Lambda developer guide.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Pattern = Mapping[str, Any]
OPERATORS = frozenset({"prefix", "suffix", "exists", "anything-but"})
OR_OPERATOR = "$or"
_ABSENT = object()


class UnsupportedFilter(ValueError):
    """A pattern uses an unsupported operator; the message names it."""


def check_pattern(pattern: Pattern) -> Pattern:
    """Return the pattern when `matches` supports all its operators.

    Raises:
        UnsupportedFilter: it does not.
    """
    for name, part in pattern.items():
        if name == OR_OPERATOR:
            for each in part:
                check_pattern(each)
            continue
        if isinstance(part, Mapping):
            check_pattern(part)
            continue
        for rule in part:
            if isinstance(rule, Mapping) and not OPERATORS.issuperset(rule):
                raise UnsupportedFilter(f"the twin does not know the filter {next(iter(rule))!r}")
    return pattern


def matches(pattern: Pattern, record: Any) -> bool:
    """Whether every field that the pattern names has one of the allowed values in the record."""
    return all(_holds(name, part, record) for name, part in pattern.items())


def _holds(name: str, part: Any, record: Any) -> bool:
    if name == OR_OPERATOR:
        return any(matches(each, record) for each in part)
    value = record.get(name, _ABSENT) if isinstance(record, Mapping) else _ABSENT
    if isinstance(part, Mapping):
        return matches(part, value)
    return any(_allows(rule, value) for rule in part)


def _allows(rule: Any, value: Any) -> bool:
    if not isinstance(rule, Mapping):
        return bool(rule == value)
    [(operator, wanted)] = rule.items()
    if operator == "exists":
        return (value is not _ABSENT) is wanted
    if operator == "anything-but":
        refused = wanted if isinstance(wanted, list) else [wanted]
        return value is not _ABSENT and value not in refused
    starts = str.startswith if operator == "prefix" else str.endswith
    return isinstance(value, str) and starts(value, wanted)
