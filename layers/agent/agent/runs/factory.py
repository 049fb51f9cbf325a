"""Composes the executor of runs from a deployment's settings, as `agent.turns.factory` does for turns."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from agent.checks.observation import Observer
from agent.checks.state_store import CheckStates
from agent.connections.posting_links import PostingLinks
from agent.inference.factory import compose_toolboxes
from agent.inference.model_access import ModelAccess
from agent.inference.router import Router
from agent.inference.tool_loop import ToolLoop
from agent.inference.turn_budget import TurnBudgets
from agent.mail_recipients import MailRecipients
from agent.runs.check_worker import CheckWorker
from agent.runs.claims import Notices, RunClaims
from agent.runs.delivery import Deliverer, ResultHandover
from agent.runs.executor import RunExecutor
from agent.runs.skill_tools import Secrets, SkillTools
from agent.runs.worker import RunWorker
from agent.workspace.agent_store import AgentStore
from conversation.clock import Clock
from conversation.mailer import Mailer
from conversation.tenants.store import PolicyCache
from conversation.token_counts import TokenCounter
from conversation.turns.proactive_messages import ProactiveMessages
from conversation.usage.budgets import Budgets
from llm.client_pool import ModelClientPool
from storage.tenant_table import Tables
from tools.outbound.client import ToolSettings


class RunSettings(Protocol):
    """The settings of a deployment that say how runs are executed."""

    @property
    def run_timeout_s(self) -> float:
        """How long a run may take before it is stopped."""

    @property
    def tenant_usd_per_day(self) -> float:
        """What the models of a tenant may cost in a UTC day that operators granted nothing else."""

    @property
    def token_vocabulary(self) -> Path | None:
        """The folder of tiktoken's vocabularies; None: token counts are estimates."""


def compose_runs(
    settings: RunSettings,
    *,
    models: ModelAccess,
    tools: ToolSettings,
    skills: SkillTools,
    mailer: Mailer | None,
    secrets: Secrets,
    links: PostingLinks,
    tables: Tables,
    clock: Clock,
) -> RunExecutor:
    """The executor of runs. Without a strong model it still ends every run, with an outcome that says so."""
    claims = RunClaims(tables=tables, clock=clock)
    pool = ModelClientPool(models.completion, models.registry)
    worker = RunWorker(
        router=Router(pool, fast_model=models.intent_model),
        tool_loop=ToolLoop(pool),
        toolboxes=compose_toolboxes(tools, tables=tables, clock=clock),
        skills=skills,
        turn_budgets=TurnBudgets(
            Budgets(tables=tables, clock=clock),
            usd_per_day=settings.tenant_usd_per_day,
            policies=PolicyCache(tables=tables, clock=clock),
        ),
        is_ready=models.is_ready,
        clock=clock,
        page_url=tools.public_url,
    )
    observer = Observer(outbound=tools.outbound, clock=clock)
    handover = ResultHandover(
        claims=claims,
        notices=Notices(tables),
        deliverer=Deliverer(outbound=tools.outbound, mailer=mailer, clock=clock),
        poster=ProactiveMessages(tables=tables, clock=clock, tokens=TokenCounter(settings.token_vocabulary)),
        clock=clock,
        delivery_hosts=tools.delivery_hosts,
        secrets=secrets,
        recipients=MailRecipients(tables=tables, clock=clock),
        links=links,
    )
    return RunExecutor(
        tables=tables,
        claims=claims,
        agents=AgentStore(tables=tables, clock=clock),
        worker=CheckWorker(observer=observer, states=CheckStates(tables), others=worker, clock=clock),
        handover=handover,
        clock=clock,
        timeout_s=settings.run_timeout_s,
    )
