"""Storage of deferred turns, which were answered while storage was unavailable.

Each is stored once, at the end of its conversation, without asking a model again. Storing needs the lease, as
for any turn. The message may wait in the inbox nevertheless, because it was admitted, or because only the
response to its admission was lost. The same transaction then takes it out of the inbox.
"""

from __future__ import annotations

import logging
import random
from contextlib import suppress
from typing import NamedTuple

from conversation.clock import Clock, Deadline, to_millis
from conversation.identity import Caller, is_own_new_id
from conversation.messages.history import newest_messages
from conversation.messages.items import ConversationHead, head_from_item, is_owned_by
from conversation.messages.models import Note
from conversation.retention.expiry import is_expired
from conversation.tenants.policy import TenantStatus
from conversation.tenants.store import TenantRecord, TenantStore
from conversation.token_counts import TokenCounter
from conversation.turns.admission import LEASE_DURATION, creation_changes
from conversation.turns.deferred_turn import DeferredTurn
from conversation.turns.lease import AlreadyAnswered, HeldLease, LeaseLost, Reply
from conversation.turns.proactive_messages import LeaseWaitTimeout
from conversation.turns.turn_protocol import TurnProtocol
from conversation.usage.counters import increment_for_reply
from storage import keys
from storage.errors import ConditionRefused, StorageUnavailable
from storage.keys import TenantId
from storage.table import Action, NotExists, Set, Update, Value
from storage.tenant_table import Tables

LOG = logging.getLogger("omniforge.turns")

_PAUSE_S = 0.5


class DeferredTurnStore:
    """Stores deferred turns of every tenant; safe to use from several threads."""

    def __init__(self, *, tables: Tables, clock: Clock, tokens: TokenCounter) -> None:
        self._protocol = TurnProtocol(tables=tables, clock=clock, tokens=tokens)
        self._tenants = TenantStore(tables=tables, clock=clock)
        self._tables = tables
        self._clock = clock

    def store(self, tenant: TenantId, turn: DeferredTurn, deadline: Deadline) -> bool:
        """Store the turn; False if it was stored or answered before, or its conversation or user is gone.

        Waits while another attempt holds the conversation's lease.

        Raises:
            LeaseWaitTimeout: the lease was not free before the deadline; nothing was stored.
        """
        record = self._tenants.record(tenant)
        if _is_erased(record, turn):
            return _log_dropped(turn, "erased")
        waiting = _WaitingTurn(self._protocol, self._tables, self._clock, tenant, turn, record)
        while True:
            head = waiting.head()
            if head is None:
                return _log_dropped(turn, "no conversation")
            if self._protocol.find(tenant, turn.parsed_turn_id) is not None:
                return _log_dropped(turn, "stored before")
            stored = waiting.try_to_store(head)
            if stored is not None:
                return stored or _log_dropped(turn, "answered before")
            if deadline.remaining() <= _PAUSE_S:
                raise LeaseWaitTimeout
            self._clock.sleep(_PAUSE_S * random.uniform(0.5, 1.0))


class _WaitingTurn(NamedTuple):
    """One deferred turn that waits for its conversation's lease."""

    protocol: TurnProtocol
    tables: Tables
    clock: Clock
    tenant: TenantId
    turn: DeferredTurn
    record: TenantRecord

    @property
    def caller(self) -> Caller:
        return self.turn.caller(self.tenant)

    def head(self) -> ConversationHead | None:
        """The current head, created if the turn begins the conversation; None if the turn can't be stored."""
        conversation_id = self.turn.parsed_turn_id.conversation_id
        item = self.tables.for_tenant(self.tenant).get(keys.head(self.tenant, conversation_id))
        if item is None:
            begins = is_own_new_id(conversation_id, self.caller, self.turn.received_at)
            return self._create_head() if begins else None
        head = head_from_item(item) if is_owned_by(item, self.caller) else None
        if head and is_expired(head.conversation, self.record.policy, self.turn.received_at):
            return None
        return head

    def _create_head(self) -> ConversationHead | None:
        conversation_id, days = self.turn.parsed_turn_id.conversation_id, self.record.policy.retention_days
        lease: Value = {"owner": self.turn.owner, "until": to_millis(self.clock.now() + LEASE_DURATION)}
        changes = (
            *creation_changes(self.caller, conversation_id, self.clock.now(), days),
            Set("inbox", []),
            Set("lease", lease),
        )
        update = Update(keys.head(self.tenant, conversation_id), changes, (NotExists(),))
        try:
            return head_from_item(self.tables.for_tenant(self.tenant).update(update))
        except ConditionRefused as refused:
            is_ours = is_owned_by(refused.old, self.caller)
            return head_from_item(refused.old) if refused.old and is_ours else None

    def try_to_store(self, head: ConversationHead) -> bool | None:
        """Whether the turn was stored; False: its key was answered before; None: the lease was not free."""
        owner, now = self.turn.owner, self.clock.now()
        if head.lease_owner(now) not in (None, owner):
            return None
        leased = self.protocol.acquire_lease(self.tenant, head, owner=owner)
        if leased is None:
            return None
        held = HeldLease(self.tenant, owner, leased, deferred_entry=self.turn.to_entry())
        try:
            days = self.record.policy.retention_days
            self.protocol.commit(held, self._reply(), self._usage_write(), release=True, retention_days=days)
        except LeaseLost:
            return None
        except StorageUnavailable:
            with suppress(StorageUnavailable):  # a lease that runs out counts as a death
                self.protocol.release(held)
            raise
        except AlreadyAnswered:
            self.protocol.release(held)
            return False
        return True

    def _reply(self) -> Reply:
        """The reply. One that did not know the history leaves open what was open before: a question, an
        unfinished agent.
        """
        reply = self.turn.to_reply()
        if self.turn.knew_history:
            return reply
        conversation_id = self.turn.parsed_turn_id.conversation_id
        newest = newest_messages(self.tables.for_tenant(self.tenant), self.tenant, conversation_id, limit=1)
        before = newest[-1].note if newest else Note()
        own = {"did": "", "changes": None, "kinds": (), "sum": reply.note.sum or before.sum}
        return reply._replace(note=before.model_copy(update=own))

    def _usage_write(self) -> tuple[Action, ...]:
        source = self.turn.parsed_turn_id.conversation_id
        increment = increment_for_reply(self.caller, source, self.turn.answered_at, self.turn.reply_metadata)
        return () if increment is None else (increment,)


def _is_erased(record: TenantRecord, turn: DeferredTurn) -> bool:
    """Whether the tenant or user is being erased, or the tenant was."""
    gone = (TenantStatus.ERASING, TenantStatus.ERASED)
    return record.status in gone or turn.user in record.users_in_erasure


def _log_dropped(turn: DeferredTurn, reason: str) -> bool:
    LOG.info("late turn dropped", extra={"turn_id": turn.turn_id, "reason": reason})
    return False
