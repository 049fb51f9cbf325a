"""What a budget counts: the model costs of a tenant or of one of its users, in a UTC day or month.

`conversation.usage.budgets` keeps the costs.
"""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import NamedTuple

from conversation.identity import Caller
from conversation.tenants.policy import Budget
from storage import keys
from storage.keys import TenantId
from storage.table import Key


class Period(StrEnum):
    """How long costs add up, in UTC."""

    DAY = "day"
    MONTH = "month"


class BudgetScope(NamedTuple):
    """Whose costs of which period one budget counts. ``user`` None: those of all users."""

    tenant: TenantId
    period: Period = Period.DAY
    user: str | None = None

    @property
    def is_day_of_all(self) -> bool:
        """Whether the operators' cap counts the same."""
        return self.user is None and self.period is Period.DAY

    def key(self, day: date) -> Key:
        """The item with the costs of the period that the day is in: one for a month and all of its days."""
        if self.user is None:
            return keys.budget(self.tenant, day)
        return keys.user_budget(self.tenant, self.user, day)

    def first_day(self, day: date) -> date:
        """The first day of the period that the day is in."""
        return day if self.period is Period.DAY else day.replace(day=1)


def caps_of(budget: Budget, caller: Caller) -> dict[BudgetScope, float]:
    """The caps in US dollars that a tenant's budget sets for the caller's calls, the widest scope first."""
    tenant, user = caller.tenant, caller.user
    caps = {
        BudgetScope(tenant, Period.DAY): budget.usd_per_day,
        BudgetScope(tenant, Period.MONTH): budget.usd_per_month,
        BudgetScope(tenant, Period.DAY, user): budget.usd_per_user_per_day,
        BudgetScope(tenant, Period.MONTH, user): budget.usd_per_user_per_month,
    }
    return {scope: cap for scope, cap in caps.items() if cap is not None}
