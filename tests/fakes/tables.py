"""Tables that count requests, or end the process's work at a chosen one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from storage.table import Action, Delete, Item, Key, Page, Put, Query, Table, Update

Result = TypeVar("Result")


class Crash(BaseException):
    """The process is gone: nothing that runs afterwards may tidy up."""


class ObservedTable:
    """Passes everything on, telling an observer before and after each request by its name."""

    def __init__(self, table: Table, observe: Callable[[str, str], None]) -> None:
        self._table = table
        self._observe = observe

    def get(self, key: Key, *, consistent: bool = True) -> Item | None:
        return self._do("get", lambda: self._table.get(key, consistent=consistent))

    def query(self, query: Query) -> Page:
        return self._do("query", lambda: self._table.query(query))

    def put(self, put: Put) -> None:
        return self._do("put", lambda: self._table.put(put))

    def update(self, update: Update) -> Item:
        return self._do("update", lambda: self._table.update(update))

    def delete(self, delete: Delete) -> None:
        return self._do("delete", lambda: self._table.delete(delete))

    def transact(self, actions: Sequence[Action]) -> None:
        return self._do("transact", lambda: self._table.transact(actions))

    def batch_delete(self, keys: Sequence[Key]) -> None:
        return self._do("batch_delete", lambda: self._table.batch_delete(keys))

    def _do(self, name: str, request: Callable[[], Result]) -> Result:
        self._observe(name, "before")
        result = request()
        self._observe(name, "after")
        return result


class Requests:
    """An observer that keeps the names of the requests."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def __call__(self, name: str, when: str) -> None:
        if when == "before":
            self.names.append(name)


class CrashAt:
    """An observer that crashes at the given moment: the nth request, before or after it took effect.

    Requests count from `arm` on, or from the beginning when it is armed at once.
    """

    def __init__(self, nth: int, when: str, *, armed: bool = True) -> None:
        self._left = nth
        self._when = when
        self._armed = armed

    def arm(self) -> None:
        """Count from now on."""
        self._armed = True

    def __call__(self, name: str, when: str) -> None:
        if not self._armed or when != self._when:
            return
        self._left -= 1
        if self._left == 0:
            raise Crash(name)
