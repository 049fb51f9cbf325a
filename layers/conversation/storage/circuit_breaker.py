"""A circuit breaker for a table: while the backend is unreachable, requests fail at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from resilience.circuit_breaker import CircuitBreaker
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
        self._breaker = CircuitBreaker(monotonic, first_pause_s=FIRST_PAUSE_S, max_pause_s=MAX_PAUSE_S)

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
        if not self._breaker.permit():
            raise StorageUnreachable("the table was out of reach a moment ago")
        try:
            result = request()
        except StorageUnreachable:
            self._breaker.record_failure()
            raise
        except StorageError as error:
            if isinstance(error, StorageUnavailable):
                self._breaker.record_inconclusive()
            else:
                self._breaker.record_success()
            raise
        except BaseException:  # raised again: a bug of ours says nothing about the table
            self._breaker.record_inconclusive()
            raise
        self._breaker.record_success()
        return result
