"""Deletes the labelled examples and lessons learned from a conversation.

`agent.chat.labelled_examples` makes examples, `agent.lessons` lessons.
"""

from __future__ import annotations

from datetime import datetime

from conversation.clock import from_text
from conversation.identity import lowest_ulid
from conversation.messages.items import conversation_from_item
from conversation.messages.models import Conversation, Status
from storage import keys
from storage.items import item_key
from storage.keys import TenantId
from storage.table import Item, Query, StreamRecord, Table, query_pages
from storage.tenant_table import Tables

PAGE = 100


def source_conversation_id(example: Item) -> str:
    """The id of the conversation that an example or a lesson was learned from."""
    return str(example["turn"]).partition(".")[0]


def delete_examples(table: Table, tenant: TenantId, gone: Conversation) -> None:
    """Delete all that was learned from the conversation; idempotent."""
    # The messages of a fork are older than the fork.
    delete_examples_since(table, tenant, gone.id, None if gone.forked_from else gone.created_at)


def delete_examples_since(
    table: Table, tenant: TenantId, conversation_id: str, since: datetime | None
) -> None:
    """Delete what was learned from a conversation's messages from ``since`` on; None: all. Idempotent."""
    # An example's key begins with the time of its request or turn: its words are never newer than that.
    low = f"{keys.EXAMPLE_PREFIX}{lowest_ulid(since) if since else ''}"
    query = Query(keys.examples(tenant), PAGE, low=low, high=f"{keys.EXAMPLE_PREFIX}~")
    _delete_learned(table, query, conversation_id)
    # A lesson has the time of what taught it; its words are never newer than that.
    _delete_learned(
        table, Query(keys.workspace(tenant), PAGE, prefix=keys.LESSON_PREFIX), conversation_id, since
    )


def _delete_learned(table: Table, query: Query, conversation_id: str, since: datetime | None = None) -> None:
    for page in query_pages(table, query):
        learned = [each for each in page.items if source_conversation_id(each) == conversation_id]
        if since is not None:
            learned = [each for each in learned if from_text(str(each["at"])) >= since]
        if learned:
            table.batch_delete([item_key(each) for each in learned])


class ExampleRemover:
    """Handles stream records of conversation heads: deletes the examples of removed conversations."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def handle(self, change: StreamRecord) -> None:
        """Delete the labelled examples of a conversation whose status became `Status.GONE`; idempotent."""
        if change.old is None or change.new is None or change.key.sort != keys.HEAD:
            return
        if change.new.get("status") == Status.GONE != change.old.get("status"):
            tenant = keys.tenant_of(change.key.partition)
            gone = conversation_from_item(change.old)
            delete_examples(self._tables.for_tenant(tenant), tenant, gone)
