"""Polling of queue files and invocation of their functions, as Lambda's event source mapping does for SQS."""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import partial
from typing import Any, NamedTuple

from edge.adapters.queues import SqliteSender
from edge.adapters.sqlite_file import connect, sqlite_path, write_transaction
from local.proxy.functions import FunctionFailed, Invoke
from local.template.intrinsics import ACCOUNT
from local.template.resources import QueueConsumer

Poll = Callable[[threading.Event], None]
"""Polls until the event is set."""


@contextmanager
def poll_in_threads(polls: Mapping[str, Poll]) -> Iterator[None]:
    """Run each function in a daemon thread of the given name, and tell all to stop at the end."""
    stop = threading.Event()
    for name, poll in polls.items():
        threading.Thread(target=poll, args=(stop,), name=name, daemon=True).start()
    try:
        yield
    finally:
        stop.set()


def is_alive(process: int) -> bool:
    """Whether a process with that id exists, whichever user owns it."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


_SCHEMA = """
create table if not exists deliveries
    (id integer primary key, visible_at real not null, receives integer not null, owner integer not null);
create table if not exists dead_letters
    (id integer primary key autoincrement, body text not null, group_id text not null);
create table if not exists served (tenant text primary key, turn integer not null);
"""
_NOTICE = """
insert into deliveries select id, :now + max(:delay, delay_s), 0, 0 from queue
where id not in (select id from deliveries)
"""
# Tenants take turns, as in a fair queue of SQS: the one served longest ago comes first.
_RECEIVE = """
with available as (
    select id, body, group_id, receives, tenant,
        row_number() over (partition by iif(tenant = '', id, tenant) order by id) as place
    from queue join deliveries using (id) where visible_at <= :now
    and group_id not in
        (select group_id from queue join deliveries using (id) where receives > 0 and visible_at > :now)
)
select id, body, group_id, receives, tenant from available left join served using (tenant)
order by place, coalesce(turn, 0), id limit :limit
"""
_SERVE = """
insert into served values (?, (select coalesce(max(turn), 0) + 1 from served))
on conflict (tenant) do update set turn = excluded.turn
"""
_COPY_SPENT = """
insert into dead_letters (body, group_id) select body, group_id from queue join deliveries using (id)
where receives >= :most and visible_at <= :now
"""
_DROP_SPENT = """
delete from queue where id in (select id from deliveries where receives >= :most and visible_at <= :now)
"""
_FORGET = "delete from deliveries where id not in (select id from queue)"


class QueueDelivery(NamedTuple):
    """One queue entry, delivered for the ``receives``-th time."""

    id: int
    body: str
    group: str
    receives: int


class QueueReader:
    """Delivers the entries of one queue file to one consumer. Times are seconds since 1970."""

    def __init__(self, path: str, consumer: QueueConsumer) -> None:
        SqliteSender(path)
        self._path = path
        self._consumer = consumer
        with closing(connect(path)) as connection:
            connection.executescript(_SCHEMA)

    def receive(self, now: float) -> list[QueueDelivery]:
        """Return the next entries, of each tenant in turn and oldest first, without groups that have an entry
        in flight.

        The entries stay hidden from other receivers until their visibility timeout ends.
        """
        with write_transaction(self._path) as connection:
            self._release_abandoned(connection)
            self._bury(connection, now)
            connection.execute(_NOTICE, {"now": now, "delay": self._consumer.delay_s})
            rows = connection.execute(_RECEIVE, {"now": now, "limit": self._consumer.batch_size})
            tenants, found = list[str](), list[QueueDelivery]()
            for number, body, group, seen, tenant in rows:
                found.append(QueueDelivery(number, body, group, seen + 1))
                tenants.append(tenant)
            connection.executemany(_SERVE, [(tenant,) for tenant in dict.fromkeys(tenants) if tenant])
            hidden_until = now + self._consumer.visibility_s
            connection.executemany(
                "update deliveries set visible_at = ?, receives = ?, owner = ? where id = ?",
                [(hidden_until, each.receives, os.getpid(), each.id) for each in found],
            )
        return found

    def delete(self, deliveries: Collection[QueueDelivery]) -> None:
        """Delete processed entries. All others are delivered again when their visibility timeout ends."""
        numbers = [(each.id,) for each in deliveries]
        with write_transaction(self._path) as connection:
            connection.executemany("delete from queue where id = ?", numbers)
            connection.executemany("delete from deliveries where id = ?", numbers)

    def _bury(self, connection: sqlite3.Connection, now: float) -> None:
        if self._consumer.max_receives is not None:
            spent = {"most": self._consumer.max_receives, "now": now}
            connection.execute(_COPY_SPENT, spent)
            connection.execute(_DROP_SPENT, spent)
            connection.execute(_FORGET)

    def _release_abandoned(self, connection: sqlite3.Connection) -> None:
        # Entries of a killed twin become visible at once. Its poller died with it, whereas on AWS the poller
        # survives and sees the function fail.
        held = connection.execute("select distinct owner from deliveries where receives > 0")
        owners = [owner for (owner,) in held]
        dead = [(owner,) for owner in owners if not is_alive(owner)]
        connection.executemany("update deliveries set visible_at = 0 where owner = ?", dead)


POLL_S = 0.5
CONCURRENCY = 8
_LOG = logging.getLogger("local.events")


def restore_dead_letters(path: str) -> int:
    """Put all dead letters of a queue file back into the queue, and return how many there were."""
    SqliteSender(path)
    with closing(connect(path)) as connection:
        connection.executescript(_SCHEMA)
    with write_transaction(path) as connection:
        connection.execute(
            "insert into queue (body, group_id, delay_s, tenant)"
            " select body, group_id, 0, '' from dead_letters"
        )
        return connection.execute("delete from dead_letters").rowcount


def process_batch(
    batch: Sequence[QueueDelivery], inbox: QueueReader, consumer: QueueConsumer, invoke: Invoke
) -> None:
    """Invoke the function with one batch and delete the entries that it did not report as failed."""
    if not batch:
        return
    try:
        returned = invoke(consumer.function, {"Records": [_record(each, consumer) for each in batch]})
    except FunctionFailed as failure:
        # The type alone: the text may quote what a user wrote.
        _LOG.error("%s failed: %s", consumer.function, failure.kind)
        return
    failed = {failure["itemIdentifier"] for failure in (returned or {}).get("batchItemFailures", [])}
    inbox.delete([each for each in batch if str(each.id) not in failed])


def _record(delivery: QueueDelivery, consumer: QueueConsumer) -> dict[str, Any]:
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
        "eventSourceARN": f"arn:aws:sqs:local:{ACCOUNT}:{consumer.queue}",
        "awsRegion": "local",
    }


def poll_queues(consumers: Sequence[QueueConsumer], invoke: Invoke) -> AbstractContextManager[None]:
    """Poll the consumers' queues inside the ``with`` block; only queues in SQLite files are polled."""
    polls: dict[str, Poll] = {}
    for consumer in consumers:
        path = sqlite_path(consumer.target)
        if path is not None:
            polls[f"poll-{consumer.queue}"] = partial(_poll, QueueReader(path, consumer), consumer, invoke)
    return poll_in_threads(polls)


def count_waiting(consumers: Sequence[QueueConsumer]) -> dict[str, int]:
    """Return how many entries each queue holds, those in flight included; only queues in SQLite files."""
    counted = {}
    for consumer in consumers:
        path = sqlite_path(consumer.target)
        if path is not None:
            with suppress(sqlite3.OperationalError), closing(connect(path)) as connection:
                (counted[consumer.queue],) = connection.execute("select count(*) from queue").fetchone()
    return counted


def _poll(inbox: QueueReader, consumer: QueueConsumer, invoke: Invoke, stop: threading.Event) -> None:
    free = threading.Semaphore(CONCURRENCY)
    executor = ThreadPoolExecutor(CONCURRENCY, thread_name_prefix=consumer.queue)

    while not stop.is_set():
        free.acquire()
        batch = _received(inbox)
        work = executor.submit(process_batch, batch, inbox, consumer, invoke)
        work.add_done_callback(lambda _: free.release())
        if not batch:
            stop.wait(POLL_S)


def _received(inbox: QueueReader) -> list[QueueDelivery]:
    try:
        return inbox.receive(time.time())
    except sqlite3.OperationalError as error:
        _LOG.warning("the queue is out of reach: %s", error)
        return []
