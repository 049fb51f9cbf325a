"""Counts the users' model usage per day: turns, runs, calls, tokens and cost.

A counter is written in the transaction that stores what it counts, so each turn and each run is counted
exactly once. Caps on the cost are enforced in `conversation.usage.budgets`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, timedelta
from typing import NamedTuple, cast

from pydantic import JsonValue

from conversation.identity import Caller, derived_id
from conversation.messages.models import Message, Role
from conversation.usage.budget_scope import BudgetScope
from storage import keys
from storage.keys import TenantId
from storage.table import Add, Item, Query, SetIfAbsent, Update, query_pages
from storage.tenant_table import Tables

MICRO_PER_USD = 1_000_000
KEPT = timedelta(days=400)
PAGE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUsage:
    """The model usage of one turn or run. ``cost_usd`` None: the price of a call is not known."""

    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0

    def with_call(self, prompt_tokens: int, completion_tokens: int, cost_usd: float | None) -> ModelUsage:
        """The usage with one more call. A call that used nothing, because it was refused or never made, is
        not counted.
        """
        if not (prompt_tokens or completion_tokens or cost_usd):
            return self
        known = None if self.cost_usd is None or cost_usd is None else self.cost_usd + cost_usd
        return ModelUsage(
            model_calls=self.model_calls + 1,
            prompt_tokens=self.prompt_tokens + prompt_tokens,
            completion_tokens=self.completion_tokens + completion_tokens,
            cost_usd=known,
        )

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to count: no model was called, or none answered."""
        return not (self.prompt_tokens or self.completion_tokens or self.cost_usd)

    def as_json(self) -> dict[str, JsonValue]:
        """The usage as stored in a reply's metadata."""
        cost = None if self.cost_usd is None else round(self.cost_usd, 9)
        return {**asdict(self), "cost_usd": cost}


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageCounts:
    """The total usage of turns and runs. Calls of models without a known price count as free."""

    turns: int = 0
    runs: int = 0
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_micro_usd: int = 0

    def __add__(self, other: UsageCounts) -> UsageCounts:
        mine, theirs = asdict(self), asdict(other)
        return UsageCounts(**{name: mine[name] + theirs[name] for name in mine})


class DailyUsage(NamedTuple):
    """A user's usage on a day, or a part of it."""

    user: str
    day: date
    counts: UsageCounts


def counts_of_turn(usage: ModelUsage) -> UsageCounts:
    """The counts of one turn with this usage."""
    return replace(_counts(usage), turns=1)


def counts_of_run(usage: ModelUsage) -> UsageCounts:
    """The counts of one run with this usage."""
    return replace(_counts(usage), runs=1)


def counts_of_calls(usage: ModelUsage) -> UsageCounts:
    """The counts of model calls that belong to no turn and no run."""
    return _counts(usage)


def increment(caller: Caller, source: str, now: datetime, counts: UsageCounts) -> Update:
    """The write that adds to the caller's counters, for the transaction that stores what is counted.

    ``source`` identifies the conversation or run and selects one of 16 counter items. The turns of one source
    come one after the other, so concurrent writes rarely meet in one item.
    """
    key = keys.usage_counter(caller.tenant, caller.user, now.date(), derived_id(source)[0])
    added = tuple(Add(name, amount) for name, amount in asdict(counts).items() if amount)
    kept_until = int((now + KEPT).timestamp())
    return Update(key, (*added, SetIfAbsent("expires_at", kept_until)))


def increment_for_reply(
    caller: Caller, source: str, now: datetime, metadata: Mapping[str, JsonValue]
) -> Update | None:
    """The same write for the usage in a reply's metadata; None when the reply used nothing."""
    usage = _usage_of(metadata)
    return None if usage is None or usage.is_empty else increment(caller, source, now, counts_of_turn(usage))


class UsageCounters:
    """Reads the usage counters; strongly consistent."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def for_user(self, caller: Caller, first: date, last: date) -> tuple[DailyUsage, ...]:
        """The caller's usage on each day from the first to the last; one query per month."""
        return self._read(caller.tenant, first, last, caller.user)

    def for_tenant(self, tenant: TenantId, first: date, last: date) -> tuple[DailyUsage, ...]:
        """The same for all users of the tenant."""
        return self._read(tenant, first, last, None)

    def cost_of(self, scope: BudgetScope, day: date) -> int:
        """What counts for a budget: the costs from the beginning of its period to a day in it, in millionths
        of a dollar; one query.
        """
        read = self._read(scope.tenant, scope.first_day(day), day, scope.user)
        return sum(entry.counts.cost_micro_usd for entry in read)

    def _read(self, tenant: TenantId, first: date, last: date, user: str | None) -> tuple[DailyUsage, ...]:
        counted = (
            _counted(item)
            for month in _months(first, last)
            for item in self._items(tenant, keys.usage_month_prefix(month, user))
        )
        return tuple(entry for entry in counted if first <= entry.day <= last)

    def _items(self, tenant: TenantId, prefix: str) -> Iterator[Item]:
        table, query = self._tables.for_tenant(tenant), Query(keys.usage(tenant), limit=PAGE, prefix=prefix)
        for page in query_pages(table, query):
            yield from page.items


def conversation_usage(caller: Caller, messages: Iterable[Message]) -> Iterator[DailyUsage]:
    """The usage of the caller's conversation, from the metadata of its replies and run results."""
    for message in messages:
        counts = _of_message(message)
        if counts is not None:
            yield DailyUsage(caller.user, message.created_at.date(), counts)


def _of_message(message: Message) -> UsageCounts | None:
    usage = _usage_of(message.metadata)
    if message.role is not Role.ASSISTANT or usage is None or usage.is_empty:
        return None
    return counts_of_run(usage) if "run_id" in message.metadata else counts_of_turn(usage)


def _usage_of(metadata: Mapping[str, JsonValue]) -> ModelUsage | None:
    usage = metadata.get("usage")
    if not isinstance(usage, dict):
        return None
    return ModelUsage(
        model_calls=int(_number(usage, "model_calls")),
        prompt_tokens=int(_number(usage, "prompt_tokens")),
        completion_tokens=int(_number(usage, "completion_tokens")),
        cost_usd=_number(usage, "cost_usd"),
    )


def _number(usage: Mapping[str, JsonValue], name: str) -> float:
    """0 for a number that is unknown or that an older reply does not have."""
    value = usage.get(name)
    return value if isinstance(value, int | float) else 0


def _counts(usage: ModelUsage) -> UsageCounts:
    return UsageCounts(
        model_calls=usage.model_calls,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cost_micro_usd=round((usage.cost_usd or 0.0) * MICRO_PER_USD),
    )


def _counted(item: Item) -> DailyUsage:
    _, month, user, day, _ = str(item["sk"]).split("#")
    counts = {name: cast("int", item.get(name, 0)) for name in asdict(UsageCounts())}
    return DailyUsage(keys.decode_user(user), date.fromisoformat(f"{month}-{day}"), UsageCounts(**counts))


def _months(first: date, last: date) -> Iterator[date]:
    month = first.replace(day=1)
    while month <= last:
        yield month
        month = (month + timedelta(days=31)).replace(day=1)
