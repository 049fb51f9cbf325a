"""Emptying partitions for an erasure: every item is counted in the same transaction that removes it.

So the receipt is exact however often the work is cut short, taken up again or done by two at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from conversation.clock import Deadline
from conversation.erasure.requests import Erasure, counting
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.items import item_bytes
from storage.keys import TenantId
from storage.stream_record import StreamRecord
from storage.table import MAX_TRANSACTION_ACTIONS, Delete, Exists, Item, Key, NotExists, Put, Query, Table
from storage.tenant import Tables

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


def of_user(tenant: TenantId, user: str) -> Mapping[str, str]:
    """The partitions that are the user's alone, by what they hold."""
    return {
        "runs": keys.runs(tenant, user),
        "tasks": keys.tasks(tenant, user),
        "search_records": keys.search(tenant, user),
    }


def of_tenant(tenant: TenantId) -> Mapping[str, str]:
    """The partitions of all of a tenant's users together, by what they hold."""
    return {
        "examples": keys.examples(tenant),
        "budget_records": keys.budgets(tenant),
        "usage_records": keys.usage(tenant),
        "audit_records": keys.audit(tenant),
    }


def kind_in_conversation(sort: str) -> str:
    """What an item of a conversation's partition is, by its sort key."""
    kinds = {
        keys.MESSAGE_PREFIX: "messages",
        keys.SUMMARY: "summaries",
        keys.SUMMARY_PREFIX: "summaries",
        keys.FEEDBACK_PREFIX: "feedback",
        keys.IDEMPOTENCY_PREFIX: "idempotency_records",
        keys.FRAME_PREFIX: "frames",
    }
    return next((kind for prefix, kind in kinds.items() if sort.startswith(prefix)), "other_records")


class Members:
    """Follows the first writes of all users."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def follow(self, change: StreamRecord) -> None:
        """Name the user whose item is new; where they are named already nothing changes."""
        if change.old is not None or change.new is None:
            return
        tenant = keys.tenant_of(change.key.partition)
        user = self._user_of(tenant, change.key)
        if user is None:
            return
        member = keys.member(tenant, user)
        try:
            self._tables.for_tenant(tenant).put(
                Put({"pk": member.partition, "sk": member.sort}, (NotExists(),))
            )
        except ConditionRefused:
            return

    def _user_of(self, tenant: TenantId, key: Key) -> str | None:
        if key.sort != f"{keys.MESSAGE_PREFIX}{1:012d}":
            return keys.user_of_partition(tenant, key.partition)
        head = self._tables.for_tenant(tenant).get(Key(key.partition, keys.HEAD), consistent=False)
        owner = head.get("by_user") if head else None
        return keys.user_of_list(str(owner)) if owner else None
