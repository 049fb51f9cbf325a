"""Composes the turn service from a deployment's settings; the only place that knows the concrete classes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from agent.chat.master import MasterAgent
from agent.handlers.costs import Spending
from agent.inference.budget import Purses
from agent.inference.model_access import ModelAccess
from agent.turns.service import TurnService
from agent.workspace.agent_store import AgentStore
from agent.workspace.roster import Rosters
from agent.workspace.skill_store import SkillStore
from conversation.clock import Clock
from conversation.context.window import ContextLimits
from conversation.tenants.store import TenantStore
from conversation.tokens import TokenCounter
from conversation.turns.deferred_turn import TurnQueue
from conversation.turns.protocol import TurnProtocol
from conversation.usage.budgets import Budgets
from conversation.usage.counters import UsageCounters
from storage.tenant import Tables
from tasks.store import TaskStore
from tools.outbound.settings import ToolSettings

if TYPE_CHECKING:
    from agent.handlers.recall import Recalling
    from agent.inference.question_answering import Answering


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSettings:
    """How turns are understood and answered."""

    intent_deadline_s: float
    clarify_below: float
    limits: ContextLimits
    vocabulary: Path | None
    """Where tiktoken's vocabularies are; None: token counts are estimates."""


def compose_turns(
    settings: TurnSettings,
    *,
    models: ModelAccess,
    tools: ToolSettings,
    tables: Tables,
    clock: Clock,
    tenants: TenantStore,
    queue: TurnQueue | None,
) -> TurnService:
    """Return the service that answers messages. Reads nothing yet."""

    @cache
    def answering() -> Answering:
        from agent.inference.compose import compose_answering  # most turns don't need it

        return compose_answering(
            tools,
            completion=models.completion,
            registry=models.registry,
            intent_model=models.intent_model,
            tables=tables,
            clock=clock,
        )

    @cache
    def recalling() -> Recalling:
        from agent.handlers.recall import Recalling
        from agent.inference.compose import compose_search  # nor this

        return Recalling(compose_search(tables=tables, clock=clock))

    budgets = Budgets(tables=tables, clock=clock)
    return TurnService(
        protocol=TurnProtocol(tables=tables, clock=clock, tokens=TokenCounter(settings.vocabulary)),
        rosters=Rosters(tables=tables, clock=clock),
        analyzer=models.analyzer(clock, settings.intent_deadline_s),
        master=MasterAgent(
            store=AgentStore(tables=tables, clock=clock, outbound=tools.outbound),
            tasks=TaskStore(tables=tables, clock=clock),
            skills=SkillStore(tables=tables, clock=clock, outbound=tools.outbound),
            tenants=tenants,
            answering=answering,
            recalling=recalling,
            spending=Spending(counters=UsageCounters(tables), budgets=budgets, has_models=models.are_any),
            clarify_below=settings.clarify_below,
        ),
        clock=clock,
        purses=Purses(budgets),
        queue=queue,
        limits=settings.limits,
        registry=models.registry,
    )
