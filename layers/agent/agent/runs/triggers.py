"""What a change in the table triggers: starts runs, keeps schedules in step, requests checks of skills.

It follows the table's stream and not the functions that write, so that nothing is lost when one of those dies
after its commit, and no caller waits for it. Every step may be repeated.
"""

from __future__ import annotations

import json
import logging

from agent.runs.run_queue import CheckRequest, RunQueue, RunRequest
from agent.workspace.agents import Agent, AgentStatus
from agent.workspace.items import CHECK_REQUESTED, URL, agent_from_item, skill_from_item
from agent.workspace.runs import RunStatus
from conversation.scheduler import SCHEDULED_TIME, ScheduledRun, Scheduler, ScheduleRejected
from storage import keys
from storage.keys import TenantId
from storage.table import Item, StreamRecord

_LOG = logging.getLogger(__name__)


class RunTriggers:
    """Follows the changes of all tenants' items. The changes of one item have to arrive in order."""

    def __init__(self, *, runs: RunQueue, scheduler: Scheduler) -> None:
        self._runs = runs
        self._scheduler = scheduler

    def handle(self, change: StreamRecord) -> None:
        """Carry out what the change asks for; most changes ask for nothing.

        Raises:
            QueueUnavailable, SchedulerUnavailable: it is not done; try again later.
        """
        tenant = keys.tenant_of(change.key.partition)
        if change.key == keys.agent(tenant, _last(change.key.partition)):
            self._arrange(tenant, change)
        elif change.key.sort.startswith(keys.RUN_PREFIX):
            self._start(tenant, change)
        elif change.key == keys.skill(tenant, _last(change.key.partition)):
            self._check(tenant, change)

    def _start(self, tenant: TenantId, change: StreamRecord) -> None:
        if change.old is not None or change.new is None or change.new["status"] != RunStatus.QUEUED:
            return
        request = RunRequest(
            tenant=tenant,
            user=keys.user_of(change.key.partition),
            agent_id=str(change.new["agent_id"]),
            run_id=change.key.sort.removeprefix(keys.RUN_PREFIX),
        )
        self._runs.send(request)
        _LOG.info("run queued", extra={"run_id": request.run_id, "agent_id": request.agent_id})

    def _arrange(self, tenant: TenantId, change: StreamRecord) -> None:
        old, new = (agent_from_item(item) if item else None for item in (change.old, change.new))
        scheduled_run = _scheduled_run_of(tenant, new) if new else None
        if scheduled_run is None:
            if old is None or old.schedule is not None:
                self._scheduler.remove(_last(change.key.partition))
            return
        try:
            self._scheduler.put(scheduled_run)
        except ScheduleRejected as refused:
            # A retry would hold up the changes after this one.
            _LOG.error("schedule refused", extra={"agent_id": scheduled_run.agent_id, "reason": str(refused)})
        else:
            _LOG.info(
                "schedule kept", extra={"agent_id": scheduled_run.agent_id, "active": scheduled_run.active}
            )

    def _check(self, tenant: TenantId, change: StreamRecord) -> None:
        is_over = change.new is None and change.old is not None and _has_sign_in(change.old)
        if is_over or (change.new is not None and _is_to_check(change.new, change.old or {})):
            self._runs.send(CheckRequest(tenant, _last(change.key.partition)))


def _scheduled_run_of(tenant: TenantId, agent: Agent) -> ScheduledRun | None:
    """The schedule entry of the agent; None when it runs only on request."""
    if agent.schedule is None:
        return None
    request = {"tenant": tenant, "user": agent.owner, "agent_id": agent.id, "scheduled_at": SCHEDULED_TIME}
    return ScheduledRun(
        agent_id=agent.id,
        cron=agent.schedule.timing().to_text(),
        time_zone=agent.schedule.time_zone,
        active=agent.status is AgentStatus.ACTIVE,
        since=agent.updated_at,
        body=json.dumps(request),
    )


def _is_to_check(new: Item, old: Item) -> bool:
    """Whether the skill's address changed, or a check was requested."""
    return any(new.get(field) != old.get(field) for field in (URL, CHECK_REQUESTED))


def _has_sign_in(item: Item) -> bool:
    """Whether users may have signed in to the server of the skill, which the check of a gone one ends."""
    return skill_from_item(item).sign_in is not None


def _last(partition: str) -> str:
    """The id at the end of a partition key."""
    return partition.rpartition("#")[2]
