"""The operators' caps on what a tenant's models may cost; the tenant's admins can't raise them.

The cap of a month is kept like the tenant's own caps (`caps_that_hold`), by `conversation.usage.budgets`:
exactly, with requests for each call. For that of a UTC day, a process counts what it spends and reports it
when it is a two-hundredth of the cap, so that most calls take no request. Each process may therefore spend
that much more than the cap.
"""

from __future__ import annotations

import logging
import math
import threading
from datetime import datetime, timedelta
from typing import cast

from conversation.clock import Clock
from conversation.identity import Caller
from conversation.tenants.store import TenantRecord
from conversation.usage.budget_scope import BudgetScope, caps_of
from conversation.usage.counters import MICRO_PER_USD
from resilience.cache import Cache
from storage import keys
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from storage.table import Add, Set, Update
from storage.tenant_table import Tables

LOG = logging.getLogger("omniforge.budgets")

DEFAULT_USD_PER_DAY = 20.0
REPORT_DIVISOR = 200
KEPT = timedelta(days=35)
MAX_TENANTS = 4_096
_SPENT = "micro_usd"


class SpendCapReached(Exception):
    """The estimate does not fit under the operators' cap; no model may be asked."""


def operators_cap_usd(record: TenantRecord, default_usd: float) -> float:
    """What the operators allow the tenant to spend in a UTC day; ``default_usd`` is the deployment's."""
    granted = record.grant.usd_per_day
    return default_usd if granted is None else granted


def effective_cap_usd(record: TenantRecord, default_usd: float) -> float:
    """What the tenant may spend in a UTC day: the lower of its own budget and the operators' cap."""
    most, own = operators_cap_usd(record, default_usd), record.policy.budget.usd_per_day
    return most if own is None else min(most, own)


def effective_month_usd(record: TenantRecord) -> float | None:
    """What the tenant may spend in a calendar month: the lower of its own cap and the operators', if any."""
    set_caps = (record.policy.budget.usd_per_month, record.grant.usd_per_month)
    return min((cap for cap in set_caps if cap is not None), default=None)


def caps_that_hold(record: TenantRecord, caller: Caller) -> dict[BudgetScope, float]:
    """The caps in US dollars that hold for the caller's calls, the widest scope first: those of the tenant's
    budget, and the operators' cap of a month where there is no lower one.
    """
    most = {"usd_per_month": effective_month_usd(record)}
    return caps_of(record.policy.budget.model_copy(update=most), caller)


class SpendCaps:
    """What the models of all tenants cost; safe to use from several threads and processes."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock
        self._tenants = Cache[TenantId, _Spend](MAX_TENANTS)

    def hold(self, tenant: TenantId, *, cap_micro_usd: int, estimate_micro_usd: int) -> None:
        """Hold the estimate of a call until it is settled (`settle`). One request for the tenant's first call
        of a day in this process, and for one that seems not to fit. An unreachable table refuses nothing.

        Raises:
            SpendCapReached: the call does not fit; nothing is held.
        """
        spend, now = self._spend(tenant), self._clock.now()
        if not spend.is_known(now):
            self._report(tenant, spend, now)
        if spend.hold(estimate_micro_usd, cap_micro_usd):
            return
        if spend.has_unreported():
            self._report(tenant, spend, now)
        if not spend.hold(estimate_micro_usd, cap_micro_usd):
            raise SpendCapReached

    def settle(
        self, tenant: TenantId, *, cap_micro_usd: int, estimate_micro_usd: int, spent_micro_usd: int
    ) -> None:
        """Replace a held estimate by what the call cost; a request only once there is enough to report."""
        spend, now = self._spend(tenant), self._clock.now()
        unreported = spend.settle(estimate_micro_usd, spent_micro_usd)
        if unreported and unreported * REPORT_DIVISOR >= cap_micro_usd:
            self._report(tenant, spend, now)

    def _spend(self, tenant: TenantId) -> _Spend:
        return self._tenants.get_or_put(tenant, _Spend)

    def _report(self, tenant: TenantId, spend: _Spend, now: datetime) -> None:
        amount = spend.take_unreported(now)
        changes = (Add(_SPENT, amount), Set("expires_at", int((now + KEPT).timestamp())))
        try:
            item = self._tables.for_tenant(tenant).update(Update(keys.quota(tenant, now.date()), changes))
        except StorageUnavailable:
            spend.restore_unreported(amount)
            LOG.warning("spend_not_counted", extra={"tenant": tenant})
        else:
            spend.record_total(cast("int", item[_SPENT]))


class _Spend:
    """One process's view of a tenant's day; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._day = ""
        self._total = 0
        self._unreported = 0
        self._held = 0

    def is_known(self, now: datetime) -> bool:
        """Whether the table was asked today."""
        return self._day == now.date().isoformat()

    def hold(self, estimate: int, cap: int) -> bool:
        with self._lock:
            if self._total + self._unreported + self._held + estimate > cap:
                return False
            self._held += estimate
            return True

    def settle(self, estimate: int, spent: int) -> int:
        """Count a call and return what is to be reported."""
        with self._lock:
            self._held -= estimate
            self._unreported += spent
            return self._unreported

    def has_unreported(self) -> bool:
        return self._unreported > 0

    def take_unreported(self, now: datetime) -> int:
        with self._lock:
            day = now.date().isoformat()
            if day != self._day:
                self._day, self._total = day, 0
            amount, self._unreported = self._unreported, 0
            self._total += amount
            return amount

    def restore_unreported(self, amount: int) -> None:
        with self._lock:
            self._total -= amount
            self._unreported += amount

    def record_total(self, total: int) -> None:
        with self._lock:
            self._total = max(self._total, total)


def to_micro_usd(usd: float) -> int:
    """The amount in millionths, rounded down."""
    return math.floor(usd * MICRO_PER_USD)
