"""A tenant's table reads, writes and lists nothing of another, not even of one whose name begins alike."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from storage import keys
from storage.errors import ConditionRefused, ForeignPartition, InvalidPosition, TransactionRefused
from storage.keys import TenantId
from storage.table import (
    Add,
    Check,
    Delete,
    Equals,
    Exists,
    Item,
    Key,
    NotExists,
    Put,
    Query,
    Set,
    SetIfAbsent,
    Table,
    Update,
)
from storage.tenant_table import Tables

ACME, EU = TenantId("acme"), TenantId("acme-eu")
OWN = keys.head(ACME, "c")
FOREIGN = [
    keys.head(EU, "c"),
    keys.policy(EU),
    Key("T#acme", "HEAD"),
    Key("T#ac#C#c", "HEAD"),
    Key("t#acme#C#c", "HEAD"),
    Key(" T#acme#C#c", "HEAD"),
    Key("DUE#2026-01-01#0", "x"),
    Key("", "HEAD"),
]

ATTEMPTS: dict[str, Callable[[Table, Key], object]] = {
    "get": lambda table, key: table.get(key),
    "query": lambda table, key: table.query(Query(key.partition, 1)),
    "put": lambda table, key: table.put(Put(item(key))),
    "update": lambda table, key: table.update(Update(key, (Add("n", 1),))),
    "delete": lambda table, key: table.delete(Delete(key)),
    "transact put": lambda table, key: table.transact([Put(item(OWN)), Put(item(key))]),
    "transact update": lambda table, key: table.transact([Put(item(OWN)), Update(key, (Add("n", 1),))]),
    "transact delete": lambda table, key: table.transact([Put(item(OWN)), Delete(key)]),
    "transact check": lambda table, key: table.transact([Put(item(OWN)), Check(key, (Exists(),))]),
    "batch delete": lambda table, key: table.batch_delete([OWN, key]),
}


def item(key: Key) -> Item:
    return {"pk": key.partition, "sk": key.sort}


@pytest.mark.parametrize("key", FOREIGN, ids=repr)
@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=ATTEMPTS)
def test_no_operation_touches_a_foreign_partition(
    attempt: Callable[[Table, Key], object], key: Key, table: Table
) -> None:
    if key.partition:
        table.put(Put(item(key)))
    with pytest.raises(ForeignPartition):
        attempt(Tables(table).for_tenant(ACME), key)
    assert table.get(OWN) is None
    assert not key.partition or table.get(key) == item(key) | {"v": 1}


@pytest.mark.parametrize(
    ("partition", "index"),
    [
        (keys.by_user(EU, "maya"), "by_user"),
        (keys.by_tenant(EU), "by_tenant"),
        ("DUE#2026-01-01#0", "due"),
    ],
)
def test_no_query_reads_a_foreign_partition_of_an_index(table: Table, partition: str, index: str) -> None:
    with pytest.raises(ForeignPartition):
        Tables(table).for_tenant(ACME).query(Query(partition, 1, index=index))


@pytest.mark.parametrize("name", ["by_user", "by_tenant"])
def test_no_write_puts_an_item_into_a_foreign_listing(table: Table, name: str) -> None:
    own = Tables(table).for_tenant(ACME)
    for change in (Set(name, "T#acme-eu#ALL"), SetIfAbsent(name, "T#acme-eu#ALL")):
        with pytest.raises(ForeignPartition):
            own.update(Update(OWN, (change,)))
    with pytest.raises(ForeignPartition):
        own.transact([Put(item(OWN) | {name: "T#acme-eu#ALL"})])
    assert table.get(OWN) is None


def test_a_position_at_a_foreign_item_is_refused(table: Table) -> None:
    mine = keys.by_user(ACME, "maya")
    after = {"pk": keys.head(EU, "c").partition, "sk": "HEAD", "by_user": mine, "updated_at": "1"}
    with pytest.raises(InvalidPosition):
        Tables(table).for_tenant(ACME).query(Query(mine, 1, index="by_user", after=after))


def test_a_tenant_reads_and_writes_its_own_as_through_the_table_itself(table: Table) -> None:
    own = Tables(table).for_tenant(ACME)
    mine: Item = {
        "by_user": keys.by_user(ACME, "maya"),
        "updated_at": "1",
        "due": "DUE#2026-01-01#0",
    }
    own.put(Put(item(OWN) | mine, (NotExists(),)))
    assert own.update(Update(OWN, (Add("n", 1),)))["n"] == 1
    own.transact([Update(OWN, (Add("n", 1),)), Put(item(keys.policy(ACME)))])
    assert own.get(OWN) == table.get(OWN) == item(OWN) | mine | {"n": 2, "v": 1}
    assert [entry["sk"] for entry in own.query(Query(OWN.partition, 9)).items] == ["HEAD"]
    assert len(own.query(Query(keys.by_user(ACME, "maya"), 9, index="by_user")).items) == 1
    with pytest.raises(ConditionRefused):
        own.delete(Delete(OWN, (Equals("n", 3),)))
    with pytest.raises(TransactionRefused):
        own.transact([Check(OWN, (Equals("n", 3),))])
    own.batch_delete([keys.policy(ACME)])
    own.delete(Delete(OWN, (Exists(),)))
    assert [table.get(OWN), table.get(keys.policy(ACME))] == [None, None]
