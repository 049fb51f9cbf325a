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
from conversation.identity import short_hash
from conversation.messages.items import (
    COPY_IN_PROGRESS,
    conversation_from_item,
    index_partition,
    is_active,
    message_to_item,
)
from conversation.messages.models import Conversation, Message, Status
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
LOT_ITEMS = 25
LOT_BYTES = 2 * 1024 * 1024
"""Half of a transaction's limit: DynamoDB counts more than the items."""

ABANDONED_AFTER = timedelta(days=1)
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

    def import_conversation(
        self, arriving: ConversationToImport, said: Iterable[MessageWithFeedback]
    ) -> ImportOutcome:
        """Import the conversation unless it exists, was deleted, has expired, or its user is being erased.

        ``said`` is only iterated if it is needed. It has to hold all messages, oldest first.
        """
        table, now = self._tables.for_tenant(arriving.tenant), self._clock.now()
        record = self._tenants.record(arriving.tenant)
        standing = table.get(keys.head(arriving.tenant, arriving.conversation.id))
        refusal = _refusal(arriving, standing, record, now)
        if refusal is not None:
            return refusal
        try:
            table.put(_claim(arriving, now))
            for lot in batches(_items(arriving.tenant, said)):
                table.transact([_is_claimed(arriving), *map(Put, lot)])
            table.transact(_completion(arriving, record, now))
        except (ConditionRefused, TransactionRefused):
            return ImportOutcome.LOST
        return ImportOutcome.IMPORTED


def batches(items: Iterable[Item]) -> Iterator[Sequence[Item]]:
    """The items in batches that fit one transaction each."""
    lot: list[Item] = []
    total = 0
    for item in items:
        size = item_bytes(item)
        if lot and (len(lot) == LOT_ITEMS or total + size > LOT_BYTES):
            yield lot
            lot, total = [], 0
        lot.append(item)
        total += size
    if lot:
        yield lot


def _refusal(
    arriving: ConversationToImport, standing: Item | None, record: TenantRecord, now: datetime
) -> ImportOutcome | None:
    if record.status in _ERASED or arriving.conversation.user in record.users_in_erasure:
        return ImportOutcome.ERASING
    if standing is not None and COPY_IN_PROGRESS not in standing:
        return _of_standing(standing, arriving)
    return ImportOutcome.EXPIRED if is_expired(arriving.conversation, record.policy, now) else None


def _of_standing(head: Item, arriving: ConversationToImport) -> ImportOutcome:
    if not is_active(head):
        return ImportOutcome.DELETED
    standing, conversation = conversation_from_item(head), arriving.conversation
    if standing.user != conversation.user or standing.created_at != conversation.created_at:
        return ImportOutcome.TAKEN
    same = standing.updated_at == conversation.updated_at and standing.count == conversation.count
    return ImportOutcome.PRESENT if same else ImportOutcome.CHANGED


def _claim(arriving: ConversationToImport, now: datetime) -> Put:
    """The write of a head with the status of a deleted conversation; it may replace an abandoned import's."""
    due = keys.due(due_day(now + ABANDONED_AFTER), arriving.conversation.id)
    hidden = {"status": Status.DELETED, "created_at": now, "updated_at": now, "count": 0}
    head = _head(arriving.tenant, arriving.conversation.model_copy(update=hidden), due)
    return Put(
        {**head, COPY_IN_PROGRESS: arriving.state_hash},
        (AnyOf(((NotExists(),), (Exists(COPY_IN_PROGRESS),))),),
    )


def _is_claimed(arriving: ConversationToImport) -> Check:
    return Check(
        keys.head(arriving.tenant, arriving.conversation.id), (Equals(COPY_IN_PROGRESS, arriving.state_hash),)
    )


def _items(tenant: TenantId, said: Iterable[MessageWithFeedback]) -> Iterator[Item]:
    for message, feedback in said:
        yield message_to_item(tenant, message)
        if feedback is not None:
            yield feedback_to_item(tenant, message, feedback)


def _completion(arriving: ConversationToImport, record: TenantRecord, now: datetime) -> list[Action]:
    """The writes that make the conversation visible.

    They are refused if the tenant's policy has changed since ``record`` was read, as an erasure of its user
    does.
    """
    tenant, conversation = arriving.tenant, arriving.conversation
    until = kept_until(conversation, record.policy)
    due = keys.due(next_due_day(until, record.policy, now), conversation.id)
    actions: list[Action] = [
        Put(_head(tenant, conversation, due), (Equals(COPY_IN_PROGRESS, arriving.state_hash),)),
        Check(keys.policy(tenant), record.unchanged),
    ]
    if arriving.metadata:
        actions.append(Put(metadata_to_item(tenant, conversation.id, arriving.metadata)))
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
