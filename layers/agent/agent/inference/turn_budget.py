"""Budgets of turns and runs: what the tenant's budget lets them spend on models, and what they have used.

`conversation.usage.budgets` stores the budgets. Callers decide when to ask a model.
"""

from __future__ import annotations

import logging
import math
import threading

from conversation.identity import Caller
from conversation.tenants.policy import TenantPolicy
from conversation.usage.budgets import BudgetExhausted, BudgetReservation, Budgets, TooManyReservations
from conversation.usage.counters import MICRO_PER_USD, ModelUsage
from llm.errors import ModelBudgetExceeded, ModelUnavailableForNow
from llm.spend_guard import CallUsage, Reservation
from storage.errors import StorageUnavailable
from storage.keys import TenantId

LOG = logging.getLogger("omniforge.budgets")

RESERVATION_LIFETIME_S = 60.0


class TurnBudgets:
    """Creates the budgets; shared by all turns and runs of a process."""

    def __init__(self, budgets: Budgets) -> None:
        self._budgets = budgets

    def for_turn(
        self, policy: TenantPolicy, caller: Caller, *, reservation_lifetime_s: float = RESERVATION_LIFETIME_S
    ) -> TurnBudget:
        """The budget of one turn, or of one run.

        ``reservation_lifetime_s``: after this many seconds, an unsettled call gives its reservation back;
        longer than any single call may take.
        """
        return TurnBudget(self._budgets, caller.tenant, _cap(policy), reservation_lifetime_s)


class TurnBudget:
    """A `llm.spend_guard.SpendGuard` that counts what it pays for. Without a cap it sends no request."""

    def __init__(
        self, budgets: Budgets, tenant: TenantId, cap_micro_usd: int | None, lifetime_s: float
    ) -> None:
        self._budgets = budgets
        self._tenant = tenant
        self._cap_micro_usd = cap_micro_usd
        self._lifetime_s = lifetime_s
        self._lock = threading.Lock()
        self._usage = ModelUsage()
        self._was_refused = False

    @property
    def usage(self) -> ModelUsage:
        """The usage so far."""
        return self._usage

    @property
    def was_refused(self) -> bool:
        """Whether a model call was refused because of the budget."""
        return self._was_refused

    def reserve(self, estimate_usd: float) -> Reservation:
        """See `llm.spend_guard.SpendGuard`.

        Raises:
            ModelBudgetExceeded: the call does not fit under the day's cap.
            ModelUnavailableForNow: the tenant has its maximum of calls under way, or storage can't tell what
            is left to
                spend.
        """
        if self._cap_micro_usd is None:
            return _CallReservation(self)
        try:
            held = self._budgets.reserve(
                self._tenant,
                cap_micro_usd=self._cap_micro_usd,
                estimate_micro_usd=math.ceil(estimate_usd * MICRO_PER_USD),
                lifetime_s=self._lifetime_s,
            )
        except BudgetExhausted:
            self._was_refused = True
            raise ModelBudgetExceeded from None
        except TooManyReservations:
            raise ModelUnavailableForNow("busy") from None
        except StorageUnavailable:
            raise ModelUnavailableForNow("budget_unknown") from None
        return _CallReservation(self, held)

    def settle(self, held: BudgetReservation | None, spent: CallUsage) -> None:
        """Count what a call used, and settle its reservation with the tenant's budget."""
        with self._lock:
            self._usage = self._usage.with_call(spent.prompt_tokens, spent.completion_tokens, spent.cost_usd)
        if held is None:
            return
        try:
            self._budgets.settle(held, _micro(spent.cost_usd, unknown=held.micro_usd))
        except StorageUnavailable:
            # The answer is paid for: it is not discarded because the budget can't be reached.
            LOG.warning("budget_not_settled", extra={"tenant": self._tenant})


class _CallReservation:
    """The reservation of one call."""

    def __init__(self, budget: TurnBudget, held: BudgetReservation | None = None) -> None:
        self._budget = budget
        self._held = held

    def settle(self, spent: CallUsage) -> None:
        self._budget.settle(self._held, spent)


def _cap(policy: TenantPolicy) -> int | None:
    usd = policy.budget.usd_per_day
    return None if usd is None else math.floor(usd * MICRO_PER_USD)


def _micro(cost_usd: float | None, *, unknown: int) -> int:
    return unknown if cost_usd is None else math.ceil(cost_usd * MICRO_PER_USD)
