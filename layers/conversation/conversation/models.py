"""Conversations and messages as values. How they are stored is `conversation.records`' business."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from conversation.notes import Note

MAX_MESSAGE_CHARACTERS = 8_000
MAX_MESSAGE_BYTES = 32_000
MAX_TITLE_CHARACTERS = 500
MAX_METADATA_BYTES = 4_096


class Role(StrEnum):
    """Who said it."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


class Status(StrEnum):
    """Where a conversation is in its life."""

    ACTIVE = "active"
    DELETED = "deleted"


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
    metadata: Mapping[str, JsonValue] = Field(
        default_factory=dict, description="user: as the client sent it; assistant: decision, usage, …"
    )
    note: Note = Field(default_factory=Note, description="what the turn did; assistant messages only")
    key_hash: str | None = Field(
        default=None, description="of the turn's Idempotency-Key; None when none was sent"
    )
    body_hash: str | None = None


class Conversation(BaseModel):
    """A thread of messages of one user."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str
    user: str
    title: str | None = None
    status: Status = Status.ACTIVE
    count: int = Field(default=0, description="messages stored, waiting ones not counted")
    created_at: datetime
    updated_at: datetime = Field(description="last activity: the newest answered turn, or a rename")
