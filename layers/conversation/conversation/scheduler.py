"""The port for the scheduled runs of agents and for single messages, and the values it takes.

The adapters are in `edge.adapters.schedules`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

SCHEDULED_TIME = "<aws.scheduler.scheduled-time>"
"""The placeholder that the scheduler replaces by the time of the run. Source: EventBridge Scheduler, context
attributes.
"""


@dataclass(frozen=True, slots=True)
class ScheduledRun:
    """The schedule of one agent."""

    agent_id: str
    cron: str
    """The schedule as `conversation.timing.Timing.from_text` reads it: five cron fields, or more."""
    time_zone: str
    active: bool
    """False: the schedule is kept but does not run."""
    since: datetime
    """The time from which it applies, if it differs from the agent's earlier schedule."""
    body: str
    """The message for the run queue, with `SCHEDULED_TIME` in place of the time of the run."""


@dataclass(frozen=True, slots=True)
class ScheduledOnce:
    """One message for the run queue at one moment."""

    name: str
    """Names it for good: at most 64 letters, digits and ``-``. A second one of the name replaces it."""
    at: datetime
    body: str


class Scheduler(Protocol):
    """The schedules of all agents of a deployment, and its single messages. Every call is idempotent."""

    def put(self, run: ScheduledRun) -> None:
        """Create the agent's schedule or replace its earlier one.

        Raises:
            ScheduleRejected: the schedule is not accepted; don't retry.
            SchedulerUnavailable: retry later.
        """

    def remove(self, agent_id: str) -> None:
        """Delete the agent's schedule, if it has one.

        Raises:
            SchedulerUnavailable: retry later.
        """

    def put_once(self, message: ScheduledOnce) -> None:
        """Send the message once its moment has come; it is forgotten then.

        Raises:
            ScheduleRejected: it is not accepted, perhaps because its moment is past; don't retry.
            SchedulerUnavailable: retry later.
        """

    def remove_once(self, name: str) -> None:
        """Don't send the message of that name, if it was not sent.

        Raises:
            SchedulerUnavailable: retry later.
        """


class SchedulerUnavailable(Exception):
    """The scheduler failed or is unreachable; a retry may succeed."""


class ScheduleRejected(Exception):
    """The scheduler will never accept this schedule; the message is the code of the reason."""
