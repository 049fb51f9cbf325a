"""Every kind of condition means the same on every backend, and a refusal hands back what stands there."""

from __future__ import annotations

import pytest

from storage.errors import ConditionRefused
from storage.table import (
    Add,
    AnyOf,
    AtLeast,
    AtMost,
    Condition,
    Conditions,
    Contains,
    Delete,
    Equals,
    Exists,
    Item,
    Key,
    NotContains,
    NotExists,
    Put,
    SizeBelow,
    Table,
    Update,
)

KEY = Key("T#acme#C#1", "HEAD")
ITEM: Item = {
    "pk": KEY.partition,
    "sk": KEY.sort,
    "n": 5,
    "size": "b",
    "wide": "\uff5e",
    "flag": True,
    "nothing": None,
    "list": ["a", "b"],
    "set": frozenset(("x", "y")),
    "lease": {"owner": "me", "until": 7},
}

HOLDING: list[Condition] = [
    Exists(),
    Exists("n"),
    Exists("nothing"),
    Exists("lease.owner"),
    NotExists("gone"),
    NotExists("lease.gone"),
    NotExists("gone.owner"),
    NotExists("n.inner"),
    Equals("n", 5),
    Equals("flag", True),
    Equals("size", "b"),
    Equals("lease.owner", "me"),
    AtMost("n", 5),
    AtMost("n", 10),
    AtMost("size", "b"),
    AtMost("size", "\u00e9"),
    AtMost("wide", "\U0001f600"),
    AtMost("lease.until", 7),
    AtLeast("n", 5),
    AtLeast("n", 4),
    AtLeast("size", "a"),
    AtLeast("size", "b"),
    AtLeast("wide", "\u00e9"),
    AtLeast("lease.until", 7),
    Contains("set", "x"),
    NotContains("set", "z"),
    NotContains("gone", "x"),
    SizeBelow("list", 3),
    AnyOf(((Equals("n", 6),), (Equals("n", 5), Exists("flag")))),
]

FAILING: list[Condition] = [
    NotExists(),
    NotExists("n"),
    NotExists("nothing"),
    NotExists("lease.owner"),
    Exists("gone"),
    Exists("lease.gone"),
    Exists("gone.owner"),
    Exists("n.inner"),
    Equals("n", 6),
    Equals("n", "5"),
    Equals("n", True),
    Equals("flag", 1),
    Equals("flag", False),
    Equals("gone", 0),
    Equals("lease.owner", "you"),
    AtMost("n", 4),
    AtMost("n", "9"),
    AtMost("flag", 9),
    AtMost("size", "a"),
    AtMost("size", 9),
    AtMost("gone", 9),
    AtMost("lease.until", 6),
    AtLeast("n", 6),
    AtLeast("n", "1"),
    AtLeast("flag", 0),
    AtLeast("size", "c"),
    AtLeast("wide", "\U0001f600"),
    AtLeast("gone", 0),
    AtLeast("lease.until", 8),
    Contains("set", "z"),
    Contains("gone", "x"),
    NotContains("set", "x"),
    SizeBelow("list", 2),
    SizeBelow("gone", 2),
    AnyOf(((Equals("n", 6),), (Equals("n", 5), Exists("gone")))),
]

CREATING: list[Condition] = [
    NotExists(),
    NotExists("n"),
    NotContains("set", "x"),
    AnyOf(((Exists(),), (NotExists(),))),
]
NEEDING: list[Condition] = [
    Exists(),
    Equals("n", 5),
    AtMost("n", 5),
    AtLeast("n", 5),
    Contains("set", "x"),
    SizeBelow("list", 3),
    AnyOf(((Exists("n"),),)),
]


@pytest.mark.parametrize("condition", HOLDING, ids=str)
def test_a_write_goes_through_when_its_condition_holds(table: Table, condition: Condition) -> None:
    table.put(Put(ITEM))
    assert table.update(Update(KEY, (Add("n", 1),), (condition,)))["n"] == 6


@pytest.mark.parametrize("condition", FAILING, ids=str)
def test_a_refused_update_changes_nothing_and_hands_back_the_item(table: Table, condition: Condition) -> None:
    table.put(Put(ITEM))
    with pytest.raises(ConditionRefused) as refusal:
        table.update(Update(KEY, (Add("n", 1),), (condition,)))
    assert refusal.value.old == table.get(KEY) == ITEM | {"v": 1}


@pytest.mark.parametrize("condition", CREATING, ids=str)
def test_an_update_creates_an_item_its_condition_does_not_need(table: Table, condition: Condition) -> None:
    assert table.update(Update(KEY, (Add("n", 1),), (condition,)))["n"] == 1


@pytest.mark.parametrize("condition", NEEDING, ids=str)
def test_an_update_of_nothing_is_refused_with_nothing(table: Table, condition: Condition) -> None:
    with pytest.raises(ConditionRefused) as refusal:
        table.update(Update(KEY, (Add("n", 1),), (condition,)))
    assert refusal.value.old is None
    assert table.get(KEY) is None


@pytest.mark.parametrize(
    "conditions", [(Equals("n", 5), Equals("size", "c")), (Equals("size", "c"), Equals("n", 5))], ids=str
)
def test_one_failing_condition_refuses_whatever_else_holds(table: Table, conditions: Conditions) -> None:
    table.put(Put(ITEM))
    with pytest.raises(ConditionRefused):
        table.update(Update(KEY, (Add("n", 1),), conditions))


def test_a_put_over_an_item_is_refused_with_the_item(table: Table) -> None:
    table.put(Put(ITEM))
    with pytest.raises(ConditionRefused) as refusal:
        table.put(Put({"pk": KEY.partition, "sk": KEY.sort, "n": 0}, (NotExists(),)))
    assert refusal.value.old == table.get(KEY) == ITEM | {"v": 1}


def test_a_refused_delete_leaves_the_item_and_hands_it_back(table: Table) -> None:
    table.put(Put(ITEM))
    with pytest.raises(ConditionRefused) as refusal:
        table.delete(Delete(KEY, (Equals("n", 6),)))
    assert refusal.value.old == table.get(KEY) == ITEM | {"v": 1}


def test_a_delete_of_nothing_is_refused_where_an_item_is_needed(table: Table) -> None:
    with pytest.raises(ConditionRefused) as refusal:
        table.delete(Delete(KEY, (Exists(),)))
    assert refusal.value.old is None
