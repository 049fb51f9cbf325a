"""Permanent removal of a conversation from the table: claim it, delete its items, replace the head last.

From the claim on, the conversation can be neither read nor written. Every step is idempotent, so any run that
finds a claimed conversation can continue its removal. Which conversations to remove is decided by
`conversation.retention.sweep` and `conversation.erasure.eraser`.
"""

from __future__ import annotations

from datetime import datetime
from typing import cast

from conversation.identity import NEW_ID_VALID_FOR
from conversation.messages.items import COPY_IN_PROGRESS, LEGAL_HOLD, STOPPED_TURNS, lease_free_condition
from conversation.messages.models import Status
from storage import keys
from storage.items import item_key
from storage.keys import TenantId
from storage.table import (
    MAX_BATCH,
    Changes,
    Conditions,
    Equals,
    Exists,
    Item,
    Key,
    NotExists,
    Put,
    Query,
    Remove,
    Set,
    Table,
    Update,
    query_pages,
)

TOMBSTONE_KEPT = NEW_ID_VALID_FOR
"""How long a tombstone refuses late writes: as long as a late first message could begin the conversation."""

_CLAIMED: Changes = (
    Set("status", Status.GONE.value),
    Set("inbox", []),
    *(
        Remove(name)
        for name in (
            "by_user",
            "lease",
            "inbox_ids",
            "load",
            "title",
            STOPPED_TURNS,
            LEGAL_HOLD,
            COPY_IN_PROGRESS,
        )
    ),
)


def mark_for_removal(seen: Item, *, now: datetime, conditions: Conditions = ()) -> Update:
    """The write that marks a conversation as being removed; ``seen`` is its head as it was read.

    The write is refused when the status or the last activity has changed since, while a turn holds the lease,
    and unless the extra ``conditions`` hold.
    """
    as_seen = (Equals("status", str(seen["status"])), Equals("updated_at", str(seen["updated_at"])))
    return Update(item_key(seen), _CLAIMED, (*as_seen, lease_free_condition(now), *conditions))


def force_mark_for_removal(head: Key) -> Update:
    """The write that marks a conversation as being removed at once, even while a turn holds the lease.

    That turn's commit is then refused. The write is refused when the conversation is on legal hold or already
    removed.
    """
    return Update(head, _CLAIMED, (Exists("created_at"), NotExists(LEGAL_HOLD)))


def delete_items(table: Table, tenant: TenantId, conversation_id: str) -> int:
    """Delete all items of a claimed conversation except its head. Return how many were deleted."""
    removed = 0
    for page in query_pages(table, Query(keys.conversation(tenant, conversation_id), limit=MAX_BATCH)):
        found = [item_key(item) for item in page.items if item["sk"] != keys.HEAD]
        if found:
            table.batch_delete(found)
            removed += len(found)
    return removed


def tombstone(claimed: Item, now: datetime) -> Put:
    """The write that replaces the head of a cleared conversation by a tombstone, which refuses late writes.

    It succeeds only once per conversation, so that each removal is counted exactly once.
    """
    left: Item = {
        "pk": claimed["pk"],
        "sk": claimed["sk"],
        "status": Status.GONE.value,
        "expires_at": int((now + TOMBSTONE_KEPT).timestamp()),
    }
    return Put(left, (Equals("status", Status.GONE.value), Exists("created_at")))


def is_tombstone(head: Item) -> bool:
    """Whether the conversation and all its items have been removed."""
    return head.get("status") == Status.GONE.value and "created_at" not in head


def message_count_of(head: Item) -> int:
    """The number of messages in the conversation, or in it when it was claimed."""
    return cast("int", head.get("count", 0))
