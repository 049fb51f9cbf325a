"""Model usage: the parameters that clients ask with, and the views they get."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from enum import StrEnum
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from conversation.tenants.policy import Budget
from conversation.usage.budget_scope import Period
from conversation.usage.counters import MICRO_PER_USD, DailyUsage, UsageCounts
from edge.http.problems import Problem
from edge.views.base import View
from llm.available_models import ModelRegistry
from llm.catalogue import Model, Tier, Vendor

DEFAULT_DAYS = 30
MAX_DAYS = 92

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _day(text: object) -> date:
    """Strictly ``2026-01-30``: pydantic by itself also accepts moments and counts of seconds."""
    try:
        if isinstance(text, str) and _DAY.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass  # no such day in the calendar
    raise PydanticCustomError("query_invalid", "A day such as 2026-01-30 is expected.")


class UsageScope(StrEnum):
    """Whose usage is reported."""

    MINE = "mine"
    TENANT = "tenant"


FirstDayParam = Annotated[
    date | None,
    BeforeValidator(_day),
    Query(alias="from", description=f"The first day (UTC). Default: {DEFAULT_DAYS} days up to the last."),
]
LastDayParam = Annotated[
    date | None, BeforeValidator(_day), Query(alias="to", description="The last day (UTC). Default: today.")
]
ScopeParam = Annotated[
    UsageScope, Query(description="`tenant`: of all users of your tenant, for the role admin only.")
]
ConversationParam = Annotated[
    str | None,
    Query(max_length=64, description="Only this conversation of yours, from its beginning unless told."),
]


class CountsView(View):
    """Sums over turns and runs."""

    turns: int = Field(description="Turns a model took part in; others cost nothing and are not counted.")
    runs: int = Field(description="Runs of agents that ended, whether a model was asked or not.")
    model_calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float = Field(description="Calls of models without a known price are not part of it.")

    @classmethod
    def of(cls, counts: UsageCounts) -> CountsView:
        """The counts as clients see them."""
        return cls(
            turns=counts.turns,
            runs=counts.runs,
            model_calls=counts.model_calls,
            prompt_tokens=counts.prompt_tokens,
            completion_tokens=counts.completion_tokens,
            cost_usd=counts.cost_micro_usd / MICRO_PER_USD,
        )


class DayUsageView(View):
    """The model usage of one day."""

    day: date
    usage: CountsView


class UserUsageView(View):
    """The model usage of one user, over all days."""

    user: str
    usage: CountsView


class BudgetView(View):
    """The tenant's budget, and what the current UTC day has used of it."""

    usd_per_day: float | None = Field(description="The tenant's own cap; null: it set none.")
    effective_usd_per_day: float = Field(
        description="What counts: the lower of the tenant's own cap and the one that operators set."
    )
    spent_usd: float = Field(description="What the models of all users cost in this UTC day.")
    held_usd: float = Field(description="Put aside for calls under way.")

    @classmethod
    def of(
        cls, budget: Budget, *, spent_micro_usd: int, held_micro_usd: int, effective_usd_per_day: float
    ) -> BudgetView:
        """The budget as administrators see it."""
        return cls(
            usd_per_day=budget.usd_per_day,
            effective_usd_per_day=effective_usd_per_day,
            spent_usd=spent_micro_usd / MICRO_PER_USD,
            held_usd=held_micro_usd / MICRO_PER_USD,
        )


class CapView(View):
    """One cap of the tenant's budget or its operators, and what counts for it."""

    period: Period = Field(description="`day` or `month`, in UTC.")
    cap_usd: float
    spent_usd: float = Field(description="What models have cost in this period so far.")
    held_usd: float = Field(description="Put aside for calls under way.")

    @classmethod
    def of(cls, period: Period, cap_usd: float, *, spent_micro_usd: int, held_micro_usd: int) -> CapView:
        """The cap as those see it for whom it holds."""
        return cls(
            period=period,
            cap_usd=cap_usd,
            spent_usd=spent_micro_usd / MICRO_PER_USD,
            held_usd=held_micro_usd / MICRO_PER_USD,
        )


class UsageReport(View):
    """The model usage from one day to another."""

    from_day: date
    to_day: date
    total: CountsView
    days: tuple[DayUsageView, ...] = Field(description="Days on which nothing was taken are left out.")
    users: tuple[UserUsageView, ...] | None = Field(
        default=None, description="The dearest first; null unless asked for the whole tenant."
    )
    budget: BudgetView | None = Field(
        default=None, description="Today's; null unless asked for the whole tenant."
    )
    caps: tuple[CapView, ...] | None = Field(
        default=None,
        description="The caps that hold for what is reported, you or the whole tenant, each with its current"
        " period; null for a conversation.",
    )

    @classmethod
    def of(cls, first: date, last: date, counted: Sequence[DailyUsage]) -> UsageReport:
        """The report on counted usage, without users and budget."""
        days = _sums(counted, lambda entry: entry.day.isoformat())
        return cls(
            from_day=first,
            to_day=last,
            total=CountsView.of(_sum(counted)),
            days=tuple(
                DayUsageView(day=date.fromisoformat(day), usage=CountsView.of(days[day]))
                for day in sorted(days)
            ),
        )

    def with_caps(self, caps: Sequence[CapView]) -> UsageReport:
        """The report with the caps that hold for it."""
        return self.model_copy(update={"caps": tuple(caps)})

    def with_users(self, counted: Sequence[DailyUsage], budget: BudgetView) -> UsageReport:
        """The report on a whole tenant, with its users, the most expensive first, and its budget."""
        users = _sums(counted, lambda entry: entry.user)
        dearest = sorted(users, key=lambda user: (-users[user].cost_micro_usd, user))
        views = tuple(UserUsageView(user=user, usage=CountsView.of(users[user])) for user in dearest)
        return self.model_copy(update={"users": views, "budget": budget})


def usage_period(first: date | None, last: date | None, today: date) -> tuple[date, date]:
    """The first and the last day asked for; by default the 30 days up to today.

    Raises:
        Problem: query_invalid for days that end before they begin, or for too many.
    """
    until = last or today
    # The calendar begins at ordinal 1.
    since = first or date.fromordinal(max(1, until.toordinal() - DEFAULT_DAYS + 1))
    if not timedelta(0) <= until - since < timedelta(days=MAX_DAYS):
        raise Problem("query_invalid", f"from, to: at most {MAX_DAYS} days, the first one first.")
    return since, until


def _sums(counted: Iterable[DailyUsage], name: Callable[[DailyUsage], str]) -> dict[str, UsageCounts]:
    sums: defaultdict[str, UsageCounts] = defaultdict(UsageCounts)
    for entry in counted:
        sums[name(entry)] += entry.counts
    return sums


def _sum(counted: Iterable[DailyUsage]) -> UsageCounts:
    return sum((entry.counts for entry in counted), UsageCounts())


class ModelView(View):
    """A model that can be used here."""

    id: str = Field(description="What `model` of a message may say.")
    aliases: tuple[str, ...] = Field(description="Other names that mean the same.")
    vendor: Vendor | None = Field(description="Who serves it; null: somebody outside the catalogue.")
    tier: Tier = Field(description="`fast` ones understand messages, `strong` ones answer questions.")
    context_tokens: int | None = Field(description="The longest prompt; null: not known.")
    max_output_tokens: int | None = Field(description="The longest answer; null: not known.")
    input_usd_per_million: float | None = Field(
        description="For a million tokens of prompts; null: not known."
    )
    output_usd_per_million: float | None = Field(
        description="For a million tokens of answers; null: not known."
    )
    supports_tools: bool
    supports_thinking: bool = Field(description="Whether it thinks harder about hard questions.")
    notes: str = Field(description="What it is good for.")
    understands_by_default: bool = Field(
        description="Whether messages are understood by it unless they name one."
    )
    answers_by_default: bool = Field(description="Whether it is among those that questions are routed to.")


def model_views(registry: ModelRegistry, allowed: frozenset[str] | None) -> tuple[ModelView, ...]:
    """Every model that a caller may name under a policy that allows these, in order of preference."""
    intent_model, strong_models = registry.find_intent_model(allowed), registry.find_strong_models(allowed)
    return tuple(
        _view(model, understands=model is intent_model, answers=model in strong_models)
        for model in registry.find_models(allowed)
    )


def _view(model: Model, *, understands: bool, answers: bool) -> ModelView:
    return ModelView(
        id=model.id,
        aliases=model.aliases,
        vendor=model.vendor,
        tier=model.tier,
        context_tokens=model.context_tokens,
        max_output_tokens=model.max_output_tokens,
        input_usd_per_million=model.input_usd_per_million,
        output_usd_per_million=model.output_usd_per_million,
        supports_tools=model.supports_tools,
        supports_thinking=model.supports_thinking,
        notes=model.notes,
        understands_by_default=understands,
        answers_by_default=answers,
    )
