"""What it means to lead a conversation: the message in front is ours to answer, until it is stored or the
lead is lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from threading import Event
from typing import NamedTuple

from pydantic import JsonValue

from conversation.identity import Caller, TurnId, new_id
from conversation.messages.branches import BranchPath
from conversation.messages.items import Entry, Head
from conversation.messages.models import Note
from storage.keys import TenantId


class LeaseLost(Exception):
    """Somebody else leads now, or the conversation is gone: whatever was thought is to be discarded."""


class EffectRefused(Exception):
    """Something a turn wanted to change had changed meanwhile: read anew and think again."""


class AlreadyAnswered(Exception):
    """An older turn under the same key was answered; ``user_sequence`` says where its user message stands."""

    def __init__(self, user_sequence: int, body_hash: str | None) -> None:
        super().__init__("a turn under this key was answered before")
        self.user_sequence = user_sequence
        self.body_hash = body_hash


class Attempt:
    """One try at having a message answered: the name under which it leads, and whether the turn is to end.

    Whoever sees in the table that its user wants it to end sets ``stop``; whoever answers looks at it between
    two events.
    """

    def __init__(self) -> None:
        self.owner = new_id()[:8]
        self.stop = Event()


@dataclass(frozen=True, slots=True)
class Led:
    """The right to answer the messages in front of a conversation's inbox, one after the other."""

    tenant: TenantId
    owner: str
    head: Head
    late: Entry | None = None
    """A message that was answered before it could be stored; it may wait in the inbox, anywhere."""

    @property
    def entry(self) -> Entry:
        """The message to answer now."""
        return self.late or self.head.inbox[0]

    @property
    def conversation_id(self) -> str:
        """The conversation it waits in."""
        return self.head.conversation.id

    @property
    def turn_id(self) -> TurnId:
        """The turn that answers it."""
        return TurnId(self.conversation_id, self.entry.ulid)

    @property
    def is_applicable(self) -> bool:
        """Whether the message that this one takes the place of, if any, is still part of the conversation."""
        return self.entry.replaces is None or self.head.conversation.path.has(self.entry.replaces.sequence)

    @property
    def path(self) -> BranchPath:
        """The messages this one is an answer to, and what follows them from now on."""
        conversation, replaced = self.head.conversation, self.entry.replaces
        if replaced is None:
            return conversation.path
        return conversation.path.replacing(replaced.sequence, conversation.count)

    @property
    def caller(self) -> Caller:
        """Whose message it is, with the roles they had when they sent it."""
        return Caller(self.tenant, self.head.conversation.user, self.entry.roles)

    @property
    def is_stopped(self) -> bool:
        """Whether its user wanted the turn to end, when the head was read."""
        return self.entry.ulid in self.head.stopped


class Reply(NamedTuple):
    """What is to be stored as the answer."""

    content: str
    metadata: Mapping[str, JsonValue]
    note: Note
    tool_messages: tuple[Mapping[str, JsonValue], ...] = ()
    """What a model asked of tools on the way, and was answered."""
    folds: bool = False
    """Whether the summary is to be brought up to date behind it."""
    answered_at: datetime | None = None
    """When it was given; None: as it is stored."""
