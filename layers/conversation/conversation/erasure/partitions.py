"""Removes the contents of partitions for an erasure, and keeps the list of a tenant's users.

Every item is counted in the transaction that removes it. So the receipt is exact, even if runs are cut short,
continued or concurrent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from conversation.clock import Deadline
from conversation.erasure.requests import Erasure, receipt_update
from conversation.messages.items import owner_of
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.items import item_bytes, item_key
from storage.keys import TenantId
from storage.table import (
    MAX_TRANSACTION_ACTIONS,
    Delete,
    Exists,
    Item,
    Key,
    NotExists,
    Put,
    Query,
    StreamRecord,
    Table,
    query_pages,
)
from storage.tenant_table import Tables

PAGE = MAX_TRANSACTION_ACTIONS - 1
MAX_BYTES = 3 * 1024 * 1024
"""Of the items that one transaction removes: DynamoDB counts them towards its limit of 4 MB."""


class ErasureInterrupted(Exception):
    """The deadline passed: what was removed is counted, and the next run continues."""


class PartitionEraser:
    """Removes items of one tenant and counts them in the receipt of one erasure."""

    def __init__(self, table: Table, erasure: Erasure, deadline: Deadline) -> None:
        self._table = table
        self._erasure = erasure
        self._deadline = deadline

    def erase_partition(
        self,
        partition: str,
        kind_of: Callable[[Item], str | None],
        *,
        prefix: str = "",
    ) -> None:
        """Remove the items of a partition; ``kind_of`` returns the kind to count, or None to keep the item.

        Raises:
            ErasureInterrupted: not everything is removed.
        """
        for page in self.pages(Query(partition, PAGE, prefix=prefix)):
            found = [(item, kind_of(item)) for item in page]
            for batch in _batches([(item, kind) for item, kind in found if kind is not None]):
                self.remove([(item_key(item), kind) for item, kind in batch])

    def pages(self, query: Query) -> Iterator[tuple[Item, ...]]:
        """The pages of a query, until the deadline. Their items may be removed between pages.

        Raises:
            ErasureInterrupted: the deadline passed and there are more pages.
        """
        self._require_time()
        for page in query_pages(self._table, query):
            yield page.items
            if page.after is not None:
                self._require_time()

    def _require_time(self) -> None:
        if self._deadline.remaining() <= 0:
            raise ErasureInterrupted

    def remove(self, items: Iterable[tuple[Key, str]]) -> None:
        """Remove items and count them by kind; items that were removed by another run are not counted."""
        entries = list(items)
        if entries and not self._remove_together(entries) and len(entries) > 1:
            for entry in entries:
                self._remove_together([entry])

    def _remove_together(self, entries: list[tuple[Key, str]]) -> bool:
        counted = receipt_update(self._erasure, Counter(kind for _, kind in entries))
        try:
            self._table.transact([*(Delete(key, (Exists(),)) for key, _ in entries), counted])
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


def user_partitions(tenant: TenantId, user: str) -> Mapping[str, str]:
    """The partitions that belong to one user alone, by the kind of their items."""
    return {
        "runs": keys.runs(tenant, user),
        "tasks": keys.tasks(tenant, user),
        "consents": keys.consents(tenant, user),
        "connections": keys.connections(tenant, user),
        "restorable_records": keys.restorable(tenant, user),
        "search_records": keys.search(tenant, user),
        "quota_records": keys.user_quotas(tenant, user),
    }


def tenant_partitions(tenant: TenantId) -> Mapping[str, str]:
    """The partitions that all users of a tenant share, by the kind of their items."""
    return {
        "connections": keys.tenant_connections(tenant),
        "secrets": keys.tenant_secrets(tenant),
        "examples": keys.examples(tenant),
        "budget_records": keys.budgets(tenant),
        "usage_records": keys.usage(tenant),
        "audit_records": keys.audit(tenant),
    }


def conversation_item_kind(sort: str) -> str:
    """The kind of an item in a conversation's partition, from its sort key."""
    kinds = {
        keys.MESSAGE_PREFIX: "messages",
        keys.SUMMARY: "summaries",
        keys.SUMMARY_PREFIX: "summaries",
        keys.FEEDBACK_PREFIX: "feedback",
        keys.IDEMPOTENCY_PREFIX: "idempotency_records",
        keys.FRAME_PREFIX: "frames",
        keys.ATTACHMENT_PREFIX: "attachment_records",
        keys.FILE_TEXT_PREFIX: "attachment_texts",
    }
    return next((kind for prefix, kind in kinds.items() if sort.startswith(prefix)), "other_records")


def workspace_item_kind(sort: str) -> str | None:
    """The kind of an item beside the policy, from its sort key; None: the policy, which stays."""
    if sort == keys.POLICY:
        return None
    kinds = {keys.ANSWER_PREFIX: "answers", keys.LESSON_PREFIX: "lessons"}
    return next((kind for prefix, kind in kinds.items() if sort.startswith(prefix)), "other_records")


class MemberIndex:
    """Handles stream records of new items: keeps the list of each tenant's users."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def handle(self, change: StreamRecord) -> None:
        """Add the user of a new item to the tenant's member list; idempotent."""
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
        return owner_of(head)
