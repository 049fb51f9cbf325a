"""Cancellation of turns: noted on the conversation's head, where the answering process finds it."""

from __future__ import annotations

from contextlib import suppress

from conversation.errors import TurnNotFound
from conversation.identity import Caller, TurnId
from conversation.messages.items import STOPPED_TURNS, owner_conditions
from conversation.threads.repository import ConversationRepository, TurnState
from storage import keys
from storage.errors import ConditionRefused
from storage.table import Contains, Include, Update
from storage.tenant_table import Tables


class TurnCancellation:
    """Cancels turns of one user at a time."""

    def __init__(self, *, tables: Tables, conversations: ConversationRepository) -> None:
        self._tables = tables
        self._conversations = conversations

    def cancel(self, caller: Caller, turn_id: str) -> TurnState:
        """Cancel the turn and return its state; idempotent.

        A running turn ends as soon as its answering process sees the cancellation, and keeps what was said
        until then. A waiting turn is not begun. A turn that is already answered does not change.

        Raises:
            TurnNotFound: no such turn in a conversation of the caller.
        """
        parsed = TurnId.parse(turn_id)
        if parsed is None:
            raise TurnNotFound
        cancelling = (Include(STOPPED_TURNS, frozenset({parsed.ulid})),)
        conditions = (owner_conditions(caller), Contains("inbox_ids", parsed.ulid))
        head = keys.head(caller.tenant, parsed.conversation_id)
        # If it does not wait (any more), reading its state tells whether it is answered or not the caller's.
        with suppress(ConditionRefused):
            self._tables.for_tenant(caller.tenant).update(Update(head, cancelling, conditions))
        return self._conversations.turn(caller, turn_id)
