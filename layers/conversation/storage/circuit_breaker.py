"""A circuit breaker for a table: while the backend is unreachable, requests fail at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from storage.errors import StorageError, StorageUnavailable, StorageUnreachable
from storage.table import Action, Delete, Item, Key, Page, Put, Query, Table, Update

FIRST_PAUSE_S = 1.0
MAX_PAUSE_S = 8.0

Result = TypeVar("Result")


class CircuitBreakerTable:
    """A `storage.table.Table` that stops sending requests for a while after one found the backend
    unreachable.

    The breaker is per process. After each pause one request at a time may try; each further failure doubles
    the pause, from 1 second up to 8. Throttling and conflicts concern a single partition, perhaps a single
    tenant, and do not open the breaker.

    Raises:
        StorageUnreachable: from every operation, during a pause.
    """

    def __init__(self, table: Table, *, monotonic: Callable[[], float]) -> None:
        self._table = table
        self._breaker = _Breaker(monotonic)

    def get(self, key: Key, *, consistent: bool = True) -> Item | None:
        return self._guarded(lambda: self._table.get(key, consistent=consistent))

    def query(self, query: Query) -> Page:
        return self._guarded(lambda: self._table.query(query))

    def put(self, put: Put) -> None:
        self._guarded(lambda: self._table.put(put))

    def update(self, update: Update) -> Item:
        return self._guarded(lambda: self._table.update(update))

    def delete(self, delete: Delete) -> None:
        self._guarded(lambda: self._table.delete(delete))

    def transact(self, actions: Sequence[Action]) -> None:
        self._guarded(lambda: self._table.transact(actions))

    def batch_delete(self, keys: Sequence[Key]) -> None:
        self._guarded(lambda: self._table.batch_delete(keys))

    def _guarded(self, request: Callable[[], Result]) -> Result:
        self._breaker.enter()
        try:
            result = request()
        except StorageUnreachable:
            self._breaker.failed()
            raise
        except StorageError as error:
            if isinstance(error, StorageUnavailable):
                self._breaker.undecided()
            else:
                self._breaker.answered()
            raise
        except BaseException:
            self._breaker.undecided()
            raise
        self._breaker.answered()
        return result


class _Breaker:
    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._rest_s = 0.0
        self._rests_until = 0.0
        self._trying = False

    def enter(self) -> None:
        if not self._rest_s:  # the common case: no lock needed
            return
        with self._lock:
            if not self._rest_s:
                return
            if self._trying or self._monotonic() < self._rests_until:
                raise StorageUnreachable("the table was out of reach a moment ago")
            self._trying = True

    def answered(self) -> None:
        if self._rest_s:
            with self._lock:
                self._rest_s, self._trying = 0.0, False

    def failed(self) -> None:
        with self._lock:
            now = self._monotonic()
            # Requests that were under way at the same time fail together: they count as one failure.
            if self._trying or now >= self._rests_until:
                self._rest_s = min(MAX_PAUSE_S, self._rest_s * 2 or FIRST_PAUSE_S)
                self._rests_until = now + self._rest_s
            self._trying = False

    def undecided(self) -> None:
        if self._trying:
            with self._lock:
                self._trying = False
