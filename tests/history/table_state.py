"""The final state of the table, read without the code under test's turn protocol."""

from __future__ import annotations

from collections.abc import Mapping

from conversation.identity import Caller
from conversation.messages.items import head_from_item
from conversation.messages.models import Message
from conversation.threads.repository import ConversationRepository
from storage import keys
from storage.table import Table
from storage.tenant_table import Tables
from tests.fakes.run.clocks import ManualClock
from tests.history.records import FinalState, StoredMessage

MOST = 10_000


def conversations_of(table: Table, caller: Caller) -> list[str]:
    """Return the ids of all conversations of the caller."""
    # Read at the start of the virtual time, so that nothing written in it has expired.
    listed, _ = ConversationRepository(tables=Tables(table), clock=ManualClock()).list(caller, limit=MOST)
    return [conversation.id for conversation in listed]


def waiting_turns(table: Table, caller: Caller, conversation_id: str) -> tuple[str, ...]:
    """Return the turns whose messages are still in the inbox."""
    head = table.get(keys.head(caller.tenant, conversation_id))
    return tuple(entry.ulid for entry in head_from_item(head).inbox) if head else ()


def final_state(table: Table, caller: Caller, effects: Mapping[str, int]) -> FinalState:
    """Return the final state; the caller has counted the ``effects``."""
    repository = ConversationRepository(tables=Tables(table), clock=ManualClock())
    ids = conversations_of(table, caller)
    return FinalState(
        {each: tuple(map(_said, repository.messages(caller, each))) for each in ids},
        {each: waiting_turns(table, caller, each) for each in ids},
        effects,
    )


def _said(message: Message) -> StoredMessage:
    return StoredMessage(
        message.id,
        message.sequence,
        message.role.value,
        message.content,
        message.turn_id,
        bool(message.metadata.get("failed")),
        message.late,
    )
