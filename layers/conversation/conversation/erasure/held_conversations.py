"""Conversations that an erasure leaves alone because of a legal hold: hidden from their user, named in the
receipt. `conversation.retention.holds` tells the erasure when a hold is lifted.
"""

from __future__ import annotations

from conversation.erasure.requests import HELD, HELD_NAMES, Erasure, receipt_update
from conversation.messages.items import AWAITED_BY, LEGAL_HOLD, index_partition, owner_of
from conversation.messages.models import Status
from conversation.retention.holds import LIFTED
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.items import item_key
from storage.table import (
    Add,
    Change,
    Check,
    Contains,
    Equals,
    Exclude,
    Exists,
    Include,
    Item,
    NotContains,
    Set,
    Table,
    Update,
)

MAX_NAMED = 1_000
"""As many are named in a receipt; all are counted."""


def leave_alone(table: Table, erasure: Erasure, head: Item, *, is_named: bool = True) -> bool:
    """Hide a held conversation and count it in the receipt, once. Return False if it changed meanwhile."""
    conversation_id = keys.conversation_id_of(str(head["pk"]))
    if is_awaited_by(erasure, head):
        return conversation_id not in erasure.lifted or _held_again(table, erasure, head)
    owner = owner_of(head)
    hidden: tuple[Change, ...] = (
        Include(AWAITED_BY, frozenset({erasure.id})),
        Set("status", Status.DELETED.value),
        *((Set("by_user", index_partition(erasure.tenant, owner, Status.DELETED)),) if owner else ()),
    )
    as_seen = (Exists(LEGAL_HOLD), Equals("status", str(head["status"])), NotContains(AWAITED_BY, erasure.id))
    named = (Include(HELD_NAMES, frozenset({conversation_id})),) if is_named else ()
    counted = receipt_update(erasure, {}, Add(HELD, 1), *named)
    try:
        table.transact([Update(item_key(head), hidden, as_seen), counted])
    except TransactionRefused:
        return False
    return True


def is_awaited_by(erasure: Erasure, head: Item) -> bool:
    """Whether the erasure has left the conversation alone before."""
    awaited_by = head.get(AWAITED_BY)
    return isinstance(awaited_by, frozenset) and erasure.id in awaited_by


def no_longer_held(conversation_id: str) -> tuple[Change, ...]:
    """The changes of a receipt by the removal of a conversation that was left alone before."""
    this = frozenset({conversation_id})
    return Add(HELD, -1), Exclude(HELD_NAMES, this), Exclude(LIFTED, this)


def forget(table: Table, erasure: Erasure, conversation_id: str) -> None:
    """Take a conversation off the receipt that somebody else removed after its hold was lifted."""
    changes = no_longer_held(conversation_id)
    try:
        table.update(Update(erasure.key, changes, (Contains(LIFTED, conversation_id),)))
    except ConditionRefused:
        return  # another run came first


def _held_again(table: Table, erasure: Erasure, head: Item) -> bool:
    """Note that a conversation is on hold again, after its hold had been lifted."""
    conversation_id = keys.conversation_id_of(str(head["pk"]))
    noted = receipt_update(erasure, {}, Exclude(LIFTED, frozenset({conversation_id})))
    try:
        table.transact([Check(item_key(head), (Exists(LEGAL_HOLD),)), noted])
    except TransactionRefused:
        return False
    return True
