"""Budgets of turns and runs: what the tenant's budget lets them spend on models, and what they have used.

`conversation.usage.budgets` stores the budgets. Callers decide when to ask a model.
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from conversation.identity import Caller
from conversation.tenants.store import PolicyCache, TenantRecord
from conversation.usage.budget_scope import BudgetScope
from conversation.usage.budgets import BudgetExhausted, BudgetReservation, Budgets, TooManyReservations
from conversation.usage.counters import MICRO_PER_USD, ModelUsage
from conversation.usage.spend_caps import (
    DEFAULT_USD_PER_DAY,
    SpendCapReached,
    caps_that_hold,
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
            self._budgets,
            caller.tenant,
            lambda: self._caps(record, caller),
            lifetime_s=reservation_lifetime_s,
        )

    def _caps(self, record: TenantRecord, caller: Caller) -> _Caps:
        """The caps that hold now; those of the record while the table is out of reach."""
        if self._policies is not None:
            with suppress(StorageUnavailable):
                record = self._policies.record(record.tenant)
        return _Caps.of(record, caller, self._usd_per_day)


class _Caps(NamedTuple):
    """What models may cost, in millionths: in a day for the tenant's operators, and by each exact cap for
    the caller's calls.
    """

    of_operators: int
    own: Mapping[BudgetScope, int]
    version: int
    """The version of the policy that they are from."""

    @classmethod
    def of(cls, record: TenantRecord, caller: Caller, default_usd: float) -> _Caps:
        of_operators = to_micro_usd(operators_cap_usd(record, default_usd))
        own = {
            scope: min(to_micro_usd(usd), of_operators) if scope.is_day_of_all else to_micro_usd(usd)
            for scope, usd in caps_that_hold(record, caller).items()
        }
        return cls(of_operators, own, record.version)


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
        self._refused_by: BudgetScope | None = None

    @property
    def usage(self) -> ModelUsage:
        """The usage so far."""
        return self._usage

    @property
    def refused_by(self) -> BudgetScope | None:
        """The budget that the latest refused call did not fit into; None: none was refused."""
        return self._refused_by

    def reserve(self, estimate_usd: float) -> Reservation:
        """See `llm.spend_guard.SpendGuard`.

        Raises:
            ModelBudgetExceeded: the call does not fit under one of the tenant's caps, or the operators'.
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
            self._refuse(BudgetScope(self._tenant), "operators")
            raise ModelBudgetExceeded from None
        try:
            return _CallReservation(self, estimate, caps, self._reserve_own(estimate, caps))
        except BaseException:  # whatever it was, it is raised again: nothing stays reserved
            self._settle_cap(estimate, 0, caps)
            raise

    def _refuse(self, scope: BudgetScope, whose: str) -> None:
        """Note that the money is spent; logged once a turn."""
        if self._refused_by is None:
            told = {"tenant": self._tenant, "budget_of": whose, "period": scope.period.value}
            LOG.warning("budget reached", extra=told)
        self._refused_by = scope

    def _reserve_own(self, estimate: int, caps: _Caps) -> tuple[BudgetReservation, ...]:
        """Reserve the estimate under each of the tenant's own caps, or under none."""
        held: list[BudgetReservation] = []
        try:
            for payer in dict.fromkeys(scope.user for scope in caps.own):
                of_payer = {scope: cap for scope, cap in caps.own.items() if scope.user == payer}
                held.append(self._reserve(of_payer, estimate, caps.version))
        except BaseException:  # likewise
            self._settle_own(held, 0)
            raise
        return tuple(held)

    def _reserve(self, caps: Mapping[BudgetScope, int], estimate: int, version: int) -> BudgetReservation:
        try:
            return self._budgets.reserve(
                caps,
                estimate_micro_usd=estimate,
                lifetime_s=self._lifetime_s,
                version=version,
            )
        except BudgetExhausted as refused:
            self._refuse(refused.scope, "tenant" if refused.scope.user is None else "user")
            raise ModelBudgetExceeded from None
        except TooManyReservations:
            raise ModelUnavailableForNow("busy") from None
        except StorageUnavailable:
            raise ModelUnavailableForNow("budget_unknown") from None

    def settle(self, estimate: int, caps: _Caps, held: Sequence[BudgetReservation], spent: CallUsage) -> None:
        """Count what a call used, and settle its reservations with the tenant's budget."""
        with self._lock:
            self._usage = self._usage.with_call(spent.prompt_tokens, spent.completion_tokens, spent.cost_usd)
        cost = _micro(spent.cost_usd, unknown=estimate)
        self._settle_cap(estimate, cost, caps)
        self._settle_own(held, cost)

    def _settle_own(self, held: Sequence[BudgetReservation], cost: int) -> None:
        for reservation in held:
            try:
                self._budgets.settle(reservation, cost)
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
        self, budget: TurnBudget, estimate: int, caps: _Caps, held: Sequence[BudgetReservation]
    ) -> None:
        self._budget = budget
        self._estimate = estimate
        self._caps = caps
        self._held = held

    def settle(self, spent: CallUsage) -> None:
        self._budget.settle(self._estimate, self._caps, self._held, spent)


def _micro(cost_usd: float | None, *, unknown: int) -> int:
    return unknown if cost_usd is None else math.ceil(cost_usd * MICRO_PER_USD)
