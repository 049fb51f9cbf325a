"""Requests to execute a run, to check a skill or to remind of a task, and the port of the queue that carries
them.

A run that a user asked for is stored before its request is sent. A run that a schedule asks for is not; its
request names the agent and the scheduled time. `agent.runs.executor` executes runs,
`agent.reminders.delivery` reminds.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from conversation.clock import from_text, to_text
from conversation.identity import derived_ulid
from storage.keys import TenantId, parse_tenant, parse_user


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Execute a run: the stored one that ``run_id`` names, or the one due at ``scheduled_at``, which is not
    stored until it is executed. Exactly one of the two is set.

    It may arrive more than once, and late. A scheduled run has to be stored as running at once: storing it as
    queued would request it a second time.
    """

    tenant: TenantId
    user: str
    agent_id: str
    run_id: str | None = None
    scheduled_at: datetime | None = None

    @property
    def effective_run_id(self) -> str:
        """The run's id; the same for every request a schedule sends for one moment."""
        if self.run_id is not None:
            return self.run_id
        assert self.scheduled_at is not None  # noqa: S101 - one of both is given
        return _run_id_of_schedule(self.agent_id, self.scheduled_at)

    def to_body(self) -> str:
        """The request as the body of a queue message."""
        body = {"tenant": self.tenant, "user": self.user, "agent_id": self.agent_id}
        if self.run_id is not None:
            return json.dumps({**body, "run_id": self.run_id})
        assert self.scheduled_at is not None  # noqa: S101 - one of both is given
        return json.dumps({**body, "scheduled_at": to_text(self.scheduled_at)})


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """Check whether a skill responds, and which tools it offers."""

    tenant: TenantId
    skill_id: str

    def to_body(self) -> str:
        """The request as the body of a queue message."""
        return json.dumps({"tenant": self.tenant, "skill_id": self.skill_id})


@dataclass(frozen=True, slots=True)
class ReminderRequest:
    """Remind of a task that is due at ``at``, if it still is. It may arrive more than once, and late."""

    tenant: TenantId
    user: str
    task_id: str
    at: datetime

    def to_body(self) -> str:
        """The request as the body of a queue message."""
        body = {"tenant": self.tenant, "user": self.user, "task_id": self.task_id, "at": to_text(self.at)}
        return json.dumps(body)


Request = RunRequest | CheckRequest | ReminderRequest


class RunQueue(Protocol):
    """The queue of requests; delivers at least once, in no particular order."""

    def send(self, request: Request, *, delay_s: int = 0) -> None:
        """Request the work, to start no sooner than after the delay.

        Raises:
            QueueUnavailable: nothing was queued (`conversation.turns.deferred_turn`).
        """


def parse_request(body: str) -> Request:
    """Parse a message of the run queue, whether our code or a schedule sent it.

    Raises:
        ValueError, KeyError, TypeError: for anything else.
    """
    members = json.loads(body)
    tenant = parse_tenant(members["tenant"])
    if "skill_id" in members:
        return CheckRequest(tenant, str(members["skill_id"]))
    user = parse_user(members["user"])
    if "task_id" in members:
        return ReminderRequest(tenant, user, str(members["task_id"]), from_text(members["at"]))
    agent_id = str(members["agent_id"])
    if "run_id" in members:
        return RunRequest(tenant, user, agent_id, run_id=str(members["run_id"]))
    return RunRequest(tenant, user, agent_id, scheduled_at=from_text(members["scheduled_at"]))


def _run_id_of_schedule(agent_id: str, scheduled_at: datetime) -> str:
    """The id of an agent's only run for a scheduled time, so that a second firing starts nothing."""
    return derived_ulid(scheduled_at, "schedule", agent_id, to_text(scheduled_at))
