"""A transaction is applied whole or not at all; a refused one says which actions met what."""

from __future__ import annotations

import pytest

from storage.errors import InvalidRequest, TransactionRefused
from storage.table import (
    Action,
    Add,
    Append,
    Check,
    Delete,
    Equals,
    Exists,
    Include,
    Item,
    Key,
    NotExists,
    Put,
    Table,
    Update,
)

HEAD = Key("T#acme#C#1", "HEAD")
FIRST = Key("T#acme#C#1", "M#1")
SECOND = Key("T#acme#C#1", "M#2")
CARD = Key("T#acme#W", "A#maya#notion")


def item(key: Key, **attributes: int) -> Item:
    return {"pk": key.partition, "sk": key.sort, **attributes}


def test_all_actions_are_applied_together(table: Table) -> None:
    table.put(Put(item(HEAD, count=1)))
    table.put(Put(item(CARD)))
    table.put(Put(item(SECOND)))
    table.transact(
        [
            Put(item(FIRST, n=1), (NotExists(),)),
            Update(HEAD, (Add("count", 2), Append("done", ("x",))), (Equals("count", 1),)),
            Delete(SECOND, (Exists(),)),
            Check(CARD, (Exists(),)),
        ]
    )
    assert table.get(FIRST) == item(FIRST, n=1, v=1)
    assert table.get(HEAD) == item(HEAD, count=3, v=1) | {"done": ["x"]}
    assert table.get(SECOND) is None
    assert table.get(CARD) == item(CARD, v=1)


def test_a_refused_action_refuses_all_and_hands_back_what_stood_there(table: Table) -> None:
    table.put(Put(item(HEAD, count=1)))
    table.put(Put(item(FIRST, n=1)))
    with pytest.raises(TransactionRefused) as refusal:
        table.transact(
            [
                Put(item(SECOND), (NotExists(),)),
                Put(item(FIRST, n=2), (NotExists(),)),
                Update(HEAD, (Add("count", 1),), (Equals("count", 7),)),
                Check(CARD, (Exists(),)),
            ]
        )
    assert refusal.value.refused == {1: item(FIRST, n=1, v=1), 2: item(HEAD, count=1, v=1), 3: None}
    assert table.get(SECOND) is None
    assert table.get(FIRST) == item(FIRST, n=1, v=1)
    assert table.get(HEAD) == item(HEAD, count=1, v=1)


def test_a_refused_delete_refuses_the_transaction(table: Table) -> None:
    table.put(Put(item(HEAD, count=1)))
    with pytest.raises(TransactionRefused) as refusal:
        table.transact([Delete(HEAD, (Equals("count", 2),)), Put(item(FIRST))])
    assert refusal.value.refused == {0: item(HEAD, count=1, v=1)}
    assert table.get(FIRST) is None


def test_an_action_that_does_not_fit_leaves_everything_as_it_was(table: Table) -> None:
    table.put(Put(item(HEAD, count=1)))
    with pytest.raises(InvalidRequest):
        table.transact([Put(item(FIRST)), Update(HEAD, (Include("count", frozenset("x")),))])
    assert table.get(FIRST) is None
    assert table.get(HEAD) == item(HEAD, count=1, v=1)


def test_an_update_in_a_transaction_creates_its_item(table: Table) -> None:
    table.transact([Update(HEAD, (Add("count", 1),), (NotExists(),))])
    assert table.get(HEAD) == item(HEAD, count=1, v=1)


NONSENSE: list[list[Action]] = [
    [],
    [Put(item(HEAD)), Delete(HEAD)],
    [Put(item(HEAD)), Check(HEAD, (NotExists(),))],
    [Check(HEAD, ())],
]


@pytest.mark.parametrize("actions", NONSENSE, ids=repr)
def test_a_transaction_without_a_meaning_is_refused(table: Table, actions: list[Action]) -> None:
    with pytest.raises(InvalidRequest):
        table.transact(actions)
    assert table.get(HEAD) is None
