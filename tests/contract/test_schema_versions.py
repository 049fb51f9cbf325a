"""Every stored item carries the schema version, and only versions this OmniForge understands are read."""

from __future__ import annotations

import pytest

from storage import items as versions
from storage.errors import ConditionRefused, UnknownVersion
from storage.table import SCHEMA_VERSION, Add, Equals, Item, Key, NotExists, Put, Query, Table, Update

KEY = Key("T#acme#C#1", "HEAD")


def test_an_item_carries_the_version_however_it_came_about(table: Table) -> None:
    table.put(Put({"pk": KEY.partition, "sk": "put"}))
    table.update(Update(Key(KEY.partition, "update"), (Add("n", 1),)))
    table.transact(
        [
            Put({"pk": KEY.partition, "sk": "transacted put"}),
            Update(Key(KEY.partition, "transacted update"), (Add("n", 1),)),
        ]
    )
    items = table.query(Query(KEY.partition, 9)).items
    assert [item["v"] for item in items] == [SCHEMA_VERSION] * 4


def written_by(version: int, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """An item as an OmniForge of that version leaves it."""
    with monkeypatch.context() as other:
        other.setattr(versions, "SCHEMA_VERSION", version)
        table.put(Put({"pk": KEY.partition, "sk": KEY.sort, "n": 1}))


def test_an_item_of_the_version_before_is_read_as_one_of_this(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    written_by(SCHEMA_VERSION - 1, table, monkeypatch)
    assert table.get(KEY) == {"pk": KEY.partition, "sk": KEY.sort, "n": 1, "v": SCHEMA_VERSION}
    assert table.update(Update(KEY, (Add("n", 1),)))["v"] == SCHEMA_VERSION
    with pytest.raises(ConditionRefused) as refusal:
        table.update(Update(KEY, (Add("n", 1),), (NotExists(),)))
    assert refusal.value.old == table.get(KEY)


def test_an_item_of_the_version_after_is_read_and_what_it_adds_is_kept(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = SCHEMA_VERSION + 1
    with monkeypatch.context() as other:
        other.setattr(versions, "SCHEMA_VERSION", later)
        table.put(Put({"pk": KEY.partition, "sk": KEY.sort, "n": 1, "gone": 1, "later": frozenset({"x"})}))
    item = table.get(KEY)
    assert item is not None
    assert (item["v"], item["later"]) == (later, frozenset({"x"}))
    assert table.update(Update(KEY, (Add("n", 1),)))["later"] == frozenset({"x"})
    known: Item = {"pk": KEY.partition, "sk": KEY.sort, "n": 7}
    table.transact([versions.rewrite(known, (Equals("n", 2),), optional=("gone", "never"))])
    assert table.get(KEY) == {**known, "later": frozenset({"x"}), "v": later}


@pytest.mark.parametrize("version", [SCHEMA_VERSION - 2, SCHEMA_VERSION + 2])
def test_an_item_of_another_version_is_refused_by_name_of_its_version(
    table: Table, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    written_by(version, table, monkeypatch)
    attempts = (
        lambda: table.get(KEY),
        lambda: table.query(Query(KEY.partition, 9)),
        lambda: table.update(Update(KEY, (Add("n", 1),), (Equals("n", 7),))),
        lambda: table.transact([Update(KEY, (Add("n", 1),), (Equals("n", 7),))]),
    )
    for attempt in attempts:
        with pytest.raises(UnknownVersion, match=f"version {version} ") as refusal:
            attempt()
        assert refusal.value.version == version
