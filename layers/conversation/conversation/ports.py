"""Mail as a port: one text to one reader, from the deployment's own address.

What is mailed is decided elsewhere; the adapters are in `edge.adapters.mail`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


class MailRefused(Exception):
    """The mail will never be sent like this; ``code`` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class MailUnavailable(Exception):
    """Nothing was sent; a later try may succeed."""


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail to one reader. ``key`` names the occasion: the same for each try."""

    key: str
    to: str
    subject: str
    text: str


class Mailer(Protocol):
    """Sends mail from the deployment's own address."""

    def send(self, mail: Mail) -> None:
        """Hand the mail over to whoever sends it.

        Raises:
            MailRefused, MailUnavailable: nothing was sent.
        """


SCHEDULED_TIME = "<aws.scheduler.scheduled-time>"
"""What a timetable replaces by the moment it fires for. Source: EventBridge Scheduler, context attributes."""


@dataclass(frozen=True, slots=True)
class Appointment:
    """The schedule of one agent."""

    agent_id: str
    cron: str
    """Five fields, as `conversation.cron.Cron` reads them."""
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
