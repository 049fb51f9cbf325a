"""Keeps the scheduled reminders in step with the tasks.

Like `agent.runs.triggers`, it follows the table's stream, and every step may be repeated. Each reminder is a
single message of the scheduler, named after its task and its moment. So one that has fired and one that takes
its place never meet.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from agent.runs.run_queue import ReminderRequest, RunQueue
from conversation.clock import Clock, to_text
from conversation.identity import derived_id
from conversation.scheduler import ScheduledOnce, Scheduler, ScheduleRejected
from storage import keys
from storage.table import StreamRecord
from tasks.reminders import next_reminder

_LOG = logging.getLogger(__name__)

_NEAR = timedelta(minutes=2)
"""How near a moment may be for the scheduler to refuse it as past."""


class ReminderTriggers:
    """Follows the changes of all tenants' tasks. The changes of one task have to arrive in order."""

    def __init__(self, *, queue: RunQueue, scheduler: Scheduler, clock: Clock) -> None:
        self._queue = queue
        self._scheduler = scheduler
        self._clock = clock

    def handle(self, change: StreamRecord) -> None:
        """Schedule the task's next reminder, and drop the one that it had; most changes leave it as it is.

        Raises:
            QueueUnavailable, SchedulerUnavailable: it is not done; try again later.
        """
        if not change.key.sort.startswith(keys.TASK_PREFIX):
            return
        tenant, user = keys.tenant_of(change.key.partition), keys.user_of(change.key.partition)
        task_id = change.key.sort.removeprefix(keys.TASK_PREFIX)
        old, new = (next_reminder(item) if item else None for item in (change.old, change.new))
        if old == new:
            return
        if old is not None:
            self._scheduler.remove_once(_name(ReminderRequest(tenant, user, task_id, old)))
        if new is not None:
            self._schedule(ReminderRequest(tenant, user, task_id, new))

    def _schedule(self, request: ReminderRequest) -> None:
        now = self._clock.now()
        if request.at <= now:
            self._queue.send(request)
            return
        try:
            self._scheduler.put_once(ScheduledOnce(_name(request), request.at, request.to_body()))
        except ScheduleRejected as refused:
            if request.at - now <= _NEAR:
                self._queue.send(request, delay_s=_seconds_until(request.at, now))
                return
            # A retry would hold up the changes after this one.
            _LOG.error("reminder refused", extra={"task_id": request.task_id, "reason": str(refused)})
        else:
            _LOG.info("reminder scheduled", extra={"task_id": request.task_id})


def _seconds_until(moment: datetime, now: datetime) -> int:
    return int((moment - now).total_seconds()) + 1


def _name(request: ReminderRequest) -> str:
    # A task's id alone may occur in two tenants.
    parts = (request.tenant, request.user, request.task_id, to_text(request.at))
    return f"reminder-{derived_id(*parts)}"
