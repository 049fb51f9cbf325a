"""Conversations and messages as values. How they are stored is defined in `conversation.messages.items`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, SkipValidation

from conversation.messages.attached_files import AttachedFile
from conversation.messages.branches import BranchPath

ReferenceKind = Literal["agent", "run", "conversation", "task", "answer", "option", "setting"]


class Reference(BaseModel):
    """An object that a reply mentioned: its kind, its id, and the name that the user saw."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    kind: ReferenceKind = "agent"  # the most frequent kind, because defaults are not stored
    id: str
    name: str


class Choice(BaseModel):
    """One numbered option of a reply, and what choosing it would do."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    label: str
    action: str = Field(description="an ActionType value")
    entities: Mapping[str, JsonValue] = Field(default_factory=dict)


CLIENT_MESSAGE_ID = "client_message_id"
"""In the metadata of a user's message: the id that its client gave it."""
TOOL_CALL, RUN_CALL, MAIL_CODE = "tool_call", "run_call", "mail_code"
"""The actions of questions about a tool call, of a chat and of a run. A yes to them makes the call itself."""


class Pending(BaseModel):
    """An action that waits for the user's confirmation."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    action: str = Field(description="an ActionType value, `TOOL_CALL`, `RUN_CALL` or `MAIL_CODE`")
    entities: Mapping[str, JsonValue] = Field(default_factory=dict)
    summary: str = Field(default="", description="what a yes would do, as the user saw it")


def _question_line(question: Mapping[str, JsonValue]) -> str:
    """What a reply asked, for a model: ``asked to confirm: agent.delete``."""
    waiting = question.get("waiting")
    held = [one for one in waiting if isinstance(one, dict)] if isinstance(waiting, list) else []
    kinds = ", ".join(str(one.get("kind", "")) for one in held)
    return f"asked to {question.get('asked', 'answer')}: {kinds}" if kinds else "asked a question"


class Note(BaseModel):
    """The note of one reply. Every field is empty when the turn did nothing of the kind."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    did: str = Field(default="", description="what the turn changed, one short sentence")
    listed: tuple[Reference, ...] = Field(default=(), description="what the reply listed, in its order")
    about: Reference | None = Field(default=None, description="the one thing the turn was about")
    choices: tuple[Choice, ...] = Field(default=(), description="numbered options offered, in their order")
    pending: Pending | None = Field(default=None, description="what a yes would do")
    asking: str | None = Field(default=None, description="the agent wizard's field the reply asked for")
    draft: Mapping[str, JsonValue] | None = Field(
        default=None, description="the unfinished agent, carried from reply to reply"
    )
    model: str | None = Field(
        default=None, description="the model the conversation goes on with, as a request named it"
    )
    question: Mapping[str, JsonValue] | None = Field(
        default=None, description="what the reply asked and what waits for the answer: agent.dialogue"
    )
    kinds: tuple[str, ...] = Field(default=(), description="the kinds of the acts that the turn did")
    sum: Mapping[str, JsonValue] | None = Field(
        default=None, description="the last sum with its numbers, carried from reply to reply: intent.sums"
    )
    changes: Mapping[str, JsonValue] | None = Field(
        default=None, description="what the turn changed and how it was before: agent.undo"
    )

    @property
    def subject(self) -> Reference | None:
        """What "it" means after the reply; an answer about the product or a setting takes nobody's mind off
        the thing before.
        """
        return None if self.about is None or self.about.kind in {"answer", "setting"} else self.about

    def to_line(self) -> str:
        """The note as one line for a model; empty when the note is."""
        parts = [self.did] if self.did else []
        if self.listed:
            parts.append(
                "listed: " + ", ".join(f"{place}. {item.name}" for place, item in enumerate(self.listed, 1))
            )
        if self.choices:
            parts.append(
                "offered: "
                + ", ".join(f"{place}. {choice.label}" for place, choice in enumerate(self.choices, 1))
            )
        if self.pending:
            parts.append(f"waits for a yes to: {self.pending.summary or self.pending.action}")
        if self.asking:
            parts.append(f"asked for the new agent's {self.asking}")
        if self.question:
            parts.append(_question_line(self.question))
        elif self.draft and isinstance(asked := self.draft.get("asked"), list):
            parts.append(f"asked for the new agent's {', '.join(map(str, asked))}")
        return "; ".join(parts)

    def with_open_from(self, earlier: Note) -> Note:
        """The note plus what the earlier reply left open: an unfinished agent, a question, a list."""
        kept = earlier.model_fields_set - {"did", "about"} - self.model_fields_set
        return self.model_copy(update={name: getattr(earlier, name) for name in kept})

    def is_empty(self) -> bool:
        """Whether there is nothing worth storing."""
        return self == Note()


MAX_MESSAGE_CHARACTERS = 8_000
MAX_MESSAGE_BYTES = 32_000
MAX_TITLE_CHARACTERS = 500
MAX_METADATA_BYTES = 4_096


class Role(StrEnum):
    """The sender of a message."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


class Status(StrEnum):
    """The status of a conversation."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    DELETED = "deleted"
    GONE = "gone"
    """Being removed for good, or already removed: what is left of the head refuses late writes."""


class Message(BaseModel):
    """One message; ``sequence`` counts from 1 and is the order of the conversation."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str = Field(description="made here; contains the sequence")
    conversation_id: str
    sequence: int
    role: Role
    content: str
    created_at: datetime = Field(description="user: when it was received; assistant: when it was stored")
    turn_id: str
    tokens: int = Field(description="of the text with its role prefix, counted when it was stored")
    # What is stored is JSON, which was checked on its way there: a turn reads a dozen of these.
    metadata: SkipValidation[Mapping[str, JsonValue]] = Field(
        default_factory=dict, description="user: as the client sent it; assistant: decision, usage, …"
    )
    note: Note = Field(default_factory=Note, description="what the turn did; assistant messages only")
    tool_messages: SkipValidation[tuple[Mapping[str, JsonValue], ...]] = Field(
        default=(), description="what a model asked of tools and was answered; assistant messages only"
    )
    attachments: tuple[AttachedFile, ...] = Field(default=(), description="its files; user messages only")
    key_hash: str | None = Field(
        default=None, description="of the turn's Idempotency-Key; None when none was sent"
    )
    body_hash: str | None = None
    deleted: bool = Field(default=False, description="its user took it back: nothing is left of what it said")
    late: bool = Field(
        default=False, description="storage was out of reach when it was said: it was stored later"
    )
    unprocessed: bool = Field(
        default=False,
        description="processes died of its turn, so its content is not used for anything but to show it",
    )
    imported: bool = Field(default=False, description="it came with an import: nobody said it here")
    root: int | None = Field(
        default=None, description="the place of the message it is a later version of; user messages only"
    )
    versions: tuple[int, ...] = Field(
        default=(), description="the places of its later versions; first versions only"
    )
    pinned: bool = Field(default=False, description="never left out of what a model is told")
    left: str | None = Field(
        default=None, description="the segments that were active with it when another version became active"
    )
    contains: tuple[str, ...] = Field(default=(), description="the kinds of secrets found in it")

    @property
    def edited(self) -> bool:
        """Whether there are other versions of it. For an answer, see its request."""
        return self.root is not None or bool(self.versions)


class Conversation(BaseModel):
    """A sequence of messages of one user."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str
    user: str
    title: str | None = None
    status: Status = Status.ACTIVE
    count: int = Field(default=0, description="messages stored, replaced ones too, waiting ones not counted")
    path: BranchPath = Field(default=BranchPath(), description="which of them are active")
    forked_from: str | None = Field(default=None, description="the conversation it was copied from")
    created_at: datetime
    updated_at: datetime = Field(description="last activity: the newest answered turn, or a rename")
    pinned: bool = False
    held: bool = Field(default=False, description="on legal hold: kept until the hold is lifted")
    expires_at: datetime | None = Field(
        default=None,
        description="when it becomes unreadable unless something happens in it; None: not known, or held",
    )

    @property
    def active_count(self) -> int:
        """The number of active messages, which are those that a reader sees."""
        return self.path.count(self.count)
