"""The tenants' policies for those who read: at most a few seconds old, so that a page of a list costs no
more than its query.

Whoever changes or removes something for good reads the policy itself (`conversation.tenants`).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from datetime import datetime, timedelta

from conversation.clock import Clock
from conversation.policy import TenantPolicy
from conversation.tenants import TenantRecord, TenantStore
from storage.keys import TenantId
from storage.tenant import Tables

MAX_AGE = timedelta(seconds=5)
MAX_TENANTS = 256


class Policies:
    """The policies of the tenants served lately. Safe to call from several threads."""

    def __init__(self, *, tables: Tables, clock: Clock, max_age: timedelta = MAX_AGE) -> None:
        self._tenants = TenantStore(tables=tables, clock=clock)
        self._clock = clock
        self._max_age = max_age
        self._known: OrderedDict[TenantId, tuple[datetime, TenantRecord]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, tenant: TenantId) -> TenantPolicy:
        """The tenant's policy; one request when it is not at hand."""
        return self.record(tenant).policy

    def record(self, tenant: TenantId) -> TenantRecord:
        """The tenant's policy with its version."""
        now = self._clock.now()
        with self._lock:
            read_at, record = self._known.get(tenant, (now, None))
        # A clock that tests or demonstrations set may jump either way.
        if record is not None and abs(now - read_at) < self._max_age:
            return record
        record = self._tenants.record(tenant)
        with self._lock:
            self._known[tenant] = (now, record)
            self._known.move_to_end(tenant)
            while len(self._known) > MAX_TENANTS:
                self._known.popitem(last=False)
        return record

    def drop(self, tenant: TenantId) -> None:
        """Forget the tenant's policy, after it proved outdated."""
        with self._lock:
            self._known.pop(tenant, None)
