"""The `Table` port on one SQLite file: the local default, shared by any number of threads and processes.

It gives the same results as DynamoDB. An acknowledged write survives the death of the process (the last ones
may not survive a power cut). Expired items are removed only when `remove_expired` is called; DynamoDB's time
to live removes them by itself.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import assert_never

from storage import keys, validation
from storage.errors import ConditionRefused, TransactionRefused
from storage.items import check_item, check_key, upgrade
from storage.sqlite.conditions import apply_changes, conditions_hold
from storage.sqlite.connections import BACKGROUND_WAIT_S, ConnectionPool
from storage.sqlite.json_items import from_json, to_json
from storage.sqlite.queries import index_name, index_statement, select_statement
from storage.table import Action, Check, Delete, Index, Item, Key, Page, Put, Query, Update

_SCHEMA = """
    CREATE TABLE IF NOT EXISTS items (
        pk TEXT NOT NULL, sk TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (pk, sk)
    )
"""
_SELECT = "SELECT body FROM items WHERE pk = ? AND sk = ?"
_WRITE = """
    INSERT INTO items (pk, sk, body) VALUES (?, ?, ?) ON CONFLICT (pk, sk) DO UPDATE SET body = excluded.body
"""
_DELETE = "DELETE FROM items WHERE pk = ? AND sk = ?"
_SELECT_EXPIRED = """
    SELECT ?1, pk, sk FROM items
    WHERE json_type(body, '$.expires_at') = 'integer' AND json_extract(body, '$.expires_at') < ?1
"""
_DELETE_EXPIRED = """
    DELETE FROM items
    WHERE json_type(body, '$.expires_at') = 'integer' AND json_extract(body, '$.expires_at') < ?
    AND pk = ? AND sk = ?
"""


class SqliteTable:
    """A `Table` in a file, created if missing, or in memory (``:memory:``) until it is closed."""

    def __init__(
        self,
        path: str | Path,
        indexes: Sequence[Index] = keys.INDEXES,
        *,
        wait_s: float = BACKGROUND_WAIT_S,
    ) -> None:
        """``wait_s``: how long a write waits for other writers."""
        self._indexes = tuple(indexes)
        self._connections = ConnectionPool(path, wait_s=wait_s)
        # A process may start while another one writes: it waits only if there is something to make.
        wanted = {"items": _SCHEMA, **{index_name(each): index_statement(each) for each in self._indexes}}
        with self._connections.read_connection() as connection:
            there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        if not wanted.keys() <= there:
            with self._connections.write_transaction() as connection:
                for statement in wanted.values():
                    connection.execute(statement)

    def close(self) -> None:
        """Close the file; a later call opens it again."""
        self._connections.close()

    def get(self, key: Key, *, consistent: bool = True) -> Item | None:  # noqa: ARG002 - always consistent
        check_key(key)
        with self._connections.read_connection() as connection:
            return _read(connection, key)

    def query(self, query: Query) -> Page:
        index = validation.find_index(self._indexes, query.index)
        validation.check_query(query, index)
        with self._connections.read_connection() as connection:
            rows = connection.execute(*select_statement(query, index)).fetchall()
        items = tuple(upgrade(from_json(body)) for (body,) in rows)
        # As with DynamoDB, a full page has a position even when nothing follows.
        more = len(items) == query.limit
        after = (
            {name: str(items[-1][name]) for name in validation.position_attributes(index)} if more else None
        )
        return Page(items if index is None else tuple(_projected(item, index) for item in items), after)

    def put(self, put: Put) -> None:
        self._write(validation.prepare_put(put, self._indexes))

    def update(self, update: Update) -> Item:
        new = self._write(validation.prepare_update(update))
        assert new is not None  # noqa: S101 - an update leaves an item
        return new

    def delete(self, delete: Delete) -> None:
        self._write(validation.prepare_delete(delete))

    def transact(self, actions: Sequence[Action]) -> None:
        prepared = validation.prepare_transaction(actions, self._indexes)
        with self._connections.write_transaction() as connection:
            old = [_read(connection, validation.action_key(action)) for action in prepared]
            refused = {
                place: item
                for place, (action, item) in enumerate(zip(prepared, old, strict=True))
                if not conditions_hold(action.conditions, item)
            }
            if refused:
                raise TransactionRefused(refused)
            new = [self._outcome(action, item) for action, item in zip(prepared, old, strict=True)]
            validation.check_transaction_bytes(item for item in new if item is not None)
            for action, item in zip(prepared, new, strict=True):
                _store(connection, validation.action_key(action), item)

    def batch_delete(self, keys: Sequence[Key]) -> None:
        for key in keys:
            check_key(key)
        with self._connections.write_transaction() as connection:
            connection.executemany(_DELETE, keys)

    def remove_expired(self, now: datetime) -> int:
        """Remove the items whose `expires_at` has passed, as DynamoDB's time to live does. Returns their
        number.

        Reads the whole table, without blocking writers.
        """
        moment = (int(now.timestamp()),)
        with self._connections.read_connection() as connection:
            found = connection.execute(_SELECT_EXPIRED, moment).fetchall()
        with self._connections.write_transaction() as connection:
            return connection.executemany(_DELETE_EXPIRED, found).rowcount if found else 0

    def _write(self, action: Put | Update | Delete) -> Item | None:
        """Carry out one action and return the resulting item."""
        key = validation.action_key(action)
        with self._connections.write_transaction() as connection:
            old = _read(connection, key)
            if not conditions_hold(action.conditions, old):
                raise ConditionRefused(old)
            new = self._outcome(action, old)
            _store(connection, key, new)
            return new

    def _outcome(self, action: Action, old: Item | None) -> Item | None:
        match action:
            case Put():
                return action.item
            case Update():
                new = apply_changes(
                    action.changes,
                    {"pk": action.key.partition, "sk": action.key.sort} if old is None else old,
                )
                check_item(new, self._indexes)
                return new
            case Delete():
                return None
            case Check():
                return old
            case _:
                assert_never(action)


def _read(connection: sqlite3.Connection, key: Key) -> Item | None:
    row = connection.execute(_SELECT, key).fetchone()
    return None if row is None else upgrade(from_json(row[0]))


def _store(connection: sqlite3.Connection, key: Key, item: Item | None) -> None:
    if item is None:
        connection.execute(_DELETE, key)
    else:
        connection.execute(_WRITE, (*key, to_json(item)))


def _projected(item: Item, index: Index) -> Item:
    names = (*validation.position_attributes(index), *index.projected)
    return {name: item[name] for name in names if name in item}
