"""Processing of queue and stream batches: each entry on its own, so that only failed ones are retried.

An error is logged by its type, because its text may quote what a user wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ParamSpec

from aws_lambda_powertools.utilities.typing import LambdaContext

from edge.adapters.crash_marks import MAX_DEATHS, CrashMarks
from edge.adapters.queues import QueuedTurn
from edge.observability import LOG, log_internal_error
from resilience.deadlines import DEADLINE_MARGIN_S, run_with_deadline
from storage.dynamodb.attribute_values import from_wire
from storage.errors import UnknownVersion
from storage.items import upgrade
from storage.keys import InvalidIdentity, tenant_of
from storage.table import Item, Key, StreamRecord

P = ParamSpec("P")
BatchFailures = dict[str, list[dict[str, str]]]

CONSEQUENCE_LIMIT_S = 5.0
"""How long one consequence may take: a few requests. The writes of the shard behind it wait meanwhile."""

ENRICHMENT_LIMIT_S = 25.0
"""How long enriching after one write may take: a summary asks a model for up to 20 seconds."""

REDRIVE = "redrive"
"""The field of a stream event that is true when somebody asked for its records to be tried once more."""


def process_fifo_batch(
    event: Mapping[str, Any], context: LambdaContext, work: Callable[[QueuedTurn], None]
) -> BatchFailures:
    """Runs ``work`` for every entry of a FIFO batch.

    An entry that raises or takes longer than the remaining time stays in the queue, and so do the later ones
    of its conversation. Others of its group are processed: they would be given up with it although nobody
    tried them.
    """
    failed: list[str] = []
    stuck: set[tuple[str, str]] = set()
    for record in event["Records"]:
        entry = _entry_of(record["body"])
        place = (entry.tenant, entry.conversation_id) if entry else None
        if entry is None or place in stuck or not _succeeds(context, work, entry):
            failed.append(record["messageId"])
            stuck |= {place} if place else set()
    return {"batchItemFailures": [{"itemIdentifier": number} for number in failed]}


def _entry_of(body: str) -> QueuedTurn | None:
    """The entry, or None for a body that we did not write."""
    try:
        return QueuedTurn.from_body(body)
    except (ValueError, KeyError, TypeError) as error:
        log_internal_error(error)
        return None


def process_batch(
    event: Mapping[str, Any], context: LambdaContext, work: Callable[[str], None]
) -> BatchFailures:
    """Runs ``work`` for the body of every entry of an unordered batch.

    An entry that raises or takes longer than the remaining time stays in the queue.
    """
    failed = [
        record["messageId"] for record in event["Records"] if not _succeeds(context, work, record["body"])
    ]
    return {"batchItemFailures": [{"itemIdentifier": number} for number in failed]}


class WriteFailed(Exception):
    """The first write of a batch failed: Lambda halves the batch, until the write is alone."""


def process_stream_batch(
    event: Mapping[str, Any],
    context: LambdaContext,
    work: Callable[[Key, Item | None, Item | None], None],
    *,
    marks: CrashMarks,
    limit_s: float,
) -> BatchFailures:
    """Runs ``work`` for every write in a batch of the table's stream, with the item's key and its old and new
    state.

    The batch stops at the first write that raises or takes longer than ``limit_s`` or the remaining time. It
    is retried from there, so the order is kept. A write on which several processes died fails untried, unless
    the event is a redrive. A write of which this version knows nothing is left out and counted.

    Raises:
        WriteFailed: the first of several writes failed.
    """
    records, is_redrive = event["Records"], event.get(REDRIVE) is True
    for place, record in enumerate(records):
        try:
            change = _change_of(record["dynamodb"])
        except (UnknownVersion, InvalidIdentity) as unknown:
            LOG.warning("record skipped", extra={"records": 1, "reason": type(unknown).__name__})
            continue
        with marks.marked(record, is_redrive=is_redrive) as deaths:
            is_deadly = deaths >= MAX_DEATHS
            if is_deadly:
                LOG.error("write given up", extra={"deaths": deaths})
            left_s = min(limit_s, _left(context))
            if not is_deadly and _succeeds_within(left_s, partial(work, change.key, change.old, change.new)):
                continue
        if place == 0 and len(records) > 1:
            raise WriteFailed
        return {"batchItemFailures": [{"itemIdentifier": record["dynamodb"]["SequenceNumber"]}]}
    return {"batchItemFailures": []}


def _change_of(change: Mapping[str, Any]) -> StreamRecord:
    """The write of a record.

    Raises:
        UnknownVersion: an item is of a version that is not read here.
        InvalidIdentity: the item belongs to no tenant.
    """
    key = from_wire(change["Keys"])
    tenant_of(str(key["pk"]))
    old, new = (_item(change.get(image)) for image in ("OldImage", "NewImage"))
    return StreamRecord(Key(str(key["pk"]), str(key["sk"])), old, new)


def _item(image: Mapping[str, Any] | None) -> Item | None:
    return None if image is None else upgrade(from_wire(image))


def _succeeds(context: LambdaContext, work: Callable[P, None], *entry: P.args, **more: P.kwargs) -> bool:
    return _succeeds_within(_left(context), lambda: work(*entry, **more))


def _succeeds_within(limit_s: float, work: Callable[[], None]) -> bool:
    # Catches everything: one entry's failure must not decide about the others.
    try:
        run_with_deadline(work, limit_s)
    except Exception as error:  # noqa: BLE001
        log_internal_error(error)
        return False
    return True


def _left(context: LambdaContext) -> float:
    """Seconds until the function has to finish."""
    return context.get_remaining_time_in_millis() / 1000 - DEADLINE_MARGIN_S
