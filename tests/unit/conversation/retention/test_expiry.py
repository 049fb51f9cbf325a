"""How long conversations are kept, to the moment."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from pydantic import ValidationError

from conversation.messages.items import ConversationHead, InboxEntry
from conversation.messages.models import Conversation, Status
from conversation.retention.expiry import (
    days_kept,
    due_day,
    head_kept_until,
    is_expired,
    kept_until,
    next_due_day,
)
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.retention_grace import is_shorter

MORNING = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)
MOMENT = timedelta(milliseconds=1)


def conversation(status: Status = Status.ACTIVE, *, held: bool = False) -> Conversation:
    return Conversation(id="c", user="maya", status=status, created_at=MORNING, updated_at=MORNING, held=held)


def waiting(*received_at: datetime) -> ConversationHead:
    entries = (
        InboxEntry(ulid=str(place), content="hi", received_at=moment, caller_until=moment)
        for place, moment in enumerate(received_at)
    )
    return ConversationHead(conversation(), tuple(entries), lease=None)


@pytest.mark.parametrize(
    ("policy", "status", "days"),
    [
        (TenantPolicy(), Status.ACTIVE, 30),
        (TenantPolicy(retention_days=365), Status.ACTIVE, 365),
        (TenantPolicy(), Status.ARCHIVED, 30),
        (TenantPolicy(archived_retention_days=365), Status.ARCHIVED, 365),
        (TenantPolicy(archived_retention_days=7), Status.ARCHIVED, 7),
        (TenantPolicy(), Status.DELETED, 7),
        (TenantPolicy(deleted_grace_days=0), Status.DELETED, 0),
        (TenantPolicy(retention_days=2), Status.DELETED, 2),
    ],
)
def test_each_status_has_its_days(policy: TenantPolicy, status: Status, days: int) -> None:
    assert days_kept(policy, status) == days


@pytest.mark.parametrize(
    "refused",
    [
        {"retention_days": 0},
        {"retention_days": 3_651},
        {"retention_days": -1},
        {"retention_days": 30.5},
        {"retention_days": "30"},
        {"retention_days": True},
        {"retention_days": None},
        {"archived_retention_days": 0},
        {"archived_retention_days": 3_651},
        {"deleted_grace_days": -1},
        {"deleted_grace_days": 3_651},
        {"legal_hold": "yes"},
    ],
    ids=str,
)
def test_a_policy_out_of_range_is_refused(refused: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        TenantPolicy.model_validate(refused)


def test_a_conversation_is_readable_through_its_last_day_and_not_a_moment_longer() -> None:
    last = MORNING + timedelta(days=30)
    assert not is_expired(conversation(), TenantPolicy(), last)
    assert is_expired(conversation(), TenantPolicy(), last + MOMENT)


@pytest.mark.parametrize(
    ("policy", "held"), [(TenantPolicy(legal_hold=True), False), (TenantPolicy(), True)], ids=["all", "one"]
)
def test_nothing_expires_on_hold(policy: TenantPolicy, held: bool) -> None:
    assert kept_until(conversation(held=held), policy) is None
    assert not is_expired(conversation(held=held), policy, MORNING + timedelta(days=9_999))


def test_messages_that_came_in_time_extend_each_other() -> None:
    first, second = MORNING + timedelta(days=29), MORNING + timedelta(days=50)
    assert head_kept_until(waiting(first, second), TenantPolicy()) == second + timedelta(days=30)


def test_a_message_that_came_too_late_extends_nothing() -> None:
    late = MORNING + timedelta(days=30) + MOMENT
    assert head_kept_until(waiting(late), TenantPolicy()) == MORNING + timedelta(days=30)


@pytest.mark.parametrize(
    ("until", "day"),
    [
        (datetime(2026, 3, 1, 0, 0, tzinfo=UTC), date(2026, 3, 2)),
        (datetime(2026, 3, 1, 23, 59, tzinfo=UTC), date(2026, 3, 2)),
        (datetime.fromisoformat("2026-03-01T23:30:00-05:00"), date(2026, 3, 3)),
    ],
)
def test_what_is_over_in_a_day_is_due_the_next(until: datetime, day: date) -> None:
    assert due_day(until) == day


def test_no_day_that_is_past_is_given() -> None:
    long_ago = MORNING - timedelta(days=100)
    assert next_due_day(long_ago, TenantPolicy(), MORNING) == MORNING.date()


def test_what_is_on_hold_is_looked_at_again_after_a_period() -> None:
    assert next_due_day(None, TenantPolicy(), MORNING) == date(2026, 3, 2)


@pytest.mark.parametrize(
    ("old", "new", "shortened"),
    [
        (TenantPolicy(), TenantPolicy(), False),
        (TenantPolicy(), TenantPolicy(retention_days=29), True),
        (TenantPolicy(), TenantPolicy(retention_days=31), False),
        (TenantPolicy(), TenantPolicy(deleted_grace_days=1), True),
        (TenantPolicy(archived_retention_days=90), TenantPolicy(), True),
        (TenantPolicy(), TenantPolicy(archived_retention_days=90), False),
        (TenantPolicy(legal_hold=True), TenantPolicy(), True),
        (TenantPolicy(), TenantPolicy(legal_hold=True, retention_days=1), False),
        (TenantPolicy(legal_hold=True), TenantPolicy(legal_hold=True, retention_days=1), False),
    ],
)
def test_what_shortens_a_policy(old: TenantPolicy, new: TenantPolicy, shortened: bool) -> None:
    assert is_shorter(new, old) is shortened
