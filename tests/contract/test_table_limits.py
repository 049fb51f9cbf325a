"""Both backends refuse what DynamoDB refuses, before anything is stored."""

from __future__ import annotations

from typing import cast

import pytest

from storage.errors import InvalidRequest, LimitExceeded
from storage.items import item_bytes
from storage.table import (
    MAX_ITEM_BYTES,
    Action,
    Add,
    AnyOf,
    Append,
    Changes,
    Conditions,
    Delete,
    Include,
    Item,
    Key,
    Put,
    Remove,
    RemoveAt,
    Set,
    Table,
    Update,
    Value,
)

KEY = Key("T#acme#C#1", "HEAD")


def item(**attributes: Value) -> Item:
    return {"pk": KEY.partition, "sk": KEY.sort, **attributes}


def item_of(size: int, key: Key = KEY, filler: str = "x") -> Item:
    """An item of exactly so many bytes once it is stored."""
    bare: Item = {"pk": key.partition, "sk": key.sort, "content": "", "v": 1}
    count, rest = divmod(size - item_bytes(bare), len(filler.encode()))
    return {"pk": key.partition, "sk": key.sort, "content": filler * count + "x" * rest}


@pytest.mark.parametrize("filler", ["x", "\u00e9", "\U0001f600"])
def test_an_item_of_400_kb_is_stored_and_one_byte_more_is_refused(table: Table, filler: str) -> None:
    table.put(Put(item_of(MAX_ITEM_BYTES, filler=filler)))
    stored = table.get(KEY)
    assert stored is not None
    assert item_bytes(stored) == MAX_ITEM_BYTES
    with pytest.raises(LimitExceeded):
        table.put(Put(item_of(MAX_ITEM_BYTES + 1, filler=filler)))
    assert table.get(KEY) == stored


@pytest.mark.parametrize(
    "change", [Set("more", "x" * 60_000), Append("list", ("x" * 60_000,))], ids=["set", "append"]
)
def test_an_update_beyond_400_kb_is_refused_and_changes_nothing(table: Table, change: Set | Append) -> None:
    table.put(Put(item_of(350_000)))
    with pytest.raises(LimitExceeded):
        table.update(Update(KEY, (change,)))
    assert table.get(KEY) == item_of(350_000) | {"v": 1}


def test_a_key_has_at_most_2048_and_1024_bytes(table: Table) -> None:
    longest = Key("T#acme#" + "x" * 2041, "\u00e9" * 512)
    table.put(Put({"pk": longest.partition, "sk": longest.sort}))
    assert table.get(longest) is not None
    for key in (Key(longest.partition + "x", "a"), Key("a", longest.sort + "x")):
        with pytest.raises(LimitExceeded):
            table.put(Put({"pk": key.partition, "sk": key.sort}))
        with pytest.raises(LimitExceeded):
            table.update(Update(key, (Add("n", 1),)))
        with pytest.raises(LimitExceeded):
            table.get(key)
        with pytest.raises(LimitExceeded):
            table.batch_delete([key])


@pytest.mark.parametrize("key", [Key("", "a"), Key("a", "")], ids=repr)
def test_no_part_of_a_key_is_empty(table: Table, key: Key) -> None:
    with pytest.raises(InvalidRequest):
        table.put(Put({"pk": key.partition, "sk": key.sort}))
    with pytest.raises(InvalidRequest):
        table.update(Update(key, (Add("n", 1),)))
    with pytest.raises(InvalidRequest):
        table.delete(Delete(key))
    with pytest.raises(InvalidRequest):
        table.get(key)


@pytest.mark.parametrize(
    "wrong",
    [{}, {"pk": "T#acme#C#1"}, {"pk": "T#acme#C#1", "sk": 1}, {"pk": None, "sk": "HEAD"}],
    ids=repr,
)
def test_an_item_names_its_key(table: Table, wrong: Item) -> None:
    with pytest.raises(InvalidRequest):
        table.put(Put(wrong))


UNSTORABLE = [
    1.5,
    float("nan"),
    frozenset(),
    frozenset((1,)),
    {"a"},
    b"bytes",
    "\ud800",
    10**38,
    (1,),
    {"": 1},
    {1: 1},
]


@pytest.mark.parametrize("value", UNSTORABLE, ids=repr)
def test_a_value_of_another_kind_is_refused_wherever_it_stands(table: Table, value: object) -> None:
    odd = cast("Value", value)
    places: list[Value] = [odd, [odd], {"inner": [odd]}]
    for held in places:
        with pytest.raises(InvalidRequest):
            table.put(Put(item(a=held)))
        with pytest.raises(InvalidRequest):
            table.update(Update(KEY, (Set("a", held),)))
        with pytest.raises(InvalidRequest):
            table.update(Update(KEY, (Append("a", (held,)),)))
    assert table.get(KEY) is None


def nested(levels: int) -> Value:
    value: Value = "x"
    for _ in range(levels):
        value = [value]
    return value


def test_values_are_nested_at_most_31_levels_deep(table: Table) -> None:
    table.put(Put(item(a=nested(31))))
    assert table.get(KEY) == item(a=nested(31), v=1)
    with pytest.raises(LimitExceeded):
        table.put(Put(item(a=nested(32))))


@pytest.mark.parametrize("value", ["", 5, None, ["x"]], ids=repr)
def test_the_key_of_an_index_is_a_string_that_is_not_empty(table: Table, value: Value) -> None:
    for name in ("by_user", "updated_at"):
        with pytest.raises(InvalidRequest):
            table.put(Put(item(**{name: value})))
    assert table.get(KEY) is None


MEANINGLESS: list[Changes] = [
    (),
    (Set("a", 1), Set("a", 2)),
    (Set("a", {}), Set("a.b", 1)),
    (Append("a", (1,)), RemoveAt("a", 0)),
    (Set("pk", "T#acme#C#2"),),
    (Remove("sk"),),
    (Set("v", 2),),
    (Set("", 1),),
    (Set("a.", 1),),
    (RemoveAt("a", -1),),
    (Include("a.b", frozenset("x")),),
    (Include("a", frozenset()),),
]


@pytest.mark.parametrize("changes", MEANINGLESS, ids=str)
def test_changes_that_overlap_or_touch_the_key_are_refused(table: Table, changes: Changes) -> None:
    with pytest.raises(InvalidRequest):
        table.update(Update(KEY, changes))
    assert table.get(KEY) is None


@pytest.mark.parametrize("conditions", [(AnyOf(()),), (AnyOf(((),)),)], ids=str)
def test_alternatives_without_a_condition_are_refused(table: Table, conditions: Conditions) -> None:
    with pytest.raises(InvalidRequest):
        table.put(Put(item(), conditions))


def test_a_transaction_has_at_most_100_actions(table: Table) -> None:
    actions: list[Action] = [Put({"pk": "T#acme#X", "sk": f"{number:03d}"}) for number in range(101)]
    with pytest.raises(LimitExceeded):
        table.transact(actions)
    assert table.get(Key("T#acme#X", "000")) is None
    table.transact(actions[:100])
    assert table.get(Key("T#acme#X", "099")) is not None


def test_a_transaction_has_at_most_4_mb(table: Table) -> None:
    actions: list[Action] = [Put(item_of(390_000, Key("T#acme#X", str(number)))) for number in range(11)]
    with pytest.raises(LimitExceeded):
        table.transact(actions)
    assert table.get(Key("T#acme#X", "0")) is None
    table.transact(actions[:10])
    assert table.get(Key("T#acme#X", "9")) is not None


def test_updated_items_count_whole_for_the_size_of_a_transaction(table: Table) -> None:
    held = [Key("T#acme#X", str(number)) for number in range(11)]
    for key in held:
        table.put(Put(item_of(390_000, key)))
    with pytest.raises(LimitExceeded):
        table.transact([Update(key, (Add("n", 1),)) for key in held])
    assert table.get(held[0]) == item_of(390_000, held[0]) | {"v": 1}


def test_an_item_that_is_too_large_refuses_its_transaction(table: Table) -> None:
    with pytest.raises(LimitExceeded):
        table.transact([Put(item_of(MAX_ITEM_BYTES + 1)), Put({"pk": "T#acme#X", "sk": "1"})])
    assert table.get(Key("T#acme#X", "1")) is None
