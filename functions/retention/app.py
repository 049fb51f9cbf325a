"""The retention function: removes what has expired or is to be erased.

A schedule starts it, and a queue does so for what one run leaves to do.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from conversation.clock import Deadline, open_clock
from conversation.deadlines import SPARE_S, in_time
from conversation.erasure.eraser import Eraser
from conversation.retention.jobs import Erase, Redate, Redater, SweepOn, request_from
from conversation.retention.sweep import Sweep
from edge.adapters.event_batches import work_off
from edge.adapters.queues import open_requests
from edge.observability import open_journal
from edge.settings import Settings
from storage.factory import open_tables

MARGIN_S = 10.0
"""The time for finishing work that has begun at the deadline, before Lambda stops the function."""

settings = Settings.load()
clock = open_clock(settings.clock_file)
journal = open_journal("retention", settings)
tables = open_tables(settings.table, tenant_role_arn=settings.tenant_role_arn)
queue = open_requests(settings.retention_queue, setting="OMNIFORGE_RETENTION_QUEUE")
sweep = Sweep(tables=tables, clock=clock)
redater = Redater(tables=tables, clock=clock)
eraser = Eraser(tables=tables, clock=clock)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Runs the requests of a batch, or a sweep for the schedule.

    With ``{"dry_run": true}`` the sweep only reports what would happen.
    """
    deadline = Deadline.after(clock, context.get_remaining_time_in_millis() / 1000 - MARGIN_S)
    with journal.request(context.aws_request_id):
        if "Records" in event:
            return dict(work_off(event, context, lambda body: work(body, deadline)))
        left_s = context.get_remaining_time_in_millis() / 1000 - SPARE_S
        return in_time(lambda: swept(deadline, dry_run=event.get("dry_run") is True), left_s)


def work(body: str, deadline: Deadline) -> None:
    """Runs a request of the queue, and queues what is left of it."""
    match request_from(body):
        case SweepOn():
            swept(deadline, dry_run=False)
        case Redate(redating):
            left = redater.run(redating, deadline)
            if left is not None:
                queue.send(Redate(left))
        case Erase() as request:
            later_s = eraser.run(request.tenant, request.erasure_id, deadline)
            if later_s is not None:
                queue.send(request, delay_s=later_s)


def swept(deadline: Deadline, *, dry_run: bool) -> dict[str, Any]:
    """Runs a sweep, queues what is left of it, and returns its report."""
    done = sweep.run(deadline, dry_run=dry_run)
    if not done.finished and not dry_run:
        queue.send(SweepOn())
    return asdict(done)
