"""What it means to lead a conversation: the message in front is ours to answer, until it is stored or the
lead is lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pydantic import JsonValue

from conversation.identity import Caller, TurnId
from conversation.notes import Note
from conversation.records import Entry, Head
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


@dataclass(frozen=True, slots=True)
class Led:
    """The right to answer the messages in front of a conversation's inbox, one after the other."""

    tenant: TenantId
    owner: str
    head: Head

    @property
    def entry(self) -> Entry:
        """The message to answer now."""
        return self.head.inbox[0]

    @property
    def conversation_id(self) -> str:
        """The conversation it waits in."""
        return self.head.conversation.id

    @property
    def turn_id(self) -> TurnId:
        """The turn that answers it."""
        return TurnId(self.conversation_id, self.entry.ulid)

    @property
    def caller(self) -> Caller:
        """Whose message it is, with the roles they had when they sent it."""
        return Caller(self.tenant, self.head.conversation.user, self.entry.roles)

    def behind(self, *, answered: bool) -> Led:
        """The lead over what is left once the message in front is dealt with."""
        conversation = self.head.conversation
        count = conversation.count + (2 if answered else 0)
        head = replace(
            self.head,
            conversation=conversation.model_copy(update={"count": count}),
            inbox=self.head.inbox[1:],
        )
        return replace(self, head=head)


@dataclass(frozen=True, slots=True)
class Reply:
    """What is to be stored as the answer."""

    content: str
    metadata: Mapping[str, JsonValue]
    note: Note
