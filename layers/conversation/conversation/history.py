"""Reading stored messages and turns back; strongly consistent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from conversation.identity import TurnId
from conversation.models import Message, Role
from conversation.records import message_from_item
from storage import keys
from storage.keys import TenantId
from storage.table import Query, Table

CLOCK_MARGIN = timedelta(minutes=5)
"""How far the clock that made a turn's id may be off from the one that stored its messages."""

PAGE = 20


@dataclass(frozen=True, slots=True)
class Turn:
    """A stored turn."""

    user: Message
    reply: Message


def newest_messages(
    table: Table, tenant: TenantId, conversation_id: str, *, limit: int
) -> tuple[Message, ...]:
    """The newest messages of a conversation, oldest first; strongly consistent."""
    query = Query(
        keys.conversation(tenant, conversation_id), limit=limit, prefix=keys.MESSAGE_PREFIX, newest_first=True
    )
    return tuple(message_from_item(item) for item in reversed(table.query(query).items))


def read_turn(table: Table, tenant: TenantId, conversation_id: str, user_sequence: int) -> Turn:
    """The turn whose user message stands at the sequence."""
    query = Query(
        keys.conversation(tenant, conversation_id),
        limit=2,
        low=keys.message(tenant, conversation_id, user_sequence).sort,
        high=keys.message(tenant, conversation_id, user_sequence + 1).sort,
    )
    user, reply = (message_from_item(item) for item in table.query(query).items)
    return Turn(user, reply)


def find_turn(table: Table, tenant: TenantId, turn_id: TurnId) -> Turn | None:
    """The stored turn, or None. The id's time bounds the look-up: older messages are not read."""
    oldest = turn_id.made_at() - CLOCK_MARGIN
    query = Query(
        keys.conversation(tenant, turn_id.conversation_id),
        limit=PAGE,
        prefix=keys.MESSAGE_PREFIX,
        newest_first=True,
    )
    while True:
        page = table.query(query)
        messages = [message_from_item(item) for item in page.items]
        found = {message.role: message for message in messages if message.turn_id == str(turn_id)}
        if len(found) == 2:
            return Turn(found[Role.USER], found[Role.ASSISTANT])
        if page.after is None or messages[-1].created_at < oldest:
            return None
        query = replace(query, after=page.after)
