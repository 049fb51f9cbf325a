"""Which messages of a conversation are to be found, and by what besides their words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from conversation.models import Message
from conversation.records import message_from_item
from conversation.redaction import masked
from conversation.search_postings import Document
from conversation.search_words import marker
from storage import keys
from storage.keys import TenantId
from storage.table import Query, Table


def messages_behind(
    table: Table, tenant: TenantId, conversation_id: str, upto: int, *, most: int
) -> tuple[Message, ...]:
    """The messages that come after a place, oldest first."""
    query = Query(
        keys.conversation(tenant, conversation_id),
        limit=most,
        low=keys.message(tenant, conversation_id, upto + 1).sort,
        high=keys.message(tenant, conversation_id, keys.MAX_SEQUENCE).sort,
    )
    return tuple(message_from_item(item) for item in table.query(query).items)


def documents_of(messages: Sequence[Message], number: int) -> list[Document]:
    """The messages as the index takes them. What a turn was about counts for its question, too."""
    markers: dict[str, set[str]] = defaultdict(set)
    for message in messages:
        markers[message.turn_id] |= _markers(message)
    return [
        Document(
            number,
            message.sequence,
            message.created_at,
            masked(message.content),
            frozenset(markers[message.turn_id]),
        )
        for message in messages
        if message.content
    ]


def _markers(message: Message) -> set[str]:
    about = message.note.about
    return {marker(about.id), marker(about.name)} if about and about.kind == "agent" else set()
