"""The model that titles and summarises conversations after their turns, paid from the tenant's budget."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from agent.inference.turn_budget import TurnBudgets
from conversation.clock import Clock
from conversation.identity import Caller
from conversation.tenants.store import TenantStore
from conversation.usage.counters import ModelUsage, counts_of_calls, increment
from llm.available_models import ModelRegistry
from llm.catalogue import Model
from llm.completion import CompletionClient
from llm.failover import ModelWalk, stand_ins
from llm.request_types import ModelRequest
from storage.tenant_table import Tables

LOADING_S = 10.0


class ModelText(NamedTuple):
    """What the model wrote, and the model's id."""

    text: str
    model: str


class BackgroundModel:
    """Asks the model that understands messages in this deployment, or another fast one when that fails, and
    counts what that costs.
    """

    def __init__(
        self,
        *,
        completion: CompletionClient,
        registry: ModelRegistry,
        name: str,
        tables: Tables,
        clock: Clock,
        tenants: TenantStore,
        turn_budgets: TurnBudgets,
    ) -> None:
        self._completion = completion
        self._registry = registry
        self._name = name
        self._tables = tables
        self._clock = clock
        self._tenants = tenants
        self._turn_budgets = turn_budgets

    def complete(
        self, owner: Caller, conversation_id: str, request: ModelRequest, *, deadline_s: float
    ) -> ModelText | None:
        """The model's answer; None when the tenant does not allow the model, or it can't be loaded in time.

        Raises:
            ModelUnavailable: the model failed, or the tenant's budget is spent.
        """
        record = self._tenants.record(owner.tenant)
        model = self._registry.find(self._name, record.policy.model_allowlist)
        if model is None or not self._completion.is_ready(LOADING_S, models=[model.id]):
            return None
        budget = self._turn_budgets.for_turn(record, owner)

        def ask(asked: Model, within_s: float) -> ModelText:
            question = replace(request, thinking=asked.thinking_effort(None))
            response = self._completion.complete(question, model=asked.id, deadline_s=within_s, budget=budget)
            return ModelText(response.text, asked.id)

        try:
            return self._walk(model, record.policy.model_allowlist, deadline_s).first_answer(ask)
        finally:
            self._count(owner, conversation_id, budget.usage)

    def _walk(self, model: Model, allowed: frozenset[str] | None, deadline_s: float) -> ModelWalk:
        until = self._clock.monotonic() + deadline_s
        return ModelWalk(
            stand_ins(model, self._registry.find_fast_models(allowed)),
            is_resting=self._completion.is_resting,
            left_s=lambda: until - self._clock.monotonic(),
        )

    def _count(self, owner: Caller, conversation_id: str, usage: ModelUsage) -> None:
        if not usage.is_empty:
            added = increment(owner, conversation_id, self._clock.now(), counts_of_calls(usage))
            self._tables.for_tenant(owner.tenant).update(added)
