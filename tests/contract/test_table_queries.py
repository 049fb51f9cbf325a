"""Partitions and indexes are read in order, in pages, in both directions, without a gap or an item twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from storage import keys
from storage.errors import InvalidPosition, InvalidRequest
from storage.keys import TenantId
from storage.table import Delete, Item, Key, Position, Put, Query, Remove, Set, Table, Update

ACME = TenantId("acme")
PARTITION = keys.conversation(ACME, "c")
MINE = keys.by_user(ACME, "maya")


def item(sort: str) -> Item:
    return {"pk": "T#acme#X", "sk": sort}


def message(number: int, size: int = 0) -> Item:
    key = keys.message(ACME, "c", number)
    return {"pk": key.partition, "sk": key.sort, "number": number, "content": "x" * size}


def head(conversation_id: str, updated_at: str, user: str = "maya") -> Item:
    key = keys.head(ACME, conversation_id)
    return {
        "pk": key.partition,
        "sk": key.sort,
        "by_user": keys.by_user(ACME, user),
        "by_tenant": keys.by_tenant(ACME),
        "updated_at": updated_at,
        "created_at": "2026-01-01",
        "title": f"about {conversation_id}",
        "status": "active",
        "count": 2,
        "inbox": [],
    }


def fill(table: Table, *items: Item) -> None:
    for item in items:
        table.put(Put(item))


def conversation_of(table: Table, messages: int) -> None:
    record = keys.idempotency(ACME, "c", "hash")
    other = keys.head(ACME, "c2")
    fill(table, *(message(number) for number in range(1, messages + 1)))
    fill(
        table,
        head("c", "1"),
        {"pk": record.partition, "sk": record.sort},
        {"pk": other.partition, "sk": "M#1"},
    )


def numbers(items: tuple[Item, ...]) -> list[object]:
    return [item["number"] for item in items]


def pages(table: Table, query: Query) -> list[tuple[Item, ...]]:
    found: list[tuple[Item, ...]] = []
    after: Position | None = None
    for _ in range(50):
        page = table.query(replace(query, after=after))
        found.append(page.items)
        if page.after is None:
            return found
        after = page.after
    pytest.fail("the pages never end")


def test_a_prefix_selects_the_messages_and_nothing_else_of_the_conversation(table: Table) -> None:
    conversation_of(table, 12)
    page = table.query(Query(PARTITION, 50, prefix="M#"))
    assert numbers(page.items) == list(range(1, 13))
    assert page.after is None


def test_the_newest_first_are_the_last_in_reverse(table: Table) -> None:
    conversation_of(table, 12)
    assert numbers(table.query(Query(PARTITION, 3, prefix="M#", newest_first=True)).items) == [12, 11, 10]


def test_a_range_includes_both_of_its_ends(table: Table) -> None:
    conversation_of(table, 12)
    low, high = keys.message(ACME, "c", 3).sort, keys.message(ACME, "c", 5).sort
    assert numbers(table.query(Query(PARTITION, 50, low=low, high=high)).items) == [3, 4, 5]
    assert numbers(table.query(Query(PARTITION, 50, low=low, high=low)).items) == [3]


def test_a_query_without_a_prefix_reads_the_whole_partition_by_sort_key(table: Table) -> None:
    conversation_of(table, 2)
    sorts = [item["sk"] for item in table.query(Query(PARTITION, 50, consistent=False)).items]
    assert sorts == ["HEAD", "K#hash", "M#000000000001", "M#000000000002"]


def test_sort_keys_are_ordered_by_their_bytes(table: Table) -> None:
    sorts = ["A", "Z", "a", "\u00e9", "\uff5e", "\U0001f600"]
    fill(table, *(item(sort) for sort in reversed(sorts)))
    assert [item["sk"] for item in table.query(Query("T#acme#X", 9)).items] == sorts


@pytest.mark.parametrize("prefix", ["a", "%", "_", "*", "\ud7ff", "\U0010ffff"])
def test_a_prefix_is_taken_literally(table: Table, prefix: str) -> None:
    beyond = "\ue000" if prefix == "\ud7ff" else "b"
    sorts = [prefix, prefix + "1", prefix + "\U0010ffff"]
    fill(table, *(item(sort) for sort in ["A", beyond, *sorts]))
    assert [item["sk"] for item in table.query(Query("T#acme#X", 9, prefix=prefix)).items] == sorts


def test_an_empty_partition_is_an_empty_page(table: Table) -> None:
    page = table.query(Query("T#acme#C#none", 5))
    assert (page.items, page.after) == ((), None)


@pytest.mark.parametrize("newest_first", [False, True])
@pytest.mark.parametrize("limit", [1, 4, 5, 12, 13])
def test_pages_follow_each_other_without_a_gap(table: Table, limit: int, newest_first: bool) -> None:
    conversation_of(table, 12)
    found = pages(table, Query(PARTITION, limit, prefix="M#", newest_first=newest_first))
    expected = sorted(range(1, 13), reverse=newest_first)
    assert [number for page in found for number in numbers(page)] == expected
    assert all(len(page) == limit for page in found[:-1])


def test_a_page_goes_on_behind_an_item_that_was_deleted_meanwhile(table: Table) -> None:
    conversation_of(table, 5)
    first = table.query(Query(PARTITION, 2, prefix="M#"))
    table.delete(Delete(keys.message(ACME, "c", 2)))
    table.delete(Delete(keys.message(ACME, "c", 3)))
    assert numbers(table.query(Query(PARTITION, 9, prefix="M#", after=first.after)).items) == [4, 5]


@pytest.mark.parametrize("newest_first", [False, True])
def test_a_page_of_large_items_is_as_long_as_asked_for(table: Table, newest_first: bool) -> None:
    fill(table, *(message(number, 300_000) for number in range(1, 9)))
    page = table.query(Query(PARTITION, 7, prefix="M#", newest_first=newest_first))
    expected = sorted(range(1, 9), reverse=newest_first)
    assert numbers(page.items) == expected[:7]
    rest = table.query(Query(PARTITION, 7, prefix="M#", newest_first=newest_first, after=page.after))
    assert numbers(rest.items) == expected[7:]


def test_an_index_lists_what_has_its_attributes_with_the_projected_ones_only(table: Table) -> None:
    fill(table, head("a", "2"), head("b", "1"), head("c", "3", user="noor"), message(1))
    page = table.query(Query(MINE, 9, index="by_user", newest_first=True))
    assert page.items == tuple(
        {name: value for name, value in head(name, moment).items() if name not in {"by_tenant", "inbox"}}
        for name, moment in (("a", "2"), ("b", "1"))
    )


def test_an_index_of_keys_holds_keys_only(table: Table) -> None:
    fill(table, head("a", "2"))
    page = table.query(Query(keys.by_tenant(ACME), 9, index="by_tenant"))
    assert [set(item) for item in page.items] == [{"pk", "sk", "by_tenant", "created_at"}]


def test_an_index_follows_updates_removals_and_deletes(table: Table) -> None:
    fill(table, head("a", "1"), head("b", "2"), head("c", "3"))
    table.update(Update(keys.head(ACME, "a"), (Set("updated_at", "4"), Set("title", "renamed"))))
    table.update(Update(keys.head(ACME, "b"), (Remove("by_user"),)))
    table.delete(Delete(keys.head(ACME, "c")))
    page = table.query(Query(MINE, 9, index="by_user"))
    assert [(item["updated_at"], item["title"]) for item in page.items] == [("4", "renamed")]


def test_an_index_is_restricted_by_its_own_sort_key(table: Table) -> None:
    fill(table, *(head(str(number), f"2026-0{number}") for number in range(1, 6)))
    between = table.query(Query(MINE, 9, index="by_user", low="2026-02", high="2026-03"))
    assert [item["updated_at"] for item in between.items] == ["2026-02", "2026-03"]
    assert len(table.query(Query(MINE, 9, index="by_user", prefix="2026-0")).items) == 5


@pytest.mark.parametrize("newest_first", [False, True])
@pytest.mark.parametrize("limit", [1, 3, 10])
def test_pages_of_an_index_follow_each_other_even_at_equal_times(
    table: Table, limit: int, newest_first: bool
) -> None:
    fill(table, *(head(f"{number:02d}", str(number // 4)) for number in range(10)))
    found = pages(table, Query(MINE, limit, index="by_user", newest_first=newest_first))
    items = [item for page in found for item in page]
    assert sorted(str(item["title"]) for item in items) == [f"about {number:02d}" for number in range(10)]
    times = [str(item["updated_at"]) for item in items]
    assert times == sorted(times, reverse=newest_first)


WRONG: list[Query] = [
    Query("", 1),
    Query(PARTITION, 0),
    Query(PARTITION, 1, index="by_nobody"),
    Query(PARTITION, 1, low="a"),
    Query(PARTITION, 1, high="a"),
    Query(PARTITION, 1, low="b", high="a"),
    Query(PARTITION, 1, prefix="M#", low="a", high="b"),
]


@pytest.mark.parametrize("query", WRONG, ids=str)
def test_a_query_without_a_meaning_is_refused(table: Table, query: Query) -> None:
    with pytest.raises(InvalidRequest):
        table.query(query)


BEHIND: list[Position] = [
    {},
    {"pk": PARTITION},
    {"pk": PARTITION, "sk": ""},
    {"pk": PARTITION, "sk": "\ud800"},
    {"pk": PARTITION, "sk": "K#"},
    {"pk": "T#acme-eu#C#c", "sk": "M#1"},
    {"pk": PARTITION, "sk": "M#1", "by_user": MINE},
]


@pytest.mark.parametrize("after", BEHIND, ids=repr)
def test_a_position_of_another_query_is_refused(table: Table, after: Position) -> None:
    with pytest.raises(InvalidPosition):
        table.query(Query(PARTITION, 1, prefix="M#", after=after))


def test_a_position_in_another_partition_of_an_index_is_refused(table: Table) -> None:
    after = {"pk": "T#acme#C#c", "sk": "HEAD", "by_user": keys.by_user(ACME, "noor"), "updated_at": "1"}
    with pytest.raises(InvalidPosition):
        table.query(Query(MINE, 1, index="by_user", after=after))
    assert table.get(Key(PARTITION, "HEAD")) is None
