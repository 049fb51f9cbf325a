"""What happens while a turn is answered, in order: the one event stream every route consumes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from pydantic import JsonValue

from conversation.notes import Note
from intent.decision import Decision
from storage.table import Action


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The message is durable; from here on it can't be lost."""

    turn_id: str
    conversation_id: str
    created: bool
    """Whether this message began the conversation."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """What is being done now: ``waiting``, ``reading``, ``understanding``, ``acting`` or ``storing``."""

    stage: str


@dataclass(frozen=True, slots=True)
class ContextAssembled:
    """What of the conversation the message is understood against."""

    messages: int
    tokens: int
    budget_tokens: int


@dataclass(frozen=True, slots=True)
class Decided:
    """The message is understood."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class ToolUsed:
    """A tool of the master agent did something, by name."""

    name: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of the reply's text."""

    text: str


@dataclass(frozen=True, slots=True)
class Restarted:
    """What was said of the reply so far is void: the world changed meanwhile, and the turn is thought through
    again."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the master agent ended its reply: what to remember of it, and what to write in the same
    transaction.

    ``effects`` survive being done twice: their ids derive from the turn. A refused effect means the world
    changed meanwhile: the turn is thought through again.
    """

    note: Note = field(default_factory=Note)
    effects: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished turn: the stored reply, and how it came about."""

    conversation_id: str
    turn_id: str
    message_id: str
    content: str
    created_at: datetime
    metadata: Mapping[str, JsonValue]
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """The turn is answered and stored."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Accepted:
    """The deadline is near while earlier turns are being answered: the message is durable and will be
    answered later."""

    turn_id: str
    conversation_id: str


ReplyEvent: TypeAlias = ToolUsed | Chunk | Outcome
TurnEvent: TypeAlias = (
    TurnStarted | Thinking | ContextAssembled | Decided | ToolUsed | Chunk | Restarted | Done | Accepted
)
