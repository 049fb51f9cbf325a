"""A SQLite file that another process holds: a request that a user waits for gives up within its deadline."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from conversation.identity import new_id
from storage.circuit_breaker import CircuitBreakerTable
from storage.errors import StorageUnreachable
from storage.factory import open_table
from storage.sqlite.table import SqliteTable
from storage.table import Key, Put, Table
from tests.fakes.aws.proxy_events import request
from tests.fakes.aws.queues import queue_bodies
from tests.fakes.deployment.functions import invoke, load, settings

DEADLINE_S = 0.9
ITEM = {"pk": "T#acme#C#c", "sk": "HEAD"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "omniforge.db"
    with closing(SqliteTable(path)):
        return path


@pytest.fixture
def locked(path: Path) -> Iterator[sqlite3.Connection]:
    """Another writer, which holds the file."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        yield holder


def hold(table: SqliteTable, seconds: float) -> None:
    """Write for so long."""
    with table._connections.write_transaction() as connection:
        connection.execute("INSERT INTO items VALUES (?, ?, '{}')", (ITEM["pk"], new_id()))
        Event().wait(seconds)


def waits_ms(table: Table) -> int:
    """How long a write of the table waits for another process that does not get on."""
    backend = table._table if isinstance(table, CircuitBreakerTable) else table
    assert isinstance(backend, SqliteTable)
    return round(backend._connections._wait_s * 1000)


def test_a_write_waits_for_less_than_its_deadline_and_in_the_background_for_longer(path: Path) -> None:
    target = f"sqlite:///{path}"
    assert waits_ms(open_table(target, deadline_s=DEADLINE_S)) <= DEADLINE_S * 1000 * 2 / 3
    assert waits_ms(open_table(target)) > 5_000


def test_a_write_waits_for_as_long_as_others_get_on(path: Path) -> None:
    writers, held_s, wait_s = 15, 0.1, 1.5  # 3 s together
    tables = [SqliteTable(path, wait_s=wait_s), SqliteTable(path, wait_s=wait_s)]
    with ThreadPoolExecutor(2 * writers) as pool:
        turns = [pool.submit(hold, table, held_s) for table in tables for _ in range(writers)]
        assert [turn.exception() for turn in turns] == [None] * len(turns)


def test_a_table_is_opened_and_read_while_another_process_writes(
    path: Path, locked: sqlite3.Connection
) -> None:
    table = open_table(f"sqlite:///{path}", deadline_s=DEADLINE_S)
    assert table.get(Key(ITEM["pk"], ITEM["sk"])) is None
    with pytest.raises(StorageUnreachable):
        table.put(Put({**ITEM}))
    locked.execute("ROLLBACK")


def test_a_message_is_answered_while_another_process_holds_the_file(
    path: Path, locked: sqlite3.Connection
) -> None:
    chat = load("chat", settings(path.parent))
    answer = invoke(chat, request("POST", "/v1/chat", body={"message": "What is 5 factorial times 8?"}))
    assert answer.json["message"]["content"] == "5! * 8 = 960"
    assert (answer.json["metadata"]["persisted"], answer.json["metadata"]["stored_later"]) == (False, True)
    assert len(queue_bodies(path.parent / "queue.db")) == 1
    locked.execute("ROLLBACK")
