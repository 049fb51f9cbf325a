"""Looking models up, and what it costs to have a question routed, by the prices of the catalogue."""

from __future__ import annotations

import json
import os
import timeit
from collections.abc import Callable
from pathlib import Path

from agent.inference.router import Router
from agent.inference.toolbox import AgentTools
from agent.workspace.agent_store import AgentStore
from agent.workspace.run_store import RunStore
from conversation.clock import Deadline, SystemClock
from conversation.token_counts import TokenCounter
from llm import catalogue
from llm.available_models import ModelRegistry
from llm.catalogue import Catalogue, Model, Tier, Vendor
from llm.circuit_breaker import ModelCircuitBreakers
from llm.client_pool import ModelClientPool
from llm.completion import CompletionClient
from llm.errors import ModelUnavailableForNow
from llm.request_types import ModelRequest, ModelResponse
from llm.spend_guard import NoBudget, SpendGuard
from storage.factory import open_table
from storage.tenant_table import Tables
from tasks.store import TaskStore
from tests.benchmarks.contexts import vocabulary_folder
from tests.benchmarks.figures import Figure, Report, at_most, median_of
from tests.benchmarks.prompts import input_tokens
from tools.builtin.calculator import calculator
from tools.builtin.tasks import TaskTools
from tools.builtin.web_search import SearchSettings, WebSearch
from tools.outbound.client import OutboundClient
from tools.tool import Toolbox

LOOK_UP_US = 10.0
ROUTING_USD = 0.0002
"""What routing one query may cost. Source: the conversation architecture this was specified with."""

QUESTION = "What is 5 factorial times 8?"
DECISION = {
    "model": "anthropic/claude-sonnet-5-5",
    "tools": ["calculator"],
    "can_answer": True,
    "think": False,
    "reason": "exact arithmetic needs the calculator",
}
_REPEATS = 10_000


class _Listener(CompletionClient):
    """Asks no model; keeps the question."""

    question: ModelRequest

    def complete(
        self, question: ModelRequest, *, model: str, deadline_s: float, budget: SpendGuard | None = None
    ) -> ModelResponse:
        self.question = question
        raise ModelUnavailableForNow


def measure() -> Report:
    """Look-ups, then the price of a routing for each model of the catalogue."""
    clock = SystemClock()
    completion = _Listener(timer=clock, breaker=ModelCircuitBreakers(clock.monotonic))
    registry = ModelRegistry(vendors=frozenset(Vendor), intent_model="gpt-4o-mini")
    pool = ModelClientPool(completion, registry)
    yield from _look_ups(registry, pool)
    vocabulary = vocabulary_folder()
    if vocabulary is None:
        yield "routing left out: litellm, which brings the vocabulary, is not installed"
        return
    os.environ["TIKTOKEN_CACHE_DIR"] = str(vocabulary)  # elsewhere tiktoken finds nothing, and downloads
    counter = TokenCounter(vocabulary)
    Router(pool, fast_model="gpt-4o-mini").route(
        QUESTION, _tools(clock), allowed=None, budget=NoBudget(), deadline=Deadline.after(clock, 10)
    )
    asked, answered = input_tokens(completion.question, counter), counter.count(json.dumps(DECISION))
    yield Figure("a routing: rules, models, tools and the question", asked, "tokens")
    yield Figure("a routing: the decision", answered, "tokens")
    yield from _costs(registry, asked, answered)


def _look_ups(registry: ModelRegistry, pool: ModelClientPool) -> Report:
    allowed = frozenset({"gpt-4o-mini", "claude-sonnet"})
    model = registry.find("claude-sonnet")
    assert model is not None
    tools = frozenset({"calculator", "web_search"})
    shipped = Path(catalogue.__file__).with_name("catalogue.json").read_text("utf-8")
    yield Figure("the catalogue checked", _microseconds(lambda: Catalogue.load(shipped), 10), "µs")
    for name, look_up in {
        "a model by an alias": lambda: registry.find("claude-sonnet"),
        "a model by an alias, under a policy": lambda: registry.find("claude-sonnet", allowed),
        "a name nobody knows": lambda: registry.find("gpt-99"),
        "a client of a model with two tools": lambda: pool.client(model, tools),
    }.items():
        yield Figure(name, _microseconds(look_up, _REPEATS), "µs", at_most(LOOK_UP_US))


def _costs(registry: ModelRegistry, asked: int, answered: int) -> Report:
    """The limit counts for the model each vendor would route with; others are there to be compared."""
    for model in sorted(Catalogue.load().models, key=lambda one: one.tier is Tier.STRONG):
        limit = at_most(ROUTING_USD * 1e6) if _routes(registry, model) else None
        usd = model.cost_usd(asked, answered)
        if usd is not None:
            yield Figure(f"routing by {model.id}", usd * 1e6, "µUSD", limit)


def _routes(registry: ModelRegistry, model: Model) -> bool:
    return registry.find_fast_model(model.vendor) is model


def _tools(clock: SystemClock) -> Toolbox:
    tables = Tables(open_table("sqlite:///:memory:"))
    search = SearchSettings("https://search.example.com", lambda: "key")
    agents, runs = AgentStore(tables=tables, clock=clock), RunStore(tables=tables, clock=clock)
    return Toolbox(
        (
            calculator(),
            WebSearch(search, OutboundClient(allow_loopback=False)).tool(),
            *TaskTools(TaskStore(tables=tables, clock=clock)).tools(),
            *AgentTools(agents=agents, runs=runs).tools(),
        )
    )


def _microseconds(work: Callable[[], object], repeats: int) -> float:
    return median_of(lambda: timeit.timeit(work, number=repeats) / repeats * 1e6)
