"""Until when a conversation is kept, as pure arithmetic over its tenant's policy.

Days count from the last activity. What is past its time is unreadable at once, wherever it is asked for;
removing it is `conversation.retention.sweep`'s business, and takes up to a day longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from conversation.clock import to_text
from conversation.messages.items import HOLD, Head
from conversation.messages.models import Conversation, Status
from conversation.tenants.policy import TenantPolicy
from storage.table import AnyOf, AtLeast, Conditions, Equals, Exists, Test

LONGEST_DAYS = 3_650
_ONE_DAY = timedelta(days=1)


def days_kept(policy: TenantPolicy, status: Status) -> int:
    """Days since the last activity that a conversation of the status is kept, holds aside.

    Deleting never keeps anything longer than leaving it alone would.
    """
    match status:
        case Status.ARCHIVED:
            return policy.archived_retention_days or policy.retention_days
        case Status.DELETED:
            return min(policy.deleted_grace_days, policy.retention_days)
        case _:
            return policy.retention_days


def is_kept_shorter(policy: TenantPolicy, status: Status) -> bool:
    """Whether a living conversation that gets the status may be over its time earlier than before."""
    return days_kept(policy, status) < max(
        days_kept(policy, each) for each in (Status.ACTIVE, Status.ARCHIVED)
    )


def kept_until(conversation: Conversation, policy: TenantPolicy) -> datetime | None:
    """When the conversation expires; None: not before a legal hold is lifted."""
    if policy.legal_hold or conversation.held:
        return None
    return conversation.updated_at + timedelta(days=days_kept(policy, conversation.status))


def head_kept_until(head: Head, policy: TenantPolicy) -> datetime | None:
    """The same, with the messages that wait for an answer: those that came in time are activity, too."""
    until = kept_until(head.conversation, policy)
    for entry in head.inbox if until else ():
        if until is not None and entry.received_at < until:
            later = head.conversation.model_copy(update={"updated_at": entry.received_at})
            until = max(until, kept_until(later, policy) or until)
    return until


def is_expired(conversation: Conversation, policy: TenantPolicy, now: datetime) -> bool:
    """Whether nobody may read the conversation any more."""
    until = kept_until(conversation, policy)
    return until is not None and until < now


def is_head_expired(head: Head, policy: TenantPolicy, now: datetime) -> bool:
    """The same, with the messages that wait for an answer."""
    until = head_kept_until(head, policy)
    return until is not None and until < now


def with_notice(conversation: Conversation, policy: TenantPolicy) -> Conversation:
    """The conversation, telling when it expires."""
    return conversation.model_copy(update={"expires_at": kept_until(conversation, policy)})


def unexpired(policy: TenantPolicy, now: datetime, *statuses: Status) -> Conditions:
    """What a head has to meet to be changed: one of the statuses, and not past its time."""
    if policy.legal_hold:
        return (AnyOf(tuple((Equals("status", status.value),) for status in statuses)),)
    return (AnyOf(tuple(group for status in statuses for group in _unexpired(policy, now, status))),)


def _unexpired(policy: TenantPolicy, now: datetime, status: Status) -> Sequence[tuple[Test, ...]]:
    begins = to_text(now - timedelta(days=days_kept(policy, status)))
    is_status = Equals("status", status.value)
    return ((is_status, AtLeast("updated_at", begins)), (is_status, Exists(HOLD)))


def due_day(until: datetime) -> date:
    """The day a conversation is swept: the first that begins when its time is over."""
    return until.astimezone(UTC).date() + _ONE_DAY


def next_due_day(until: datetime | None, policy: TenantPolicy, now: datetime) -> date:
    """The day to look at a conversation again, never one that is past.

    One on hold is looked at when a whole period is over: lifting the hold gives it an earlier day.
    """
    if until is None:
        until = now + timedelta(days=policy.retention_days)
    return max(now.astimezone(UTC).date(), due_day(until))


def is_shortened(old: TenantPolicy, new: TenantPolicy) -> bool:
    """Whether a conversation may be due earlier than under the old policy."""
    if old.legal_hold or new.legal_hold:
        return old.legal_hold and not new.legal_hold
    statuses = (Status.ACTIVE, Status.ARCHIVED, Status.DELETED)
    return any(days_kept(new, status) < days_kept(old, status) for status in statuses)
