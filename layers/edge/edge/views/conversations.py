"""Views of conversations, messages and turns. A value of the domain that is not listed here is not sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from conversation.messages.attached_files import AttachedFile
from conversation.messages.models import Conversation, Message, Role, Status
from conversation.redaction.kinds import SecretKind
from conversation.threads.questions import question_of
from conversation.threads.repository import TurnProgress, TurnState
from edge.views.base import Moment, View


class ConversationView(View):
    """A conversation without its messages."""

    id: str
    title: str | None
    status: Status = Field(description="`active` or `archived`; a message brings an archived one back.")
    pinned: bool
    message_count: int = Field(description="Messages stored; waiting ones are not counted.")
    created_at: Moment
    updated_at: Moment = Field(description="When something last happened in it.")
    expires_at: Moment | None = Field(
        description="When it becomes unreadable unless something happens in it; null: it is on legal hold."
    )

    @classmethod
    def of(cls, conversation: Conversation) -> ConversationView:
        """The conversation as its user sees it."""
        return cls(
            id=conversation.id,
            title=conversation.title,
            status=conversation.status,
            pinned=conversation.pinned,
            message_count=conversation.active_count,
            created_at=conversation.created_at,
            updated_at=conversation.updated_at,
            expires_at=conversation.expires_at,
        )


class ConversationDetails(ConversationView):
    """A conversation with the metadata that its client keeps with it."""

    metadata: Mapping[str, JsonValue]
    forked_from: str | None = Field(description="The conversation it was copied from.")

    @classmethod
    def with_metadata(
        cls, conversation: Conversation, metadata: Mapping[str, JsonValue]
    ) -> ConversationDetails:
        """The conversation as its user sees it."""
        view = dict(ConversationView.of(conversation))
        return cls(**view, metadata=metadata, forked_from=conversation.forked_from)


class AttachedFileView(View):
    """A file of a message."""

    id: str
    name: str
    media_type: str
    size: int

    @classmethod
    def of(cls, file: AttachedFile) -> AttachedFileView:
        """The file as its user sees it."""
        return cls.model_validate(file, from_attributes=True)


class MessageView(View):
    """A stored message."""

    id: str
    sequence: int = Field(description="Its place in the conversation, counted from 1.")
    role: Role
    content: str
    created_at: Moment
    turn_id: str
    attachments: tuple[AttachedFileView, ...] = Field(
        default=(), description="Its files; `GET /v1/attachments/{id}` says where their content is."
    )
    metadata: Mapping[str, JsonValue] = Field(
        description="Of a user: as it was sent. Of the assistant: how the answer came about."
    )
    tool_messages: tuple[Mapping[str, JsonValue], ...] = Field(
        default=(), description="What a model asked of tools on the way, and was answered."
    )
    deleted: bool = Field(description="Its user took it back; what it said is gone.")
    edited: bool = Field(description="There are other versions of it; of an answer, see its request.")
    late: bool = Field(
        default=False,
        description="The storage was out of reach when it was said; it stands where it was stored.",
    )
    contains: tuple[SecretKind, ...] = Field(
        description="Secrets and personal data recognised in it, sort by sort; empty: none."
    )

    @classmethod
    def of(cls, message: Message) -> MessageView:
        """The message as its user sees it."""
        return cls.model_validate(message, from_attributes=True)


class VersionView(View):
    """One of the versions of a message."""

    message: MessageView
    active: bool = Field(description="It is part of the conversation as it stands.")


class VersionsView(View):
    """All versions of a message, oldest first."""

    items: tuple[VersionView, ...]


class TurnView(View):
    """The state of a turn, and its answer once there is one."""

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


class ActView(View):
    """One thing that a message does, as it was understood."""

    kind: str = Field(description="For example `agent.pause`, `task.add`, `yes` or `social`.")
    text: str = Field(description="The words that carry it, cut.")
    things: tuple[str, ...] = Field(default=(), description="Names of the agents or tasks it means.")
    slots: Mapping[str, str] = Field(
        default_factory=dict, description="What it says: `when`, `where`, `source`, `title`, …; cut."
    )


class PassedOverView(View):
    """A model that did not answer, and why."""

    model: str
    reason: str = Field(description="`refused`, `rate_limited`, `deadline`, `breaker_open` (it rests), …")


class DecisionView(View):
    """How a message was understood, by what, and how confidently."""

    action_type: str
    confidence: float
    entities: Mapping[str, JsonValue] = Field(default_factory=dict)
    reasoning: str = ""
    is_ambiguous: bool = False
    alternative_action: str | None = None
    clarifying_question: str | None = None
    acts: tuple[ActView, ...] = Field(default=(), description="All that the message does, in order.")
    question_subject: str | None = Field(
        default=None,
        description="What a single question is about: `workspace`, `general` or, in doubt, `either`.",
    )
    source: str = Field(description="`explicit`, `model` or `offline`.")
    model: str | None = Field(default=None, description="The model that decided, or failed to.")
    latency_ms: int = 0
    cost_usd: float | None = None
    fallback_reason: str | None = Field(
        default=None, description="Why no model decided although one is configured."
    )
    passed_over: tuple[PassedOverView, ...] = Field(
        default=(), description="The models that `model`, or the offline tier, answered for."
    )
    offline_because_cold: bool = Field(
        default=False, description="Whether the reason was a model library that was still loading."
    )


class ToolCallView(View):
    """A tool that was used."""

    name: str
    ok: bool = True
    arguments: str = Field(
        default="", description="As a model gave them, cut; empty for what needed no model."
    )
    error_code: str | None = None
    elapsed_ms: int | None = None


def _named(value: object) -> object:
    """Replies stored by earlier versions hold only the names of tools."""
    return {"name": value} if isinstance(value, str) else value


class RoutingView(View):
    """Which model answered, with which tools, and who picked them."""

    model: str
    tools: tuple[str, ...]
    by: str = Field(description="`model`, `only_choice` or `fallback`.")
    reason: str = ""
    router: str | None = Field(default=None, description="The model that was asked; null: none was.")
    cost_usd: float | None = None
    latency_ms: int = 0
    fallback_reason: str | None = None
    router_passed_over: tuple[PassedOverView, ...] = Field(
        default=(), description="The models that `router` picked for."
    )
    passed_over: tuple[PassedOverView, ...] = Field(
        default=(), description="The models that `model` answered for."
    )


class UsageView(View):
    """The model usage of an answer."""

    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = Field(
        default=None, description="Null: no model was asked, or a price is unknown."
    )


class QuestionView(View):
    """What an answer asks. `answers` of a later message names it by its id, on any wire."""

    id: str = Field(description="It is the turn's.")
    kind: Literal["yes_or_no", "choice"]
    options: tuple[str, ...] = Field(description="What can be chosen, by its number or its words.")


class TurnMetadata(View):
    """How an answer came about."""

    decision: DecisionView | None = Field(default=None, description="Null if nothing was understood.")
    routing: RoutingView | None = Field(
        default=None, description="Null: the answer needed no strong model, or none is at hand."
    )
    tool_calls: tuple[Annotated[ToolCallView, BeforeValidator(_named)], ...] = ()
    usage: UsageView = Field(default_factory=UsageView)
    processing_time_ms: int | None = None
    persisted: bool = Field(
        description="False: the answer is given, but no history is kept, or it could not be stored."
    )
    stored_later: bool = Field(
        default=False,
        description="True: the storage was out of reach; message and answer wait in a queue and will stand at"
        " the end of their conversation, marked `late`, unless there is no such conversation. Until then the"
        " turn is not found, and the ids of its messages may get another number in front.",
    )
    state: str | None = Field(
        default=None,
        description="Where no history is kept: what this answer leaves open, such as an unfinished agent."
        " Send it with the next message; it means nothing to clients, and is valid for seven days.",
    )
    partial: bool = Field(
        default=False, description="True: its user stopped it; what was said until then is kept."
    )
    unprocessed: bool = Field(
        default=False,
        description="True: processes died while they answered the message, so it was given up. Neither it nor"
        " this answer is used for later ones.",
    )
    options: tuple[str, ...] = Field(
        default=(), description="What the answer offers to choose from; a message picks one by its number."
    )
    asks_yes_or_no: bool = Field(default=False, description="True: what it proposes is done after a yes.")
    asks: bool = Field(
        default=False,
        description="True: it asks something, or something that was asked before is still open.",
    )
    question: QuestionView | None = Field(
        default=None, description="The options, or what is done after a yes, as one object; null: none."
    )
    turn_id: str
    trace_id: str = Field(default="", description="The request that got the answer first.")

    @model_validator(mode="before")
    @classmethod
    def _with_question(cls, stored: Any) -> Any:
        """What is stored of a question are its members."""
        question = question_of(stored["turn_id"], stored)
        return stored if question is None else {**stored, "question": question._asdict()}


class ChatReply(View):
    """An answered message."""

    conversation_id: str
    message: ReplyView
    metadata: TurnMetadata


class AcceptedView(View):
    """A message that is stored and will be answered later."""

    conversation_id: str
    turn_id: str
