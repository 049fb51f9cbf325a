"""The lease on a conversation: the right to answer the first waiting message until it is stored or lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from threading import Event
from typing import NamedTuple

from pydantic import JsonValue

from conversation.identity import Caller, TurnId, new_id
from conversation.messages.branches import BranchPath
from conversation.messages.items import ConversationHead, InboxEntry
from conversation.messages.models import Note
from storage.keys import TenantId


class LeaseLost(Exception):
    """Another attempt holds the lease now, or the conversation is gone: discard the reply."""


class EffectConflict(Exception):
    """Something that a turn wanted to change was changed meanwhile: read again and answer again."""


class AlreadyAnswered(Exception):
    """An older turn under the same key was answered; ``user_sequence`` is the place of its user message."""

    def __init__(self, user_sequence: int, body_hash: str | None) -> None:
        super().__init__("a turn under this key was answered before")
        self.user_sequence = user_sequence
        self.body_hash = body_hash


class TurnAttempt:
    """One attempt to answer a message: its name as lease owner, and a flag to stop the turn.

    ``stop`` is set when the table shows that the user cancelled the turn. The answering code checks it
    between two events.
    """

    def __init__(self) -> None:
        self.owner = new_id()[:8]
        self.stop = Event()


@dataclass(frozen=True, slots=True)
class HeldLease:
    """The right to answer the messages in front of a conversation's inbox, one after the other."""

    tenant: TenantId
    owner: str
    head: ConversationHead
    deferred_entry: InboxEntry | None = None
    """A message that was answered before it could be stored; it may wait anywhere in the inbox, or not at
    all."""

    @property
    def entry(self) -> InboxEntry:
        """The message to answer now."""
        return self.deferred_entry or self.head.inbox[0]

    @property
    def conversation_id(self) -> str:
        """The conversation of the message to answer."""
        return self.head.conversation.id

    @property
    def turn_id(self) -> TurnId:
        """The turn that answers the message."""
        return TurnId(self.conversation_id, self.entry.ulid)

    @property
    def is_replacement_valid(self) -> bool:
        """Whether the message that this one replaces, if any, is still an active part of the conversation."""
        return self.entry.replaces is None or self.head.conversation.path.has(self.entry.replaces.sequence)

    @property
    def path(self) -> BranchPath:
        """The branch that the message to answer continues, as it will be after the commit."""
        conversation, replaced = self.head.conversation, self.entry.replaces
        if replaced is None:
            return conversation.path
        return conversation.path.after_replacing(replaced.sequence, conversation.count)

    @property
    def caller(self) -> Caller:
        """The user of the message to answer, with the roles they had when they sent it."""
        return Caller(self.tenant, self.head.conversation.user, self.entry.roles)

    @property
    def is_stopped(self) -> bool:
        """Whether the user had cancelled the turn when the head was read."""
        return self.entry.ulid in self.head.stopped


class Reply(NamedTuple):
    """The answer to store."""

    content: str
    metadata: Mapping[str, JsonValue]
    note: Note
    tool_messages: tuple[Mapping[str, JsonValue], ...] = ()
    """The model's tool calls during the turn, and their results."""
    needs_summary: bool = False
    """Whether the conversation's summary has to be updated after it."""
    answered_at: datetime | None = None
    """When the answer was given; None: when it is stored."""
    unprocessed: bool = False
    """Whether the message was given up: neither it nor this answer is used for any later turn."""
