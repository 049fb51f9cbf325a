"""Processing of queue and stream batches: each entry on its own, so that only failed ones are retried.

An error is logged by its type, because its text may quote what a user wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ParamSpec

from aws_lambda_powertools.utilities.typing import LambdaContext

from edge.adapters.crash_marks import MAX_DEATHS, CrashMarks
from edge.adapters.queues import QueuedTurn
from edge.observability import LOG, log_internal_error
from resilience.deadlines import DEADLINE_MARGIN_S, run_with_deadline
from storage.dynamodb.attribute_values import from_wire
from storage.items import upgrade
from storage.table import Item, Key

P = ParamSpec("P")
BatchFailures = dict[str, list[dict[str, str]]]


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


def process_stream_batch(
    event: Mapping[str, Any],
    context: LambdaContext,
    work: Callable[[Key, Item | None, Item | None], None],
    *,
    marks: CrashMarks,
) -> BatchFailures:
    """Runs ``work`` for every write in a batch of the table's stream, with the item's key and its old and new
    state.

    The batch stops at the first write that raises or takes longer than the remaining time. It is retried from
    there, so the order is kept. A write on which several processes died is left out.
    """
    for record in event["Records"]:
        with marks.marked(record) as deaths:
            if deaths >= MAX_DEATHS:
                LOG.error("write given up", extra={"writes": 1, "deaths": deaths})
            elif not _succeeds(context, _tell, record["dynamodb"], work):
                return {"batchItemFailures": [{"itemIdentifier": record["dynamodb"]["SequenceNumber"]}]}
    return {"batchItemFailures": []}


def _tell(change: Mapping[str, Any], work: Callable[[Key, Item | None, Item | None], None]) -> None:
    key = from_wire(change["Keys"])
    old, new = (_item(change.get(image)) for image in ("OldImage", "NewImage"))
    work(Key(str(key["pk"]), str(key["sk"])), old, new)


def _item(image: Mapping[str, Any] | None) -> Item | None:
    return None if image is None else upgrade(from_wire(image))


def _succeeds(context: LambdaContext, work: Callable[P, None], *entry: P.args, **more: P.kwargs) -> bool:
    # Catches everything: one entry's failure must not decide about the others.
    try:
        run_with_deadline(lambda: work(*entry, **more), _left(context))
    except Exception as error:  # noqa: BLE001
        log_internal_error(error)
        return False
    return True


def _left(context: LambdaContext) -> float:
    """Seconds until the function has to finish."""
    return context.get_remaining_time_in_millis() / 1000 - DEADLINE_MARGIN_S
