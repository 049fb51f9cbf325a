"""Composes the turn service from a deployment's settings; the only place that knows the concrete classes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from agent.chat.master_agent import MasterAgent
from agent.connections.posting_links import PostingLinks
from agent.dialogue.administration.administration import Administration
from agent.inference.model_access import ModelAccess
from agent.inference.turn_budget import TurnBudgets
from agent.mail_recipients import MailRecipients
from agent.product_answers import ProductAnswers
from agent.turns.service import TurnService
from agent.undo import ChangeStore
from agent.workspace.agent_store import AgentStore
from agent.workspace.roster import RosterCache
from agent.workspace.skill_store import SkillStore
from conversation.clock import Clock
from conversation.context.window import ContextLimits
from conversation.limits.quotas import Quotas
from conversation.tenants.store import PolicyCache
from conversation.token_counts import TokenCounter
from conversation.turns.deferred_turn import DeferredTurnQueue
from conversation.turns.turn_protocol import TurnProtocol
from conversation.usage.budgets import Budgets
from storage.tenant_table import Tables
from tasks.store import TaskStore
from tools.outbound.client import ToolSettings

if TYPE_CHECKING:
    from agent.dialogue.talk.occasion import Searcher
    from agent.inference.message_files import FileReader
    from agent.inference.question_answering import QuestionAnswerer


class TurnSettings(Protocol):
    """The settings of a deployment that say how turns are understood and answered."""

    @property
    def intent_deadline_s(self) -> float:
        """How long the intent model may take."""

    @property
    def clarify_below(self) -> float:
        """The confidence below which the user is asked what they mean."""

    @property
    def context_limits(self) -> ContextLimits:
        """How much of a conversation a model is shown."""

    @property
    def tenant_usd_per_day(self) -> float:
        """What the models of a tenant may cost in a UTC day that operators granted nothing else."""

    @property
    def token_vocabulary(self) -> Path | None:
        """The folder of tiktoken's vocabularies; None: token counts are estimates."""


def compose_turns(
    settings: TurnSettings,
    *,
    models: ModelAccess,
    tools: ToolSettings,
    tables: Tables,
    clock: Clock,
    queue: DeferredTurnQueue | None,
    read_file: FileReader = lambda _caller, _file: None,
    rosters: RosterCache | None = None,
    hands_over: bool = False,
    links: PostingLinks | None = None,
) -> TurnService:
    """Return the service that answers messages. Reads nothing yet. ``rosters`` None: a cache of its own.
    ``links`` seals the links of messages; None: no message comes in here.

    ``read_file`` returns the content of a message's file; None where there is none. ``hands_over``: where a
    turn may need litellm, the queue is asked to have it answered elsewhere.
    """

    @cache
    def question_answerer() -> QuestionAnswerer:
        from agent.inference.factory import compose_question_answerer  # most turns don't need it

        return compose_question_answerer(
            tools,
            completion=models.completion,
            registry=models.registry,
            intent_model=models.intent_model,
            tables=tables,
            clock=clock,
            read_file=read_file,
        )

    @cache
    def search() -> Searcher:
        from agent.inference.factory import compose_search  # nor this

        return compose_search(tables=tables, clock=clock)

    quotas = Quotas(tables=tables, clock=clock)
    skills = SkillStore(tables=tables, clock=clock, outbound=tools.outbound, quotas=quotas)
    tasks = TaskStore(tables=tables, clock=clock, quotas=quotas)
    return TurnService(
        protocol=TurnProtocol(tables=tables, clock=clock, tokens=TokenCounter(settings.token_vocabulary)),
        rosters=rosters or RosterCache(tables=tables, clock=clock),
        analyzer=models.analyzer(clock, settings.intent_deadline_s, settings.clarify_below),
        master=MasterAgent(
            store=AgentStore(
                tables=tables,
                clock=clock,
                outbound=tools.outbound,
                quotas=quotas,
                delivery_hosts=tools.delivery_hosts,
            ),
            recipients=MailRecipients(tables=tables, clock=clock),
            tasks=tasks,
            changes=ChangeStore(tables=tables, clock=clock),
            question_answerer=question_answerer,
            search=search,
            product_answers=ProductAnswers(has_models=models.has_models),
            administration=Administration(
                tables=tables,
                clock=clock,
                skills=skills,
                quotas=quotas,
                usd_per_day=settings.tenant_usd_per_day,
                has_models=models.has_models,
                page_url=tools.public_url,
            ),
            clarify_below=settings.clarify_below,
        ),
        clock=clock,
        turn_budgets=TurnBudgets(
            Budgets(tables=tables, clock=clock),
            usd_per_day=settings.tenant_usd_per_day,
            policies=PolicyCache(tables=tables, clock=clock),
        ),
        page_url=tools.public_url,
        queue=queue,
        limits=settings.context_limits,
        registry=models.registry,
        tasks=tasks,
        hands_over=hands_over and models.may_need_litellm(),
        links=links,
    )
