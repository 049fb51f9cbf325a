"""Whose a conversation is and whether it is still in use: the tests that every route and every turn share.

Each status has its own list of the `by_user` index, so that one attribute tells both. What is past its
keep-until date is `conversation.retention.rules`'s business.
"""

from __future__ import annotations

from conversation.identity import Caller
from conversation.messages.models import Status
from storage import keys
from storage.keys import TenantId
from storage.table import AnyOf, Condition, Equals, Item

LIVING = (Status.ACTIVE, Status.ARCHIVED)
"""Readable and writable; of the others nobody learns that they exist."""

IS_LIVING: Condition = AnyOf(tuple((Equals("status", status.value),) for status in LIVING))


def list_of(tenant: TenantId, user: str, status: Status) -> str:
    """The partition of the `by_user` index that a user's conversations of the status are listed in."""
    return keys.by_user(tenant, user, "" if status is Status.ACTIVE else status.value)


def is_living(item: Item | None) -> bool:
    """Whether the head is there and neither deleted nor being removed."""
    return item is not None and item.get("status") in {status.value for status in LIVING}


def is_owned(item: Item | None, caller: Caller) -> bool:
    """Whether the head is a living conversation of the caller's."""
    return item is not None and item.get("by_user") in _lists(caller)


def owned_by(caller: Caller) -> AnyOf:
    """What a head has to meet to be a living conversation of the caller's."""
    return AnyOf(tuple((Equals("by_user", partition),) for partition in _lists(caller)))


def _lists(caller: Caller) -> list[str]:
    return [list_of(caller.tenant, caller.user, status) for status in LIVING]
