"""Does a router pick the tools, and where it matters the model, that people would? Prints nothing.

Cases are JSON lines: ``id``, ``text``, the ``tools`` that are needed, ``also`` those that do no harm, the
``model`` where one is plainly better, and the ``history`` before it as pairs of role and text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter

from agent.inference.factory import compose_toolboxes
from agent.inference.router import Router, Routing
from agent.workspace.roster import read_roster
from conversation.clock import Deadline, SystemClock
from conversation.identity import Caller
from llm.available_models import ModelRegistry
from llm.circuit_breaker import ModelCircuitBreakers
from llm.client_pool import ModelClientPool
from llm.completion import CompletionClient
from llm.spend_guard import NoBudget
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.evals.measurement import Share
from tests.fakes.models.model_script import Answerer, Reply, Request
from tools.outbound.client import OutboundClient, ToolSettings
from tools.tool import Toolbox

CASES = Path(__file__).with_name("tools.jsonl")
STRONG = ("gpt-6.1-sol", "gpt-4.1")
"""What the router may pick from: one for hard reasoning, one for general knowledge."""

TARGET = 0.9
"""The least share that is right. Source: seed 004, the chat orchestration's success criteria."""

_LIBRARY_TIMEOUT_S = 120.0
_SECONDS_PER_CASE = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCase:
    """One message, and what should be picked for it."""

    id: str
    text: str
    tools: frozenset[str]
    also: frozenset[str] = frozenset()
    model: str | None = None
    history: tuple[tuple[str, str], ...] = ()

    def accepts(self, routing: Routing) -> bool:
        """Whether all that is needed was picked, nothing that does harm, and the model where one matters."""
        picked = frozenset(routing.tools)
        fits = self.tools <= picked <= self.tools | self.also
        return fits and self.model in (None, *routing.model.names)


@dataclass(slots=True)
class Picked:
    """What came out; ``wrong`` maps ids to what was picked instead."""

    overall: Share = field(default_factory=Share)
    wrong: dict[str, str] = field(default_factory=dict)
    fallbacks: int = 0
    cost_usd: float = 0.0

    def count(self, case: ToolCase, routing: Routing) -> None:
        """One more case."""
        is_right = routing.by == "model" and case.accepts(routing)
        self.overall.count(is_right=is_right)
        self.fallbacks += routing.by == "fallback"
        self.cost_usd += routing.cost_usd or 0.0
        if not is_right:
            why = f" ({routing.fallback_reason})" if routing.fallback_reason else ""
            self.wrong[case.id] = f"{routing.model.id} with {', '.join(routing.tools) or 'no tools'}{why}"


def read_tool_cases(path: Path = CASES) -> tuple[ToolCase, ...]:
    """The labelled cases."""
    lines = path.read_text("utf-8").splitlines()
    return tuple(TypeAdapter(ToolCase).validate_json(line) for line in lines if line.strip())


def offered_tools() -> Toolbox:
    """Every tool there is, over an empty table; none of them is called."""
    clock, caller = SystemClock(), Caller(TenantId("acme"), "maya")
    tables = Tables(SqliteTable(":memory:"))
    settings = ToolSettings(
        outbound=OutboundClient(allow_loopback=True),
        search_url="https://search.invalid",
        search_key=lambda: "none",
    )
    toolboxes = compose_toolboxes(settings, tables=tables, clock=clock)
    return toolboxes.for_caller(caller, read_roster(tables, caller.tenant, clock.now()))


def open_router(model: str) -> Router:
    """A router that asks the model, whoever serves it; waits until it can."""
    clock = SystemClock()
    completion = CompletionClient(timer=clock, breaker=ModelCircuitBreakers(clock.monotonic))
    completion.is_ready(_LIBRARY_TIMEOUT_S)
    registry = ModelRegistry(vendors=frozenset(), intent_model=model, strong_models=STRONG)
    return Router(ModelClientPool(completion, registry), fast_model=model)


def pick_all(router: Router, cases: Iterable[ToolCase]) -> Picked:
    """What the router picks for each case."""
    toolbox, clock, picked = offered_tools(), SystemClock(), Picked()
    for case in cases:
        routing = router.route(
            case.text,
            toolbox,
            allowed=None,
            budget=NoBudget(),
            deadline=Deadline.after(clock, _SECONDS_PER_CASE),
            history=[{"role": role, "content": text} for role, text in case.history],
        )
        if routing is None:
            raise ValueError("there is no strong model to pick")
        picked.count(case, routing)
    return picked


def as_labelled(cases: Iterable[ToolCase]) -> Answerer:
    """A scripted server's answers that pick what the labels say: shows that cases, prompt and reading of the
    answer work, and says nothing of any model.
    """
    by_text = {case.text: case for case in cases}

    def answer(request: Request) -> Reply:
        case = by_text[request.last_user_message]
        choice = {
            "model": case.model or STRONG[0],
            "tools": sorted(case.tools),
            "can_answer": True,
            "think": False,
            "reason": "labelled so",
        }
        return Reply(decision=choice)

    return answer
