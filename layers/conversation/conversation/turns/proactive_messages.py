"""Proactive messages of the assistant, such as the result of a run, posted into its conversation.

They are stored between turns, never during one.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from pydantic import JsonValue

from conversation.clock import Clock, Deadline, to_text
from conversation.identity import Caller, TurnId, new_ulid, short_hash
from conversation.messages.history import active_messages
from conversation.messages.items import (
    ACTIVE_CONDITION,
    ConversationHead,
    count_death,
    head_from_item,
    is_active,
    lease_free_condition,
    message_from_item,
    message_id,
    message_to_item,
    set_title,
)
from conversation.messages.models import Message, Note, Role, Status
from conversation.redaction.masking import mask
from conversation.retention.expiry import is_head_expired
from conversation.tenants.store import PolicyCache
from conversation.token_counts import TokenCounter
from conversation.turns.admission import DEFAULT_RETENTION_DAYS, creation_changes
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.keys import TenantId
from storage.table import (
    Action,
    Changes,
    Conditions,
    Equals,
    Item,
    NotExists,
    Put,
    Remove,
    Set,
    Table,
    Update,
)
from storage.tenant_table import Tables

_POST_KEY_LIFETIME = timedelta(days=15)
"""How long a post's key is remembered: longer than any queue keeps its request."""

PAUSE_FIRST_S, PAUSE_SLOWEST_S = 0.1, 2.0
_RECORD_INDEX = 2
"""The index of the post's idempotency record among the writes."""


class LeaseWaitTimeout(Exception):
    """The conversation's lease was held until the deadline; nothing was stored."""


class PostRefused(Exception):
    """What was to be stored with the message was refused; nothing was stored."""


@dataclass(frozen=True, slots=True)
class ProactiveMessage:
    """A proactive message. ``key`` is its idempotency key: a second post under it stores nothing.

    ``question`` follows the content if the note's pending action is asked about. It is not while an earlier
    question of the conversation is open: the next yes is meant for that one.
    """

    key: str
    content: str
    note: Note = field(default_factory=Note)
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    question: str = ""

    def after(self, earlier: Note) -> ProactiveMessage:
        """The post as it follows a reply with this note."""
        if self.note.pending is None:
            return self
        if earlier.pending or earlier.choices or earlier.asking or earlier.draft is not None:
            fields = self.note.model_fields_set - {"pending"}
            note = Note(**{name: getattr(self.note, name) for name in fields})
            return replace(self, note=note, question="")
        content = f"{self.content}\n\n{self.question}" if self.question else self.content
        return replace(self, content=content, question="")

    def with_secrets_masked(self) -> ProactiveMessage:
        """The post with its secrets masked."""
        return replace(self, content=mask(self.content), question=mask(self.question))


class ProactiveMessages:
    """Posts into the conversations of every tenant; safe to use from several threads."""

    def __init__(self, *, tables: Tables, clock: Clock, tokens: TokenCounter) -> None:
        self._tables = tables
        self._clock = clock
        self._tokens = tokens
        self._policies = PolicyCache(tables=tables, clock=clock)

    def ensure_conversation(
        self,
        owner: Caller,
        conversation_id: str,
        *,
        title: str,
        retention_days: int = DEFAULT_RETENTION_DAYS,
    ) -> bool:
        """Create the conversation if it does not exist; a deleted one stays deleted.

        Returns False if it exists but has expired or is being removed, so nothing can be posted into it.
        """
        now = self._clock.now()
        changes: Changes = (
            *creation_changes(owner, conversation_id, now, retention_days),
            Set("inbox", []),
            set_title(title),
        )
        try:
            self._table(owner.tenant).update(
                Update(keys.head(owner.tenant, conversation_id), changes, (NotExists(),))
            )
        except ConditionRefused as refused:
            return not self._is_gone(owner.tenant, refused.old)
        return True

    def _is_gone(self, tenant: TenantId, item: Item | None) -> bool:
        if item is None or item.get("status") == Status.GONE:
            return item is not None
        return is_head_expired(head_from_item(item), self._policies.policy(tenant), self._clock.now())

    def post(
        self,
        tenant: TenantId,
        conversation_id: str,
        post: ProactiveMessage,
        deadline: Deadline,
        *,
        effects: Sequence[Action] = (),
    ) -> bool:
        """Store the message at the end of the conversation, together with the effects; False if the
        conversation is gone or expired.

        Waits for turns that are being answered. What the newest reply asked or offered stays open.

        Raises:
            LeaseWaitTimeout: the conversation was not free before the deadline.
            PostRefused: an effect was refused.
        """
        table, pause_s = self._table(tenant), PAUSE_FIRST_S
        while True:
            item = table.get(keys.head(tenant, conversation_id))
            if item is None or not is_active(item):
                return False
            head = head_from_item(item)
            if is_head_expired(head, self._policies.policy(tenant), self._clock.now()):
                return False
            masked = post.with_secrets_masked() if self._policies.policy(tenant).masks_secrets else post
            is_free = not head.is_leased(self._clock.now())
            if is_free and self._store(table, tenant, head, masked, effects):
                return True
            if deadline.remaining() <= pause_s:
                raise LeaseWaitTimeout
            self._clock.sleep(pause_s * random.uniform(0.5, 1.0))
            pause_s = min(PAUSE_SLOWEST_S, pause_s * 2)

    def _store(
        self,
        table: Table,
        tenant: TenantId,
        head: ConversationHead,
        post: ProactiveMessage,
        effects: Sequence[Action],
    ) -> bool:
        """Whether the post is stored, now or earlier; False if a turn came first."""
        now = self._clock.now()
        newest = active_messages(table, tenant, head.conversation, limit=1)
        earlier = newest[0].note if newest else Note()
        message = self._message(head, post.after(earlier), earlier)
        try:
            table.transact((*_writes(tenant, head, message, post.key, now), *effects))
        except TransactionRefused as refused:
            stored = refused.refused.get(0)
            was_posted = _RECORD_INDEX in refused.refused
            if was_posted or (stored is not None and message_from_item(stored).id == message.id):
                return True
            if any(index > _RECORD_INDEX for index in refused.refused):
                raise PostRefused from refused
            return False
        return True

    def _message(self, head: ConversationHead, post: ProactiveMessage, earlier: Note) -> Message:
        sequence, now = head.conversation.count + 1, self._clock.now()
        turn_id = str(TurnId(head.conversation.id, new_ulid(now)))
        return Message(
            id=message_id(turn_id, Role.ASSISTANT, sequence),
            conversation_id=head.conversation.id,
            sequence=sequence,
            role=Role.ASSISTANT,
            content=post.content,
            created_at=now,
            turn_id=turn_id,
            tokens=self._tokens.count(f"{Role.ASSISTANT}: {post.content}"),
            metadata=post.metadata,
            note=post.note.with_open_from(earlier),
        )

    def _table(self, tenant: TenantId) -> Table:
        return self._tables.for_tenant(tenant)


def _writes(
    tenant: TenantId, head: ConversationHead, message: Message, key: str, now: datetime
) -> tuple[Action, ...]:
    until = int((now + _POST_KEY_LIFETIME).timestamp())
    record_key = keys.idempotency(tenant, message.conversation_id, short_hash("post", key))
    record: Item = {
        "pk": record_key.partition,
        "sk": record_key.sort,
        "sequence": message.sequence,
        "body": None,
        "expires_at": until,
    }
    # The holder of an expired lease may not have noticed yet: removing the lease makes its commit fail.
    changes: Changes = (
        Set("count", message.sequence),
        Set("updated_at", to_text(message.created_at)),
        Remove("lease"),
        *count_death(head),
    )
    conditions: Conditions = (
        ACTIVE_CONDITION,
        lease_free_condition(now),
        Equals("count", head.conversation.count),  # no turn was stored since the head was read
    )
    return (
        Put(message_to_item(tenant, message), (NotExists(),)),
        Update(keys.head(tenant, message.conversation_id), changes, conditions),
        Put(record, (NotExists(),)),
    )
