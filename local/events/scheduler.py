"""The twin's scheduler: it fires schedules under the twin's clock, as EventBridge Scheduler does on AWS.

`edge.adapters.schedules.SqliteScheduler` stores the schedules. A schedule fires at most once for each moment
it names, whatever the clock does. It fires once for all moments that it missed because no twin ran or because
the clock jumped. A single message is sent once, however late.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple
from zoneinfo import ZoneInfo

from conversation.clock import Clock, from_text, to_text
from conversation.scheduler import SCHEDULED_TIME
from conversation.timing import Timing
from conversation.turns.deferred_turn import QueueUnavailable
from edge.adapters.queues import RequestQueue, open_request_queue
from edge.adapters.schedules import SqliteScheduler
from edge.adapters.sqlite_file import sqlite_path, write_transaction
from local.events.queues import Poll, poll_in_threads
from storage.keys import TenantId, parse_tenant

POLL_S = 0.5
_LOG = logging.getLogger("local.scheduler")


class ScheduledMessage(NamedTuple):
    """The message that a schedule sends for one moment."""

    body: str
    moment: datetime

    @property
    def tenant(self) -> TenantId | None:
        """The tenant that the body names, so that its firings wait for their turn as other requests do."""
        try:
            return parse_tenant(json.loads(self.body)["tenant"])
        except (ValueError, KeyError, TypeError):
            return None

    def to_body(self) -> str:
        """The queue message's body, with the scheduled time filled in."""
        return self.body.replace(SCHEDULED_TIME, self.moment.strftime("%Y-%m-%dT%H:%M:%SZ"))


class ScheduleRunner:
    """The schedules of one file and the queue they send to."""

    def __init__(self, path: str, queue: RequestQueue) -> None:
        SqliteScheduler(path)
        self._path = path
        self._queue = queue

    def send_due(self, now: datetime) -> None:
        """Send what became due since the last call.

        Raises:
            QueueUnavailable: not everything was sent; all of it stays due.
        """
        # The transaction makes other twins on the same file wait, so only one of them sends a firing. If a
        # twin dies between sending and committing, the firing is sent again for the same moment, which leads
        # to the same run.
        with write_transaction(self._path) as connection:
            rows = connection.execute(
                "select agent_id, cron, time_zone, body, since from appointments where active"
            ).fetchall()
            for agent_id, cron, time_zone, body, since in rows:
                seen = self._send(cron, ZoneInfo(time_zone), body, from_text(since), now)
                if seen is not None:
                    connection.execute(
                        "update appointments set since = ? where agent_id = ?", (to_text(seen), agent_id)
                    )
            self._send_single(connection, now)

    def _send_single(self, connection: sqlite3.Connection, now: datetime) -> None:
        due = connection.execute("select name, at, body from once where at <= ?", (to_text(now),)).fetchall()
        for name, at, body in due:
            self._queue.send(ScheduledMessage(body, from_text(at)))
            connection.execute("delete from once where name = ?", (name,))

    def _send(self, cron: str, zone: ZoneInfo, body: str, since: datetime, now: datetime) -> datetime | None:
        """Send the newest due moment of a schedule, if any.

        Returns the time up to which the schedule is now handled; None means that nothing changed.
        """
        if now < since:  # the clock was set back
            return now
        moment = latest_moment(cron, zone, after=since, until=now)
        if moment is not None:
            self._queue.send(ScheduledMessage(body, moment))
        return moment


def latest_moment(timing: str, zone: ZoneInfo, *, after: datetime, until: datetime) -> datetime | None:
    """The latest match in UTC that is after ``after`` and at most ``until``; None when there is none.

    Clock changes work as in EventBridge Scheduler: a local time that is skipped does not match, and one that
    occurs twice matches the first time only.
    """
    return Timing.from_text(timing, zone.key).latest(after=after, until=until)


def run_scheduler(schedules: str, run_queue: str, clock: Clock) -> AbstractContextManager[None]:
    """Fire the schedules inside the ``with`` block; only schedules in an SQLite file are fired."""
    path, polls = sqlite_path(schedules), dict[str, Poll]()
    if path is not None:
        polls["scheduler"] = partial(_poll, ScheduleRunner(path, open_request_queue(run_queue)), clock)
    return poll_in_threads(polls)


def _poll(scheduler: ScheduleRunner, clock: Clock, stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            scheduler.send_due(clock.now().astimezone(UTC))
        except (sqlite3.OperationalError, QueueUnavailable) as error:
            _LOG.warning("schedules are out of reach: %s", type(error).__name__)
        stop.wait(POLL_S)
