"""The stream of the twin's table: it stores every write until the function that follows it has processed it.

Triggers in the table's own file store the writes. So writes of every process are stored in order, and none is
lost when a process dies. Only writes whose sort key could pass a filter are stored; the others, which are
mostly messages, cost nothing.
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
RETRY_S = 2.0
READER_TIMEOUT_S = 60.0
_LOG = logging.getLogger("local.stream")

_SCHEMA = """
create table if not exists changes (
    id integer primary key autoincrement,
    at real not null default ((julianday('now') - 2440587.5) * 86400), old text, new text
);
create table if not exists watched (keys text primary key) without rowid;
create table if not exists reader (id integer primary key check (id = 1), owner integer, seen real);
create trigger if not exists stream_insert after insert on items
    when exists (select 1 from watched where new.sk glob keys)
    begin insert into changes (new) values (new.body); end;
create trigger if not exists stream_update after update on items
    when new.body is not old.body and exists (select 1 from watched where new.sk glob keys)
    begin insert into changes (old, new) values (old.body, new.body); end;
create trigger if not exists stream_delete after delete on items
    when exists (select 1 from watched where old.sk glob keys)
    begin insert into changes (old) values (old.body); end;
"""
_KEEP_WHAT_IS_THERE = """
insert into changes (new) select body from items where exists (select 1 from watched where sk glob keys)
"""
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
    """The writes to one table file that a function has not processed. One process at a time reads them."""

    def __init__(self, path: str, consumer: StreamConsumer) -> None:
        SqliteTable(path).close()
        self._consumer = consumer
        self._connection = connect(path)
        with self._transaction() as connection:
            is_new = not connection.execute("select 1 from sqlite_master where name = 'changes'").fetchone()
            for statement in _statements(_SCHEMA):
                connection.execute(statement)
            connection.execute("delete from watched")
            connection.executemany(
                "insert or ignore into watched values (?)",
                [(keys,) for pattern in consumer.filters or ({},) for keys in key_globs(pattern)],
            )
            if is_new:
                connection.execute(_KEEP_WHAT_IS_THERE)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def process_batch(self, invoke: Invoke, now: float) -> bool:
        """Invoke the function with the next batch of writes and delete the processed ones.

        A failed write is dropped once it is older than ``max_age_s``. Returns False when a write failed, so
        that the caller waits before it tries again.
        """
        batch = self._next(now)
        passing = [each for each in batch if self._passes(each)]
        failed = self._failed(passing, invoke) if passing else None
        done = [each for each in batch if failed is None or each.id < failed]
        if failed is not None:
            first = next(each for each in batch if each.id == failed)
            if now - first.at > self._consumer.max_age_s:
                _LOG.error("a write was given up, as old as it is")
                done.append(first)
        if done:
            self._connection.execute("delete from changes where id <= ?", (done[-1].id,))
        return failed is None

    def _next(self, now: float) -> list[StreamEntry]:
        # Polling an empty stream must not take the write lock and block writers.
        if not self._connection.execute("select 1 from changes limit 1").fetchone() or not self._read(now):
            return []
        limit = (self._consumer.batch_size,)
        rows = self._connection.execute("select id, at, old, new from changes order by id limit ?", limit)
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
        if path is not None:
            polls[f"stream-{consumer.table}"] = partial(_poll, TableStream(path, consumer), invoke)
        else:
            _LOG.warning(
                "nothing follows the writes to %s: no run starts, no schedule is kept", consumer.target
            )
    return poll_in_threads(polls)


def _poll(stream: TableStream, invoke: Invoke, stop: threading.Event) -> None:
    with closing(stream):
        while not stop.is_set():
            try:
                goes_on = stream.process_batch(invoke, time.time())
            except sqlite3.OperationalError as error:
                _LOG.warning("the stream is out of reach: %s", error)
                goes_on = False
            stop.wait(POLL_S if goes_on else RETRY_S)
