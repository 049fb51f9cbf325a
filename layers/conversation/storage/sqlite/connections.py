"""A connection pool for one SQLite database and any number of threads: one writer at a time, many readers."""

from __future__ import annotations

import sqlite3
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from storage.errors import StorageMisconfigured, StorageUnreachable
from storage.sqlite.private_file import create_private

BACKGROUND_WAIT_S = 10.0
"""How long a writer waits for others where no user waits for it."""
_JOURNAL_TRIES = 100
_JOURNAL_WAIT_S = 0.02


class ConnectionPool:
    """Lends connections and takes them back; opens no more than there were concurrent threads.

    An in-memory database belongs to its single connection, which all threads share in turn.
    """

    def __init__(self, path: str | Path, *, wait_s: float = BACKGROUND_WAIT_S) -> None:
        """``wait_s``: how long a writer waits for the writers of this and of other processes together."""
        self._path = str(path)
        self._wait_s = wait_s
        self._idle: deque[sqlite3.Connection] = deque()
        self._alone = threading.RLock() if self._path == ":memory:" else None
        # Writers of this process wait for this lock; SQLite's own wait polls and is for other processes only.
        self._writer = threading.Lock()
        weakref.finalize(self, _close_all, self._idle)

    @contextmanager
    def read_connection(self) -> Iterator[sqlite3.Connection]:
        """A connection for one read statement.

        Raises:
            StorageUnreachable: the file can't be read.
        """
        if self._alone is None:
            with self._borrow() as connection:
                yield connection
        else:
            with self._alone, self._borrow() as connection:
                yield connection

    @contextmanager
    def write_transaction(self) -> Iterator[sqlite3.Connection]:
        """A connection inside an exclusive write transaction. Committed at the end, rolled back on any error.

        Raises:
            StorageUnreachable: the file can't be written, or another process writes for too long.
        """
        began = time.monotonic()
        if not self._writer.acquire(timeout=self._wait_s):
            raise StorageUnreachable("other threads write for too long")
        try:
            with self.read_connection() as connection:
                left_s = max(0.0, self._wait_s - (time.monotonic() - began))
                connection.execute(f"PRAGMA busy_timeout = {round(left_s * 1000)}")
                connection.execute("BEGIN IMMEDIATE")
                with connection:
                    yield connection
        finally:
            self._writer.release()

    def close(self) -> None:
        """Close the idle connections; connections are reopened when they are needed."""
        _close_all(self._idle)

    @contextmanager
    def _borrow(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = self._take()
            try:
                yield connection
            finally:
                self._idle.append(connection)
        except sqlite3.OperationalError as error:
            raise StorageUnreachable(f"the database file {self._path!r} can't be used now") from error

    def _take(self) -> sqlite3.Connection:
        try:
            return self._idle.pop()
        except IndexError:
            return _open(self._path)


def _close_all(connections: deque[sqlite3.Connection]) -> None:
    while connections:
        connections.pop().close()


def _open(path: str) -> sqlite3.Connection:
    create_private(path)
    connection = sqlite3.connect(
        path, timeout=BACKGROUND_WAIT_S, isolation_level=None, check_same_thread=False
    )
    with ExitStack() as undo:
        undo.callback(connection.close)
        _prepare(connection, path)
        undo.pop_all()
    return connection


def _prepare(connection: sqlite3.Connection, path: str) -> None:
    try:
        _use_write_ahead_log(connection)
        # With a write-ahead log this loses nothing when the process dies, and saves a disk flush per write.
        connection.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        raise StorageMisconfigured(f"{path!r} is not a database file") from error


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    # The file keeps this mode. When two processes switch it at once, SQLite fails instead of waiting.
    for _ in range(_JOURNAL_TRIES - 1):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            time.sleep(_JOURNAL_WAIT_S)
        else:
            return
    connection.execute("PRAGMA journal_mode = WAL")
