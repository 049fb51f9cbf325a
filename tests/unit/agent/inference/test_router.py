"""Who answers a question: what a fast model says, checked, and what happens when it says nothing usable."""

from __future__ import annotations

import json

import pytest

from agent.inference.router import Router, Routing
from conversation.clock import Deadline
from llm.errors import ModelUnavailable, ModelUnavailableForNow
from llm.request_types import ModelResponse
from llm.spend_guard import NoBudget
from tests.fakes.models.scripted_models import FAST, OTHER, STRONG, ScriptedModels, pool_of, response
from tests.fakes.run.clocks import ManualClock
from tools.builtin.calculator import calculator
from tools.tool import Tool, Toolbox, ToolContext


def tool(name: str) -> Tool:
    def nothing(_context: ToolContext) -> str:
        """Do nothing."""
        return ""

    return Tool.of(nothing, name=name)


FEW = Toolbox([calculator()])
MANY = Toolbox([calculator(), *map(tool, ("alpha", "beta", "gamma"))])


def choice(model: str = STRONG, tools: list[str] | None = None, **fields: object) -> ModelResponse:
    return response(json.dumps({"model": model, "tools": tools or [], "can_answer": True, **fields}))


def route(
    *answers: ModelResponse | ModelUnavailable,
    toolbox: Toolbox = FEW,
    strong: tuple[str, ...] = (STRONG, OTHER),
    allowed: frozenset[str] | None = None,
    named: str | None = None,
) -> tuple[Routing | None, ScriptedModels]:
    clock = ManualClock()
    models = ScriptedModels(clock, answers)
    routing = Router(pool_of(models, *strong), fast_model=FAST).route(
        "What is 6 times 7?",
        toolbox,
        allowed=allowed,
        requested_model=named,
        budget=NoBudget(),
        deadline=Deadline.after(clock, 20),
    )
    return routing, models


def chosen(*answers: ModelResponse | ModelUnavailable, toolbox: Toolbox = FEW) -> Routing:
    routing, _ = route(*answers, toolbox=toolbox)
    assert routing is not None
    return routing


def test_the_fast_model_picks_model_and_tools() -> None:
    routing = chosen(choice(OTHER, ["calculator"], reason="a sum"))

    assert (routing.model.id, routing.tools, routing.by) == (OTHER, ("calculator",), "model")
    assert (routing.router, routing.reason, routing.cost_usd) == (FAST, "a sum", 0.001)


def test_tools_there_are_not_are_dropped() -> None:
    assert chosen(choice(tools=["calculator", "shell", "calculator"])).tools == ("calculator",)


def test_a_model_there_is_not_becomes_the_first_strong_one() -> None:
    routing = chosen(choice("gpt-99", ["calculator"]))

    assert (routing.model.id, routing.tools) == (STRONG, ("calculator",))
    assert (routing.by, routing.fallback_reason) == ("fallback", "unknown_model")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Sure!",
        "[]",
        '{"model": 7, "tools": []}',
        '{"model": "x"}',
        '{"tools": "calculator"}',
        "{" * 9_999,
    ],
)
def test_words_that_are_no_choice_lead_to_the_safe_default(text: str) -> None:
    routing = chosen(response(text))

    assert (routing.model.id, routing.by) == (STRONG, "fallback")
    assert (routing.fallback_reason, routing.can_answer) == ("invalid_output", None)


def test_a_fast_model_that_fails_gives_few_tools_to_the_first_strong_model_and_none_of_many() -> None:
    few = chosen(ModelUnavailableForNow())
    many = chosen(ModelUnavailableForNow(), toolbox=MANY)

    assert (few.model.id, few.tools, few.fallback_reason) == (STRONG, ("calculator",), "breaker_open")
    assert many.tools == ()


def test_nothing_is_asked_where_there_is_nothing_to_choose() -> None:
    routing, models = route(toolbox=Toolbox(), strong=(STRONG,))

    assert routing is not None
    assert (routing.model.id, routing.by, models.asked) == (STRONG, "only_choice", [])


def test_without_a_strong_model_nobody_answers() -> None:
    assert route(strong=())[0] is None
    assert route(strong=(), named=STRONG)[0] is None
    assert route(allowed=frozenset({FAST}))[0] is None


def test_the_model_somebody_named_answers_if_their_tenant_allows_it() -> None:
    named, _ = route(choice(OTHER), named=OTHER)
    forbidden, _ = route(choice(STRONG), named=OTHER, allowed=frozenset({FAST, STRONG}))

    assert named is not None
    assert forbidden is not None
    assert (named.model.id, forbidden.model.id) == (OTHER, STRONG)


def test_a_fast_model_somebody_named_routes_and_leaves_answering_to_the_strong() -> None:
    routing, _ = route(choice(OTHER), named="gpt-5.4-nano")

    assert routing is not None
    assert (routing.router, routing.model.id) == ("gpt-5.4-nano", OTHER)


def test_a_long_reason_is_cut_and_kept_on_one_line() -> None:
    reason = chosen(choice(reason="because\n" * 500)).reason

    assert len(reason) <= 200
    assert "\n" not in reason
