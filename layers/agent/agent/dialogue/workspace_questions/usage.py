"""Answers about what the workspace and its models were used for, and what that cost."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, timedelta

from agent.dialogue.result import Result
from agent.dialogue.workbench import Workbench
from agent.dialogue.workspace_questions import texts
from agent.dialogue.workspace_questions.run_history import runs_within
from agent.dialogue.workspace_questions.windows import Window, read_window, whole_days
from agent.dialogue.workspace_questions.wording import Wording, word_set
from conversation.identity import ADMIN
from conversation.limits.quotas import QuotaKind, Quotas, limits_of
from conversation.tenants.store import TenantRecord
from conversation.usage.counters import MICRO_PER_USD, UsageCounters, UsageCounts
from conversation.usage.spend_caps import caps_that_hold, effective_cap_usd
from intent.acts.act import Act

MOST_DAYS = 92
"""The most days read for one answer; counters are read a month at a time."""
_LIMIT = word_set(
    "allowance limit limits cap caps quota quotas left remaining got near close budget over maximum"
)
_STARTED = word_set("runs run happened started many")
_ALL = word_set("we us our we've team workspace company everybody everyone all")
_BY_AGENT = ("which agent", "by agent", "per agent", "each agent", "every agent", "which of my agents")
_QUARTERS = ("this quarter", "the quarter", "this season", "the season")


class Usage:
    """Answers from the counters; ``has_models`` returns whether this deployment uses any model."""

    def __init__(
        self, *, counters: UsageCounters, usd_per_day: float, quotas: Quotas, has_models: Callable[[], bool]
    ) -> None:
        """``usd_per_day``: what operators allow a tenant to spend that they granted nothing else."""
        self._counters = counters
        self._usd_per_day = usd_per_day
        self._quotas = quotas
        self._has_models = has_models

    def answer(self, act: Act, bench: Workbench) -> Result:
        """Say what was used: of the limits of a day, or in the days that the words name.

        Administrators get the figures of their whole workspace, all others their own.
        """
        wording = Wording.of(act)
        window = _window(wording, bench)
        if wording.says(*_BY_AGENT) or wording.has({"expensive", "dearest", "costliest"}):
            return Result(_by_agent(window or _this_month(bench), bench), tool="show_usage")
        is_today = window is not None and window.said == "today" and wording.has(_STARTED)
        if (wording.has(_LIMIT) and window is None) or is_today:
            return Result(self._of_limits(bench), tool="show_usage")
        return Result(self._in_days(wording, window or _this_month(bench), bench), tool="show_usage")

    def _of_limits(self, bench: Workbench) -> str:
        turn = bench.turn
        record, is_admin = turn.roster.record, turn.caller.has(ADMIN)
        used, most = self._quotas.used_today(turn.caller, QuotaKind.RUNS), limits_of(record, QuotaKind.RUNS)
        of_all = (used.of_tenant, most.per_tenant) if is_admin else None
        own = (used.of_user, min(most.per_user, most.per_tenant))
        return texts.usage_of_limits(own, of_all=of_all, budgets=self._budgets(record, bench))

    def _budgets(self, record: TenantRecord, bench: Workbench) -> list[texts.BudgetUse]:
        """Return the caps of the workspace, and what counts for them: that of all users for admins only."""
        caller, used = bench.turn.caller, list[texts.BudgetUse]()
        for scope, cap in caps_that_hold(record, caller).items():
            most = min(cap, effective_cap_usd(record, self._usd_per_day)) if scope.is_day_of_all else cap
            is_told = scope.user is not None or caller.has(ADMIN)
            spent = self._counters.cost_of(scope, _utc_day(bench)) / MICRO_PER_USD if is_told else None
            used.append(texts.BudgetUse(scope, most, spent))
        return used

    def _in_days(self, wording: Wording, window: Window, bench: Workbench) -> str:
        caller, is_whole = bench.turn.caller, bench.turn.caller.has(ADMIN)
        last = min((window.last - timedelta(seconds=1)).date(), _utc_day(bench))
        first = max(min(window.first.date(), last), last - timedelta(days=MOST_DAYS - 1))
        read = (
            self._counters.for_tenant(caller.tenant, first, last)
            if is_whole
            else self._counters.for_user(caller, first, last)
        )
        counts = sum((entry.counts for entry in read), UsageCounts())
        said = window.said if first <= window.first.date() else f"in the last {MOST_DAYS} days"
        return texts.usage_in_days(
            counts, said, is_whole=is_whole, has_models=self._has_models(),
            is_for_all=not is_whole and wording.has(_ALL), is_on_runs=wording.has({"runs", "run"}),
        )  # fmt: skip


def _by_agent(window: Window, bench: Workbench) -> str:
    """Say what each of the user's agents cost, from their runs."""
    costs: dict[str, tuple[float, int]] = {}
    for run in runs_within(bench, window):
        cost, count = costs.get(run.agent_name, (0.0, 0))
        costs[run.agent_name] = (cost + (run.usage.cost_usd or 0), count + 1)
    ranked = sorted(costs.items(), key=lambda item: -item[1][0])
    return texts.usage_by_agent([(name, *figures) for name, figures in ranked], window.said)


def _utc_day(bench: Workbench) -> date:
    """Today as costs are counted; the user's own day may have begun earlier or later."""
    return bench.turn.situation.now.astimezone(UTC).date()


def _window(wording: Wording, bench: Workbench) -> Window | None:
    situation, today = bench.turn.situation, bench.turn.today
    if wording.says(*_QUARTERS):
        first = today.replace(month=(today.month - 1) // 3 * 3 + 1, day=1)
        return whole_days(first, today, situation.time_zone, "this quarter")
    return read_window(wording, now=situation.now, zone=situation.time_zone, is_past=True)


def _this_month(bench: Workbench) -> Window:
    today = bench.turn.today
    return whole_days(today.replace(day=1), today, bench.turn.situation.time_zone, "this month")
