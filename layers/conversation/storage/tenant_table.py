"""A table restricted to one tenant: nothing outside its own partitions can be read or written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from storage import keys
from storage.errors import ForeignPartition, InvalidPosition
from storage.keys import TenantId
from storage.table import Action, Delete, Item, Key, Page, Put, Query, Set, SetIfAbsent, Table, Update, Value
from storage.validation import action_key

_TENANT_INDEX_PARTITIONS = frozenset(index.partition for index in keys.INDEXES if index is not keys.DUE)


class TenantTable:
    """A `storage.table.Table` that is limited to the partitions of one tenant.

    It checks every key, the partition of every query, and the tenant-prefixed index partitions that a write
    sets.

    Raises:
        ForeignPartition: from every operation, before anything is sent.
    """

    def __init__(self, table: Table, tenant: TenantId) -> None:
        self._table = table
        self._prefix = keys.tenant_prefix(tenant)

    def get(self, key: Key, *, consistent: bool = True) -> Item | None:
        self._own(key)
        return self._table.get(key, consistent=consistent)

    def query(self, query: Query) -> Page:
        if not query.partition.startswith(self._prefix):
            raise ForeignPartition(query.partition)
        if query.after is not None and not str(query.after.get("pk")).startswith(self._prefix):
            raise InvalidPosition("the position lies outside of the query")
        return self._table.query(query)

    def put(self, put: Put) -> None:
        self._own_action(put)
        self._table.put(put)

    def update(self, update: Update) -> Item:
        self._own_action(update)
        return self._table.update(update)

    def delete(self, delete: Delete) -> None:
        self._own_action(delete)
        self._table.delete(delete)

    def transact(self, actions: Sequence[Action]) -> None:
        for action in actions:
            self._own_action(action)
        self._table.transact(actions)

    def batch_delete(self, keys: Sequence[Key]) -> None:
        for key in keys:
            self._own(key)
        self._table.batch_delete(keys)

    def _own(self, key: Key) -> None:
        if not key.partition.startswith(self._prefix):
            raise ForeignPartition(key)

    def _own_action(self, action: Action) -> None:
        key = action_key(action)
        self._own(key)
        for name, value in _written(action):
            if name in _TENANT_INDEX_PARTITIONS and not str(value).startswith(self._prefix):
                raise ForeignPartition(key)


class Tables:
    """Restricts one shared table to any tenant. One instance per process, used by every request."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def for_tenant(self, tenant: TenantId) -> TenantTable:
        """The table restricted to this tenant. Costs nothing: keep it no longer than the request."""
        return TenantTable(self._table, tenant)

    @property
    def across_tenants(self) -> Table:
        """The unrestricted table; only for the retention sweep."""
        return self._table


def _written(action: Action) -> Iterable[tuple[str, Value]]:
    """The attributes that an action sets to a whole value."""
    match action:
        case Put():
            return action.item.items()
        case Update():
            return [
                (change.path, change.value)
                for change in action.changes
                if isinstance(change, Set | SetIfAbsent)
            ]
        case _:
            return ()
