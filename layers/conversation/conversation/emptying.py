"""Emptying partitions for an erasure: every item is counted in the same transaction that removes it.

So the receipt is exact however often the work is cut short, taken up again or done by two at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from conversation.clock import Deadline
from conversation.erasures import Erasure, counting
from storage.errors import TransactionRefused
from storage.sizes import item_bytes
from storage.table import MAX_TRANSACTION_ACTIONS, Delete, Exists, Item, Key, Query, Table

PAGE = MAX_TRANSACTION_ACTIONS - 1
MAX_BYTES = 3 * 1024 * 1024
"""Of the items one transaction removes: DynamoDB counts them towards its 4 MB."""


class OutOfTime(Exception):
    """The deadline came; what was removed is counted, and the rest is for the next run."""


class Emptier:
    """Removes items of one tenant's table on account of one erasure."""

    def __init__(self, table: Table, erasure: Erasure, deadline: Deadline) -> None:
        self._table = table
        self._erasure = erasure
        self._deadline = deadline

    def empty(
        self,
        partition: str,
        kind_of: Callable[[Item], str | None],
        *,
        prefix: str = "",
    ) -> None:
        """Remove what a partition holds, but for items that are of no kind.

        Raises:
            OutOfTime: not everything is removed.
        """
        for page in self.pages(Query(partition, PAGE, prefix=prefix)):
            found = [(item, kind_of(item)) for item in page]
            for batch in _batches([(item, kind) for item, kind in found if kind is not None]):
                self.remove([(_key(item), kind) for item, kind in batch])

    def pages(self, query: Query) -> Iterator[tuple[Item, ...]]:
        """The pages of a query, as long as there is time; they may be removed on the way.

        Raises:
            OutOfTime: there are more.
        """
        while True:
            if self._deadline.remaining() <= 0:
                raise OutOfTime
            page = self._table.query(query)
            yield page.items
            if page.after is None:
                return
            query = replace(query, after=page.after)

    def remove(self, items: Iterable[tuple[Key, str]]) -> None:
        """Remove some items, counted by their kinds; those that somebody else removed are not counted."""
        named = list(items)
        if named and not self._removed(named) and len(named) > 1:
            for one in named:
                self._removed([one])

    def _removed(self, named: list[tuple[Key, str]]) -> bool:
        counted = counting(self._erasure, Counter(kind for _, kind in named))
        try:
            self._table.transact([*(Delete(key, (Exists(),)) for key, _ in named), counted])
        except TransactionRefused:
            return False
        return True


def _batches(found: list[tuple[Item, str]]) -> Iterator[list[tuple[Item, str]]]:
    batch: list[tuple[Item, str]] = []
    size = 0
    for item, kind in found:
        more = item_bytes(item)
        if batch and size + more > MAX_BYTES:
            yield batch
            batch, size = [], 0
        batch.append((item, kind))
        size += more
    if batch:
        yield batch


def _key(item: Item) -> Key:
    return Key(str(item["pk"]), str(item["sk"]))
