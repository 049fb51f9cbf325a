"""Feeds functions from queues, as Lambda's event source mapping does for SQS."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from edge.queues import SQLITE_SCHEME
from local.functions import FunctionFailed, Invoke
from local.inbox import Delivery, Inbox
from local.stack import QueueConsumer

POLL_S = 0.5
CONCURRENCY = 8
_LOG = logging.getLogger("local.events")


def hand_over(batch: Sequence[Delivery], inbox: Inbox, consumer: QueueConsumer, invoke: Invoke) -> None:
    """Invoke the function with one batch, and take away what it did not report as failed."""
    if not batch:
        return
    try:
        returned = invoke(consumer.function, {"Records": [_record(each, consumer) for each in batch]})
    except FunctionFailed as failure:
        # The type alone: the text may quote what a user wrote.
        _LOG.error("%s failed: %s", consumer.function, failure.kind)
        return
    failed = {failure["itemIdentifier"] for failure in (returned or {}).get("batchItemFailures", [])}
    inbox.finish([each for each in batch if str(each.id) not in failed])


def _record(delivery: Delivery, consumer: QueueConsumer) -> dict[str, Any]:
    number = str(delivery.id)
    order = {
        "MessageDeduplicationId": number,
        "MessageGroupId": delivery.group,
        "SequenceNumber": number.zfill(20),
    }
    return {
        "messageId": number,
        "receiptHandle": number,
        "body": delivery.body,
        "attributes": {
            "ApproximateReceiveCount": str(delivery.receives),
            "SenderId": "local",
            **(order if consumer.is_fifo else {}),
        },
        "messageAttributes": {},
        "md5OfBody": hashlib.md5(delivery.body.encode(), usedforsecurity=False).hexdigest(),
        "eventSource": "aws:sqs",
        "eventSourceARN": f"arn:aws:sqs:local:000000000000:{consumer.queue}",
        "awsRegion": "local",
    }


@contextmanager
def consume(consumers: Sequence[QueueConsumer], invoke: Invoke) -> Iterator[None]:
    """Feed the consumers from their queues meanwhile; a queue that is no SQLite file is left alone."""
    stop = threading.Event()
    for consumer in consumers:
        if consumer.target.startswith(SQLITE_SCHEME):
            inbox = Inbox(consumer.target.removeprefix(SQLITE_SCHEME), consumer)
            poll = (inbox, consumer, invoke, stop)
            threading.Thread(target=_poll, args=poll, name=f"poll-{consumer.queue}", daemon=True).start()
    try:
        yield
    finally:
        stop.set()


def _poll(inbox: Inbox, consumer: QueueConsumer, invoke: Invoke, stop: threading.Event) -> None:
    free = threading.Semaphore(CONCURRENCY)
    executor = ThreadPoolExecutor(CONCURRENCY, thread_name_prefix=consumer.queue)

    while not stop.is_set():
        free.acquire()
        batch = _received(inbox)
        work = executor.submit(hand_over, batch, inbox, consumer, invoke)
        work.add_done_callback(lambda _: free.release())
        if not batch:
            stop.wait(POLL_S)


def _received(inbox: Inbox) -> list[Delivery]:
    try:
        return inbox.receive(time.time())
    except sqlite3.OperationalError as error:
        _LOG.warning("the queue is out of reach: %s", error)
        return []
