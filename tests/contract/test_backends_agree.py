"""Random conditions and changes come to the same on SQLite as in DynamoDB's expression language."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storage.dynamodb.table import DynamoTable, create_table
from storage.errors import ConditionRefused
from storage.sqlite.table import SqliteTable
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
    Key,
    NotContains,
    NotExists,
    Put,
    Remove,
    RemoveAt,
    Set,
    SetIfAbsent,
    SimpleCondition,
    SizeBelow,
    Table,
    Update,
)
from tests.fakes.aws.dynamodb import dynamo_client

KEY = Key("T#acme#C#1", "HEAD")
ITEM: Item = {
    "pk": KEY.partition,
    "sk": KEY.sort,
    "size": 3,
    "name": "m",
    "list": ["a", 1, {"b": None}],
    "set": frozenset(("x", "y")),
    "lease": {"owner": "me", "until": 7},
}

ATTRIBUTES = st.sampled_from(
    ["pk", "size", "name", "list", "set", "lease", "lease.owner", "lease.until", "gone"]
)
MEMBERS = st.sampled_from(["x", "y", "z"])
TESTS: st.SearchStrategy[SimpleCondition] = st.one_of(
    st.builds(Exists, ATTRIBUTES),
    st.builds(NotExists, ATTRIBUTES),
    st.builds(Equals, ATTRIBUTES, st.sampled_from([3, 7, "m", "me", True])),
    st.builds(AtMost, ATTRIBUTES, st.sampled_from([2, 3, 7, "l", "m", "\u00e9"])),
    st.builds(AtLeast, ATTRIBUTES, st.sampled_from([3, 4, 7, "l", "m", "\u00e9"])),
    st.builds(Contains, st.sampled_from(["set", "gone"]), MEMBERS),
    st.builds(NotContains, st.sampled_from(["set", "gone"]), MEMBERS),
    st.builds(SizeBelow, st.sampled_from(["list", "gone"]), st.integers(2, 4)),
)
GROUPS = st.lists(TESTS, min_size=1, max_size=2).map(tuple)
ALTERNATIVES = st.lists(GROUPS, min_size=1, max_size=3).map(lambda groups: AnyOf(tuple(groups)))
CONDITIONS: st.SearchStrategy[Conditions] = st.lists(TESTS | ALTERNATIVES, max_size=3).map(tuple)

# One change per attribute, each of a kind that fits what the attribute may hold.
CHANGE_OF: list[st.SearchStrategy[Change]] = [
    st.builds(Add, st.just("size"), st.integers(-5, 5)),
    st.sampled_from([Set("name", "n"), SetIfAbsent("name", "n"), Remove("name")]),
    st.sampled_from([Append("list", ("c", {})), RemoveAt("list", 1), RemoveAt("list", 9), Set("list", [])]),
    st.builds(Include, st.just("set"), st.frozensets(MEMBERS, min_size=1))
    | st.builds(Exclude, st.just("set"), st.frozensets(MEMBERS, min_size=1)),
    st.sampled_from(
        [Set("lease.owner", "you"), Remove("lease.until"), Add("lease.until", 1), Remove("lease")]
    ),
    st.sampled_from([Add("gone", 1), Append("gone", ("c",)), SetIfAbsent("gone", {"a": []}), Remove("gone")]),
]
CHANGES: st.SearchStrategy[Changes] = st.lists(
    st.integers(0, len(CHANGE_OF) - 1), min_size=1, unique=True
).flatmap(lambda chosen: st.tuples(*(CHANGE_OF[place] for place in chosen)))


@pytest.fixture(scope="module")
def backends(endpoint: str) -> Iterator[tuple[Table, Table]]:
    client = dynamo_client(endpoint)
    name = f"agree-{uuid4()}"
    create_table(client, name)
    with closing(SqliteTable(":memory:")) as sqlite:
        yield sqlite, DynamoTable(client, name)
    client.delete_table(TableName=name)
    client.close()


def outcome(table: Table, update: Update) -> tuple[str, Item | None]:
    table.put(Put(ITEM))
    try:
        return "updated", table.update(update)
    except ConditionRefused as refusal:
        return "refused", refusal.old


@settings(max_examples=200, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(conditions=CONDITIONS, changes=CHANGES)
def test_an_update_comes_to_the_same_on_both_backends(
    backends: tuple[Table, Table], conditions: tuple[Condition, ...], changes: Changes
) -> None:
    update = Update(KEY, changes, conditions)
    sqlite, dynamodb = (outcome(table, update) for table in backends)
    assert sqlite == dynamodb
