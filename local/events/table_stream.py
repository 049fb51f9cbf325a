"""The stream of the twin's table: it stores every write until each function that follows it has processed it.

Triggers in the table's own file store the writes, once per function. So writes of every process are stored in
order, and none is lost when a process dies. Only writes whose sort key could pass a filter are stored; the
others cost nothing. Functions don't wait for each other, nor do the lanes of one: like Lambda with a
`ParallelizationFactor`, the twin keeps the order of one item's writes.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from typing import Any, NamedTuple

from edge.adapters.sqlite_file import connect, sqlite_path
from local.events.queues import Poll, is_alive, poll_in_threads
from local.proxy.functions import FunctionFailed, Invoke
from local.template.event_filters import Pattern, matches
from local.template.intrinsics import ACCOUNT
from local.template.resources import StreamConsumer
from storage.dynamodb.attribute_values import to_wire
from storage.sqlite.json_items import from_json
from storage.sqlite.table import SqliteTable

POLL_S = 0.2
RETRY_S = 1.0
READER_TIMEOUT_S = 60.0
_LOG = logging.getLogger("local.stream")

_SLOT = "unicode(substr(new.pk, -1)) * 7 + unicode(substr(new.pk, -2, 1)) * 3 + unicode(substr(new.sk, -1))"
_SCHEMA = """
create table if not exists writes (
    id integer primary key autoincrement, consumer text not null, slot integer not null,
    at real not null default ((julianday('now') - 2440587.5) * 86400), old text, new text
);
create index if not exists writes_of_consumer on writes (consumer, id);
create table if not exists write_filters
    (consumer text, keys text, primary key (consumer, keys)) without rowid;
create table if not exists dead_writes (
    id integer primary key, consumer text not null, slot integer not null,
    at real not null, old text, new text
);
create table if not exists reader (id integer primary key check (id = 1), owner integer, seen real);
create trigger if not exists write_insert after insert on items
    begin insert into writes (consumer, slot, new)
    select distinct consumer, SLOT_OF_NEW, new.body from write_filters where new.sk glob keys; end;
create trigger if not exists write_update after update on items when new.body is not old.body
    begin insert into writes (consumer, slot, old, new)
    select distinct consumer, SLOT_OF_NEW, old.body, new.body from write_filters where new.sk glob keys; end;
create trigger if not exists write_delete after delete on items
    begin insert into writes (consumer, slot, old)
    select distinct consumer, SLOT_OF_OLD, old.body from write_filters where old.sk glob keys; end;
"""
_KEEP_WHAT_IS_THERE = """
insert into writes (consumer, slot, new) select distinct consumer, SLOT_OF_NEW, new.body
from items as new join write_filters on new.sk glob keys where consumer = ?
"""


def _with_slots(statements: str) -> str:
    """Fill in from which characters of its key the slot of an item is computed."""
    return statements.replace("SLOT_OF_NEW", _SLOT).replace("SLOT_OF_OLD", _SLOT.replace("new.", "old."))


# A file of before there were several consumers.
_BEFORE = ("stream_insert", "stream_update", "stream_delete")
_COPY_BEFORE = (
    "insert into writes (consumer, slot, at, old, new) select ?, 0, at, old, new from changes order by id"
)
_NEXT = """
select id, at, old, new from writes
where consumer = :consumer and (:lane is null or slot % :lanes = :lane) order by id limit :limit
"""
_BURY = "insert into dead_writes select id, consumer, slot, at, old, new from writes where id = ?"
_TAKE = """
insert into reader (id, owner, seen) values (1, :owner, :now)
on conflict (id) do update set owner = excluded.owner, seen = excluded.seen
"""


class StreamEntry(NamedTuple):
    """One write: the item before and after it, as the table stores it."""

    id: int
    at: float
    old: str | None
    new: str | None

    def to_record(self, consumer: StreamConsumer) -> dict[str, Any]:
        """The write as a DynamoDB stream record."""
        images = {"OldImage": self.old, "NewImage": self.new}
        wired = {name: to_wire(from_json(body)) for name, body in images.items() if body is not None}
        item = wired.get("NewImage") or wired["OldImage"]
        name = "INSERT" if self.old is None else "REMOVE" if self.new is None else "MODIFY"
        return {
            "eventID": str(self.id),
            "eventName": name,
            "eventVersion": "1.1",
            "eventSource": "aws:dynamodb",
            "awsRegion": "local",
            "dynamodb": {
                "ApproximateCreationDateTime": self.at,
                "Keys": {"pk": item["pk"], "sk": item["sk"]},
                **wired,
                "SequenceNumber": str(self.id).zfill(21),
                "SizeBytes": len(self.old or "") + len(self.new or ""),
                "StreamViewType": "NEW_AND_OLD_IMAGES",
            },
            "eventSourceARN": f"arn:aws:dynamodb:local:{ACCOUNT}:table/{consumer.table}/stream/local",
        }


class TableStream:
    """The writes to one table file that a function has not processed. One process at a time reads them.

    ``lane`` is one of the consumer's ``lanes``, None all of them together. What keeps failing is isolated by
    halving its batch, as Lambda does, and put among the dead writes after the consumer's retries.
    """

    def __init__(self, path: str, consumer: StreamConsumer, lane: int | None = None) -> None:
        SqliteTable(path).close()
        self.function = consumer.function
        self._consumer = consumer
        self._lane = lane
        self._size = consumer.batch_size
        self._failures = 0
        self._connection = connect(path)
        with self._transaction() as connection:
            _prepare(connection, consumer)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def process_batch(self, invoke: Invoke, now: float) -> bool:
        """Invoke the function with the next batch of writes and delete the processed ones.

        Returns False when a write failed, so that the caller waits before it tries again.
        """
        batch = self._next(now)
        passing = [each for each in batch if self._passes(each)]
        self._delete([each for each in batch if each not in passing])
        if not passing:
            return True
        failed = self._failed(passing, invoke)
        done = [each for each in passing if failed is None or each.id < failed]
        self._delete(done)
        if failed is None or done:
            self._size, self._failures = self._consumer.batch_size, 0
        elif len(passing) > 1 and self._consumer.bisects:
            self._size = (len(passing) + 1) // 2
        else:
            self._count_failure(passing, now)
        return failed is None

    def _count_failure(self, batch: Sequence[StreamEntry], now: float) -> None:
        self._failures += 1
        most = self._consumer.max_retries
        is_spent = most is not None and self._failures > most
        if is_spent or now - batch[0].at > self._consumer.max_age_s:
            _LOG.error("%s: %d writes went to its dead letters", self._consumer.function, len(batch))
            with self._transaction() as connection:
                connection.executemany(_BURY, [(each.id,) for each in batch])
                connection.executemany("delete from writes where id = ?", [(each.id,) for each in batch])
            self._size, self._failures = self._consumer.batch_size, 0

    def _delete(self, entries: Sequence[StreamEntry]) -> None:
        if entries:
            with self._transaction() as connection:
                connection.executemany("delete from writes where id = ?", [(each.id,) for each in entries])

    def _next(self, now: float) -> list[StreamEntry]:
        # Polling an empty stream must not take the write lock and block writers.
        parameters = {
            "consumer": self._consumer.function,
            "lane": self._lane,
            "lanes": self._consumer.lanes,
            "limit": 1,
        }
        if not self._connection.execute(_NEXT, parameters).fetchone() or not self._read(now):
            return []
        rows = self._connection.execute(_NEXT, {**parameters, "limit": self._size})
        return [StreamEntry(*row) for row in rows]

    def _read(self, now: float) -> bool:
        """Claim the reader role. True when this process holds it now.

        The role is free when its owner is dead or has not read for `READER_TIMEOUT_S`.
        """
        with self._transaction() as connection:
            row = connection.execute("select owner, seen from reader").fetchone()
            owner, seen = row or (None, 0.0)
            is_free = owner in (None, os.getpid()) or not is_alive(owner) or now - seen > READER_TIMEOUT_S
            if is_free:
                connection.execute(_TAKE, {"owner": os.getpid(), "now": now})
        return is_free

    def _passes(self, change: StreamEntry) -> bool:
        filters = self._consumer.filters
        return not filters or any(matches(each, change.to_record(self._consumer)) for each in filters)

    def _failed(self, batch: Sequence[StreamEntry], invoke: Invoke) -> int | None:
        """Invoke the function and return the id of the first failed write, or None when all succeeded."""
        records = {f"{each.id:021}": each for each in batch}
        event = {"Records": [each.to_record(self._consumer) for each in batch]}
        try:
            returned = invoke(self._consumer.function, event)
        except FunctionFailed as failure:
            # The type alone: the text may quote what a user wrote.
            _LOG.error("%s failed: %s", self._consumer.function, failure.kind)
            return batch[0].id
        failures = (returned or {}).get("batchItemFailures", [])
        return min((records[failure["itemIdentifier"]].id for failure in failures), default=None)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._connection.execute("begin immediate")
        with self._connection:
            yield self._connection


def restore_dead_writes(path: str) -> dict[str, int]:
    """Put all dead writes back into the stream, and return how many of each function."""
    with closing(connect(path)) as connection:
        connection.execute("begin immediate")
        with connection:
            if not connection.execute("select 1 from sqlite_master where name = 'dead_writes'").fetchone():
                return {}
            counted = connection.execute("select consumer, count(*) from dead_writes group by consumer")
            found = dict(counted.fetchall())
            connection.execute("insert into writes select id, consumer, slot, at, old, new from dead_writes")
            connection.execute("delete from dead_writes")
    return found


def _prepare(connection: sqlite3.Connection, consumer: StreamConsumer) -> None:
    """Create what is missing, and have the writes that the consumer follows stored from now on."""
    for statement in _statements(_with_slots(_SCHEMA)):
        connection.execute(statement)
    for trigger in _BEFORE:
        connection.execute(f"drop trigger if exists {trigger}")
    name = (consumer.function,)
    known = connection.execute("select 1 from write_filters where consumer = ?", name).fetchone()
    connection.execute("delete from write_filters where consumer = ?", name)
    connection.executemany(
        "insert or ignore into write_filters values (?, ?)",
        [(*name, keys) for pattern in consumer.filters or ({},) for keys in key_globs(pattern)],
    )
    if known is None:
        is_older = connection.execute("select 1 from sqlite_master where name = 'changes'").fetchone()
        connection.execute(_COPY_BEFORE if is_older else _with_slots(_KEEP_WHAT_IS_THERE), name)


def _statements(script: str) -> Iterator[str]:
    # `executescript` would commit the open transaction.
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def key_globs(pattern: Pattern) -> Iterator[str]:
    """Yield globs that match the sort key of every write that could pass the pattern."""
    rules = pattern.get("dynamodb", {}).get("Keys", {}).get("sk", {}).get("S", [{"prefix": ""}])
    for rule in rules:
        if isinstance(rule, str):
            yield _literal(rule)
        else:
            yield f"{_literal(rule.get('prefix', ''))}*"


def _literal(text: str) -> str:
    return "".join(f"[{character}]" if character in "*?[" else character for character in text)


def follow_streams(consumers: Sequence[StreamConsumer], invoke: Invoke) -> AbstractContextManager[None]:
    """Feed the consumers from their tables' streams inside the ``with`` block; only SQLite files have one."""
    polls: dict[str, Poll] = {}
    for consumer in consumers:
        path = sqlite_path(consumer.target)
        if path is None:
            _LOG.warning("%s: nothing follows the writes to %s", consumer.function, consumer.target)
            continue
        for lane in range(consumer.lanes):
            stream = TableStream(path, consumer, lane)
            polls[f"stream-{consumer.function}-{lane}"] = partial(_poll, stream, invoke)
    for path in {path for consumer in consumers if (path := sqlite_path(consumer.target))}:
        _drop_others(path, [consumer.function for consumer in consumers])
    return poll_in_threads(polls)


def _drop_others(path: str, functions: Sequence[str]) -> None:
    """Store no writes for functions that the template does not have any more."""
    kept = ", ".join("?" * len(functions))
    with closing(connect(path)) as connection, connection:
        for table in ("write_filters", "writes"):
            connection.execute(f"delete from {table} where consumer not in ({kept})", functions)  # noqa: S608
        connection.execute("drop table if exists changes")
        connection.execute("drop table if exists watched")


def _poll(stream: TableStream, invoke: Invoke, stop: threading.Event) -> None:
    with closing(stream):
        while not stop.is_set():
            try:
                goes_on = stream.process_batch(invoke, time.time())
            except sqlite3.OperationalError as error:
                _LOG.warning("the stream is out of reach: %s", error)
                goes_on = False
            stop.wait(POLL_S if goes_on else RETRY_S)
