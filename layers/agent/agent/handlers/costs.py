"""Answers about what models cost, from the counters of `conversation.usage.counters`. Changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta

from agent.handler_interface import HandlerReply, TurnRequest
from agent.templates import policy_texts
from conversation.identity import ADMIN
from conversation.messages.models import Note
from conversation.tenants.policy import Budget
from conversation.usage.budgets import Budgets
from conversation.usage.counters import MICRO_PER_USD, DailyUsage, UsageCounters, UsageCounts
from intent.dates.past_periods import find_past_period
from intent.offline.cost_questions import asks_about_costs

USUAL_DAYS = 30
MOST_DAYS = 92
"""The most days read for one answer; counters are read a month at a time."""
NO_MODELS = "No model is set up here: I answer by rules alone, which costs nothing."
ONLY_YOURS = "These are your own figures; an administrator can ask me for those of the whole workspace."


class CostHandler:
    """Answers questions about spending; ``has_models`` returns whether this deployment uses any model."""

    def __init__(self, *, counters: UsageCounters, budgets: Budgets, has_models: Callable[[], bool]) -> None:
        self._counters = counters
        self._budgets = budgets
        self._has_models = has_models

    def answer(self, turn: TurnRequest) -> HandlerReply | None:
        """What was spent in the days that the message names; None when it asks something else.

        Administrators get the figures of their whole workspace, all others their own.
        """
        if not asks_about_costs(turn.message, turn.today):
            return None
        first, last = _days(turn)
        is_whole = turn.caller.has(ADMIN)
        counted = (
            self._counters.for_tenant(turn.caller.tenant, first, last)
            if is_whole
            else self._counters.for_user(turn.caller, first, last)
        )
        told = _spending_text(
            _sum(counted), whose="Your workspace" if is_whole else "You", when=_when(first, last)
        )
        free = "" if self._has_models() else f" {NO_MODELS}"
        budget = self._budget(turn, is_whole=is_whole)
        whose = "" if is_whole else f" {ONLY_YOURS}"
        return HandlerReply(
            f"{told}{free}{budget}{whose}", Note(about=turn.note.about), used_tools=("show_usage",)
        )

    def _budget(self, turn: TurnRequest, *, is_whole: bool) -> str:
        """The budget, if there is one; for administrators also how much of it is spent today."""
        decided: Budget = turn.roster.record.policy.budget
        if decided.usd_per_day is None:
            return ""
        told = f" The budget of your workspace is {policy_texts.budget_text(decided)}"
        if not is_whole:
            return f"{told}."
        spent = self._budgets.today(turn.caller.tenant).spent_micro_usd / MICRO_PER_USD
        return f"{told}; {policy_texts.usd_text(spent)} of it is spent today."


def _days(turn: TurnRequest) -> tuple[date, date]:
    """The first and the last day asked for; of too many days, only the last ones."""
    past = find_past_period(turn.message, turn.today)
    last = min(past.last, turn.today) if past else turn.today
    first = past.first if past else last - timedelta(days=USUAL_DAYS - 1)
    return max(first, last - timedelta(days=MOST_DAYS - 1)), last


def _when(first: date, last: date) -> str:
    if first == last:
        return f"on {_day(first)}"
    return f"from {_day(first)} to {_day(last)}"


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _sum(counted: Sequence[DailyUsage]) -> UsageCounts:
    return sum((entry.counts for entry in counted), UsageCounts())


def _spending_text(counts: UsageCounts, *, whose: str, when: str) -> str:
    if not counts.model_calls:
        runs = f" ({_several(counts.runs, 'run')} went without a model)" if counts.runs else ""
        return f"{whose} spent nothing on models {when}{runs}."
    cost = counts.cost_micro_usd / MICRO_PER_USD
    tokens = counts.prompt_tokens + counts.completion_tokens
    what = [_several(counts.turns, "message"), _several(counts.runs, "run")]
    priced = "" if cost else " No price is known for the models that were asked."
    return (
        f"{whose} spent {policy_texts.usd_text(cost)} on models {when}: {' and '.join(what)}, "
        f"{_several(counts.model_calls, 'model call')} with {tokens:,} tokens.{priced}"
    )


def _several(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
