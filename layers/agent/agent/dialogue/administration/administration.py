"""Carries out the acts on the workspace as a whole, each by the module of its subject."""

from __future__ import annotations

from collections.abc import Callable

from agent.dialogue.administration import personal_data, personal_data_texts
from agent.dialogue.administration.connections import Connections
from agent.dialogue.administration.personal_data import OwnErasure
from agent.dialogue.administration.policy import PolicyActs
from agent.dialogue.result import Result
from agent.dialogue.workbench import Workbench
from agent.dialogue.workspace_questions import overview
from agent.dialogue.workspace_questions.usage import Usage
from agent.undo import Change
from agent.workspace.skill_store import SkillStore
from conversation.clock import Clock
from conversation.erasure.requests import Erasures
from conversation.limits.quotas import Quotas
from conversation.tenants.audit import AuditLog
from conversation.tenants.store import TenantStore
from conversation.usage.counters import UsageCounters
from conversation.usage.spend_caps import DEFAULT_USD_PER_DAY
from intent.acts.act import Act, ActKind
from storage.tenant_table import Tables

KINDS = frozenset(
    {
        ActKind.ASK_WORKSPACE, ActKind.ASK_USAGE, ActKind.SHOW_POLICY, ActKind.SET_POLICY, ActKind.EXPORT,
        ActKind.ERASE, ActKind.DELETE_CONVERSATION, ActKind.CONNECT, ActKind.LIST_SKILLS,
        ActKind.REMOVE_SKILL,
    }
)  # fmt: skip
"""The kinds of acts that are carried out here."""


class Administration:
    """Carries out acts on the workspace. Keeps no state between turns, so one serves every tenant."""

    def __init__(
        self,
        *,
        tables: Tables,
        clock: Clock,
        skills: SkillStore,
        quotas: Quotas,
        has_models: Callable[[], bool],
        usd_per_day: float = DEFAULT_USD_PER_DAY,
        page_url: str | None = None,
    ) -> None:
        """``usd_per_day``: what operators allow a tenant to spend that they granted nothing else."""
        audit = AuditLog(tables=tables, clock=clock)
        self._usage = Usage(
            counters=UsageCounters(tables), usd_per_day=usd_per_day, quotas=quotas, has_models=has_models
        )
        self._policy = PolicyActs(TenantStore(tables=tables, clock=clock), audit)
        self._erasure = OwnErasure(Erasures(tables=tables, clock=clock, quotas=quotas), quotas)
        self._connections = Connections(skills, page_url)

    def carry_out(self, act: Act, bench: Workbench, *, is_confirmed: bool) -> Result:
        """Carry out one act of `KINDS`. ``is_confirmed``: it was asked about before, and got a yes."""
        if (asked := personal_data.asks_how_long(act, bench)) is not None:
            return Result(personal_data_texts.duration(), question=asked)
        match act.kind:
            case ActKind.SET_POLICY:
                return self._policy.change(act, bench, is_confirmed=is_confirmed)
            case ActKind.ERASE:
                return self._erasure.erase(act, bench, is_confirmed=is_confirmed)
            case ActKind.DELETE_CONVERSATION:
                return personal_data.delete_conversation(act, bench, is_confirmed=is_confirmed)
            case ActKind.CONNECT:
                return self._connections.connect_skill(act, bench, is_confirmed=is_confirmed)
            case ActKind.REMOVE_SKILL:
                return self._connections.remove(act, bench, is_confirmed=is_confirmed)
            case _:
                return self._answer(act, bench)

    def restore_policy(self, change: Change, bench: Workbench) -> str:
        """Undo a change of the workspace's policy, as `PolicyActs.restore` does."""
        return self._policy.restore(change, bench)

    def _answer(self, act: Act, bench: Workbench) -> Result:
        match act.kind:
            case ActKind.ASK_USAGE:
                return self._usage.answer(act, bench)
            case ActKind.SHOW_POLICY:
                return self._policy.show(act, bench)
            case ActKind.EXPORT:
                return personal_data.export(act, bench)
            case ActKind.LIST_SKILLS:
                return self._connections.list(act, bench)
            case _:
                return overview.answer(act, bench)
