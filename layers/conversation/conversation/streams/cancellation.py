"""Ending an answer before it is complete: the wish is noted on the conversation's head, where whoever answers
finds it."""

from __future__ import annotations

from contextlib import suppress

from conversation.errors import TurnNotFound
from conversation.identity import Caller, TurnId
from conversation.messages.items import STOP
from conversation.messages.ownership import owned_by
from conversation.threads.repository import ConversationRepository, TurnState
from storage import keys
from storage.errors import ConditionRefused
from storage.table import Contains, Include, Update
from storage.tenant import Tables


class Stops:
    """Stops turns of one user at a time."""

    def __init__(self, *, tables: Tables, conversations: ConversationRepository) -> None:
        self._tables = tables
        self._conversations = conversations

    def stop(self, caller: Caller, turn_id: str) -> TurnState:
        """The turn, which ends as soon as whoever answers it sees the wish; one that waits is not begun.

        What was said until then is kept. Nothing changes for a turn that is answered already, nor when it is
        asked again.

        Raises:
            TurnNotFound: no such turn in a conversation of the caller.
        """
        parsed = TurnId.parse(turn_id)
        if parsed is None:
            raise TurnNotFound
        wish = (Include(STOP, frozenset({parsed.ulid})),)
        waits = (owned_by(caller), Contains("inbox_ids", parsed.ulid))
        head = keys.head(caller.tenant, parsed.conversation_id)
        # Where it does not wait (any more), its state says whether it is answered, or is none of theirs.
        with suppress(ConditionRefused):
            self._tables.for_tenant(caller.tenant).update(Update(head, wish, waits))
        return self._conversations.turn(caller, turn_id)
