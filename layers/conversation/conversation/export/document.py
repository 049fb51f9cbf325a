"""The schema of an exported conversation: one JSON document, on one line of a file. Pure.

A conversation too long for one document is split into several, each with the next messages; the last one is
``complete``. Left out are derived data (summaries, the search index, the expiry time), Idempotency-Keys,
which only last a day, legal holds, and messages that wait for an answer. Members with default values are left
out, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    PlainSerializer,
    WithJsonSchema,
)

from conversation.clock import to_text
from conversation.messages.branches import BranchPath
from conversation.messages.items import ACTIVE_STATUSES
from conversation.messages.models import Conversation, Message, Note, Role, Status
from conversation.threads.feedback import Feedback, Rating
from storage.keys import MAX_SEQUENCE, TenantId

FORMAT: Final = "omniforge.conversation"
VERSION: Final = 1
_SEGMENTS = r"^([1-9][0-9]{0,11}-[1-9][0-9]{0,11}(,[1-9][0-9]{0,11}-[1-9][0-9]{0,11})*)?$"
PATH = r"^([1-9][0-9]{0,11}-[1-9][0-9]{0,11},)*[1-9][0-9]{0,11}$"

Moment = Annotated[
    AwareDatetime, PlainSerializer(to_text), WithJsonSchema({"type": "string", "format": "date-time"})
]
MessageSequence = Annotated[int, Field(ge=1, le=MAX_SEQUENCE)]


def _check_status(status: Status) -> Status:
    if status not in ACTIVE_STATUSES:
        raise ValueError("neither active nor archived")
    return status


class Record(BaseModel):
    """The base of all parts of a document; rejects unknown members."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", strict=True)


class FeedbackRecord(Record):
    """The user's feedback on an answer."""

    rating: Rating
    correction: str | None = None
    comment: str | None = None
    trace_id: str = ""
    given_at: Moment

    @classmethod
    def of(cls, feedback: Feedback) -> FeedbackRecord:
        """The record of stored feedback."""
        return cls.model_construct(**{name: getattr(feedback, name) for name in cls.model_fields})


class AttachmentRecord(Record):
    """A file of a message; its content is not part of the document."""

    id: str
    name: str
    media_type: str
    size: int
    download_url: str | None = Field(
        default=None, description="where its content is, for a quarter of an hour from the export on"
    )


class MessageRecord(Record):
    """One message with its metadata."""

    id: str
    sequence: MessageSequence = Field(description="its place in the conversation, without gaps from 1 on")
    role: Role
    content: str
    created_at: Moment
    turn_id: str = Field(description="`<conversation id>.<ULID>`")
    tokens: int = Field(ge=0, description="of the text with its role prefix, by cl100k_base")
    metadata: Mapping[str, JsonValue] = Field(default_factory=dict)
    note: Note = Field(default_factory=Note, description="what the turn did")
    tool_messages: tuple[Mapping[str, JsonValue], ...] = ()
    attachments: tuple[AttachmentRecord, ...] = Field(
        default=(), description="its files; an import leaves them out, because their content stays behind"
    )
    deleted: bool = False
    pinned: bool = False
    root: MessageSequence | None = Field(
        default=None, description="the place of the message it is a later version of"
    )
    versions: tuple[MessageSequence, ...] = Field(default=(), description="the places of its later versions")
    left: str | None = Field(
        default=None, pattern=_SEGMENTS, description="what was active with it: `1-4,11-12`"
    )
    feedback: FeedbackRecord | None = None

    @classmethod
    def of(
        cls, message: Message, feedback: Feedback | None, attachments: tuple[AttachmentRecord, ...] = ()
    ) -> MessageRecord:
        """The record of a stored message, its feedback and its files."""
        given = FeedbackRecord.of(feedback) if feedback else None
        return cls.model_construct(**cls._own(message), feedback=given, attachments=attachments)

    def to_message(self, conversation_id: str) -> Message:
        """The message to import."""
        return Message(conversation_id=conversation_id, **self._own(self))

    @classmethod
    def _own(cls, message: Message | MessageRecord) -> dict[str, Any]:
        """What a message and its record have in common."""
        return {
            name: getattr(message, name)
            for name in cls.model_fields
            if name not in ("feedback", "attachments")
        }

    def to_feedback(self) -> Feedback | None:
        """The feedback to import; None without any."""
        return Feedback(turn_id=self.turn_id, **dict(self.feedback)) if self.feedback else None


class ConversationRecord(Record):
    """A conversation without its messages."""

    id: str
    title: str | None = Field(default=None, max_length=500)
    status: Annotated[Status, AfterValidator(_check_status)] = Field(
        default=Status.ACTIVE, description="`active` or `archived`"
    )
    pinned: bool = False
    metadata: Mapping[str, JsonValue] = Field(
        default_factory=dict, description="what its client keeps with it"
    )
    message_count: int = Field(ge=0, le=MAX_SEQUENCE, description="of all its documents, replaced ones too")
    path: str | None = Field(
        default=None,
        pattern=PATH,
        description="active messages after edits: `1-4,11` is 1 to 4 and from 11 on",
    )
    forked_from: str | None = None
    created_at: Moment
    updated_at: Moment

    @classmethod
    def of(cls, conversation: Conversation, metadata: Mapping[str, JsonValue]) -> ConversationRecord:
        """The record of a stored conversation and its metadata."""
        return cls.model_construct(
            id=conversation.id,
            title=conversation.title,
            status=conversation.status,
            pinned=conversation.pinned,
            metadata=metadata,
            message_count=conversation.count,
            path=None if conversation.path.is_whole else conversation.path.to_text(),
            forked_from=conversation.forked_from,
            created_at=conversation.created_at,
            updated_at=conversation.updated_at,
        )

    def to_conversation(self, user: str) -> Conversation:
        """The conversation to import for a user."""
        return Conversation(
            id=self.id,
            user=user,
            title=self.title,
            status=self.status,
            count=self.message_count,
            path=BranchPath.parse(self.path),
            forked_from=self.forked_from,
            created_at=self.created_at,
            updated_at=self.updated_at,
            pinned=self.pinned,
        )


class Document(Record):
    """A conversation, or the next part of one."""

    format: Literal["omniforge.conversation"]
    version: Literal[1]
    tenant: str
    user: str
    conversation: ConversationRecord
    messages: tuple[MessageRecord, ...]
    complete: bool = Field(description="whether the conversation ends with this document")

    @classmethod
    def of(
        cls, tenant: TenantId, user: str, record: ConversationRecord, messages: Sequence[MessageRecord]
    ) -> Document:
        """The document with these messages."""
        last = messages[-1].sequence if messages else 0
        return cls.model_construct(
            format=FORMAT,
            version=VERSION,
            tenant=tenant,
            user=user,
            conversation=record,
            messages=tuple(messages),
            complete=last >= record.message_count,
        )

    def to_line(self) -> str:
        """The document as one line of a file; the same document always gives the same bytes."""
        return self.model_dump_json(exclude_defaults=True) + "\n"


UNTITLED = "Conversation"
_SPEAKERS = {Role.USER: "You", Role.ASSISTANT: "Assistant", Role.SYSTEM: "System"}
_RATINGS = {"up": "👍", "down": "👎"}


def to_markdown(document: Document) -> str:
    """The document as Markdown that ends with an empty line.

    Only a conversation's first document has a heading. Deleted and replaced messages are left out.
    """
    path = BranchPath.parse(document.conversation.path)
    begins = not document.messages or document.messages[0].sequence == 1
    shown = [each for each in document.messages if path.has(each.sequence) and not each.deleted]
    parts = [_heading(document.conversation)] if begins else []
    return "".join(f"{part}\n\n" for part in [*parts, *map(_message, shown)])


def _heading(record: ConversationRecord) -> str:
    title = " ".join((record.title or UNTITLED).split())
    return f"# {title}\n\nBegun {_time(record.created_at)}, last changed {_time(record.updated_at)}"


def _message(message: MessageRecord) -> str:
    spoken = f"**{_SPEAKERS[message.role]}** · {_time(message.created_at)}\n\n{message.content.strip()}"
    names = ", ".join(each.name for each in message.attachments)
    spoken = f"{spoken}\n\n> 📎 {names}" if names else spoken
    return spoken if message.feedback is None else f"{spoken}\n\n{_feedback_line(message)}"


def _feedback_line(message: MessageRecord) -> str:
    feedback = message.feedback
    if feedback is None:
        return ""
    remarks = [text for text in (feedback.correction, feedback.comment) if text]
    return " ".join(["> " + _RATINGS[feedback.rating], *(" ".join(text.split()) for text in remarks)])


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
