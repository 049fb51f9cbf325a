"""Labelled examples and lessons from feedback corrections that clearly name what was meant."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from agent.chat.labelled_examples import (
    HISTORY_MESSAGES,
    MIN_CONFIDENCE,
    Example,
    example_to_item,
    make_example,
)
from agent.chat.lessons_in_turn import new_lesson
from agent.workspace.roster import read_roster
from conversation.clock import Clock
from conversation.identity import Caller, derived_ulid
from conversation.messages.items import ACTIVE_CONDITION, message_from_item, owner_of
from conversation.messages.models import Message, Role
from conversation.tenants.lessons import lesson_writes
from conversation.tenants.store import TenantStore
from conversation.threads.feedback import Feedback, feedback_from_item
from intent.acts.act import ActKind, Thing
from intent.analysis.verdict_acts import action_of
from intent.decision import ActionType, Decision
from intent.lessons.said_corrections import named_kind
from intent.rules.scoring import score
from storage import keys
from storage.errors import TransactionRefused
from storage.table import Action, Check, Key, Put, Query, StreamRecord
from storage.tenant_table import Tables

_ACTS = {ActionType.CREATE_AGENT: ActKind.CREATE_AGENT, ActionType.CREATE_SKILL: ActKind.CONNECT}
"""The actions that stand for one kind of act; the others may mean any of several."""
_KINDS = frozenset({action.value for action in ActionType} - {ActionType.UNKNOWN.value})


class FeedbackLabels:
    """Follows the feedback that users give on answers."""

    def __init__(self, *, tables: Tables, clock: Clock, tenants: TenantStore) -> None:
        self._tables = tables
        self._clock = clock
        self._tenants = tenants

    def handle(self, change: StreamRecord) -> None:
        """Store what the change teaches when it is a correction that names what was meant; safe to repeat."""
        if change.new is None or not change.key.sort.startswith(keys.FEEDBACK_PREFIX):
            return
        feedback = feedback_from_item(change.new)
        label = named_action(feedback.correction) if feedback.correction else None
        messages = self._up_to(change) if label else []
        if label is None or len(messages) < 2:
            return
        request, reply = messages[-2:]
        stored = reply.metadata.get("decision")
        was = Decision.model_validate(stored) if isinstance(stored, dict) else None
        if was is None or request.role is not Role.USER or not request.content:
            return
        tenant = keys.tenant_of(change.key.partition)
        writes = list(self._lesson(change, feedback, request))
        if was.action_type is not label:
            writes.append(Put(example_to_item(tenant, self._example(change, feedback, messages, was, label))))
        if not writes:
            return
        # Its removal may be followed at the same time: nothing is learned from what is gone.
        conversation = Key(change.key.partition, keys.HEAD)
        with suppress(TransactionRefused):
            self._tables.for_tenant(tenant).transact([*writes, Check(conversation, (ACTIVE_CONDITION,))])

    def _example(
        self,
        change: StreamRecord,
        feedback: Feedback,
        messages: Sequence[Message],
        was: Decision,
        label: ActionType,
    ) -> Example:
        *before, request, reply = messages
        return make_example(
            request,
            before,
            decision=was,
            label=label,
            lesson="feedback",
            example_id=derived_ulid(request.created_at, "feedback", reply.turn_id),
            turn_id=reply.turn_id,
            now=feedback.given_at,
            retention_days=self._retention_days(change),
        )

    def _lesson(self, change: StreamRecord, feedback: Feedback, request: Message) -> tuple[Action, ...]:
        """Return the writes of what the correction teaches about the words; none where it names no act."""
        tenant = keys.tenant_of(change.key.partition)
        kind = named_act(feedback.correction or "")
        head = self._tables.for_tenant(tenant).get(Key(change.key.partition, keys.HEAD)) if kind else None
        user = owner_of(head)
        if kind is None or user is None:
            return ()
        roster = read_roster(self._tables, tenant, self._clock.now())
        lesson = new_lesson(
            request.content,
            kind,
            agents=[Thing(card.id, card.name, card.summary) for card in roster.visible_to(user)],
            caller=Caller(tenant, user),
            turn_id=request.turn_id,
            now=feedback.given_at,
            retention_days=roster.record.policy.retention_days,
        )
        return () if lesson is None else lesson_writes(tenant, lesson, roster.lessons)

    def _retention_days(self, change: StreamRecord) -> int:
        return self._tenants.record(keys.tenant_of(change.key.partition)).policy.retention_days

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


def named_act(correction: str) -> ActKind | None:
    """The kind of act a correction names: ``agent.run``, ``run an agent``, ``create_agent``; None: none."""
    if (kind := named_kind(correction)) is not None:
        return kind
    action = named_action(correction)
    return None if action is None else _ACTS.get(action)


def named_action(correction: str) -> ActionType | None:
    """The action a correction names, by its name or in plain words; None when none is named clearly."""
    if (kind := named_kind(correction)) is not None:
        return action_of(kind)
    named = "_".join(correction.strip().casefold().split())
    if named in _KINDS:
        return ActionType(named)
    reading = score(correction, names_agent=True)
    return reading.action if reading.confidence >= MIN_CONFIDENCE and reading.action.value in _KINDS else None
