"""What happens while a turn is answered, in order: the one event stream every route consumes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, TypeAlias

from pydantic import JsonValue

from conversation.messages.models import Note
from intent.decision import Decision
from storage.table import Action


class TurnStarted(NamedTuple):
    """The message is durable, and can't be lost from here on, where it is ``stored``."""

    turn_id: str
    conversation_id: str
    created: bool
    """Whether this message began the conversation."""
    stored: bool = True
    """False: storage is out of reach, or no history is kept. The last event tells whether it will be."""


class Thinking(NamedTuple):
    """What is being done now: ``waiting``, ``reading``, ``understanding``, ``acting``, ``routing``,
    ``answering`` or ``storing``."""

    stage: str


class ContextAssembled(NamedTuple):
    """What of the conversation the message is understood against."""

    messages: int
    tokens: int
    budget_tokens: int


class Decided(NamedTuple):
    """The message is understood."""

    decision: Decision


class Routed(NamedTuple):
    """Who answers a question, and with which tools: what `agent.inference.router.Routing` keeps with a
    turn."""

    routing: Mapping[str, JsonValue]


class ToolUsed(NamedTuple):
    """A tool did something, by name; ``arguments`` are a model's, cut, and empty for what we do ourselves."""

    name: str
    ok: bool = True
    arguments: str = ""
    error_code: str | None = None
    elapsed_ms: int | None = None


class Chunk(NamedTuple):
    """A piece of the reply's text, which is that of all chunks since the last `Restarted`."""

    text: str


@dataclass(frozen=True, slots=True)
class Restarted:
    """What was said of the reply so far is void, and it is told anew: the world changed meanwhile and the
    turn is thought through again, or a model's words turned out to be no answer."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the master agent ended its reply: what to remember of it, and what to write in the same
    transaction.

    ``effects`` survive being done twice: their ids derive from the turn. A refused effect means the world
    changed meanwhile: the turn is thought through again.
    """

    note: Note = field(default_factory=Note)
    effects: tuple[Action, ...] = ()
    tool_messages: tuple[Mapping[str, JsonValue], ...] = ()
    """What a model asked of tools and was answered, as it was sent to the model."""


class Answer(NamedTuple):
    """A finished turn: the stored reply, and how it came about."""

    conversation_id: str
    turn_id: str
    message_id: str
    content: str
    created_at: datetime
    metadata: Mapping[str, JsonValue]
    replayed: bool = False


class Done(NamedTuple):
    """The turn is answered; its metadata say whether it is stored."""

    answer: Answer


class Accepted(NamedTuple):
    """The deadline is near while earlier turns are being answered: the message is durable and will be
    answered later."""

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


class Teller:
    """What was told of one reply so far."""

    def __init__(self) -> None:
        self._told = ""

    def tell(self, text: str) -> Iterator[Chunk | Restarted]:
        """What is still to be told so that all of it is ``text``: its rest by lines, or another beginning."""
        if not text.startswith(self._told):
            self._told = ""
            yield Restarted()
        rest, self._told = text[len(self._told) :], text
        yield from map(Chunk, _LINES.findall(rest))
