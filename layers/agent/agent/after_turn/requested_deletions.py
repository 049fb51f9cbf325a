"""Deletes a conversation whose user asked for that within it, once the turn that says so is stored."""

from __future__ import annotations

from datetime import timedelta

from conversation.clock import Clock
from conversation.errors import ConversationNotFound
from conversation.identity import Caller
from conversation.messages.items import message_from_item, owner_of
from conversation.messages.models import Role, Status
from conversation.threads.repository import ConversationRepository
from intent.acts.act import ActKind
from storage import keys
from storage.table import StreamRecord
from storage.tenant_table import Tables

_LONGEST_DELAY = timedelta(hours=1)
"""Older replies are copies, or records that come again: the conversation may have been restored since."""


class RequestedDeletions:
    """Handles stream records of replies."""

    def __init__(self, *, tables: Tables, clock: Clock, conversations: ConversationRepository) -> None:
        self._tables = tables
        self._clock = clock
        self._conversations = conversations

    def handle(self, change: StreamRecord) -> None:
        """Delete the conversation of a new reply that promises it; idempotent.

        It is left alone when something was said in it since, and where the reply was imported or copied.
        """
        note = change.new.get("note") if change.new is not None and change.old is None else None
        if change.new is None or not isinstance(note, str) or ActKind.DELETE_CONVERSATION.value not in note:
            return
        reply = message_from_item(change.new)
        is_promised = ActKind.DELETE_CONVERSATION.value in reply.note.kinds and not reply.imported
        is_recent = self._clock.now() - reply.created_at < _LONGEST_DELAY
        if reply.role is not Role.ASSISTANT or not (is_promised and is_recent):
            return
        tenant = keys.tenant_of(change.key.partition)
        head = self._tables.for_tenant(tenant).get(keys.head(tenant, reply.conversation_id))
        owner = owner_of(head)
        if head is None or owner is None:
            return
        if head.get("status") != Status.ACTIVE or head.get("count") != reply.sequence:
            return
        try:
            self._conversations.delete(Caller(tenant, owner), reply.conversation_id)
        except ConversationNotFound:
            return  # somebody else deleted it first
