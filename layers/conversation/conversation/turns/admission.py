"""Admission of a message: one update of the head makes the message durable and fixes its place in the order.

Nothing is read first. Everything else follows from whether the write was refused, and from the head that
refused it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from pydantic import JsonValue

from conversation.clock import to_millis, to_text
from conversation.errors import (
    ConversationBusy,
    ConversationNotFound,
    IdempotencyInProgress,
    IdempotencyKeyReused,
)
from conversation.identity import (
    Caller,
    TurnId,
    conversation_id_for_key,
    is_id,
    is_own_new_id,
    new_conversation_id,
    short_hash,
)
from conversation.messages.attached_files import AttachedFile
from conversation.messages.items import (
    ConversationHead,
    InboxEntry,
    ReplacedVersion,
    entry_to_value,
    head_from_item,
    is_owned_by,
    owner_conditions,
)
from conversation.messages.models import Status
from conversation.redaction.masking import SecretKinds, mask, mask_fields, secret_kinds_in
from conversation.retention.expiry import due_day
from storage import keys
from storage.errors import ConditionRefused
from storage.table import (
    Add,
    AnyOf,
    Append,
    AtMost,
    Change,
    Changes,
    Conditions,
    Include,
    NotContains,
    NotExists,
    SetIfAbsent,
    SimpleCondition,
    SizeBelow,
    Table,
    Update,
)

MAX_INBOX_MESSAGES = 32
_MAX_INBOX_BYTES = 96 * 1024
"""Room for the largest message (32 KB), and 64 KB waiting behind it."""

DEFAULT_RETENTION_DAYS = 30
LEASE_DURATION = timedelta(seconds=30)


class IncomingMessage(NamedTuple):
    """A message as it arrives. ``conversation_id`` None begins a new conversation."""

    caller: Caller
    content: str
    conversation_id: str | None = None
    idempotency_key: str | None = None
    metadata: Mapping[str, JsonValue] | None = None
    time_zone: str | None = None
    model: str | None = None
    replaces: ReplacedVersion | None = None
    """The user's message that this one replaces."""
    contains: SecretKinds = ()
    """The kinds of secrets that are or were in it; empty where nothing was replaced."""
    sent_hash: str | None = None
    """The hash of the request as it was sent, before secrets were masked; None: nothing was masked."""
    may_begin: bool = False
    """Whether the conversation of this id begins here if there is none: its client chose the id."""
    attachments: tuple[AttachedFile, ...] = ()
    """The caller's own files, checked."""

    def key_hash(self) -> str | None:
        """The Idempotency-Key as it is stored: hashed together with its user; None without a key."""
        return hash_of_key(self.caller, self.idempotency_key) if self.idempotency_key else None

    def body_hash(self) -> str:
        """A hash that tells a retry from a different request under the same Idempotency-Key."""
        if self.sent_hash is not None:
            return self.sent_hash
        metadata = json.dumps(self.metadata or {}, sort_keys=True)
        parts = (self.content, self.conversation_id or "", metadata, self.time_zone or "", self.model or "")
        replaced = () if self.replaces is None else (str(self.replaces.sequence),)
        return short_hash("body", *parts, *replaced, *(each.id for each in self.attachments))

    def with_secrets_masked(self) -> IncomingMessage:
        """The message with its secrets masked; its body hash stays that of the original request."""
        return self._replace(
            content=mask(self.content),
            metadata=mask_fields(self.metadata) if self.metadata else self.metadata,
            contains=self._kinds(),
            sent_hash=self.body_hash(),
        )

    def with_links_sealed(self, content: str) -> IncomingMessage:
        """The message with references in the place of its links; its body hash stays that of the original
        request.
        """
        return self._replace(content=content, contains=self._kinds(), sent_hash=self.body_hash())

    def _kinds(self) -> SecretKinds:
        return tuple(sorted({*self.contains, *secret_kinds_in(self.content)}))


def hash_of_key(caller: Caller, key: str) -> str:
    """An Idempotency-Key as it is stored."""
    return short_hash("key", caller.user, key)


class Admission(NamedTuple):
    """An admitted message: the turn that answers it, and the head after its admission.

    ``created``: this message began the conversation. ``adopted``: the turn is that of an earlier request
    under the same key, whose message still waits but whose caller is gone.
    """

    turn_id: TurnId
    head: ConversationHead
    created: bool = False
    adopted: bool = False


def assign_turn_id(incoming: IncomingMessage, now: datetime) -> TurnId:
    """Return the turn id of a message without a storage request.

    The id of a conversation that begins under an Idempotency-Key is derived from the key, so that a retry
    finds what the first try created.

    Raises:
        ConversationNotFound: the conversation id is malformed.
    """
    named, caller = incoming.conversation_id, incoming.caller
    if named is not None and not is_id(named):
        raise ConversationNotFound
    if named is None and incoming.idempotency_key is not None:
        named = conversation_id_for_key(caller, incoming.idempotency_key)
    return TurnId.make(named or new_conversation_id(caller, now), now)


def admit(
    table: Table,
    incoming: IncomingMessage,
    *,
    owner: str | None,
    now: datetime,
    caller_until: datetime,
    retention_days: int,
    turn_id: TurnId | None = None,
) -> Admission:
    """Store the message in its conversation's inbox, and take the lease if it is free.

    ``owner`` names this attempt to answer. The lease of the returned head shows whether the attempt holds it.
    None leaves the lease to others.
    ``turn_id`` is the one from `assign_turn_id`; None: it is made here.

    Raises:
        ConversationNotFound: the conversation is unknown, malformed, deleted or another user's. Nothing is
            created, unless the message may begin a conversation that nobody deleted.
        ConversationBusy: the inbox is full.
        IdempotencyInProgress: a message under the same key waits, and so does its caller.
        IdempotencyKeyReused: a message under the same key but with a different body waits.
    """
    turn_id = turn_id or assign_turn_id(incoming, now)
    entry = _entry(incoming, turn_id, now, caller_until)
    named = incoming.conversation_id
    attempt = _AdmissionAttempt(table, incoming, turn_id, entry, owner=owner, retention_days=retention_days)
    try:
        return attempt.send(is_new=named is None or incoming.may_begin)
    except ConversationNotFound as missing:
        refused = missing.__cause__
        is_nowhere = isinstance(refused, ConditionRefused) and refused.old is None
        # The id was handed out while storage was unavailable; its first message still waits in the queue.
        if named is not None and is_nowhere and is_own_new_id(named, incoming.caller, now):
            return attempt.send(is_new=True)
        raise


class _AdmissionAttempt(NamedTuple):
    """One message on its way into an inbox."""

    table: Table
    incoming: IncomingMessage
    turn_id: TurnId
    entry: InboxEntry
    owner: str | None
    retention_days: int

    def send(self, *, is_new: bool) -> Admission:
        incoming, entry, now = self.incoming, self.entry, self.entry.received_at
        conversation_id = self.turn_id.conversation_id
        update = Update(
            keys.head(incoming.caller.tenant, conversation_id),
            _changes(entry, self.owner, now)
            + (_creation(incoming, conversation_id, now, self.retention_days) if is_new else ()),
            _conditions(incoming, entry, is_new=is_new),
        )
        try:
            head = head_from_item(self.table.update(update))
        except ConditionRefused as refused:
            head = _head_with_message(refused, incoming.caller, entry)
            adopted = _same_key(head, entry)
            if adopted is not None and adopted.ulid != entry.ulid:
                _check_adoption(adopted, entry, now)
                return Admission(TurnId(conversation_id, adopted.ulid), head, adopted=True)
        created = is_new and head.conversation.count == 0 and len(head.inbox) == 1
        return Admission(self.turn_id, head, created=created)


def _entry(incoming: IncomingMessage, turn_id: TurnId, now: datetime, caller_until: datetime) -> InboxEntry:
    key_hash = incoming.key_hash()
    return InboxEntry(
        ulid=turn_id.ulid,
        content=incoming.content,
        received_at=now,
        caller_until=caller_until,
        key_hash=key_hash,
        body_hash=incoming.body_hash() if key_hash else None,
        metadata=incoming.metadata,
        time_zone=incoming.time_zone,
        model=incoming.model,
        roles=incoming.caller.roles,
        replaces=incoming.replaces,
        contains=incoming.contains,
        attachments=incoming.attachments,
    )


def _changes(entry: InboxEntry, owner: str | None, now: datetime) -> Changes:
    changes: Changes = (
        Append("inbox", (entry_to_value(entry),)),
        Include("inbox_ids", entry.inbox_ids()),
        # The bytes that wait. The name is short: with a long message the head just fits its first kilobyte.
        Add("load", entry.size_bytes()),
    )
    if owner is None:
        return changes
    return (*changes, SetIfAbsent("lease", {"owner": owner, "until": to_millis(now + LEASE_DURATION)}))


def creation_changes(
    caller: Caller, conversation_id: str, now: datetime, retention_days: int
) -> tuple[Change, ...]:
    """The attributes of a new head besides its inbox. Only the sweep moves `due`, so no turn pays for it."""
    moment = to_text(now)
    return (
        SetIfAbsent("by_user", keys.by_user(caller.tenant, caller.user)),
        SetIfAbsent("by_tenant", keys.by_tenant(caller.tenant)),
        SetIfAbsent("due", keys.due(due_day(now + timedelta(days=retention_days)), conversation_id)),
        SetIfAbsent("status", Status.ACTIVE.value),
        SetIfAbsent("count", 0),
        SetIfAbsent("created_at", moment),
        SetIfAbsent("updated_at", moment),
    )


def _creation(
    incoming: IncomingMessage, conversation_id: str, now: datetime, retention_days: int
) -> tuple[Change, ...]:
    return creation_changes(incoming.caller, conversation_id, now, retention_days)


def _conditions(incoming: IncomingMessage, entry: InboxEntry, *, is_new: bool) -> Conditions:
    if is_new and entry.key_hash is None and incoming.conversation_id is None:
        return (NotExists(),)
    not_waiting: tuple[SimpleCondition, ...] = (
        *(NotContains("inbox_ids", name) for name in sorted(entry.inbox_ids())),
        SizeBelow("inbox", MAX_INBOX_MESSAGES),
    )
    empty = (*not_waiting, SizeBelow("inbox", 1))
    has_room = (*not_waiting, AtMost("load", _MAX_INBOX_BYTES - entry.size_bytes()))
    room, owned = (empty, has_room), owner_conditions(incoming.caller).groups
    return tuple(AnyOf((*groups, (NotExists(),)) if is_new else groups) for groups in (owned, room))


def _head_with_message(refused: ConditionRefused, caller: Caller, entry: InboxEntry) -> ConversationHead:
    """The head that refused the message, if its inbox already holds the message or one under the same key.

    Raises:
        ConversationNotFound: there is no conversation, or it is not the caller's.
        ConversationBusy: otherwise.
    """
    old = refused.old
    if old is None or not is_owned_by(old, caller):
        raise ConversationNotFound from refused
    head = head_from_item(old)
    # Our own turn id in the inbox means that the write was applied and only its response was lost.
    if head.inbox_position(entry.ulid) is None and _same_key(head, entry) is None:
        raise ConversationBusy from refused
    return head


def _same_key(head: ConversationHead, entry: InboxEntry) -> InboxEntry | None:
    return next(
        (waiting for waiting in head.inbox if entry.key_hash and waiting.key_hash == entry.key_hash), None
    )


def _check_adoption(waiting: InboxEntry, entry: InboxEntry, now: datetime) -> None:
    if waiting.body_hash != entry.body_hash:
        raise IdempotencyKeyReused
    if waiting.caller_until > now:
        raise IdempotencyInProgress
