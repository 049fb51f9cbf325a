"""Conversations of a chosen age, written directly into a table in the state that turns leave."""

from __future__ import annotations

from datetime import datetime, timedelta

from conversation.clock import to_text
from conversation.identity import Caller, TurnId, derived_id
from conversation.messages.items import message_id, message_to_item
from conversation.messages.models import Message, Role
from conversation.turns.admission import creation_changes
from storage import keys
from storage.table import Put, Set, Table, Update


def write_conversation(
    table: Table,
    owner: Caller,
    name: str,
    *,
    begun: datetime,
    last: datetime | None = None,
    exchanges: int = 1,
    days: int = 30,
) -> str:
    """Write a conversation under a retention policy of so many days and return its id.

    ``last`` is the time of its newest reply.
    """
    conversation_id, last = derived_id(owner.tenant, owner.user, name), last or begun
    changes = (
        *creation_changes(owner, conversation_id, begun, days),
        Set("inbox", []),
        Set("title", name),
    )
    table.update(Update(keys.head(owner.tenant, conversation_id), changes))
    for sequence in range(1, 2 * exchanges + 1):
        table.put(Put(message_to_item(owner.tenant, _message(conversation_id, sequence, last))))
    head = keys.head(owner.tenant, conversation_id)
    table.update(Update(head, (Set("count", 2 * exchanges), Set("updated_at", to_text(last)))))
    return conversation_id


def _message(conversation_id: str, sequence: int, moment: datetime) -> Message:
    turn_id = str(TurnId.make(conversation_id, moment - timedelta(seconds=sequence)))
    role = Role.USER if sequence % 2 else Role.ASSISTANT
    return Message(
        id=message_id(turn_id, role, sequence),
        conversation_id=conversation_id,
        sequence=sequence,
        role=role,
        content=f"What was said at place {sequence}",
        created_at=moment,
        turn_id=turn_id,
        tokens=9,
    )
