"""The receiving side of the twin's queue: FIFO groups, visibility, receive counts and dead letters of SQS.

The entries are those of `edge.queues.SqliteSender`. Who is working on which is kept beside them, in the same
file, so that several twins may share one queue.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from typing import NamedTuple

from edge.queues import SqliteSender
from local.processes import is_alive
from local.stack import QueueConsumer

_BUSY_TIMEOUT_S = 10.0
_SCHEMA = """
create table if not exists deliveries
    (id integer primary key, visible_at real not null, receives integer not null, owner integer not null);
create table if not exists dead_letters
    (id integer primary key autoincrement, body text not null, group_id text not null);
"""
_NOTICE = """
insert into deliveries select id, :now + max(:delay, delay_s), 0, 0 from queue
where id not in (select id from deliveries)
"""
_RECEIVE = """
select id, body, group_id, receives from queue join deliveries using (id) where visible_at <= :now
and group_id not in
    (select group_id from queue join deliveries using (id) where receives > 0 and visible_at > :now)
order by id limit :limit
"""
_COPY_SPENT = """
insert into dead_letters (body, group_id) select body, group_id from queue join deliveries using (id)
where receives >= :most and visible_at <= :now
"""
_DROP_SPENT = """
delete from queue where id in (select id from deliveries where receives >= :most and visible_at <= :now)
"""
_FORGET = "delete from deliveries where id not in (select id from queue)"


class Delivery(NamedTuple):
    """One entry handed out, for the ``receives``-th time."""

    id: int
    body: str
    group: str
    receives: int


class Inbox:
    """Hands out the entries of one queue file to one consumer. Moments are seconds since 1970."""

    def __init__(self, path: str, consumer: QueueConsumer) -> None:
        SqliteSender(path)
        self._path = path
        self._consumer = consumer
        with closing(sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S)) as connection:
            connection.executescript(_SCHEMA)

    def receive(self, now: float) -> list[Delivery]:
        """The next entries, oldest first; none of a group that is being worked on."""
        with self._transaction() as connection:
            self._release_abandoned(connection)
            self._bury(connection, now)
            connection.execute(_NOTICE, {"now": now, "delay": self._consumer.delay_s})
            rows = connection.execute(_RECEIVE, {"now": now, "limit": self._consumer.batch_size})
            found = [Delivery(number, body, group, seen + 1) for number, body, group, seen in rows]
            hidden_until = now + self._consumer.visibility_s
            connection.executemany(
                "update deliveries set visible_at = ?, receives = ?, owner = ? where id = ?",
                [(hidden_until, each.receives, os.getpid(), each.id) for each in found],
            )
        return found

    def finish(self, deliveries: Collection[Delivery]) -> None:
        """Take entries away that were dealt with; all others come back when their visibility ends."""
        numbers = [(each.id,) for each in deliveries]
        with self._transaction() as connection:
            connection.executemany("delete from queue where id = ?", numbers)
            connection.executemany("delete from deliveries where id = ?", numbers)

    def _bury(self, connection: sqlite3.Connection, now: float) -> None:
        if self._consumer.max_receives is not None:
            spent = {"most": self._consumer.max_receives, "now": now}
            connection.execute(_COPY_SPENT, spent)
            connection.execute(_DROP_SPENT, spent)
            connection.execute(_FORGET)

    def _release_abandoned(self, connection: sqlite3.Connection) -> None:
        # A killed twin takes its poller with it; on AWS the poller lives on and sees the function fail.
        held = connection.execute("select distinct owner from deliveries where receives > 0")
        owners = [owner for (owner,) in held]
        dead = [(owner,) for owner in owners if not is_alive(owner)]
        connection.executemany("update deliveries set visible_at = 0 where owner = ?", dead)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self._path, timeout=_BUSY_TIMEOUT_S, isolation_level=None)
        with closing(connection):
            connection.execute("begin immediate")
            yield connection
            connection.execute("commit")
