"""Imports whole conversations: claims the id first, then writes messages in batches, and the head last.

Until then the conversation has the status of a deleted one, so nobody sees it, and an abandoned import is
swept, or erased with its user. Every step is idempotent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from pydantic import JsonValue

from conversation.clock import Clock, to_text
from conversation.errors import DailyQuotaExceeded, QuotaExceeded
from conversation.identity import Caller, short_hash
from conversation.limits.quotas import QuotaKind, Quotas
from conversation.limits.stored_bytes import StoredBytes
from conversation.messages.items import (
    COPY_IN_PROGRESS,
    conversation_from_item,
    index_partition,
    is_active,
    message_to_item,
)
from conversation.messages.models import MAIL_CODE, RUN_CALL, TOOL_CALL, Conversation, Message, Status
from conversation.redaction.masking import mask
from conversation.retention.expiry import due_day, is_expired, kept_until, next_due_day
from conversation.tenants.policy import TenantStatus
from conversation.tenants.store import TenantRecord, TenantStore
from conversation.threads.feedback import Feedback, feedback_to_item
from conversation.threads.lifecycle import metadata_to_item
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.items import item_bytes
from storage.keys import TenantId
from storage.table import Action, AnyOf, Check, Equals, Exists, Item, NotExists, Put
from storage.tenant_table import Tables

_ERASED = (TenantStatus.ERASING, TenantStatus.ERASED)
BATCH_ITEMS = 25
_BATCH_BYTES = 2 * 1024 * 1024
"""Half of a transaction's limit: DynamoDB counts more than the items."""

_ABANDONED_AFTER = timedelta(days=1)
"""The sweep does not remove an abandoned import earlier."""

MessageWithFeedback = tuple[Message, Feedback | None]
"""A message and the user's feedback on it."""


class ImportOutcome(StrEnum):
    """The outcome of an import; the values are worded for a report."""

    IMPORTED = "imported"
    PRESENT = "already there"
    CHANGED = "already there, but not the same"
    TAKEN = "its id belongs to another conversation"
    DELETED = "it was deleted here"
    EXPIRED = "older than the tenant keeps conversations"
    LIMITED = "as many were imported today, or as much stored, as may be: import it again tomorrow"
    ERASING = "all there is of its user or tenant is being erased"
    LOST = "another import of it, or its removal, came in between"


@dataclass(frozen=True, slots=True)
class ConversationToImport:
    """A conversation to import, without its messages; its ``count`` has to be the number of all of them."""

    tenant: TenantId
    conversation: Conversation
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def state_hash(self) -> str:
        """A hash that tells this state of the conversation from other states."""
        conversation = self.conversation
        moments = (to_text(conversation.created_at), to_text(conversation.updated_at))
        return short_hash("arriving", conversation.user, *moments, str(conversation.count))


class ConversationImporter:
    """Imports conversations of every tenant."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock
        self._tenants = TenantStore(tables=tables, clock=clock)
        self._quotas = Quotas(tables=tables, clock=clock)
        self._stored_bytes = StoredBytes(tables=tables, clock=clock)

    def import_conversation(
        self, incoming: ConversationToImport, messages: Iterable[MessageWithFeedback]
    ) -> ImportOutcome:
        """Import the conversation unless it exists, was deleted, has expired, its user is being erased, or
        the day's limits of its user or tenant are reached.

        ``messages`` is only iterated if it is needed. It has to hold all messages, oldest first.
        """
        table, now = self._tables.for_tenant(incoming.tenant), self._clock.now()
        record = self._tenants.record(incoming.tenant)
        existing = table.get(keys.head(incoming.tenant, incoming.conversation.id))
        refusal = _refusal(incoming, existing, record, now)
        if refusal is not None:
            return refusal
        user = Caller(incoming.tenant, incoming.conversation.user)
        try:
            self._stored_bytes.require_for_copy(user, record)
            self._quotas.take(user, QuotaKind.IMPORTS, record=record)
        except (QuotaExceeded, DailyQuotaExceeded):
            return ImportOutcome.LIMITED
        counted = _CountedMessages(messages)
        try:
            table.put(_claim(incoming, now))
            for batch in batches(_items(incoming.tenant, counted)):
                table.transact([_is_claimed(incoming), *map(Put, batch)])
            table.transact(_completion(incoming, record, now))
        except (ConditionRefused, TransactionRefused):
            return ImportOutcome.LOST
        finally:
            self._stored_bytes.record_copy(user, counted.bytes)
        return ImportOutcome.IMPORTED


class _CountedMessages:
    """Messages, and the bytes of those that were iterated."""

    def __init__(self, messages: Iterable[MessageWithFeedback]) -> None:
        self._messages = messages
        self.bytes = 0

    def __iter__(self) -> Iterator[MessageWithFeedback]:
        for message, feedback in self._messages:
            self.bytes += len(message.content.encode())
            yield message, feedback


def batches(items: Iterable[Item]) -> Iterator[Sequence[Item]]:
    """The items in batches that fit one transaction each."""
    batch: list[Item] = []
    total = 0
    for item in items:
        size = item_bytes(item)
        if batch and (len(batch) == BATCH_ITEMS or total + size > _BATCH_BYTES):
            yield batch
            batch, total = [], 0
        batch.append(item)
        total += size
    if batch:
        yield batch


def _refusal(
    incoming: ConversationToImport, existing: Item | None, record: TenantRecord, now: datetime
) -> ImportOutcome | None:
    if record.status in _ERASED or incoming.conversation.user in record.users_in_erasure:
        return ImportOutcome.ERASING
    if existing is not None and COPY_IN_PROGRESS not in existing:
        return _compare(existing, incoming)
    return ImportOutcome.EXPIRED if is_expired(incoming.conversation, record.policy, now) else None


def _compare(head: Item, incoming: ConversationToImport) -> ImportOutcome:
    if not is_active(head):
        return ImportOutcome.DELETED
    existing, conversation = conversation_from_item(head), incoming.conversation
    if existing.user != conversation.user or existing.created_at != conversation.created_at:
        return ImportOutcome.TAKEN
    same = existing.updated_at == conversation.updated_at and existing.count == conversation.count
    return ImportOutcome.PRESENT if same else ImportOutcome.CHANGED


def _claim(incoming: ConversationToImport, now: datetime) -> Put:
    """The write of a head with the status of a deleted conversation; it may replace an abandoned import's."""
    due = keys.due(due_day(now + _ABANDONED_AFTER), incoming.conversation.id)
    hidden = {"status": Status.DELETED, "created_at": now, "updated_at": now, "count": 0}
    head = _head(incoming.tenant, incoming.conversation.model_copy(update=hidden), due)
    return Put(
        {**head, COPY_IN_PROGRESS: incoming.state_hash},
        (AnyOf(((NotExists(),), (Exists(COPY_IN_PROGRESS),))),),
    )


def _is_claimed(incoming: ConversationToImport) -> Check:
    return Check(
        keys.head(incoming.tenant, incoming.conversation.id), (Equals(COPY_IN_PROGRESS, incoming.state_hash),)
    )


def _items(tenant: TenantId, messages: Iterable[MessageWithFeedback]) -> Iterator[Item]:
    for message, feedback in messages:
        yield message_to_item(tenant, _as_imported(message))
        if feedback is not None:
            yield feedback_to_item(tenant, message, feedback)


def _as_imported(message: Message) -> Message:
    """The message, marked, and without a question about a tool call: nobody asked it here."""
    note = message.note
    if note.pending is not None and note.pending.action in (TOOL_CALL, RUN_CALL, MAIL_CODE):
        note = note.model_copy(update={"pending": None})
    return message.model_copy(update={"imported": True, "note": note})


def _completion(incoming: ConversationToImport, record: TenantRecord, now: datetime) -> list[Action]:
    """The writes that make the conversation visible.

    They are refused if the tenant's policy has changed since ``record`` was read, as an erasure of its user
    does.
    """
    tenant, conversation = incoming.tenant, incoming.conversation
    until = kept_until(conversation, record.policy)
    due = keys.due(next_due_day(until, record.policy, now), conversation.id)
    actions: list[Action] = [
        Put(_head(tenant, conversation, due), (Equals(COPY_IN_PROGRESS, incoming.state_hash),)),
        Check(keys.policy(tenant), record.unchanged),
    ]
    if incoming.metadata:
        actions.append(Put(metadata_to_item(tenant, conversation.id, incoming.metadata)))
    return actions


def _head(tenant: TenantId, conversation: Conversation, due: str) -> Item:
    key, path = keys.head(tenant, conversation.id), conversation.path
    item: Item = {
        "pk": key.partition,
        "sk": key.sort,
        "by_user": index_partition(tenant, conversation.user, conversation.status),
        "by_tenant": keys.by_tenant(tenant),
        "due": due,
        "status": conversation.status.value,
        "count": conversation.count,
        "created_at": to_text(conversation.created_at),
        "updated_at": to_text(conversation.updated_at),
        "inbox": [],
    }
    optional = {
        "title": mask(conversation.title) if conversation.title else None,
        "pinned": conversation.pinned or None,
        "path": None if path.is_whole else path.to_text(),
        "forked_from": conversation.forked_from,
    }
    return item | {name: value for name, value in optional.items() if value is not None}
