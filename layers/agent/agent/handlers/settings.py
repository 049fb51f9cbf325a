"""Answers to requests about the workspace: showing its policy, and changing how long chats are kept."""

from __future__ import annotations

from pydantic import ValidationError

from agent.handler_interface import HandlerReply, TurnRequest
from agent.handlers import questions
from agent.requested_entities import CONFIRMED, Entities, RequestedEntities
from agent.templates import policy_texts
from conversation.identity import ADMIN
from conversation.messages.models import Note, Pending
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import TenantStore
from intent.decision import ActionType

SET_RETENTION = "set_retention"


def reply(turn: TurnRequest, entities: Entities, tenants: TenantStore) -> HandlerReply:
    """The answer to a request about the workspace."""
    wish = RequestedEntities.of(entities)
    if wish.operation == questions.Operation.SHOW_POLICY:
        return questions.show_policy(turn)
    if wish.operation == SET_RETENTION or (wish.operation is None and wish.days is not None):
        return _set_retention(turn, wish, tenants, is_confirmed=entities.get(CONFIRMED) is True)
    return HandlerReply(policy_texts.platform_unknown())


def _set_retention(
    turn: TurnRequest, wish: RequestedEntities, tenants: TenantStore, *, is_confirmed: bool
) -> HandlerReply:
    if not turn.caller.has(ADMIN):
        return HandlerReply(policy_texts.admins_only())
    record = turn.roster.record
    policy = _keeping(record.policy, wish.days)
    if policy is None:
        return HandlerReply(policy_texts.retention_range())
    days = policy.retention_days
    if days == record.policy.retention_days:
        return HandlerReply(policy_texts.retention_same(days))
    if not is_confirmed:
        return _confirm(days, record.policy.retention_days)
    note = Note(did=f"changed the policy to keep chats for {policy_texts.plural_days(days)}")
    return HandlerReply(
        policy_texts.retention_changed(days),
        note,
        (tenants.build_policy_put(record, policy),),
        ("update_policy",),
    )


def _confirm(days: int, now_days: int) -> HandlerReply:
    entities: Entities = {"operation": SET_RETENTION, "days": days, CONFIRMED: True}
    summary = f"keep chats for {policy_texts.plural_days(days)}"
    pending = Pending(action=ActionType.MANAGE_PLATFORM, entities=entities, summary=summary)
    return HandlerReply(policy_texts.confirm_retention(days, now_days), Note(pending=pending))


def _keeping(policy: TenantPolicy, days: int | None) -> TenantPolicy | None:
    """The policy with another retention; None when the number is missing or not allowed."""
    try:
        return TenantPolicy.model_validate({**dict(policy), "retention_days": days})
    except ValidationError:
        return None
