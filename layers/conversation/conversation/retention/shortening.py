"""Tells what a shorter retention takes at the end of its grace."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from conversation.clock import Clock, to_text
from conversation.messages.items import head_from_item
from conversation.messages.models import Status
from conversation.retention.expiry import head_kept_until
from conversation.tenants.policy import EarlierRetention, TenantPolicy
from storage import keys
from storage.items import item_key
from storage.keys import TenantId
from storage.table import Item, Query, query_pages
from storage.tenant_table import Tables

MAX_READ = 500
"""How many conversations are looked at, each with one request."""
PAGE = 100


@dataclass(frozen=True, slots=True)
class Shortening:
    """How many conversations go at the end of the grace if nobody writes in them. ``is_complete`` False: more
    than these.
    """

    earlier: EarlierRetention
    conversations: int
    is_complete: bool


class Shortenings:
    """Looks through the conversations of any tenant; the caller checks who may."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def find(self, tenant: TenantId, policy: TenantPolicy) -> Shortening | None:
        """What the policy, stored or not, takes at the end of its grace; None: no grace lasts."""
        earlier = policy.earlier_retention
        if earlier is None or earlier.until <= self._clock.now():
            return None
        read = taken = 0
        for page in query_pages(self._tables.for_tenant(tenant), _old_enough(tenant, policy, earlier)):
            for listed in page.items:
                if read == MAX_READ:
                    return Shortening(earlier, taken, is_complete=False)
                head = self._tables.for_tenant(tenant).get(item_key(listed), consistent=False)
                read, taken = read + 1, taken + _is_taken(head, policy, earlier)
        return Shortening(earlier, taken, is_complete=True)


def _old_enough(tenant: TenantId, policy: TenantPolicy, earlier: EarlierRetention) -> Query:
    """Conversations that the policy may take, the oldest first: those that began long enough ago."""
    fewest = min(policy.retention_days, policy.archived_days, policy.deleted_days)
    query = Query(keys.by_tenant(tenant), PAGE, index=keys.BY_TENANT.name, consistent=False)
    return replace(query, low="0", high=to_text(earlier.until - timedelta(days=fewest)))


def _is_taken(head: Item | None, policy: TenantPolicy, earlier: EarlierRetention) -> bool:
    if head is None or head["status"] == Status.GONE:
        return False
    return head_kept_until(head_from_item(head), policy) == earlier.until
