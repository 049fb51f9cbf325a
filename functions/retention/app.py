"""The retention function: removes what has expired or is to be erased.

A schedule starts it, and a queue does so for what one run leaves to do.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from conversation.clock import Deadline
from conversation.domain_events import DomainEvent, EventKind
from conversation.erasure.eraser import Eraser
from conversation.erasure.requests import Erasures, Progress
from conversation.retention.jobs import (
    ContinueSweepJob,
    EraseJob,
    RetentionUpdater,
    UpdateRetentionJob,
    parse_job,
)
from conversation.retention.sweep import Sweep
from edge.adapters.attachments import open_bucket
from edge.adapters.event_batches import process_batch
from edge.adapters.event_bus import open_event_publisher
from edge.adapters.queues import open_request_queue
from edge.function_runtime import FunctionRuntime
from resilience.deadlines import DEADLINE_MARGIN_S, run_with_deadline

MARGIN_S = 10.0
"""The time for finishing work that has begun at the deadline, before Lambda stops the function."""

settings, clock, tables, request_log = FunctionRuntime.for_events("retention")
queue = open_request_queue(settings.retention_queue, setting="OMNIFORGE_RETENTION_QUEUE")
sweep = Sweep(tables=tables, clock=clock)
retention_updater = RetentionUpdater(tables=tables, clock=clock)
bucket = open_bucket(settings)
eraser = Eraser(tables=tables, clock=clock, bucket=bucket)
erasures = Erasures(tables=tables, clock=clock)
events = open_event_publisher(settings.event_bus, clock)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Runs the requests of a batch, or a sweep for the schedule.

    With ``{"dry_run": true}`` the sweep only reports what would happen.
    """
    deadline = Deadline.after(clock, context.get_remaining_time_in_millis() / 1000 - MARGIN_S)
    with request_log.for_request(context.aws_request_id):
        if "Records" in event:
            return dict(process_batch(event, context, lambda body: work(body, deadline)))
        left_s = context.get_remaining_time_in_millis() / 1000 - DEADLINE_MARGIN_S
        return run_with_deadline(lambda: run_sweep(deadline, dry_run=event.get("dry_run") is True), left_s)


def work(body: str, deadline: Deadline) -> None:
    """Runs a request of the queue, and queues what is left of it."""
    match parse_job(body):
        case ContinueSweepJob():
            run_sweep(deadline, dry_run=False)
        case UpdateRetentionJob(redating):
            left = retention_updater.run(redating, deadline)
            if left is not None:
                queue.send(UpdateRetentionJob(left))
        case EraseJob() as request:
            later_s = eraser.run(request.tenant, request.erasure_id, deadline)
            if later_s is not None:
                queue.send(request, delay_s=later_s)
            else:
                tell_of_erasure(request)


def tell_of_erasure(request: EraseJob) -> None:
    """Tells other systems that an erasure is done. A job that comes again tells it again."""
    if settings.event_bus is None:
        return
    erasure = erasures.find(request.tenant, request.erasure_id)
    if erasure is not None and erasure.progress is Progress.DONE:
        detail = {"erasure_id": erasure.id, "scope": erasure.scope.value}
        events.publish(DomainEvent(EventKind.ERASURE_DONE, request.tenant, erasure.id, detail))


def run_sweep(deadline: Deadline, *, dry_run: bool) -> dict[str, Any]:
    """Runs a sweep, queues what is left of it, and returns its report."""
    done = sweep.run(deadline, dry_run=dry_run)
    if not done.finished and not dry_run:
        queue.send(ContinueSweepJob())
    return asdict(done)
