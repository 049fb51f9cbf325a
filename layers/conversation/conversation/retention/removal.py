"""Taking a conversation out of the table for good: claimed first, then item by item, its head last.

From the claim on nobody can read it or write to it. Every step may be repeated, so whoever finds a claimed
conversation takes up the work where it was left. Which conversations go is decided elsewhere.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import cast

from conversation.clock import to_millis
from conversation.messages.items import FORKING, HOLD, STOP
from conversation.messages.models import Status
from storage import keys
from storage.keys import TenantId
from storage.table import (
    MAX_BATCH,
    AnyOf,
    AtMost,
    Changes,
    Condition,
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
)

TOMBSTONE_KEPT = timedelta(days=15)
"""How long what is left of a conversation refuses late writes: longer than any queue keeps anything."""

_CLAIMED: Changes = (
    Set("status", Status.GONE.value),
    Set("inbox", []),
    *(Remove(name) for name in ("by_user", "lease", "inbox_ids", "load", "title", STOP, HOLD, FORKING)),
)


def claim(seen: Item, *, now: datetime, conditions: Conditions = ()) -> Update:
    """The write after which the conversation is gone for everybody; ``seen`` is its head.

    It is refused while a turn is being answered. What else has to hold is in the conditions.
    """
    unled: Condition = AnyOf(((NotExists("lease"),), (AtMost("lease.until", to_millis(now)),)))
    as_seen = (Equals("status", str(seen["status"])), Equals("updated_at", str(seen["updated_at"])))
    return Update(_key(seen), _CLAIMED, (*as_seen, unled, *conditions))


def seizure(head: Key) -> Update:
    """The same for what has to go at once: a turn that is being answered can't be stored any more.

    Refused when the conversation is on hold, or gone already.
    """
    return Update(head, _CLAIMED, (Exists("created_at"), NotExists(HOLD)))


def clear(table: Table, tenant: TenantId, conversation_id: str) -> int:
    """Remove everything a claimed conversation holds but its head; how many items there were."""
    query, removed = Query(keys.conversation(tenant, conversation_id), limit=MAX_BATCH), 0
    while True:
        page = table.query(query)
        found = [_key(item) for item in page.items if item["sk"] != keys.HEAD]
        if found:
            table.batch_delete(found)
            removed += len(found)
        if page.after is None:
            return removed
        query = replace(query, after=page.after)


def tombstone(claimed: Item, now: datetime) -> Put:
    """The write that leaves nothing of a cleared conversation but the refusal of late writes.

    Refused when it was made before: exactly one counts.
    """
    left: Item = {
        "pk": claimed["pk"],
        "sk": claimed["sk"],
        "status": Status.GONE.value,
        "expires_at": int((now + TOMBSTONE_KEPT).timestamp()),
    }
    return Put(left, (Equals("status", Status.GONE.value), Exists("created_at")))


def is_tombstone(head: Item) -> bool:
    """Whether the conversation is gone, and all that it held."""
    return head.get("status") == Status.GONE.value and "created_at" not in head


def messages_of(head: Item) -> int:
    """How many messages the conversation holds, or held when it was claimed."""
    return cast("int", head.get("count", 0))


def _key(item: Item) -> Key:
    return Key(str(item["pk"]), str(item["sk"]))
