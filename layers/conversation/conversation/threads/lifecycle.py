"""Changes to a conversation outside turns: rename, archive, pin, set metadata, restore.

None of them waits for a running turn. Deletion is in `conversation.threads.repository`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import TypedDict, cast

from pydantic import JsonValue

from conversation.clock import Clock, to_text
from conversation.errors import ConversationNotFound
from conversation.identity import Caller, derived_id, is_id
from conversation.messages.items import (
    AWAITED_BY,
    COPY_IN_PROGRESS,
    conversation_from_item,
    index_partition,
    is_active,
    set_title,
)
from conversation.messages.models import Conversation, Status
from conversation.retention.expiry import due_day, is_expired, may_expire_earlier
from conversation.tenants.audit import Act, AuditLog
from conversation.tenants.store import PolicyCache
from conversation.threads.repository import ConversationRepository
from conversation.turns.admission import creation_changes
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.keys import TenantId
from storage.table import (
    Change,
    Changes,
    Check,
    Delete,
    Equals,
    Item,
    Key,
    NotExists,
    Put,
    Remove,
    Set,
    Table,
    Update,
)
from storage.tenant_table import Tables


class ConversationChanges(TypedDict, total=False):
    """The changes to make to a conversation; a missing key leaves its value unchanged."""

    title: str | None
    """None removes the title."""
    archived: bool
    pinned: bool
    metadata: Mapping[str, JsonValue]
    """Replaces the stored metadata; an empty mapping removes it."""


class Lifecycle:
    """Changes conversations of one user at a time; safe to use from several threads.

    Another user's conversation, a deleted one and an unknown one all raise `ConversationNotFound`.
    """

    def __init__(
        self, *, tables: Tables, clock: Clock, policies: PolicyCache, conversations: ConversationRepository
    ) -> None:
        self._audit = AuditLog(tables=tables, clock=clock)
        self._tables = tables
        self._clock = clock
        self._policies = policies
        self._conversations = conversations

    def change(self, caller: Caller, conversation_id: str, requested: ConversationChanges) -> Conversation:
        """Apply the changes and return the conversation. Only a change of the title counts as activity.

        Raises:
            ConversationNotFound: it is not the caller's.
        """
        if "metadata" in requested:
            self._save_metadata(caller, conversation_id, requested["metadata"])
        changes = self._changes(caller, conversation_id, requested)
        if not changes:
            return self._conversations.get(caller, conversation_id)
        return self._conversations.change(caller, conversation_id, changes)

    def metadata(self, caller: Caller, conversation_id: str) -> Mapping[str, JsonValue]:
        """The metadata of a conversation; empty if there is none. The caller has to check ownership first."""
        item = self._table(caller).get(keys.metadata(caller.tenant, conversation_id))
        return cast("Mapping[str, JsonValue]", json.loads(str(item["json"]))) if item else {}

    def restore(self, caller: Caller, conversation_id: str) -> Conversation:
        """Make a deleted conversation active again and return it; one that is not deleted stays unchanged.

        The retention period begins anew.

        Raises:
            ConversationNotFound: it is not the caller's, or its grace period is over.
        """
        item = self._table(caller).get(self._head_key(caller, conversation_id))
        if item is None or is_active(item):
            return self._conversations.get(caller, conversation_id)
        # A removed conversation has hardly any attributes left to read.
        if item.get("status") != Status.DELETED:
            raise ConversationNotFound
        deleted, policy = conversation_from_item(item), self._policies.policy(caller.tenant)
        if is_expired(deleted, policy, self._clock.now()):
            raise ConversationNotFound
        return self._undelete(caller, conversation_id, seen_at=str(item["updated_at"]))

    def active_or_new(self, caller: Caller) -> Conversation:
        """The caller's active conversation with the latest activity, or a new one if there is none.

        The id of a new one is derived from the user, so that concurrent calls or a lagging index do not
        create two.
        """
        found, _ = self._conversations.list(caller, limit=1)
        if found:
            return found[0]
        conversation_id = derived_id("active", caller.tenant, caller.user)
        days = self._policies.policy(caller.tenant).retention_days
        changes = creation_changes(caller, conversation_id, self._clock.now(), days)
        key = keys.head(caller.tenant, conversation_id)
        try:
            self._table(caller).update(Update(key, (*changes, Set("inbox", [])), (NotExists(),)))
        except ConditionRefused:
            return self._active_or_random(caller, conversation_id, days)
        return self._conversations.get(caller, conversation_id)

    def _active_or_random(self, caller: Caller, conversation_id: str, days: int) -> Conversation:
        """The conversation with the derived id if it is active, else a new one with a random id."""
        try:
            existing = self._conversations.get(caller, conversation_id)
        except ConversationNotFound:
            return self._conversations.create(caller, retention_days=days)
        is_active = existing.status is Status.ACTIVE
        return existing if is_active else self._conversations.create(caller, retention_days=days)

    def _changes(self, caller: Caller, conversation_id: str, requested: ConversationChanges) -> Changes:
        changes: list[Change] = []
        if "title" in requested:
            changes.append(set_title(requested["title"]))
            changes.append(Set("updated_at", to_text(self._clock.now())))
        if "pinned" in requested:
            changes.append(Set("pinned", True) if requested["pinned"] else Remove("pinned"))
        if "archived" in requested:
            status = Status.ARCHIVED if requested["archived"] else Status.ACTIVE
            changes += _status_set(caller, status)
            if may_expire_earlier(self._policies.policy(caller.tenant), status):
                # The sweep works out the right day, which depends on the last activity.
                changes.append(Set("due", keys.due(self._clock.now().date(), conversation_id)))
        return tuple(changes)

    def _save_metadata(self, caller: Caller, conversation_id: str, metadata: Mapping[str, JsonValue]) -> None:
        head, key = self._head_key(caller, conversation_id), keys.metadata(caller.tenant, conversation_id)
        write = Put(metadata_to_item(caller.tenant, conversation_id, metadata)) if metadata else Delete(key)
        try:
            self._table(caller).transact([Check(head, self._conversations.usable_conditions(caller)), write])
        except TransactionRefused as refused:
            raise ConversationNotFound from refused

    def _undelete(self, caller: Caller, conversation_id: str, *, seen_at: str) -> Conversation:
        now = self._clock.now()
        until = now + timedelta(days=self._policies.policy(caller.tenant).retention_days)
        changes: Changes = (
            *_status_set(caller, Status.ACTIVE),
            Set("due", keys.due(due_day(until), conversation_id)),
            Set("updated_at", to_text(now)),
        )
        deleted = index_partition(caller.tenant, caller.user, Status.DELETED)
        # It must not have changed since it was read: the sweep may have begun to remove it.
        conditions = (
            Equals("by_user", deleted),
            Equals("status", Status.DELETED.value),
            Equals("updated_at", seen_at),
            NotExists(COPY_IN_PROGRESS),
            NotExists(AWAITED_BY),
        )
        undelete = Update(self._head_key(caller, conversation_id), changes, conditions)
        recorded = self._audit.build_record(caller, Act.CONVERSATION_RESTORED, conversation_id)
        try:
            self._table(caller).transact([undelete, recorded])
        except TransactionRefused as refused:
            raise ConversationNotFound from refused
        return self._conversations.get(caller, conversation_id)

    def _head_key(self, caller: Caller, conversation_id: str) -> Key:
        if not is_id(conversation_id):
            raise ConversationNotFound
        return keys.head(caller.tenant, conversation_id)

    def _table(self, caller: Caller) -> Table:
        return self._tables.for_tenant(caller.tenant)


def metadata_to_item(tenant: TenantId, conversation_id: str, metadata: Mapping[str, JsonValue]) -> Item:
    """The item that stores a conversation's metadata."""
    key = keys.metadata(tenant, conversation_id)
    text = json.dumps(metadata, separators=(",", ":"), ensure_ascii=False)
    return {"pk": key.partition, "sk": key.sort, "json": text}


def _status_set(caller: Caller, status: Status) -> tuple[Change, ...]:
    partition = index_partition(caller.tenant, caller.user, status)
    return (Set("status", status.value), Set("by_user", partition))
