"""What is put aside before a model is asked and what is said to be spent after it, over real HTTP."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from llm.completion import CompletionClient
from llm.errors import ModelBudgetExceeded, ModelUnavailable
from llm.request_types import ModelRequest, ToolSchema
from llm.spend_guard import CallUsage, estimate_prompt_tokens
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

QUESTION = ModelRequest(messages=[{"role": "user", "content": "x" * 300}], max_tokens=500, temperature=0.1)
MODEL = "gpt-4o-mini"
OK = Reply(content="yes")
OK_COST = pytest.approx(600 * 0.15e-6 + 80 * 0.6e-6)


@dataclass
class Ledger:
    """A purse that writes everything down."""

    is_empty: bool = False
    reserved: list[float] = field(default_factory=list)
    spent: list[CallUsage] = field(default_factory=list)

    def reserve(self, estimate_usd: float) -> Ledger:
        if self.is_empty:
            raise ModelBudgetExceeded
        self.reserved.append(estimate_usd)
        return self

    def settle(self, spent: CallUsage) -> None:
        self.spent.append(spent)


def pay(completion: CompletionClient, ledger: Ledger, *, model: str = MODEL, deadline_s: float = 5.0) -> str:
    """The answer, or the reason there is none."""
    try:
        return completion.complete(QUESTION, model=model, deadline_s=deadline_s, budget=ledger).text
    except ModelUnavailable as error:
        return error.reason


def estimate() -> float:
    return estimate_prompt_tokens(QUESTION) * 0.15e-6 + 500 * 0.6e-6


def test_an_answer_is_paid_with_what_it_took(completion: CompletionClient, model_server: ModelServer) -> None:
    model_server.use(Script(default=OK))
    ledger = Ledger()
    assert pay(completion, ledger) == "yes"
    assert ledger.reserved == [pytest.approx(estimate())]
    assert ledger.spent == [CallUsage(MODEL, 600, 80, OK_COST)]  # type: ignore[arg-type]


def test_an_empty_purse_asks_no_model_and_says_nothing_of_its_health(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=OK))
    assert [pay(completion, Ledger(is_empty=True)) for _ in range(5)] == ["budget_reached"] * 5
    assert model_server.log().requests == ()
    assert pay(completion, Ledger()) == "yes"


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
def test_a_refused_question_costs_nothing(
    completion: CompletionClient, model_server: ModelServer, status: int
) -> None:
    model_server.use(Script(default=Reply(status=status)))
    ledger = Ledger()
    pay(completion, ledger)
    assert ledger.spent == [CallUsage(MODEL, 0, 0, 0.0)]
    assert len(ledger.reserved) == 1


def test_a_question_that_reached_nobody_costs_nothing(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.stop()
    ledger = Ledger()
    assert pay(completion, ledger) == "unreachable"
    assert ledger.spent == [CallUsage(MODEL, 0, 0, 0.0)]


def test_a_second_try_is_paid_once(completion: CompletionClient, model_server: ModelServer) -> None:
    model_server.use(Script([Rule("", Reply(status=503), times=1)], OK))
    ledger = Ledger()
    assert pay(completion, ledger) == "yes"
    assert ledger.spent == [CallUsage(MODEL, 600, 80, OK_COST)]  # type: ignore[arg-type]
    assert len(ledger.reserved) == 1


def test_a_question_that_was_given_up_on_costs_its_estimate(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=Reply(mode="hang")))
    ledger = Ledger()
    assert pay(completion, ledger, deadline_s=0.3) == "deadline"
    (spent,) = ledger.spent
    assert (spent.prompt_tokens, spent.completion_tokens) == (estimate_prompt_tokens(QUESTION), 500)
    assert spent.cost_usd == pytest.approx(estimate())


def test_an_answer_that_broke_off_may_have_been_billed(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script([Rule("", Reply(mode="reset", content="half"), times=1)], OK))
    ledger = Ledger()
    assert pay(completion, ledger) == "yes"
    (spent,) = ledger.spent
    assert spent.cost_usd == pytest.approx(estimate() + 600 * 0.15e-6 + 80 * 0.6e-6)


def test_a_model_that_rests_takes_nothing(completion: CompletionClient, model_server: ModelServer) -> None:
    model_server.use(Script(default=Reply(status=401)))
    pay(completion, Ledger())
    ledger = Ledger()
    assert pay(completion, ledger) == "breaker_open"
    assert (ledger.reserved, ledger.spent) == ([], [])


def test_a_model_of_unknown_price_is_asked_and_its_cost_is_not_known(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=OK))
    ledger = Ledger()
    assert pay(completion, ledger, model="openai/house-model") == "yes"
    assert ledger.reserved == [0.0]
    assert ledger.spent == [CallUsage("openai/house-model", 600, 80, None)]


def test_a_model_outside_the_catalogue_has_the_price_litellm_knows(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=OK))
    ledger = Ledger()
    pay(completion, ledger, model="gpt-4o")
    assert ledger.reserved == [pytest.approx(estimate_prompt_tokens(QUESTION) * 2.5e-6 + 500 * 10e-6)]


def test_tools_and_schema_count_as_prompt_and_no_script_is_underestimated() -> None:
    tool = ToolSchema("calculator", "d" * 300, {"type": "object"})
    assert estimate_prompt_tokens(replace(QUESTION, tools=[tool])) - estimate_prompt_tokens(QUESTION) > 100
    assert (
        estimate_prompt_tokens(replace(QUESTION, schema={"d": "d" * 300})) - estimate_prompt_tokens(QUESTION)
        > 100
    )
    chinese = replace(QUESTION, messages=[{"role": "user", "content": "你" * 300}])
    assert estimate_prompt_tokens(chinese) > 300
