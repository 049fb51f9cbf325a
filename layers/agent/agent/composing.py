"""The turn service put together from what a deployment sets: the one place that knows the concrete classes
behind a turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from agent.master import MasterAgent
from agent.purses import Purses
from agent.roster import Rosters
from agent.skill_store import SkillStore
from agent.spend_talk import Spending
from agent.store import AgentStore
from agent.turns import TurnService
from conversation.clock import Clock
from conversation.context import ContextLimits
from conversation.finishing import TurnQueue
from conversation.spending import Budgets
from conversation.tenants import TenantStore
from conversation.tokens import TokenCounter
from conversation.turns import TurnProtocol
from conversation.usage import UsageCounters
from intent.analyzer import IntentAnalyzer
from intent.offline import OfflineClassifier
from llm.breaker import Breaker
from llm.choice import default_model
from llm.completion import Completion
from llm.registry import registry_for
from llm.settings import ModelSettings
from storage.tenant import Tables
from tasks.store import TaskStore
from tools.settings import ToolSettings

if TYPE_CHECKING:
    from agent.answering import Answering
    from agent.recalling import Recalling


MAX_MODEL_CALLS = 100
"""At a time, which is as many connections as litellm keeps. On AWS a process answers one turn at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSettings:
    """How turns are understood and answered."""

    intent_deadline_s: float
    clarify_below: float
    limits: ContextLimits
    vocabulary: Path | None
    """Where tiktoken's vocabularies are; None: token counts are estimates."""


class ModelAccess:
    """The models of a deployment: what understands messages, and what answers questions and works on runs.

    One per process: all calls share its connections and breakers.
    """

    def __init__(self, settings: ModelSettings, *, clock: Clock) -> None:
        self.intent_model = default_model(settings.intent_model, settings.credentials)
        self.completion = Completion(
            timer=clock,
            breaker=Breaker(clock.monotonic),
            api_key=settings.api_key,
            max_calls=MAX_MODEL_CALLS,
        )
        self.registry = registry_for(
            settings.credentials, intent_model=self.intent_model, strong_models=settings.strong_models
        )

    def analyzer(self, clock: Clock, deadline_s: float) -> IntentAnalyzer:
        """What understands messages: by the intent model within the deadline, or else offline."""
        return IntentAnalyzer(
            offline=OfflineClassifier(),
            completion=self.completion,
            model=self.intent_model,
            clock=clock,
            registry=self.registry,
            deadline_s=deadline_s,
        )

    def are_any(self) -> bool:
        """Whether this deployment asks any model."""
        return self.intent_model is not None or bool(self.registry.strong())


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
    """The service that answers messages. Reads nothing yet."""

    @cache
    def answering() -> Answering:
        from agent.equipment import compose_answering  # most turns need nothing of it

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
        from agent.equipment import compose_search  # neither of this
        from agent.recalling import Recalling

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
