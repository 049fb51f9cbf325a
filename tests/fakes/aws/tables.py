"""Tables that count requests or simulate a crash at a chosen one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from storage.items import item_bytes, item_key
from storage.table import Action, Delete, Item, Key, Page, Put, Query, Table, Update
from tests.fakes.aws.dynamodb_meter import READ_UNIT_BYTES, WRITE_UNIT_BYTES

Result = TypeVar("Result")


class Crash(BaseException):
    """A simulated end of the process. It is a BaseException, so that no handler cleans up afterwards."""


class ObservedTable:
    """Passes requests on and calls an observer with each request's name before and after it."""

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
    """An observer that records the names of the requests."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def __call__(self, name: str, when: str) -> None:
        if when == "before":
            self.names.append(name)


class CrashAt:
    """An observer that crashes at the nth request, before or after it took effect.

    It counts requests since `arm`, or since the beginning when it is armed at once.
    """

    def __init__(self, nth: int, when: str, *, armed: bool = True) -> None:
        self._left = nth
        self._when = when
        self._armed = armed

    def arm(self) -> None:
        """Start counting."""
        self._armed = True

    def __call__(self, name: str, when: str) -> None:
        if not self._armed or when != self._when:
            return
        self._left -= 1
        if self._left == 0:
            raise Crash(name)


class ReadMeter(ObservedTable):
    """Counts the read units that DynamoDB would charge, by the rules in `tests.fakes.aws.dynamodb_meter`."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, lambda name, when: None)
        self.units = 0.0

    def get(self, key: Key, *, consistent: bool = True) -> Item | None:
        item = super().get(key, consistent=consistent)
        self._charge([item] if item else [], consistent=consistent)
        return item

    def query(self, query: Query) -> Page:
        page = super().query(query)
        self._charge(page.items, consistent=query.consistent and query.index is None)
        return page

    def _charge(self, items: Sequence[Item], *, consistent: bool) -> None:
        blocks = max(1, math.ceil(sum(map(item_bytes, items)) / READ_UNIT_BYTES))
        self.units += blocks * (1.0 if consistent else 0.5)


class WriteMeter(ObservedTable):
    """Counts the write units that DynamoDB would charge for single writes of items outside of all indexes."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, lambda name, when: None)
        self.units = 0

    def put(self, put: Put) -> None:
        self._charged([item_key(put.item)], lambda: super(WriteMeter, self).put(put))

    def update(self, update: Update) -> Item:
        return self._charged([update.key], lambda: super(WriteMeter, self).update(update))

    def delete(self, delete: Delete) -> None:
        self._charged([delete.key], lambda: super(WriteMeter, self).delete(delete))

    def batch_delete(self, keys: Sequence[Key]) -> None:
        self._charged(keys, lambda: super(WriteMeter, self).batch_delete(keys))

    def transact(self, actions: Sequence[Action]) -> None:
        raise NotImplementedError("transactions are not priced here")

    def _charged(self, keys: Sequence[Key], write: Callable[[], Result]) -> Result:
        before = [self._bytes(key) for key in keys]
        result = write()
        for old, key in zip(before, keys, strict=True):
            self.units += max(1, math.ceil(max(old, self._bytes(key)) / WRITE_UNIT_BYTES))
        return result

    def _bytes(self, key: Key) -> int:
        return item_bytes(self._table.get(key) or {})
