"""Sixteen threads on one table: no write is lost, none is torn, and every refusal is a true one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from storage.errors import ConditionRefused, TransactionRefused
from storage.table import Add, Append, Equals, Item, Key, NotExists, Put, Query, Set, Table, Update

THREADS = 16
ROUNDS = 10
HEAD = Key("T#acme#C#1", "HEAD")

Result = TypeVar("Result")


def at_once(work: Callable[[int], Result]) -> list[Result]:
    """What the work of every thread came to; they begin together."""
    barrier = Barrier(THREADS)

    def begin(number: int) -> Result:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(begin, range(THREADS)))


def head(table: Table) -> Item:
    item = table.get(HEAD)
    assert item is not None
    return item


def number_at(item: Item, name: str) -> int:
    value = item[name]
    assert isinstance(value, int)
    return value


def test_no_increment_is_lost(shared_table: Table) -> None:
    def increment(_: int) -> list[object]:
        return [shared_table.update(Update(HEAD, (Add("n", 1),)))["n"] for _ in range(ROUNDS)]

    returned = [value for values in at_once(increment) for value in values]
    assert sorted(map(str, returned)) == sorted(map(str, range(1, THREADS * ROUNDS + 1)))
    assert head(shared_table)["n"] == THREADS * ROUNDS


def test_one_thread_creates_an_item_and_all_others_see_whose_it_is(shared_table: Table) -> None:
    def create(number: int) -> object:
        try:
            shared_table.put(Put({"pk": HEAD.partition, "sk": HEAD.sort, "owner": number}, (NotExists(),)))
        except ConditionRefused as refusal:
            return refusal.old and refusal.old["owner"]
        return number

    assert set(at_once(create)) == {head(shared_table)["owner"]}


def test_compare_and_swap_never_takes_a_value_twice(shared_table: Table) -> None:
    shared_table.put(Put({"pk": HEAD.partition, "sk": HEAD.sort, "n": 0, "twin": 0}))

    refused_by: list[int] = []

    def swap(_: int) -> list[int]:
        taken: list[int] = []
        while len(taken) < ROUNDS:
            seen = number_at(head(shared_table), "n")
            changes = (Set("n", seen + 1), Set("twin", seen + 1))
            try:
                shared_table.update(Update(HEAD, changes, (Equals("n", seen),)))
            except ConditionRefused as refusal:
                refused_by.append(number_at(refusal.old or {}, "n") - seen)
            else:
                taken.append(seen)
        return taken

    taken = Counter(value for values in at_once(swap) for value in values)
    assert taken == Counter(range(THREADS * ROUNDS))
    assert all(ahead > 0 for ahead in refused_by)
    assert head(shared_table)["n"] == head(shared_table)["twin"] == THREADS * ROUNDS


def test_appends_in_transactions_leave_one_message_per_place_and_a_true_count(shared_table: Table) -> None:
    shared_table.put(Put({"pk": HEAD.partition, "sk": HEAD.sort, "count": 0, "writers": []}))

    def append(number: int) -> None:
        done = 0
        while done < ROUNDS:
            count = number_at(head(shared_table), "count")
            sort = f"M#{count + 1:012d}"
            try:
                shared_table.transact(
                    [
                        Put({"pk": HEAD.partition, "sk": sort, "writer": number}, (NotExists(),)),
                        Update(
                            HEAD, (Add("count", 1), Append("writers", (number,))), (Equals("count", count),)
                        ),
                    ]
                )
            except TransactionRefused:
                continue
            done += 1

    at_once(append)
    total = THREADS * ROUNDS
    messages = shared_table.query(Query(HEAD.partition, total + 1, prefix="M#")).items
    assert [item["sk"] for item in messages] == [f"M#{place:012d}" for place in range(1, total + 1)]
    assert head(shared_table)["count"] == total
    assert head(shared_table)["writers"] == [item["writer"] for item in messages]
    assert Counter(map(str, (item["writer"] for item in messages))) == dict.fromkeys(
        map(str, range(THREADS)), ROUNDS
    )


def test_readers_never_see_half_an_item(shared_table: Table) -> None:
    names = ("a", "b", "c")

    def write_or_read(number: int) -> None:
        for step in range(ROUNDS):
            if number % 2:
                shared_table.update(Update(HEAD, tuple(Set(name, f"{number}.{step}") for name in names)))
            else:
                item = shared_table.get(HEAD) or {}
                assert len({item.get(name) for name in names}) == 1

    at_once(write_or_read)
