"""Who owns a conversation and whether it is active or archived; shared by all routes and turns.

Each status has its own partition of the `by_user` index, so one attribute answers both questions. Expired
conversations are handled in `conversation.retention.rules`.
"""

from __future__ import annotations

from conversation.identity import Caller
from conversation.messages.models import Status
from storage import keys
from storage.keys import TenantId
from storage.table import AnyOf, Condition, Equals, Item

ACTIVE_STATUSES = (Status.ACTIVE, Status.ARCHIVED)
"""Readable and writable. Conversations with any other status are reported as not found."""

ACTIVE_CONDITION: Condition = AnyOf(tuple((Equals("status", status.value),) for status in ACTIVE_STATUSES))


def index_partition(tenant: TenantId, user: str, status: Status) -> str:
    """The `by_user` partition that lists the user's conversations of the status."""
    return keys.by_user(tenant, user, "" if status is Status.ACTIVE else status.value)


def is_active(item: Item | None) -> bool:
    """Whether the head exists and is neither deleted nor being removed."""
    return item is not None and item.get("status") in {status.value for status in ACTIVE_STATUSES}


def is_owned_by(item: Item | None, caller: Caller) -> bool:
    """Whether the head is a living conversation of the caller."""
    return item is not None and item.get("by_user") in _lists(caller)


def owner_conditions(caller: Caller) -> AnyOf:
    """The condition that a head is a living conversation of the caller."""
    return AnyOf(tuple((Equals("by_user", partition),) for partition in _lists(caller)))


def _lists(caller: Caller) -> list[str]:
    return [index_partition(caller.tenant, caller.user, status) for status in ACTIVE_STATUSES]
