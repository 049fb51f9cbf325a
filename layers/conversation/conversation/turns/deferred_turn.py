"""A deferred turn: answered, but not stored yet, in the form it has in the queue. Also the queue protocols.

Pure. `conversation.turns.deferred_storage` stores deferred turns.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Protocol

from pydantic import BaseModel, ConfigDict, JsonValue

from conversation.identity import Caller, TurnId
from conversation.messages.attached_files import AttachedFile
from conversation.messages.items import InboxEntry
from conversation.messages.models import Note
from conversation.redaction.masking import SecretKinds
from conversation.turns.lease import HeldLease, Reply
from storage.keys import TenantId

MAX_TEXT_BYTES = 240_000
"""A queue message may have 256 KB, including its attributes."""


class DeferredTurn(BaseModel):
    """All that is needed to store the turn without asking a model again."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    turn_id: str
    user: str
    owner: str
    """The attempt that answered it, which may still hold the lease."""
    content: str
    received_at: datetime
    metadata: Mapping[str, JsonValue] | None = None
    key_hash: str | None = None
    body_hash: str | None = None
    reply: str
    reply_metadata: Mapping[str, JsonValue]
    answered_at: datetime
    note: Note = Note()
    tool_messages: tuple[Mapping[str, JsonValue], ...] = ()
    folds: bool = False
    contains: SecretKinds = ()
    """The kinds of secrets that were masked in the message."""
    attachments: tuple[AttachedFile, ...] = ()
    knew_history: bool = True
    """Whether the reply was made with the messages before it. If not, what was open before it stays open."""

    @classmethod
    def of(cls, held: HeldLease, reply: Reply, answered_at: datetime) -> DeferredTurn:
        """The message to answer, with the reply it got."""
        entry = held.entry
        return cls(
            turn_id=str(held.turn_id),
            user=held.caller.user,
            owner=held.owner,
            content=entry.content,
            received_at=entry.received_at,
            metadata=entry.metadata,
            key_hash=entry.key_hash,
            body_hash=entry.body_hash,
            reply=reply.content,
            reply_metadata=reply.metadata,
            answered_at=answered_at,
            note=reply.note,
            tool_messages=reply.tool_messages,
            folds=reply.needs_summary,
            contains=entry.contains,
            attachments=entry.attachments,
        )

    @classmethod
    def from_json(cls, members: object) -> DeferredTurn:
        """The turn from the decoded JSON that `to_queue_body` wrote.

        Raises:
            ValueError: the members are not those of a deferred turn.
        """
        turn = cls.model_validate(members)
        if TurnId.parse(turn.turn_id) is None:
            raise ValueError("this names no turn")
        return turn

    def to_queue_body(self) -> str | None:
        """The turn as ASCII JSON of at most `MAX_TEXT_BYTES`; None if even the shortened turn is too long.

        A turn that is too long first loses its tool messages, then the end of its reply.
        """
        texts = (each.to_json() for each in self._shorter())
        return next((text for text in texts if len(text) <= MAX_TEXT_BYTES), None)

    @property
    def parsed_turn_id(self) -> TurnId:
        """The parsed turn id."""
        place = TurnId.parse(self.turn_id)
        if place is None:
            raise ValueError("this names no turn")
        return place

    def caller(self, tenant: TenantId) -> Caller:
        """The user whose turn it is; without roles."""
        return Caller(tenant, self.user)

    def to_entry(self) -> InboxEntry:
        """The message as it waits, or would have waited, in the inbox."""
        return InboxEntry(
            ulid=self.parsed_turn_id.ulid,
            content=self.content,
            received_at=self.received_at,
            caller_until=self.received_at,
            key_hash=self.key_hash,
            body_hash=self.body_hash,
            metadata=self.metadata,
            contains=self.contains,
            attachments=self.attachments,
        )

    def to_reply(self) -> Reply:
        """The reply that its user got."""
        return Reply(
            self.reply, self.reply_metadata, self.note, self.tool_messages, self.folds, self.answered_at
        )

    def _shorter(self) -> Iterator[DeferredTurn]:
        yield self
        yield (shorter := self.model_copy(update={"tool_messages": ()}))
        left = MAX_TEXT_BYTES - len(shorter.model_copy(update={"reply": ""}).to_json()) - 100
        cut = {"reply": _cut(self.reply, left), "reply_metadata": {**self.reply_metadata, "truncated": True}}
        yield shorter.model_copy(update=cut)

    def to_json(self) -> str:
        """The whole turn as JSON, whatever its length."""
        return json.dumps(self.model_dump(mode="json", exclude_defaults=True), separators=(",", ":"))


def _cut(text: str, max_bytes: int) -> str:
    """The longest beginning of the text that takes at most ``max_bytes`` as JSON."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if len(json.dumps(text[:middle])) <= max_bytes else (low, middle - 1)
    return text[:low]


class InboxQueue(Protocol):
    """A queue of conversations whose inbox has to be drained.

    It delivers at least once, and in order within a conversation.
    """

    def send(self, tenant: TenantId, conversation_id: str) -> None:
        """Ask for the conversation's inbox to be drained.

        Raises:
            QueueUnavailable: nothing was queued; the messages stay durable in the inbox.
        """


class DeferredTurnQueue(InboxQueue, Protocol):
    """A `InboxQueue` that takes deferred turns as well; its receiver stores them."""

    def send_turn(self, tenant: TenantId, turn: DeferredTurn) -> None:
        """Queue the turn to be stored later.

        Raises:
            QueueUnavailable: the turn was not queued and will not be stored.
        """


class QueueUnavailable(Exception):
    """The queue refused the message or is unreachable."""
