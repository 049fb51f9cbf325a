"""The port through which is arranged when agents work by themselves.

A timetable sends the request for a run at every moment a schedule names. Keeping it in step with the agents
is `agent.consequences`' business.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

SCHEDULED_TIME = "<aws.scheduler.scheduled-time>"
"""What a timetable replaces by the moment it fires for. Source: EventBridge Scheduler, context attributes."""


@dataclass(frozen=True, slots=True)
class Appointment:
    """The schedule of one agent."""

    agent_id: str
    cron: str
    """Five fields, as `conversation.crons.Cron` reads them."""
    time_zone: str
    active: bool
    """False: kept, and does not fire."""
    since: datetime
    """From when on it counts, where it differs from the agent's earlier one."""
    body: str
    """What is sent to the run queue, with `SCHEDULED_TIME` where the moment belongs."""


class Timetable(Protocol):
    """The appointments of all agents of a deployment; every call may be repeated."""

    def put(self, appointment: Appointment) -> None:
        """Arrange it, in place of the agent's earlier one.

        Raises:
            AppointmentRefused: it never will be.
            TimetableUnavailable: try again later.
        """

    def remove(self, agent_id: str) -> None:
        """Forget the agent's appointment, if it has one.

        Raises:
            TimetableUnavailable: try again later.
        """


class TimetableUnavailable(Exception):
    """The timetable refused or is out of reach."""


class AppointmentRefused(Exception):
    """The timetable can't keep this appointment, now or later; the message is the reason's code."""
