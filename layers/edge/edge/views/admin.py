"""Views for administrators: tenants, legal holds, erasures, the audit log and other users' conversations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from pydantic import Field, JsonValue

from conversation.erasure.requests import Erasure, Progress, Scope
from conversation.messages.models import Conversation, Message, Role, Status
from conversation.tenants.audit import Act, AuditRecord
from conversation.tenants.lessons import TaughtLesson
from conversation.tenants.policy import Grant, TenantStatus
from conversation.tenants.store import TenantRecord
from edge.views.base import Moment, View


class TenantView(View):
    """A tenant as operators of the deployment see it."""

    tenant: str
    name: str
    status: TenantStatus
    limits: Grant
    updated_at: str

    @classmethod
    def of(cls, record: TenantRecord) -> TenantView:
        """The registered tenant as operators see it."""
        return cls(
            tenant=record.tenant,
            name=record.name,
            status=record.status,
            limits=record.grant,
            updated_at=record.updated_at,
        )


class HoldView(View):
    """Whether a conversation is on legal hold, without its content."""

    conversation_id: str
    held: bool

    @classmethod
    def of(cls, conversation: Conversation) -> HoldView:
        """The conversation as the tenant's admins see it."""
        return cls(conversation_id=conversation.id, held=conversation.held)


NotReached: TypeAlias = Literal["backups", "skill_secrets"]


class ErasureView(View):
    """An erasure; once it is done, its receipt."""

    id: str
    scope: Scope
    subject: str = Field(description="The conversation, user or tenant.")
    state: Progress = Field(
        description="`settling`: all is removed, and is looked through once more for what came late;"
        " `held`: what is left is on legal hold, and follows when that is lifted."
    )
    removed: Mapping[str, int] = Field(description="How many items are gone, by kind.")
    held: int = Field(description="Conversations left alone as long as they are on legal hold.")
    held_conversations: tuple[str, ...] = Field(description="Their ids, of the first thousand.")
    not_reached: tuple[NotReached, ...] = Field(
        description="What no erasure reaches: `backups` of the table, which end by themselves, and, of a"
        " tenant, `skill_secrets`, which whoever put them there has to take away."
    )
    asked_by: str
    asked_at: Moment
    finished_at: Moment | None

    @classmethod
    def of(cls, erasure: Erasure) -> ErasureView:
        """The erasure as clients see it."""
        return cls(
            id=erasure.id,
            scope=erasure.scope,
            subject=erasure.subject,
            state=erasure.progress,
            removed=erasure.removed,
            held=erasure.held,
            held_conversations=tuple(sorted(erasure.held_conversations)),
            not_reached=("backups", "skill_secrets") if erasure.scope is Scope.TENANT else ("backups",),
            asked_by=erasure.asked_by,
            asked_at=erasure.asked_at,
            finished_at=erasure.finished_at,
        )


class AuditView(View):
    """One administrative act."""

    id: str
    at: Moment
    act: Act
    actor: str
    actor_tenant: str = Field(description="Another one than yours: somebody who runs the deployment.")
    subject: str = Field(description="What it was done to, by id or name; empty: your tenant.")
    before: Mapping[str, JsonValue] | None = Field(
        default=None, description="The values it changed, as they were; null: there was nothing before."
    )
    after: Mapping[str, JsonValue] | None = Field(
        default=None, description="The values it changed, as they became; null: nothing is left."
    )

    @classmethod
    def of(cls, record: AuditRecord) -> AuditView:
        """The record as admins see it."""
        return cls.model_validate(record, from_attributes=True)


class OverseenConversation(View):
    """A conversation as admins of the tenant see it, without its content."""

    id: str
    user: str
    status: Status
    message_count: int
    held: bool
    created_at: Moment
    updated_at: Moment

    @classmethod
    def of(cls, conversation: Conversation) -> OverseenConversation:
        """The conversation without title and messages."""
        return cls(
            id=conversation.id,
            user=conversation.user,
            status=conversation.status,
            message_count=conversation.active_count,
            held=conversation.held,
            created_at=conversation.created_at,
            updated_at=conversation.updated_at,
        )


class OverseenDecision(View):
    """How a request was understood, without its words."""

    action_type: str
    confidence: float
    is_ambiguous: bool = False
    alternative_action: str | None = None
    source: str
    model: str | None = None
    latency_ms: int = 0
    cost_usd: float | None = None
    fallback_reason: str | None = None


class OverseenRouting(View):
    """Which model answered, with which tools."""

    model: str
    tools: tuple[str, ...]
    by: str
    router: str | None = None
    cost_usd: float | None = None
    latency_ms: int = 0
    fallback_reason: str | None = None


class OverseenMessage(View):
    """A message as admins of the tenant see it."""

    id: str
    sequence: int
    role: Role
    created_at: Moment
    turn_id: str
    decision: OverseenDecision | None = Field(description="Of answers: how the request was understood.")
    routing: OverseenRouting | None
    content: str | None = Field(description="Null unless the policy's `admin_content_access` is set.")

    @classmethod
    def of(cls, message: Message, *, with_content: bool) -> OverseenMessage:
        """The message as admins see it; its content only if ``with_content`` is set."""
        is_reply = message.role is Role.ASSISTANT
        return cls.model_validate(
            {
                "id": message.id,
                "sequence": message.sequence,
                "role": message.role,
                "created_at": message.created_at,
                "turn_id": message.turn_id,
                # The metadata that users send with a message stays private.
                "decision": message.metadata.get("decision") if is_reply else None,
                "routing": message.metadata.get("routing") if is_reply else None,
                "content": message.content if with_content else None,
            }
        )


class CorrectionView(View):
    """What a user corrected."""

    id: str
    wording: str | None = Field(
        description="the words, with names, numbers, times and addresses masked; null for those of others,"
        " unless the policy's `admin_content_access` is set"
    )
    act: str = Field(description="the kind of act that they mean")
    times: int = Field(description="how often the user said so")
    user: str
    taught_at: Moment

    @classmethod
    def of(cls, lesson: TaughtLesson, *, with_wording: bool) -> CorrectionView:
        """The lesson as administrators see it."""
        return cls(
            id=lesson.id,
            wording=lesson.wording if with_wording else None,
            act=lesson.kind,
            times=lesson.times,
            user=lesson.user,
            taught_at=lesson.taught_at,
        )
