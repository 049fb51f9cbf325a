"""What a conversation taught: labelled examples, taken away with what taught them.

Making and reading examples is not done here (`agent.examples`).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from conversation.identity import first_ulid
from conversation.models import Conversation
from storage import keys
from storage.keys import TenantId
from storage.table import Item, Key, Query, Table

PAGE = 100


def conversation_of(example: Item) -> str:
    """The conversation that taught an example."""
    return str(example["turn"]).partition(".")[0]


def forget_conversation(table: Table, tenant: TenantId, gone: Conversation) -> None:
    """Remove all that the conversation taught; may be repeated."""
    # The messages of a copy are older than the copy.
    forget_since(table, tenant, gone.id, None if gone.forked_from else gone.created_at)


def forget_since(table: Table, tenant: TenantId, conversation_id: str, since: datetime | None) -> None:
    """Remove what the conversation taught with anything that was said from the moment on; None: with all of
    it. May be repeated.
    """
    # An example is named by the time of its request or of the turn that taught it: its words are no younger.
    low = f"{keys.EXAMPLE_PREFIX}{first_ulid(since) if since else ''}"
    query = Query(keys.examples(tenant), PAGE, low=low, high=f"{keys.EXAMPLE_PREFIX}~")
    while True:
        page = table.query(query)
        taught = [each for each in page.items if conversation_of(each) == conversation_id]
        if taught:
            table.batch_delete([Key(str(each["pk"]), str(each["sk"])) for each in taught])
        if page.after is None:
            return
        query = replace(query, after=page.after)
