"""Which models are asked one after the other, and how long each may take."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest

from llm.catalogue import Catalogue, Model, Vendor
from llm.errors import (
    ModelBudgetExceeded,
    ModelMisconfigured,
    ModelTimeout,
    ModelUnavailable,
    ModelUnavailableForNow,
    TransientModelError,
)
from llm.failover import ModelWalk, PassedOver, stand_ins

TEMPLATE = Catalogue.load().models[0]


def model(name: str, vendor: Vendor = Vendor.OPENAI) -> Model:
    return replace(TEMPLATE, id=name, vendor=vendor, aliases=())


ONE, TWO, THREE = model("one"), model("two"), model("three")


def walk(
    *models: Model, resting: Collection[str] = (), left_s: float = 20.0, call_s: float = 50.0
) -> ModelWalk:
    return ModelWalk(
        models, is_resting=lambda name, _within_s: name in resting, left_s=lambda: left_s, call_s=call_s
    )


def failing(errors: dict[str, ModelUnavailable], asked: Model) -> str:
    if asked.id in errors:
        raise errors[asked.id]
    return asked.id


@pytest.mark.parametrize(
    "error",
    [ModelMisconfigured(), ModelTimeout(), TransientModelError("rate_limited"), ModelUnavailableForNow()],
)
def test_the_next_model_answers_for_one_that_fails(error: ModelUnavailable) -> None:
    one = walk(ONE, TWO, THREE)
    assert one.first_answer(lambda asked, _: failing({"one": error}, asked)) == "two"
    assert one.passed_over == [PassedOver("one", error.reason)]


def test_a_resting_model_is_passed_over_unasked() -> None:
    asked: list[str] = []
    one = walk(ONE, TWO, resting={"one"})
    one.first_answer(lambda model, _: asked.append(model.id))
    assert asked == ["two"]
    assert one.passed_over == [PassedOver("one", "breaker_open")]


def test_when_all_fail_the_first_failure_counts() -> None:
    errors: dict[str, ModelUnavailable] = {"two": ModelMisconfigured(), "three": ModelTimeout()}
    one = walk(ONE, TWO, THREE, resting={"one"})
    with pytest.raises(ModelMisconfigured):
        one.first_answer(lambda asked, _: failing(errors, asked))


def test_when_all_rest_nobody_is_asked() -> None:
    with pytest.raises(ModelUnavailableForNow):
        walk(ONE, TWO, resting={"one", "two"}).first_answer(lambda asked, _: asked)


def test_no_other_model_is_asked_once_the_budget_is_spent() -> None:
    one = walk(ONE, TWO)
    with pytest.raises(ModelBudgetExceeded):
        one.first_answer(lambda asked, _: failing({"one": ModelBudgetExceeded()}, asked))
    assert one.passed_over == [PassedOver("one", "budget_reached")]


def test_a_model_leaves_half_of_the_time_to_those_that_could_answer_for_it() -> None:
    assert [round(each.within_s) for each in walk(ONE, TWO).attempts()] == [10, 20]
    assert [round(each.within_s) for each in walk(ONE, TWO, resting={"two"}).attempts()] == [20]
    assert [round(each.within_s) for each in walk(ONE, TWO, call_s=4.0).attempts()] == [4, 4]


def test_without_time_no_second_model_is_asked() -> None:
    assert len([*walk(ONE, TWO, left_s=0.01).attempts()]) == 1


def test_models_of_other_vendors_stand_in_first_and_in_turn() -> None:
    claude, claude_too = model("claude", Vendor.ANTHROPIC), model("claude-too", Vendor.ANTHROPIC)
    gemini = model("gemini", Vendor.GEMINI)
    others = (ONE, TWO, THREE, claude, claude_too, gemini)
    assert stand_ins(ONE, others) == (ONE, claude, gemini, TWO, claude_too, THREE)
