"""Labelled examples from feedback corrections that clearly name the action that was meant."""

from __future__ import annotations

from contextlib import suppress

from agent.chat.labelled_examples import HISTORY_MESSAGES, MIN_CONFIDENCE, example_to_item, make_example
from conversation.clock import Clock
from conversation.identity import derived_ulid
from conversation.messages.items import ACTIVE_CONDITION, message_from_item
from conversation.messages.models import Message, Role
from conversation.tenants.store import TenantStore
from conversation.threads.feedback import feedback_from_item
from intent.decision import ActionType, Decision
from intent.rules.scoring import score
from storage import keys
from storage.errors import TransactionRefused
from storage.table import Check, Key, Put, Query, StreamRecord
from storage.tenant_table import Tables

_KINDS = frozenset({action.value for action in ActionType} - {ActionType.UNKNOWN.value})


class FeedbackLabels:
    """Follows the feedback that users give on answers."""

    def __init__(self, *, tables: Tables, clock: Clock, tenants: TenantStore) -> None:
        self._tables = tables
        self._clock = clock
        self._tenants = tenants

    def handle(self, change: StreamRecord) -> None:
        """Store an example when the change is a correction that names another action; safe to repeat."""
        if change.new is None or not change.key.sort.startswith(keys.FEEDBACK_PREFIX):
            return
        feedback = feedback_from_item(change.new)
        label = named_action(feedback.correction) if feedback.correction else None
        messages = self._up_to(change) if label else []
        if label is None or len(messages) < 2:
            return
        *before, request, reply = messages
        stored = reply.metadata.get("decision")
        was = Decision.model_validate(stored) if isinstance(stored, dict) else None
        if was is None or was.action_type is label or request.role is not Role.USER or not request.content:
            return
        tenant = keys.tenant_of(change.key.partition)
        example = make_example(
            request,
            before,
            decision=was,
            label=label,
            lesson="feedback",
            example_id=derived_ulid(request.created_at, "feedback", reply.turn_id),
            turn_id=reply.turn_id,
            now=feedback.given_at,
            retention_days=self._tenants.record(tenant).policy.retention_days,
        )
        # Its removal may be followed at the same time: nothing is learned from what is gone.
        conversation = Key(change.key.partition, keys.HEAD)
        with suppress(TransactionRefused):
            self._tables.for_tenant(tenant).transact(
                [Put(example_to_item(tenant, example)), Check(conversation, (ACTIVE_CONDITION,))]
            )

    def _up_to(self, change: StreamRecord) -> list[Message]:
        """Return the rated answer and the messages before it, oldest first."""
        tenant, partition = keys.tenant_of(change.key.partition), change.key.partition
        sort = change.key.sort.removeprefix(keys.FEEDBACK_PREFIX)
        query = Query(
            partition,
            HISTORY_MESSAGES + 2,
            low=f"{keys.MESSAGE_PREFIX}{1:012d}",
            high=f"{keys.MESSAGE_PREFIX}{sort}",
            newest_first=True,
        )
        found = self._tables.for_tenant(tenant).query(query).items
        return [message_from_item(item) for item in reversed(found)]


def named_action(correction: str) -> ActionType | None:
    """The action a correction names, by its name or in plain words; None when none is named clearly."""
    named = "_".join(correction.strip().casefold().split())
    if named in _KINDS:
        return ActionType(named)
    reading = score(correction, names_agent=True)
    return reading.action if reading.confidence >= MIN_CONFIDENCE and reading.action.value in _KINDS else None
