"""The function that does what must follow from a write, without a model.

It starts runs, updates schedules and reminders, has skills checked, keeps the list of a tenant's users,
removes files that no conversation has any more, carries out deletions that a turn promised, tells other
systems of new tenants, and queues work for the retention function.
"""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from agent.after_turn.requested_deletions import RequestedDeletions
from agent.reminders.triggers import ReminderTriggers
from agent.runs.triggers import RunTriggers
from conversation.attachments.removal import AttachmentRemover
from conversation.erasure.partitions import MemberIndex
from conversation.erasure.requests import ErasureFollower
from conversation.retention.jobs import RetentionFollower
from conversation.tenants.creation import TenantCreationFollower
from conversation.threads.repository import ConversationRepository
from edge.adapters.attachments import open_bucket
from edge.adapters.crash_marks import CrashMarks
from edge.adapters.event_batches import CONSEQUENCE_LIMIT_S, process_stream_batch
from edge.adapters.event_bus import open_event_publisher
from edge.adapters.queues import open_request_queue
from edge.adapters.schedules import open_scheduler
from edge.function_runtime import FunctionRuntime
from resilience.cpu_limit import CpuLimit
from storage.table import Item, Key, StreamRecord

settings, clock, tables, request_log = FunctionRuntime.for_events("consequences")
retention_queue = open_request_queue(settings.retention_queue, setting="OMNIFORGE_RETENTION_QUEUE")
run_queue, scheduler = open_request_queue(settings.run_queue), open_scheduler(settings)
events = open_event_publisher(settings.event_bus, clock)
cpu_limit = CpuLimit()
marks = CrashMarks()
followers = (
    RunTriggers(runs=run_queue, scheduler=scheduler),
    ReminderTriggers(queue=run_queue, scheduler=scheduler, clock=clock),
    RetentionFollower(retention_queue),
    ErasureFollower(retention_queue),
    MemberIndex(tables),
    AttachmentRemover(tables, open_bucket(settings)),
    TenantCreationFollower(events),
    RequestedDeletions(
        tables=tables, clock=clock, conversations=ConversationRepository(tables=tables, clock=clock)
    ),
)


def handle_write(key: Key, old: Item | None, new: Item | None) -> None:
    """Passes a write to every follower; one that does not handle it costs nothing."""
    change = StreamRecord(key, old, new)
    with cpu_limit.enforced():
        for follower in followers:
            follower.handle(change)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Handles a batch of the table's stream, in order, up to the first write that fails."""
    with request_log.for_request(context.aws_request_id):
        return dict(
            process_stream_batch(event, context, handle_write, marks=marks, limit_s=CONSEQUENCE_LIMIT_S)
        )
