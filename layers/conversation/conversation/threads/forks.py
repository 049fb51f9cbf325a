"""Forks: copies of a conversation up to one of its messages, to continue it another way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import takewhile

from conversation.clock import Clock, to_text
from conversation.errors import ConversationNotFound, IdempotencyKeyReused, Invalid, MessageReplaced
from conversation.identity import Caller, conversation_id_for_key, new_conversation_id
from conversation.keyed_creation import Created
from conversation.limits.quotas import QuotaKind, Quotas
from conversation.limits.rates import RateLimits
from conversation.limits.stored_bytes import StoredBytes
from conversation.messages.attached_files import attach_writes
from conversation.messages.items import (
    COPY_IN_PROGRESS,
    index_partition,
    message_id,
    message_to_item,
)
from conversation.messages.models import Conversation, Message, Status
from conversation.messages.size_limits import MAX_STORED_BYTES
from conversation.retention.expiry import days_kept, due_day
from conversation.tenants.store import PolicyCache
from conversation.threads.repository import ConversationRepository
from conversation.turns.admission import creation_changes
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.table import Change, Check, Exists, Key, NotExists, Put, Remove, Set, Table, Update
from storage.tenant_table import Tables

MAX_MESSAGES = 5_000
"""As many as can be copied within the time of one request."""

COPIED_UP_TO = "copied_up_to"
"""The attribute of a copy's head with the last message that was asked for; empty: all of them."""

_BATCH_ACTIONS = 25
_BATCH_BYTES = 3_000_000


class ForkTooLong(Invalid):
    """The fork would have more messages than can be copied at once."""

    code = "fork_too_long"

    def __init__(self) -> None:
        super().__init__(f"At most {MAX_MESSAGES} messages can be copied; name an earlier message.")


class ConversationForks:
    """Forks conversations of one user at a time.

    The copy's head is written first, with the status of a deleted conversation. So a copy that a crash leaves
    incomplete is never visible, and is swept like any other. The copy becomes visible with its last message.
    """

    def __init__(
        self,
        *,
        tables: Tables,
        clock: Clock,
        policies: PolicyCache,
        conversations: ConversationRepository,
        quotas: Quotas | None = None,
        rates: RateLimits | None = None,
    ) -> None:
        """``quotas`` None: with a memory of its own; ``rates``: the deployment's, None: the default ones."""
        self._quotas = quotas or Quotas(tables=tables, clock=clock, policies=policies)
        self._stored_bytes = StoredBytes(tables=tables, clock=clock, rates=rates)
        self._tables = tables
        self._clock = clock
        self._policies = policies
        self._conversations = conversations

    def fork(
        self, caller: Caller, conversation_id: str, *, up_to: str | None = None, key: str | None = None
    ) -> Created[Conversation]:
        """Copy the active messages up to and including the message id ``up_to``; None: all of them.

        A second call under the same ``key`` returns, or completes, the same copy.

        Raises:
            IdempotencyKeyReused: the key was used with another message.
            ConversationNotFound, MessageNotFound: it is not the caller's.
            MessageReplaced: the message is not active any more.
            ForkTooLong: there are too many messages to copy.
            QuotaExceeded, DailyQuotaExceeded: as many forks were made, or as much was stored, today as may
                be; a call repeated under its key counts, too.
        """
        source = self._conversations.get(caller, conversation_id)
        last = self._last(caller, source, up_to)
        if sum(high - low + 1 for low, high in source.path.segments(last)) > MAX_MESSAGES:
            raise ForkTooLong
        record = self._policies.record(caller.tenant)
        self._stored_bytes.require_for_copy(caller, record)
        self._quotas.take(caller, QuotaKind.FORKS, record=record)
        copy_id = _copy_id(caller, conversation_id, key, self._clock.now())
        is_begun = self._begin(caller, source, copy_id, up_to)
        if is_begun:
            count, copied_bytes = self._copy(caller, source, copy_id, last)
            self._show(caller, copy_id, count)
            self._stored_bytes.record_copy(caller, copied_bytes)
        return Created(self._conversations.get(caller, copy_id), replayed=not is_begun)

    def _last(self, caller: Caller, source: Conversation, up_to: str | None) -> int:
        if up_to is None:
            return source.count
        sequence = self._conversations.message(caller, source.id, up_to).sequence
        if not source.path.has(sequence):
            raise MessageReplaced
        return sequence

    def _begin(self, caller: Caller, source: Conversation, copy_id: str, up_to: str | None) -> bool:
        """Create the hidden copy; False if an earlier call under the same key has already completed it."""
        now, policy = self._clock.now(), self._policies.policy(caller.tenant)
        hidden_until = now + timedelta(days=days_kept(policy, Status.DELETED))
        hidden: dict[str, Change] = {
            change.path: change
            for change in (
                *creation_changes(caller, copy_id, now, policy.retention_days),
                Set("status", Status.DELETED.value),
                Set("by_user", index_partition(caller.tenant, caller.user, Status.DELETED)),
                Set("due", keys.due(due_day(hidden_until), copy_id)),
                Set("inbox", []),
                Set(COPY_IN_PROGRESS, True),
                Set("forked_from", source.id),
                Set(COPIED_UP_TO, up_to or ""),
                *((Set("title", source.title),) if source.title else ()),
            )
        }
        try:
            self._table(caller).update(
                Update(keys.head(caller.tenant, copy_id), tuple(hidden.values()), (NotExists(),))
            )
        except ConditionRefused as refused:
            earlier = refused.old or {}
            if earlier.get(COPIED_UP_TO, up_to or "") != (up_to or ""):
                raise IdempotencyKeyReused from refused
            return COPY_IN_PROGRESS in earlier
        return True

    def _copy(self, caller: Caller, source: Conversation, copy_id: str, last: int) -> tuple[int, int]:
        """Copy the messages and return how many, and their bytes; fails if the copy was erased meanwhile."""
        messages = takewhile(
            lambda message: message.sequence <= last, self._conversations.messages(caller, source.id)
        )
        kept = (message for message in messages if not message.deleted)
        copies = (_copied(message, copy_id, place) for place, message in enumerate(kept, 1))
        is_open = Check(self._head_key(caller, copy_id), (Exists(COPY_IN_PROGRESS),))
        count = copied_bytes = 0
        for batch in _batches(copies):
            puts = [Put(message_to_item(caller.tenant, message)) for message in batch]
            # A file is of one message; of two that were sent at the same moment, it may be of both.
            files = {each.id: each for message in batch for each in message.attachments}
            tied = attach_writes(caller.tenant, caller.user, copy_id, files.values())
            try:
                self._table(caller).transact([is_open, *puts, *tied])
            except TransactionRefused as refused:
                raise ConversationNotFound from refused
            count += len(batch)
            copied_bytes += sum(len(message.content.encode()) for message in batch)
        return count, copied_bytes

    def _show(self, caller: Caller, copy_id: str, count: int) -> None:
        now = self._clock.now()
        until = now + timedelta(days=self._policies.policy(caller.tenant).retention_days)
        changes = (
            Set("status", Status.ACTIVE.value),
            Set("by_user", index_partition(caller.tenant, caller.user, Status.ACTIVE)),
            Set("due", keys.due(due_day(until), copy_id)),
            Set("updated_at", to_text(now)),
            Set("count", count),
            Remove(COPY_IN_PROGRESS),
        )
        try:
            self._table(caller).update(
                Update(self._head_key(caller, copy_id), changes, (Exists(COPY_IN_PROGRESS),))
            )
        except ConditionRefused as refused:
            raise ConversationNotFound from refused

    def _head_key(self, caller: Caller, copy_id: str) -> Key:
        return keys.head(caller.tenant, copy_id)

    def _table(self, caller: Caller) -> Table:
        return self._tables.for_tenant(caller.tenant)


def _copied(message: Message, copy_id: str, place: int) -> Message:
    """The message as part of the copy: with new ids, without its Idempotency-Key and its other versions."""
    turn_id = f"{copy_id}.{message.turn_id.partition('.')[2]}"
    return message.model_copy(
        update={
            "id": message_id(turn_id, message.role, place),
            "conversation_id": copy_id,
            "sequence": place,
            "turn_id": turn_id,
            "key_hash": None,
            "body_hash": None,
            "root": None,
            "versions": (),
            "left": None,
        }
    )


def _copy_id(caller: Caller, conversation_id: str, key: str | None, now: datetime) -> str:
    """The id of a copy; a repeated request under its key gets the same one."""
    if key is None:
        return new_conversation_id(caller, now)
    return conversation_id_for_key(caller, f"fork {conversation_id} {key}")


def _batches(messages: Iterator[Message]) -> Iterator[Sequence[Message]]:
    """The messages in batches that fit one transaction each."""
    batch: list[Message] = []
    size = actions = 0
    for message in messages:
        upper_bound = min(len(message.content) * 4, MAX_STORED_BYTES) + 50_000
        writes = 1 + 2 * len(message.attachments)
        if batch and (actions + writes > _BATCH_ACTIONS or size + upper_bound > _BATCH_BYTES):
            yield batch
            batch, size, actions = [], 0, 0
        batch.append(message)
        size += upper_bound
        actions += writes
    if batch:
        yield batch
