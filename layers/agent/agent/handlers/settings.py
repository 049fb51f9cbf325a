"""Answers to requests about the workspace: showing its policy, and changing how long chats are kept."""

from __future__ import annotations

from pydantic import ValidationError

from agent.handler_interface import Reply, Turn
from agent.requested_entities import Entities, Wish
from agent.templates import policy as policy_texts
from conversation.identity import ADMIN
from conversation.messages.models import Note, Pending
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import TenantStore
from intent.decision import ActionType

SET_RETENTION = "set_retention"
SHOW_POLICY = "show_policy"
CONFIRMED = "confirmed"


def reply(turn: Turn, entities: Entities, tenants: TenantStore) -> Reply:
    """The answer to a request about the workspace."""
    wish = Wish.of(entities)
    if wish.operation == SHOW_POLICY:
        return Reply(policy_texts.policy_shown(turn.roster.record.policy), tools=("show_policy",))
    if wish.operation == SET_RETENTION or (wish.operation is None and wish.days is not None):
        return _set_retention(turn, wish, tenants, is_confirmed=entities.get(CONFIRMED) is True)
    return Reply(policy_texts.platform_unknown())


def _set_retention(turn: Turn, wish: Wish, tenants: TenantStore, *, is_confirmed: bool) -> Reply:
    if not turn.caller.has(ADMIN):
        return Reply(policy_texts.admins_only())
    record = turn.roster.record
    policy = _keeping(record.policy, wish.days)
    if policy is None:
        return Reply(policy_texts.retention_range())
    days = policy.retention_days
    if days == record.policy.retention_days:
        return Reply(policy_texts.retention_same(days))
    if not is_confirmed:
        return _confirm(days, record.policy.retention_days)
    note = Note(did=f"changed the policy to keep chats for {policy_texts.plural_days(days)}")
    return Reply(
        policy_texts.retention_changed(days), note, (tenants.replacing(record, policy),), ("update_policy",)
    )


def _confirm(days: int, now_days: int) -> Reply:
    entities: Entities = {"operation": SET_RETENTION, "days": days, CONFIRMED: True}
    summary = f"keep chats for {policy_texts.plural_days(days)}"
    pending = Pending(action=ActionType.MANAGE_PLATFORM, entities=entities, summary=summary)
    return Reply(policy_texts.confirm_retention(days, now_days), Note(pending=pending))


def _keeping(policy: TenantPolicy, days: int | None) -> TenantPolicy | None:
    """The policy with another retention; None when the number is missing or not allowed."""
    try:
        return TenantPolicy.model_validate({**dict(policy), "retention_days": days})
    except ValidationError:
        return None
