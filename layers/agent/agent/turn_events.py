"""The events of a turn, in order: the one stream that every route consumes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Self, TypeAlias

from pydantic import JsonValue

from conversation.messages.models import Note
from intent.acts.act import Act
from intent.decision import Decision
from storage.table import Action

if TYPE_CHECKING:
    from conversation.messages.history import Turn


class TurnStarted(NamedTuple):
    """The turn has begun. If ``stored``, the message is durable and can't be lost from here on."""

    turn_id: str
    conversation_id: str
    created: bool
    """Whether this message started the conversation."""
    stored: bool = True
    """False: storage is unavailable, or no history is kept. The last event says if the turn was stored."""


class Thinking(NamedTuple):
    """The current stage: ``waiting``, ``reading``, ``understanding``, ``acting``, ``routing``, ``answering``
    or ``storing``.
    """

    stage: str


class ContextAssembled(NamedTuple):
    """The size of the context: how much of the conversation is used to interpret the message."""

    messages: int
    tokens: int
    budget_tokens: int


class Decided(NamedTuple):
    """The message was classified."""

    decision: Decision


class Routed(NamedTuple):
    """The model and the tools that answer a question, as `agent.inference.router.Routing` stores them with
    the turn.
    """

    routing: Mapping[str, JsonValue]


class ToolUsed(NamedTuple):
    """A tool was used. ``arguments`` are the model's, truncated; empty when no model made the call."""

    name: str
    ok: bool = True
    arguments: str = ""
    error_code: str | None = None
    elapsed_ms: int | None = None


class Chunk(NamedTuple):
    """A piece of the reply. Its text so far is that of all chunks since the last `Restarted`."""

    text: str


@dataclass(frozen=True, slots=True)
class Restarted:
    """Voids all chunks of the reply so far; the reply starts over.

    Either stored data changed meanwhile and the turn is computed again, or the model's text turned out not to
    be an answer.
    """


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of the master agent's reply: the note to store, and the writes to make in the same transaction.

    ``effects`` are idempotent: their ids derive from the turn. A refused effect means that stored data
    changed meanwhile; the turn is then computed again.
    """

    note: Note = field(default_factory=Note)
    effects: tuple[Action, ...] = ()
    tool_messages: tuple[Mapping[str, JsonValue], ...] = ()
    """The model's tool calls and their results, as they were sent to the model."""
    meant: tuple[Act, ...] | None = None
    """The acts as the message means them in its conversation; None: just what was decided before."""


class Answer(NamedTuple):
    """A finished turn: the reply and its metadata."""

    conversation_id: str
    turn_id: str
    message_id: str
    content: str
    created_at: datetime
    metadata: Mapping[str, JsonValue]
    replayed: bool = False

    @classmethod
    def of(cls, turn: Turn, *, replayed: bool) -> Self:
        """The answer of a stored turn as the caller gets it, both the first time and when replayed."""
        return cls(
            conversation_id=turn.reply.conversation_id,
            turn_id=turn.reply.turn_id,
            message_id=turn.reply.id,
            content=turn.reply.content,
            created_at=turn.reply.created_at,
            metadata={**turn.reply.metadata, "persisted": True, "turn_id": turn.reply.turn_id},
            replayed=replayed,
        )


class Done(NamedTuple):
    """The turn is answered; its metadata say whether it was stored."""

    answer: Answer


class Accepted(NamedTuple):
    """The message is durable and will be answered later: earlier turns of the conversation are still being
    answered, and the deadline is near.
    """

    turn_id: str
    conversation_id: str


ReplyEvent: TypeAlias = Thinking | Routed | ToolUsed | Chunk | Restarted | Outcome
TurnEvent: TypeAlias = (
    TurnStarted
    | Thinking
    | ContextAssembled
    | Decided
    | Routed
    | ToolUsed
    | Chunk
    | Restarted
    | Done
    | Accepted
)


_LINES = re.compile(r"\n*[^\n]+|\n+")


class ReplyStream:
    """Sends a reply in pieces and keeps track of what was sent."""

    def __init__(self) -> None:
        self._written = ""

    def write(self, text: str) -> Iterator[Chunk | Restarted]:
        """Yields the lines of ``text`` not sent yet, or a restart and all lines if it begins differently."""
        if not text.startswith(self._written):
            self._written = ""
            yield Restarted()
        rest, self._written = text[len(self._written) :], text
        yield from map(Chunk, _LINES.findall(rest))
