"""Keeps the list of users of whom there is anything, which a tenant's erasure goes by.

Whoever begins a conversation, asks for a run or keeps a task is named; nobody waits for it.
"""

from __future__ import annotations

from agent.consequences import Change
from storage import keys
from storage.errors import ConditionRefused
from storage.keys import TenantId
from storage.table import Key, NotExists, Put
from storage.tenant import Tables


class Members:
    """Follows the first writes of all users."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def follow(self, change: Change) -> None:
        """Name the user whose item is new; where they are named already nothing changes."""
        if change.old is not None or change.new is None:
            return
        tenant = keys.tenant_of(change.key.partition)
        user = self._user_of(tenant, change.key)
        if user is None:
            return
        member = keys.member(tenant, user)
        try:
            self._tables.for_tenant(tenant).put(
                Put({"pk": member.partition, "sk": member.sort}, (NotExists(),))
            )
        except ConditionRefused:
            return

    def _user_of(self, tenant: TenantId, key: Key) -> str | None:
        if key.sort != f"{keys.MESSAGE_PREFIX}{1:012d}":
            return keys.user_of_partition(tenant, key.partition)
        head = self._tables.for_tenant(tenant).get(Key(key.partition, keys.HEAD), consistent=False)
        owner = head.get("by_user") if head else None
        return keys.user_of_list(str(owner)) if owner else None
