"""The twin's periodic jobs, under its clock.

They invoke the functions for which the template has a rate, as EventBridge does, and remove items past their
time to live, as DynamoDB does.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from conversation.clock import Clock, to_text
from conversation.identity import new_id
from local.events.queues import poll_in_threads
from local.proxy.functions import FunctionFailed, Invoke
from local.template.intrinsics import ACCOUNT
from local.template.resources import Rule
from storage.factory import open_table
from storage.sqlite.table import SqliteTable

POLL_S = 0.5
TTL_CLEANUP_EVERY_S = 3_600.0
_LOG = logging.getLogger("local.rules")


class PeriodicJob(NamedTuple):
    """A periodic job; ``work`` receives the current time."""

    every_s: float
    work: Callable[[datetime], None]


class JobRunner:
    """A set of periodic jobs.

    A job is due one period after its last run, or after the twin's start. One run covers all missed ones.
    """

    def __init__(self, jobs: Sequence[PeriodicJob], now: datetime) -> None:
        self._jobs = jobs
        self._done = [now] * len(jobs)

    def run_due(self, now: datetime) -> None:
        """Run the jobs that are due. When the clock was set back, a job's period starts again from there."""
        for place, job in enumerate(self._jobs):
            done = self._done[place]
            if now < done or now - done >= timedelta(seconds=job.every_s):
                self._done[place] = now
            if now - done >= timedelta(seconds=job.every_s):
                job.work(now)


def build_jobs(rules: Sequence[Rule], invoke: Invoke, table: str) -> list[PeriodicJob]:
    """Return a job per rule of the template, and the hourly TTL cleanup when the table is an SQLite file."""
    opened = open_table(table)
    cleanup = (
        [PeriodicJob(TTL_CLEANUP_EVERY_S, lambda now: _sweep_out(opened, now))]
        if isinstance(opened, SqliteTable)
        else []
    )
    return [*(PeriodicJob(rule.every_s, _invoking(rule, invoke)) for rule in rules), *cleanup]


def _invoking(rule: Rule, invoke: Invoke) -> Callable[[datetime], None]:
    def work(now: datetime) -> None:
        try:
            done = invoke(rule.function, _event(rule, now))
        except FunctionFailed as failure:
            # The type alone: the text may quote what a user wrote.
            _LOG.error("%s failed: %s", rule.function, failure.kind)
        else:
            _LOG.info("%s: %s", rule.function, done)

    return work


def _event(rule: Rule, now: datetime) -> dict[str, object]:
    return {
        "version": "0",
        "id": new_id(),
        "detail-type": "Scheduled Event",
        "source": "aws.events",
        "account": ACCOUNT,
        "time": to_text(now),
        "region": "local",
        "resources": [f"arn:aws:events:local:{ACCOUNT}:rule/{rule.name}"],
        "detail": {},
    }


def _sweep_out(table: SqliteTable, now: datetime) -> None:
    try:
        table.remove_expired(now)
    except sqlite3.OperationalError as error:
        _LOG.warning("the table is out of reach: %s", error)


def run_jobs(jobs: Sequence[PeriodicJob], clock: Clock) -> AbstractContextManager[None]:
    """Run the jobs in a thread inside the ``with`` block."""
    return poll_in_threads({"rules": partial(_poll, JobRunner(jobs, clock.now()), clock)})


def _poll(jobs: JobRunner, clock: Clock, stop: threading.Event) -> None:
    while not stop.wait(POLL_S):
        jobs.run_due(clock.now())
