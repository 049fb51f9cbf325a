"""The turn protocol: admit a message, read its conversation, hold the lease, commit the reply.

An uncontended turn takes at most three requests: one update of the head (`admit`), one query
(`read_history`), one transaction (`commit`). The turns of a conversation run one at a time, in the order of
admission, under a lease on the head. Every write of the lease holder is conditional on the lease, so an
attempt that lost it can change nothing. `agent.turns.service` decides what to answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import cast

from conversation.clock import Clock, to_millis
from conversation.errors import ConversationNotFound
from conversation.identity import TurnId
from conversation.messages.history import Turn, Window, find_turn, read_turn, read_window
from conversation.messages.items import (
    ACTIVE_CONDITION,
    ConversationHead,
    InboxEntry,
    count_death,
    head_from_item,
    is_active,
)
from conversation.token_counts import TokenCounter
from conversation.turns import commit_writes
from conversation.turns.admission import (
    DEFAULT_RETENTION_DAYS,
    LEASE_DURATION,
    Admission,
    IncomingMessage,
    admit,
)
from conversation.turns.lease import HeldLease, LeaseLost, Reply
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.keys import TenantId
from storage.table import (
    Action,
    AtMost,
    Change,
    Changes,
    Conditions,
    Contains,
    Equals,
    Item,
    Key,
    NotExists,
    Remove,
    Set,
    Table,
    Update,
)
from storage.tenant_table import Tables


class TurnProtocol:
    """The steps of a turn. Every method is one storage request."""

    def __init__(self, *, tables: Tables, clock: Clock, tokens: TokenCounter) -> None:
        self._tables = tables
        self._clock = clock
        self._tokens = tokens

    def admit(
        self,
        incoming: IncomingMessage,
        *,
        owner: str | None,
        caller_until: datetime,
        retention_days: int,
        turn_id: TurnId | None = None,
    ) -> Admission:
        """See `conversation.turns.admission.admit`."""
        return admit(
            self._table(incoming.caller.tenant),
            incoming,
            owner=owner,
            now=self._clock.now(),
            caller_until=caller_until,
            retention_days=retention_days,
            turn_id=turn_id,
        )

    def read_head(self, tenant: TenantId, conversation_id: str) -> ConversationHead:
        """The current head.

        Raises:
            ConversationNotFound: the conversation is gone or deleted.
        """
        item = self._table(tenant).get(keys.head(tenant, conversation_id))
        if item is None or not is_active(item):
            raise ConversationNotFound
        return head_from_item(item)

    def acquire_lease(
        self, tenant: TenantId, seen: ConversationHead, *, owner: str
    ) -> ConversationHead | None:
        """Take a lease that was seen to be free, expired or held by ``owner``.

        A lease that ran out counts as a death of its owner on the first waiting message. Returns the updated
        head, or None if another attempt came first.
        """
        is_own = seen.lease is not None and seen.lease.owner == owner
        changes: Changes = (
            Set("lease", {"owner": owner, "until": to_millis(self._lease_end())}),
            # Whoever lives releases its lease, so a lease that ran out was a dead one's.
            *(() if is_own else count_death(seen)),
        )
        conditions = (*self._still_free(seen, owner), ACTIVE_CONDITION)
        try:
            item = self._table(tenant).update(
                Update(keys.head(tenant, seen.conversation.id), changes, conditions)
            )
        except ConditionRefused:
            return None
        return head_from_item(item)

    def renew(self, held: HeldLease) -> ConversationHead | None:
        """Extend the lease to 30 s from now. Return the updated head, or None if the lease is lost."""
        changes = (Set("lease.until", to_millis(self._lease_end())),)
        try:
            item = self._table(held.tenant).update(
                Update(self._head_key(held), changes, commit_writes.lease_conditions(held))
            )
        except ConditionRefused:
            return None
        return head_from_item(item)

    def reload_lease(self, held: HeldLease) -> HeldLease:
        """Read the head again, to continue with the next waiting message under the same lease.

        Raises:
            LeaseLost: another attempt holds the lease now, or the conversation is gone.
        """
        item = self._table(held.tenant).get(self._head_key(held))
        head = head_from_item(item) if item is not None and is_active(item) else None
        if head is None or head.lease is None or head.lease.owner != held.owner:
            raise LeaseLost
        return replace(held, head=head)

    def read_history(self, held: HeldLease, *, limit: int) -> Window:
        """The messages before the one to answer; makes no request for a conversation without messages."""
        conversation = held.head.conversation
        if conversation.count == 0 or not held.path.segments(conversation.count):
            return Window()
        seen = conversation.model_copy(update={"path": held.path})
        return read_window(self._table(held.tenant), held.tenant, seen, limit=limit)

    def read_turn(self, tenant: TenantId, conversation_id: str, user_sequence: int) -> Turn:
        """The turn whose user message has this sequence."""
        return read_turn(self._table(tenant), tenant, conversation_id, user_sequence)

    def find_by_key(self, tenant: TenantId, conversation_id: str, key_hash: str) -> Turn | None:
        """The turn stored under an Idempotency-Key, or None."""
        record = self._table(tenant).get(keys.idempotency(tenant, conversation_id, key_hash))
        return (
            None
            if record is None
            else self.read_turn(tenant, conversation_id, cast("int", record["sequence"]))
        )

    def find(self, tenant: TenantId, turn_id: TurnId) -> Turn | None:
        """The stored turn, or None if it is not (or not yet) answered."""
        return find_turn(self._table(tenant), tenant, turn_id)

    def discard_message(self, held: HeldLease, *, release: bool) -> None:
        """Take the message to answer out of the inbox without storing a turn.

        Raises:
            LeaseLost: the lease is lost; nothing was changed.
        """
        changes = (*commit_writes.remove_entry(held), self._lease_after(release=release))
        # When it is sent again after a lost response, it must not remove the next message.
        conditions = (*commit_writes.lease_conditions(held), Contains("inbox_ids", held.entry.ulid))
        try:
            self._table(held.tenant).update(Update(self._head_key(held), changes, conditions))
        except ConditionRefused as refused:
            if not _is_out_of_the_inbox(held.entry, refused.old):
                raise LeaseLost from refused

    def release(self, held: HeldLease) -> None:
        """Release the lease; does nothing if it is already lost."""
        try:
            self._table(held.tenant).update(
                Update(self._head_key(held), (Remove("lease"),), commit_writes.lease_conditions(held))
            )
        except ConditionRefused:
            return

    def commit(
        self,
        held: HeldLease,
        reply: Reply,
        effects: Sequence[Action],
        *,
        release: bool,
        retention_days: int = DEFAULT_RETENTION_DAYS,
    ) -> Turn:
        """Store the message, its reply and the turn's effects in one transaction.

        The transaction also takes the message out of the inbox. ``retention_days`` is the tenant's value; the
        policy may not have been available when the conversation began.

        Raises:
            LeaseLost: another attempt holds the lease, or the conversation was deleted.
            AlreadyAnswered: its key was used more than ten turns ago.
            EffectConflict: one of the effects' conditions does not hold any more.
        """
        now = self._clock.now()
        turn = commit_writes.build_turn(held, reply, tokens=self._tokens, now=now)
        lease = self._lease_after(release=release)
        actions = commit_writes.commit_actions(
            held, turn, lease=lease, now=now, retention_days=retention_days, needs_summary=reply.needs_summary
        )
        try:
            self._table(held.tenant).transact([*actions, *effects])
        except TransactionRefused as refused:
            commit_writes.raise_for_conflict(refused, held, turn, own_count=len(actions))
        return turn

    def _still_free(self, seen: ConversationHead, owner: str) -> Conditions:
        """The conditions that since ``seen`` nobody has taken or renewed the lease, or answered the first
        waiting message."""
        waits: Conditions = (Contains("inbox_ids", seen.inbox[0].ulid),) if seen.inbox else ()
        if seen.lease is None:
            return (*waits, NotExists("lease"))
        theirs = Equals("lease.owner", seen.lease.owner)
        if seen.lease.owner == owner:
            return (*waits, theirs)
        return (*waits, theirs, AtMost("lease.until", to_millis(self._clock.now())))

    def _lease_after(self, *, release: bool) -> Change:
        return Remove("lease") if release else Set("lease.until", to_millis(self._lease_end()))

    def _lease_end(self) -> datetime:
        return self._clock.now() + LEASE_DURATION

    def _head_key(self, held: HeldLease) -> Key:
        return keys.head(held.tenant, held.conversation_id)

    def _table(self, tenant: TenantId) -> Table:
        return self._tables.for_tenant(tenant)


def _is_out_of_the_inbox(entry: InboxEntry, head: Item | None) -> bool:
    waiting = cast("frozenset[str]", (head or {}).get("inbox_ids", frozenset()))
    return is_active(head) and entry.ulid not in waiting
