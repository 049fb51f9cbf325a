"""Delivery of reminders: posted where the task was asked for, and mailed to its owner.

A post and the note on the task that it was made are one write: a reminder is posted once, whoever dies in
between, and never after its task was completed, moved or deleted. A mail is repeated only when its process
died after handing it over.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from agent.runs.delivery import Deliverer, DeliveryPayload
from agent.runs.run_queue import ReminderRequest
from agent.templates import reminder_texts
from agent.workspace.delivery_targets import AllowedTargets, Channel, DeliveryTarget, is_mail_address
from conversation.clock import Clock, Deadline, to_text
from conversation.identity import Caller, derived_id
from conversation.messages.models import Note, Reference
from conversation.tenants.policy import TenantStatus
from conversation.tenants.store import TenantRecord, TenantStore
from conversation.turns.proactive_messages import PostRefused, ProactiveMessage, ProactiveMessages
from storage.errors import ConditionRefused, TransactionRefused
from storage.table import Action
from storage.tenant_table import Tables
from tasks.reminders import Reminder, Reminders
from tasks.task import time_text

LOG = logging.getLogger("omniforge.reminders")

LATE_AFTER = timedelta(minutes=5)
"""A reminder that comes later than this says so: the scheduler and the queue may take a minute or two."""

POST_WITHIN_S = 15.0
MAX_TITLE = 200
MAX_CONVERSATIONS = 20
"""How many of a user's conversations for reminders may be gone while that is still remembered."""


class ReminderDelivery:
    """Reminds the users of every tenant; safe to use from several threads."""

    def __init__(
        self,
        *,
        tables: Tables,
        clock: Clock,
        poster: ProactiveMessages,
        deliverer: Deliverer,
        is_mail_set_up: bool,
        delivery_hosts: Sequence[str] = (),
    ) -> None:
        """``delivery_hosts``: where the deployment lets every tenant send results."""
        self._tables = tables
        self._clock = clock
        self._tenants = TenantStore(tables=tables, clock=clock)
        self._reminders = Reminders(tables=tables)
        self._poster = poster
        self._deliverer = deliverer
        self._is_mail_set_up = is_mail_set_up
        self._delivery_hosts = tuple(delivery_hosts)

    def remind(self, request: ReminderRequest, deadline: Deadline) -> bool:
        """Remind of the task, if it is still due; returns whether it was.

        Users of a tenant that is suspended or being erased are not reminded.

        Raises:
            LeaseWaitTimeout: the conversation is busy; try again later.
            ReminderOccupied: another worker sends its mail; try again later.
        """
        caller, now = Caller(request.tenant, request.user), self._clock.now()
        # The scheduler decides that it is time: this clock may be a little behind.
        reminder = self._reminders.due(caller, request.task_id, by=max(request.at, now), now=now)
        if reminder is None:
            return False
        record = self._tenants.record(caller.tenant)
        address = self._address(caller, record)
        try:
            if reminder.is_posted:
                self._transact(reminder, reminder.claim_mail(now))
            else:
                self._post(reminder, record, is_mailed=address is not None, deadline=deadline)
        except (PostRefused, TransactionRefused):
            return False  # the task was changed meanwhile, and its change sees to the next reminder
        if address is not None:
            self._mail(reminder, address, deadline)
        LOG.info("reminded", extra={"task_id": reminder.task.id, "mailed": address is not None})
        return True

    def _post(self, reminder: Reminder, record: TenantRecord, *, is_mailed: bool, deadline: Deadline) -> None:
        """Store the message and that it was posted, or only the latter where nothing may be posted."""
        now = self._clock.now()
        posted = reminder.posted(now, is_mailed=is_mailed)
        if _may_post(reminder.caller, record):
            message = self._message(reminder, now)
            for conversation_id in self._conversations(reminder, record):
                within = Deadline.after(self._clock, max(0.0, min(POST_WITHIN_S, deadline.remaining())))
                if self._poster.post(record.tenant, conversation_id, message, within, effects=(posted,)):
                    return
        self._transact(reminder, posted)

    def _conversations(self, reminder: Reminder, record: TenantRecord) -> Iterator[str]:
        """Yield the conversations to try: the task's, then the user's own for reminders."""
        if reminder.conversation_id is not None:
            yield reminder.conversation_id
        caller, days = reminder.caller, record.policy.retention_days
        for number in range(MAX_CONVERSATIONS):
            own = derived_id("reminders", caller.tenant, caller.user, str(number))
            if self._poster.ensure_conversation(
                caller, own, title=reminder_texts.CONVERSATION_TITLE, retention_days=days
            ):
                yield own

    def _message(self, reminder: Reminder, now: datetime) -> ProactiveMessage:
        task = reminder.task
        due = time_text(task.due_at) if task.due_at is not None else None
        return ProactiveMessage(
            f"reminder:{task.id}:{to_text(reminder.at)}",
            _text(reminder, now),
            Note(did=f'reminded of the task "{task.title}"', about=_reference(reminder)),
            {"task": {"id": task.id, "due_at": due, "time_zone": task.time_zone}},
        )

    def _address(self, caller: Caller, record: TenantRecord) -> str | None:
        """Where the user gets reminders by mail; None: nowhere."""
        if not self._is_mail_set_up or not _is_served(caller, record) or not is_mail_address(caller.user):
            return None
        allowed = AllowedTargets.of(record.policy, caller.user, self._delivery_hosts)
        return caller.user if allowed.allows(caller.user) else None

    def _mail(self, reminder: Reminder, address: str, deadline: Deadline) -> None:
        key = derived_id("reminder", reminder.caller.tenant, reminder.task.id, to_text(reminder.at))
        title = reminder_texts.mail_title(reminder.task)[:MAX_TITLE]
        parcel = DeliveryPayload(key, title, _text(reminder, self._clock.now()), {})
        self._deliverer.deliver(DeliveryTarget(Channel.EMAIL, address), parcel, deadline)
        with suppress(ConditionRefused):
            self._tables.for_tenant(reminder.caller.tenant).update(reminder.mailed())

    def _transact(self, reminder: Reminder, *actions: Action) -> None:
        self._tables.for_tenant(reminder.caller.tenant).transact(actions)


def _is_served(caller: Caller, record: TenantRecord) -> bool:
    return record.status is TenantStatus.ACTIVE and caller.user not in record.users_in_erasure


def _may_post(caller: Caller, record: TenantRecord) -> bool:
    return _is_served(caller, record) and record.policy.history == "on"


def _text(reminder: Reminder, now: datetime) -> str:
    return reminder_texts.reminder(reminder.task, reminder.at, is_late=now - reminder.at > LATE_AFTER)


def _reference(reminder: Reminder) -> Reference:
    return Reference(kind="task", id=reminder.task.id, name=reminder.task.title)
