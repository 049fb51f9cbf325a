"""What the local backend and the twin's queues store is for the eyes of their owner."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from edge.adapters import sqlite_file
from storage import keys
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Put


@pytest.fixture(autouse=True)
def lenient_umask() -> Iterator[None]:
    earlier = os.umask(0)
    yield
    os.umask(earlier)


def rights(folder: Path) -> dict[str, str]:
    return {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir()}


def test_the_database_is_created_for_its_owner_alone(tmp_path: Path) -> None:
    with closing(SqliteTable(tmp_path / "omniforge.db")) as table:
        key = keys.policy(TenantId("acme"))
        table.put(Put({"pk": key.partition, "sk": key.sort}))

        assert set(rights(tmp_path).values()) == {"0o600"}
        assert "omniforge.db-wal" in rights(tmp_path)


def test_the_queues_are_created_for_their_owner_alone(tmp_path: Path) -> None:
    with sqlite_file.write_transaction(str(tmp_path / "queue.db")) as connection:
        connection.execute("create table messages (body)")

    assert rights(tmp_path) == {"queue.db": "0o600"}
