"""Conversations written directly into a table in the state that turns leave, without a model."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from conversation.clock import Clock, to_text
from conversation.identity import Caller, TurnId
from conversation.messages.items import message_id, message_to_item
from conversation.messages.models import Message, Note, Role
from conversation.threads.repository import ConversationRepository
from storage import keys
from storage.table import Put, Set, Table, Update
from storage.tenant_table import Tables


class ConversationWriter:
    """Writes conversations and turns with the clock's times."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._repository = ConversationRepository(tables=Tables(table), clock=clock)

    def begin(self, caller: Caller, *, title: str | None = None) -> str:
        """Create a conversation and return its id."""
        return self._repository.create(caller, title=title).id

    def write_turn(
        self,
        caller: Caller,
        conversation_id: str,
        question: str,
        answer: str = "All right.",
        *,
        note: Note | None = None,
    ) -> Message:
        """Write a turn and return its stored reply."""
        head, now = keys.head(caller.tenant, conversation_id), self._clock.now()
        item = self._table.get(head)
        assert item is not None
        turn_id, first = str(TurnId.make(conversation_id, now)), cast("int", item.get("count", 0)) + 1
        user = _message(turn_id, conversation_id, first, Role.USER, question, now)
        reply = _message(turn_id, conversation_id, first + 1, Role.ASSISTANT, answer, now)
        reply = reply.model_copy(update={"note": note or Note()})
        for message in (user, reply):
            self._table.put(Put(message_to_item(caller.tenant, message)))
        self._table.update(Update(head, (Set("count", first + 1), Set("updated_at", to_text(now)))))
        return reply


def _message(
    turn_id: str, conversation_id: str, sequence: int, role: Role, text: str, moment: datetime
) -> Message:
    return Message(
        id=message_id(turn_id, role, sequence),
        conversation_id=conversation_id,
        sequence=sequence,
        role=role,
        content=text,
        created_at=moment,
        turn_id=turn_id,
        tokens=len(text) // 4,
    )
