"""What answers hold: the domain's values as clients see them. Nothing that is not listed here gets out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, PlainSerializer, WithJsonSchema

from conversation.clock import to_text
from conversation.models import Conversation, Message, Role
from conversation.policy import TenantStatus
from conversation.repository import TurnProgress, TurnState
from conversation.tenants import TenantRecord

Item = TypeVar("Item")

Moment = Annotated[
    datetime, PlainSerializer(to_text), WithJsonSchema({"type": "string", "format": "date-time"})
]
"""As precise as it is stored, so that a replayed answer has the same bytes."""


class View(BaseModel):
    """Built when it is first used: each function uses some, and imports all."""

    model_config = ConfigDict(defer_build=True)


class Page(View, Generic[Item]):
    """A part of a list."""

    items: tuple[Item, ...]
    next_cursor: str | None = Field(description="Where the list goes on; null at its end.")


class ConversationView(View):
    """A conversation without its messages."""

    id: str
    title: str | None
    message_count: int = Field(description="Messages stored; waiting ones are not counted.")
    created_at: Moment
    updated_at: Moment = Field(description="When something last happened in it.")

    @classmethod
    def of(cls, conversation: Conversation) -> ConversationView:
        """The conversation as its user sees it."""
        return cls(
            id=conversation.id,
            title=conversation.title,
            message_count=conversation.count,
            created_at=conversation.created_at,
            updated_at=conversation.updated_at,
        )


class MessageView(View):
    """A stored message."""

    id: str
    sequence: int = Field(description="Its place in the conversation, counted from 1.")
    role: Role
    content: str
    created_at: Moment
    turn_id: str
    metadata: Mapping[str, JsonValue] = Field(
        description="Of a user: as it was sent. Of the assistant: how the answer came about."
    )

    @classmethod
    def of(cls, message: Message) -> MessageView:
        """The message as its user sees it."""
        return cls.model_validate(message, from_attributes=True)


class TurnView(View):
    """How far the answer to a message is."""

    turn_id: str
    conversation_id: str
    state: TurnProgress
    received_at: Moment
    message: MessageView | None = Field(description="The answer, once the state is `done`.")

    @classmethod
    def of(cls, turn: TurnState) -> TurnView:
        """The turn as its user sees it."""
        return cls(
            turn_id=turn.turn_id,
            conversation_id=turn.conversation_id,
            state=turn.progress,
            received_at=turn.received_at,
            message=None if turn.reply is None else MessageView.of(turn.reply),
        )


class ReplyView(View):
    """The assistant's answer in a chat."""

    id: str
    role: Role
    content: str
    created_at: Moment


class TurnMetadata(View):
    """How an answer came about."""

    decision: JsonValue = Field(
        default=None, description="What was understood, by what, and how sure it is; null if nothing was."
    )
    tool_calls: tuple[JsonValue, ...] = ()
    usage: JsonValue = None
    processing_time_ms: int | None = None
    persisted: bool = Field(description="False: the answer is given, but could not be stored yet.")
    turn_id: str
    trace_id: str = Field(default="", description="The request that got the answer first.")


class ChatReply(View):
    """An answered message."""

    conversation_id: str
    message: ReplyView
    metadata: TurnMetadata


class AcceptedView(View):
    """A message that is stored and will be answered later."""

    conversation_id: str
    turn_id: str


class TenantView(View):
    """A tenant as those who run the deployment see it."""

    tenant: str
    name: str
    status: TenantStatus
    updated_at: str

    @classmethod
    def of(cls, record: TenantRecord) -> TenantView:
        """What is known of a registered tenant."""
        return cls(tenant=record.tenant, name=record.name, status=record.status, updated_at=record.updated_at)


class ProblemView(View):
    """A refusal, as RFC 9457 has it."""

    model_config = ConfigDict(title="Problem")

    type: str
    title: str
    status: int
    code: str = Field(description="Which refusal it is; stays the same.")
    detail: str | None = Field(default=None, description="For people; never repeats what was sent.")
    request_id: str


class Health(View):
    """Whether the service answers."""

    status: str
