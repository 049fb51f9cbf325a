"""Retention rules: when a conversation expires under its tenant's policy. Pure.

Days count from the last activity. An expired conversation is unreadable at once, everywhere. Its data is
removed by `conversation.retention.sweep`, up to a day later.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from conversation.clock import to_text
from conversation.messages.items import LEGAL_HOLD, ConversationHead
from conversation.messages.models import Conversation, Status
from conversation.tenants.policy import EarlierRetention, TenantPolicy
from storage.table import AnyOf, AtLeast, Conditions, Equals, Exists, SimpleCondition

MAX_RETENTION_DAYS = 3_650
_ONE_DAY = timedelta(days=1)


def days_kept(policy: TenantPolicy, status: Status) -> int:
    """How many days after its last activity a conversation with this status is kept, ignoring legal holds.

    A deleted conversation is never kept longer than an active one.
    """
    match status:
        case Status.ARCHIVED:
            return policy.archived_days
        case Status.DELETED:
            return policy.deleted_days
        case _:
            return policy.retention_days


def _earlier_days(earlier: EarlierRetention, status: Status) -> int:
    match status:
        case Status.ARCHIVED:
            return earlier.archived_days
        case Status.DELETED:
            return earlier.deleted_days
        case _:
            return earlier.active_days


def may_expire_earlier(policy: TenantPolicy, status: Status) -> bool:
    """Whether an active or archived conversation may expire earlier when it gets this status."""
    earlier = policy.earlier_retention
    return days_kept(policy, status) < max(policy.retention_days, policy.archived_days) or (
        earlier is not None
        and _earlier_days(earlier, status) < max(earlier.active_days, earlier.archived_days)
    )


def kept_until(conversation: Conversation, policy: TenantPolicy) -> datetime | None:
    """When the conversation expires; None while a legal hold lasts.

    A longer retention before this one counts until its end, if it kept the conversation for so long.
    """
    if policy.legal_hold or conversation.held:
        return None
    return _end(conversation.updated_at, conversation.status, policy)


def result_kept_until(
    finished_at: datetime, policy: TenantPolicy, *, most_days: int | None = None
) -> datetime:
    """When the results of something that ended are gone; ``most_days``: kept no longer than that."""
    until = _end(finished_at, Status.ACTIVE, policy)
    return until if most_days is None else min(until, finished_at + timedelta(days=most_days))


def _end(began: datetime, status: Status, policy: TenantPolicy) -> datetime:
    until, earlier = began + timedelta(days=days_kept(policy, status)), policy.earlier_retention
    if earlier is None or until >= earlier.until:
        return until
    if earlier.legal_hold:
        return earlier.until
    return max(until, min(earlier.until, began + timedelta(days=_earlier_days(earlier, status))))


def head_kept_until(head: ConversationHead, policy: TenantPolicy) -> datetime | None:
    """When the conversation expires; waiting messages that came before it expired count as activity."""
    until = kept_until(head.conversation, policy)
    for entry in head.inbox if until else ():
        if until is not None and entry.received_at < until:
            later = head.conversation.model_copy(update={"updated_at": entry.received_at})
            until = max(until, kept_until(later, policy) or until)
    return until


def is_expired(conversation: Conversation, policy: TenantPolicy, now: datetime) -> bool:
    """Whether the conversation has expired and must not be read."""
    until = kept_until(conversation, policy)
    return until is not None and until < now


def is_head_expired(head: ConversationHead, policy: TenantPolicy, now: datetime) -> bool:
    """Whether the conversation has expired, counting waiting messages as `head_kept_until` does."""
    until = head_kept_until(head, policy)
    return until is not None and until < now


def with_expiry(conversation: Conversation, policy: TenantPolicy) -> Conversation:
    """The conversation with ``expires_at`` filled in."""
    return conversation.model_copy(update={"expires_at": kept_until(conversation, policy)})


def unexpired_conditions(policy: TenantPolicy, now: datetime, *statuses: Status) -> Conditions:
    """The conditions that a head has one of the statuses and has not expired."""
    earlier = policy.earlier_retention
    if policy.legal_hold or (earlier is not None and earlier.legal_hold and now <= earlier.until):
        return (AnyOf(tuple((Equals("status", status.value),) for status in statuses)),)
    return (AnyOf(tuple(group for status in statuses for group in _unexpired(policy, now, status))),)


def _unexpired(policy: TenantPolicy, now: datetime, status: Status) -> Sequence[tuple[SimpleCondition, ...]]:
    begins = to_text(now - timedelta(days=_days_in_force(policy, now, status)))
    is_status = Equals("status", status.value)
    return ((is_status, AtLeast("updated_at", begins)), (is_status, Exists(LEGAL_HOLD)))


def _days_in_force(policy: TenantPolicy, now: datetime, status: Status) -> int:
    days, earlier = days_kept(policy, status), policy.earlier_retention
    is_over = earlier is None or earlier.until < now
    return days if earlier is None or is_over else max(days, _earlier_days(earlier, status))


def due_day(until: datetime) -> date:
    """The day a conversation that expires at ``until`` is swept: the first UTC day that begins after it."""
    return until.astimezone(UTC).date() + _ONE_DAY


def next_due_day(until: datetime | None, policy: TenantPolicy, now: datetime) -> date:
    """The day the sweep checks a conversation next; never in the past.

    A held conversation (``until`` None) is checked after a full retention period. Lifting the hold gives it
    an earlier day.
    """
    if until is None:
        until = now + timedelta(days=policy.retention_days)
    return max(now.astimezone(UTC).date(), due_day(until))
