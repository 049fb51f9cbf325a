"""Legal holds on single conversations: while a hold lasts, the conversation neither expires nor is removed.

Deleting a held conversation hides it from its user but keeps its data. So does an erasure, which waits for
the end of the hold. A hold on a whole tenant is part of the tenant's policy (`conversation.tenants.policy`).
"""

from __future__ import annotations

from typing import cast

from conversation.clock import Clock, to_text
from conversation.errors import ConversationNotFound
from conversation.identity import is_id
from conversation.messages.items import AWAITED_BY, LEGAL_HOLD, conversation_from_item
from conversation.messages.models import Conversation, Status
from conversation.retention.expiry import kept_until, next_due_day
from conversation.tenants.store import PolicyCache
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.keys import TenantId
from storage.table import (
    AnyOf,
    Condition,
    Equals,
    Exists,
    Include,
    Item,
    Key,
    Remove,
    Set,
    SetIfAbsent,
    Table,
    Update,
)
from storage.tenant_table import Tables

_IS_THERE: Condition = AnyOf(
    tuple((Equals("status", status.value),) for status in Status if status is not Status.GONE)
)
LIFTED = "lifted"
"""On an erasure: the conversations it left alone whose hold was lifted since."""
TRIES = 3


class LegalHolds:
    """Legal holds of all tenants; the caller checks who may place one."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock
        self._policies = PolicyCache(tables=tables, clock=clock)

    def place(self, tenant: TenantId, conversation_id: str) -> Conversation:
        """Place a legal hold and return the conversation; an earlier hold keeps its start time.

        Raises:
            ConversationNotFound: the tenant has no conversation with this id, or it is being removed.
        """
        since = SetIfAbsent(LEGAL_HOLD, to_text(self._clock.now()))
        update = Update(_head(tenant, conversation_id), (since,), (_IS_THERE,))
        try:
            return conversation_from_item(self._tables.for_tenant(tenant).update(update))
        except ConditionRefused as refused:
            raise ConversationNotFound from refused

    def lift(self, tenant: TenantId, conversation_id: str) -> Conversation:
        """Lift the legal hold and return the conversation.

        The normal retention applies again: a conversation past its retention expires at once. The erasures
        that wait for the conversation go on.

        Raises:
            ConversationNotFound: the tenant has no conversation with this id, or it is being removed.
        """
        head = _head(tenant, conversation_id)
        for _ in range(TRIES):
            item = self._tables.for_tenant(tenant).get(head)
            if item is None or item["status"] == Status.GONE:
                break
            try:
                return self._lift(tenant, conversation_id, item)
            except (ConditionRefused, TransactionRefused):
                continue
        raise ConversationNotFound

    def _lift(self, tenant: TenantId, conversation_id: str, item: Item) -> Conversation:
        conversation = conversation_from_item(item).model_copy(update={"held": False})
        policy = self._policies.policy(tenant)
        day = next_due_day(kept_until(conversation, policy), policy, self._clock.now())
        changes = (Remove(LEGAL_HOLD), Set("due", keys.due(day, conversation_id)))
        unchanged = (Equals("updated_at", str(item["updated_at"])), Equals("status", str(item["status"])))
        update = Update(keys.head(tenant, conversation_id), changes, unchanged)
        table = self._tables.for_tenant(tenant)
        waiting = _waiting_erasures(table, tenant, item)
        if waiting:
            lifted = Include(LIFTED, frozenset({conversation_id}))
            table.transact([update, *(Update(key, (lifted,), (Exists(),)) for key in waiting)])
        else:
            table.update(update)
        return conversation


def _waiting_erasures(table: Table, tenant: TenantId, head: Item) -> list[Key]:
    """The erasures that wait for the conversation; an erasure of the tenant has removed the others."""
    ids = cast("frozenset[str]", head.get(AWAITED_BY, frozenset()))
    found = [keys.erasure(tenant, erasure_id) for erasure_id in sorted(ids)]
    return [key for key in found if table.get(key) is not None]


def _head(tenant: TenantId, conversation_id: str) -> Key:
    if not is_id(conversation_id):
        raise ConversationNotFound
    return keys.head(tenant, conversation_id)
