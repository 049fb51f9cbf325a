"""Budgets of turns and runs: what the tenant's budget lets them spend on models, and what they have used.

`conversation.usage.budgets` stores the budgets. Callers decide when to ask a model.
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from conversation.identity import Caller
from conversation.tenants.store import PolicyCache, TenantRecord
from conversation.usage.budgets import BudgetExhausted, BudgetReservation, Budgets, TooManyReservations
from conversation.usage.counters import MICRO_PER_USD, ModelUsage
from conversation.usage.spend_caps import (
    DEFAULT_USD_PER_DAY,
    SpendCapReached,
    effective_cap_usd,
    operators_cap_usd,
    to_micro_usd,
)
from llm.errors import ModelBudgetExceeded, ModelUnavailableForNow
from llm.spend_guard import CallUsage, Reservation
from storage.errors import StorageUnavailable
from storage.keys import TenantId

LOG = logging.getLogger("omniforge.budgets")

RESERVATION_LIFETIME_S = 60.0


class TurnBudgets:
    """Creates the budgets; shared by all turns and runs of a process."""

    def __init__(
        self,
        budgets: Budgets,
        *,
        usd_per_day: float = DEFAULT_USD_PER_DAY,
        policies: PolicyCache | None = None,
    ) -> None:
        """``usd_per_day``: what the models of a tenant may cost that operators granted nothing else.
        ``policies`` None: the caps are those of the record of the turn, up to a minute old.
        """
        self._budgets = budgets
        self._usd_per_day = usd_per_day
        self._policies = policies

    def for_turn(
        self, record: TenantRecord, caller: Caller, *, reservation_lifetime_s: float = RESERVATION_LIFETIME_S
    ) -> TurnBudget:
        """The budget of one turn, or of one run.

        ``reservation_lifetime_s``: after this many seconds, an unsettled call gives its reservation back;
        longer than any single call may take.
        """
        return TurnBudget(
            self._budgets, caller.tenant, lambda: self._caps(record), lifetime_s=reservation_lifetime_s
        )

    def _caps(self, record: TenantRecord) -> _Caps:
        """The caps that hold now; those of the record while the table is out of reach."""
        if self._policies is not None:
            with suppress(StorageUnavailable):
                record = self._policies.record(record.tenant)
        return _Caps.of(record, self._usd_per_day)


class _Caps(NamedTuple):
    """What the tenant's models may cost in a day, in millionths: for its operators, and by its own budget
    (None: it has none), which counts no more than theirs.
    """

    of_operators: int
    own: int | None
    version: int
    """The version of the policy that they are from."""

    @classmethod
    def of(cls, record: TenantRecord, default_usd: float) -> _Caps:
        has_own = record.policy.budget.usd_per_day is not None
        own = to_micro_usd(effective_cap_usd(record, default_usd)) if has_own else None
        return cls(to_micro_usd(operators_cap_usd(record, default_usd)), own, record.version)


class TurnBudget:
    """A `llm.spend_guard.SpendGuard` that counts what it pays for. Where the tenant set no budget itself, it
    seldom sends a request.
    """

    def __init__(
        self, budgets: Budgets, tenant: TenantId, caps: Callable[[], _Caps], *, lifetime_s: float
    ) -> None:
        """``caps`` returns those that hold for the next call."""
        self._budgets = budgets
        self._tenant = tenant
        self._caps = caps
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
            ModelBudgetExceeded: the call does not fit under the day's cap, the tenant's or the operators'.
            ModelUnavailableForNow: the tenant has its maximum of calls under way, or storage can't tell what
            is left to
                spend.
        """
        estimate, caps = math.ceil(estimate_usd * MICRO_PER_USD), self._caps()
        try:
            self._budgets.caps.hold(
                self._tenant, cap_micro_usd=caps.of_operators, estimate_micro_usd=estimate
            )
        except SpendCapReached:
            self._refuse("operators")
            raise ModelBudgetExceeded from None
        try:
            return _CallReservation(self, estimate, caps, self._reserve_own(estimate, caps))
        except BaseException:
            self._settle_cap(estimate, 0, caps)
            raise

    def _refuse(self, whose: str) -> None:
        """Note that the day's money is spent; logged once a turn."""
        if not self._was_refused:
            LOG.warning("budget reached", extra={"tenant": self._tenant, "budget_of": whose})
        self._was_refused = True

    def _reserve_own(self, estimate: int, caps: _Caps) -> BudgetReservation | None:
        """Reserve the estimate with the tenant's own budget; None when it has none."""
        if caps.own is None:
            return None
        try:
            return self._budgets.reserve(
                self._tenant,
                cap_micro_usd=caps.own,
                estimate_micro_usd=estimate,
                lifetime_s=self._lifetime_s,
                version=caps.version,
            )
        except BudgetExhausted:
            self._refuse("tenant")
            raise ModelBudgetExceeded from None
        except TooManyReservations:
            raise ModelUnavailableForNow("busy") from None
        except StorageUnavailable:
            raise ModelUnavailableForNow("budget_unknown") from None

    def settle(self, estimate: int, caps: _Caps, held: BudgetReservation | None, spent: CallUsage) -> None:
        """Count what a call used, and settle its reservation with the tenant's budget."""
        with self._lock:
            self._usage = self._usage.with_call(spent.prompt_tokens, spent.completion_tokens, spent.cost_usd)
        self._settle_cap(estimate, _micro(spent.cost_usd, unknown=estimate), caps)
        if held is None:
            return
        try:
            self._budgets.settle(held, _micro(spent.cost_usd, unknown=held.micro_usd))
        except StorageUnavailable:
            # The answer is paid for: it is not discarded because the budget can't be reached.
            LOG.warning("budget_not_settled", extra={"tenant": self._tenant})

    def _settle_cap(self, estimate: int, spent: int, caps: _Caps) -> None:
        self._budgets.caps.settle(
            self._tenant,
            cap_micro_usd=caps.of_operators,
            estimate_micro_usd=estimate,
            spent_micro_usd=spent,
        )


class _CallReservation:
    """The reservation of one call."""

    def __init__(
        self, budget: TurnBudget, estimate: int, caps: _Caps, held: BudgetReservation | None
    ) -> None:
        self._budget = budget
        self._estimate = estimate
        self._caps = caps
        self._held = held

    def settle(self, spent: CallUsage) -> None:
        self._budget.settle(self._estimate, self._caps, self._held, spent)


def _micro(cost_usd: float | None, *, unknown: int) -> int:
    return unknown if cost_usd is None else math.ceil(cost_usd * MICRO_PER_USD)
