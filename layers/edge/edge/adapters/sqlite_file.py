"""SQLite files that several processes share: the local twin's queues and schedules."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from storage.sqlite.private_file import create_private

_SCHEME = "sqlite:///"
_BUSY_TIMEOUT_S = 10.0


def sqlite_path(target: str) -> str | None:
    """The path in a target of the form ``sqlite:///path``; None for any other target."""
    return target.removeprefix(_SCHEME) if target.startswith(_SCHEME) else None


def connect(path: str) -> sqlite3.Connection:
    """A connection that waits for other writers, and leaves the beginning of transactions to its caller."""
    create_private(path)
    return sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)


@contextmanager
def write_transaction(path: str) -> Iterator[sqlite3.Connection]:
    """A connection in a transaction that keeps other writers out; an error rolls it back."""
    with closing(connect(path)) as connection:
        connection.execute("begin immediate")
        with connection:
            yield connection
