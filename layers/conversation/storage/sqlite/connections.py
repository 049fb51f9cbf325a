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
from typing import cast

from storage.errors import StorageMisconfigured, StorageUnreachable
from storage.sqlite.private_file import create_private

BACKGROUND_WAIT_S = 10.0
"""How long a writer waits for others where no user waits for it, and at most while others get on."""
_JOURNAL_TRIES = 100
_JOURNAL_WAIT_S = 0.02


class ConnectionPool:
    """Lends connections and takes them back; opens no more than there were concurrent threads.

    An in-memory database belongs to its single connection, which all threads share in turn.
    """

    def __init__(self, path: str | Path, *, wait_s: float = BACKGROUND_WAIT_S) -> None:
        """``wait_s``: how long a writer waits for the writers of this and of other processes together while
        none of them gets on. A busy file is not out of reach.
        """
        self._path = str(path)
        self._wait_s = wait_s
        self._idle: deque[sqlite3.Connection] = deque()
        self._alone = threading.RLock() if self._path == ":memory:" else None
        # Writers of this process wait for this lock; SQLite's own wait polls and is for other processes only.
        self._writer = threading.Lock()
        self._progress = 0
        """Changes whenever a writer of this or of another process was seen to get on."""
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
        patience = _Patience(self._wait_s)
        self._lock_out_writers(patience)
        try:
            with self.read_connection() as connection:
                self._begin(connection, patience)
                with connection:
                    yield connection
            self._progress += 1
        finally:
            self._writer.release()

    def _lock_out_writers(self, patience: _Patience) -> None:
        """Take the lock of this process's writers."""
        seen = self._progress
        while not self._writer.acquire(timeout=patience.left_s()):
            if self._progress == seen or patience.is_over():
                raise StorageUnreachable("other threads write for too long")
            seen = self._progress
            patience.renew()
        if self._progress != seen:
            patience.renew()

    def _begin(self, connection: sqlite3.Connection, patience: _Patience) -> None:
        """Begin a write transaction, once no other process has one."""
        seen = _data_version(connection)
        while True:
            # In parts, so that this process's other writers hear in time that another process gets on.
            part_s = min(patience.left_s(), self._wait_s / 4)
            connection.execute(f"PRAGMA busy_timeout = {round(part_s * 1000)}")
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                version = _data_version(connection)
                if version != seen and not patience.is_over():
                    seen = version
                    self._progress += 1
                    patience.renew()
                elif not patience.left_s():
                    raise
            else:
                return

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


class _Patience:
    """How long a writer still waits: ``wait_s`` since others got on last, and `BACKGROUND_WAIT_S` at most."""

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._began = self._since = time.monotonic()

    def renew(self) -> None:
        """Count from now on: others got on."""
        self._since = time.monotonic()

    def left_s(self) -> float:
        return max(0.0, self._since + self._wait_s - time.monotonic())

    def is_over(self) -> bool:
        """Whether even others who get on are not waited for any more."""
        return time.monotonic() - self._began >= BACKGROUND_WAIT_S


def _data_version(connection: sqlite3.Connection) -> int:
    """A number that changes when another connection has written."""
    return cast("int", connection.execute("PRAGMA data_version").fetchone()[0])


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
