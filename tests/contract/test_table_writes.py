"""What is written is read back as it was, and every kind of change does the same on every backend."""

from __future__ import annotations

import pytest

from storage.errors import InvalidRequest
from storage.table import (
    Add,
    Append,
    Change,
    Changes,
    Delete,
    Exclude,
    Exists,
    Include,
    Item,
    Key,
    Put,
    Remove,
    RemoveAt,
    Set,
    SetIfAbsent,
    Table,
    Update,
)

KEY = Key("T#acme#C#1", "HEAD")
ITEM: Item = {
    "pk": KEY.partition,
    "sk": KEY.sort,
    "n": 5,
    "name": "b",
    "list": ["a", {"b": 1}, "c"],
    "set": frozenset(("x", "y")),
    "lease": {"owner": "me", "until": 7},
}
BARE: Item = {"pk": KEY.partition, "sk": KEY.sort, "v": 1}


def test_every_kind_of_value_is_read_back_as_it_was_written(table: Table) -> None:
    item: Item = {
        "pk": KEY.partition,
        "sk": KEY.sort,
        "text": "naïve 😀 \x00 \u2028 \"'",
        "empty": "",
        "numbers": [0, -1, 10**37, -(10**37), 120],
        "truth": [True, False, None],
        "nested": {"a": {"b": [{"c": frozenset(("s",))}]}, "$set": ["x"], "$map": {"$set": 1}},
        "none": {},
        "nobody": [],
        "set": frozenset(("b", "a", "$")),
        "status": "a reserved word",
        "two words": 1,
    }
    table.put(Put(item))
    assert table.get(KEY) == item | {"v": 1}


def test_a_number_stays_a_number_and_a_truth_value_a_truth_value(table: Table) -> None:
    table.put(Put({"pk": KEY.partition, "sk": KEY.sort, "one": 1, "yes": True}))
    item = table.get(KEY)
    assert item is not None
    assert (type(item["one"]), type(item["yes"])) == (int, bool)


def test_a_key_without_an_item_is_none(table: Table) -> None:
    table.put(Put(ITEM))
    assert table.get(Key(KEY.partition, "HEAD2")) is None
    assert table.get(Key("T#acme#C#2", "HEAD")) is None


def test_an_eventually_consistent_read_finds_what_is_there(table: Table) -> None:
    table.put(Put(ITEM))
    assert table.get(KEY, consistent=False) == ITEM | {"v": 1}


def test_a_put_replaces_the_whole_item(table: Table) -> None:
    table.put(Put(ITEM))
    table.put(Put({"pk": KEY.partition, "sk": KEY.sort, "other": 1}))
    assert table.get(KEY) == BARE | {"other": 1}


def test_a_deleted_item_is_gone_and_deleting_it_again_is_no_error(table: Table) -> None:
    table.put(Put(ITEM))
    table.delete(Delete(KEY, (Exists(),)))
    table.delete(Delete(KEY))
    assert table.get(KEY) is None


CHANGES: list[tuple[Change, Item]] = [
    (Set("n", "other"), {"n": "other"}),
    (Set("new", [1]), {"new": [1]}),
    (Set("lease.owner", "you"), {"lease": {"owner": "you", "until": 7}}),
    (Set("lease.new", {}), {"lease": {"owner": "me", "until": 7, "new": {}}}),
    (SetIfAbsent("n", 0), {"n": 5}),
    (SetIfAbsent("status", "open"), {"status": "open"}),
    (SetIfAbsent("lease", {"owner": "you"}), {"lease": {"owner": "me", "until": 7}}),
    (Add("n", 2), {"n": 7}),
    (Add("n", -10), {"n": -5}),
    (Add("count", 3), {"count": 3}),
    (Add("lease.until", 1), {"lease": {"owner": "me", "until": 8}}),
    (Append("list", ("d", {"e": None})), {"list": ["a", {"b": 1}, "c", "d", {"e": None}]}),
    (Append("inbox", ("d",)), {"inbox": ["d"]}),
    (Include("set", frozenset(("y", "z"))), {"set": frozenset(("x", "y", "z"))}),
    (Include("ids", frozenset(("z",))), {"ids": frozenset(("z",))}),
    (Exclude("set", frozenset(("y", "z"))), {"set": frozenset(("x",))}),
    (RemoveAt("list", 0), {"list": [{"b": 1}, "c"]}),
    (RemoveAt("list", 1), {"list": ["a", "c"]}),
    (RemoveAt("list", 3), {"list": ["a", {"b": 1}, "c"]}),
    (Remove("lease.until"), {"lease": {"owner": "me"}}),
]


@pytest.mark.parametrize(
    ("change", "expected"), CHANGES, ids=[type(change).__name__ for change, _ in CHANGES]
)
def test_a_change_touches_its_path_and_nothing_else(table: Table, change: Change, expected: Item) -> None:
    table.put(Put(ITEM))
    new = table.update(Update(KEY, (change,)))
    assert new == table.get(KEY) == ITEM | {"v": 1} | expected


@pytest.mark.parametrize(
    "change", [Remove("set"), Exclude("set", frozenset(("x", "y")))], ids=["remove", "exclude"]
)
def test_a_removed_attribute_and_an_emptied_set_cease_to_exist(table: Table, change: Change) -> None:
    table.put(Put(ITEM))
    new = table.update(Update(KEY, (change,)))
    assert (
        new == table.get(KEY) == {name: value for name, value in (ITEM | {"v": 1}).items() if name != "set"}
    )


@pytest.mark.parametrize("change", [Remove("gone"), Exclude("gone", frozenset(("x",)))], ids=str)
def test_removing_what_is_not_there_changes_nothing(table: Table, change: Change) -> None:
    table.put(Put(ITEM))
    assert table.update(Update(KEY, (change,))) == ITEM | {"v": 1}


def test_all_changes_of_an_update_see_the_item_as_it_was(table: Table) -> None:
    table.put(Put(ITEM))
    changes = (
        Remove("lease"),
        SetIfAbsent("n", 9),
        Add("count", 1),
        RemoveAt("list", 0),
        Include("set", frozenset("z")),
    )
    expected: Item = {
        "n": 5,
        "name": "b",
        "count": 1,
        "list": [{"b": 1}, "c"],
        "set": frozenset(("x", "y", "z")),
    }
    assert table.update(Update(KEY, changes)) == BARE | expected


def test_an_update_without_an_item_makes_one(table: Table) -> None:
    changes = (Set("name", "b"), Append("inbox", ({"id": "1"},)), SetIfAbsent("lease", {"owner": "me"}))
    new = table.update(Update(KEY, changes))
    assert new == table.get(KEY) == BARE | {"name": "b", "inbox": [{"id": "1"}], "lease": {"owner": "me"}}


UNFIT: list[Changes] = [
    (Add("name", 1),),
    (Append("name", ("x",)),),
    (Include("name", frozenset("x")),),
    (Exclude("name", frozenset("x")),),
    (Set("name.inner", 1),),
    (Set("gone.inner", 1),),
    (Remove("gone.inner"),),
    (RemoveAt("gone", 0),),
]


@pytest.mark.parametrize("changes", UNFIT, ids=str)
def test_a_change_that_does_not_fit_what_it_meets_changes_nothing(table: Table, changes: Changes) -> None:
    table.put(Put(ITEM))
    with pytest.raises(InvalidRequest):
        table.update(Update(KEY, (*changes, Set("n", 6))))
    assert table.get(KEY) == ITEM | {"v": 1}


def test_a_batch_removes_any_number_of_items_present_or_not(table: Table) -> None:
    keys = [Key("T#acme#C#1", f"M#{number}") for number in range(60)]
    for key in keys[:30]:
        table.put(Put({"pk": key.partition, "sk": key.sort}))
    table.put(Put(ITEM))
    table.batch_delete([*keys, *keys[:5]])
    table.batch_delete([])
    assert [table.get(key) for key in keys] == [None] * 60
    assert table.get(KEY) is not None
