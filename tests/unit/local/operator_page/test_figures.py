from __future__ import annotations

import logging
from typing import Any

from local.operator_page.figures import STEP_S, STEPS, Figures
from local.operator_page.page import FIGURES_PATH, OperatorPage
from local.proxy.functions import FunctionFailed
from tests.fakes.run.clocks import ManualClock


def figures_at(clock: ManualClock) -> Figures:
    return Figures(clock.monotonic, lambda: {"FinishQueue": 2})


def tell(figures: Figures, event: str, **fields: object) -> None:
    record = logging.makeLogRecord({"msg": event, **fields})
    figures.handle(record)


def steps_of(figures: Figures) -> list[Any]:
    measured = figures.as_json()["measured"]
    assert isinstance(measured, list)
    return measured


def test_a_step_adds_up_turns_tiers_costs_and_waits() -> None:
    figures = figures_at(ManualClock())
    for latency_ms in (100, 200, 900):
        tell(figures, "turn ended", latency_ms=latency_ms, waited=1, cost_usd=0.25)
        tell(figures, "intent decided", source="model", latency_ms=5, confidence=0.9)
    tell(figures, "something else")

    (step,) = steps_of(figures)
    assert step["turns"] == 3
    assert (step["p50"]["turn_latency_ms"], step["p95"]["turn_latency_ms"]) == (200, 900)
    assert step["sums"] == {"turns_waited": 3, "turn_cost_usd": 0.75}
    assert step["counts"] == {"intent_classification_method": {"model": 3}}
    assert step["waiting"] == {"FinishQueue": 2}


def test_figures_are_forgotten_after_a_quarter_of_an_hour() -> None:
    clock = ManualClock()
    figures = figures_at(clock)
    tell(figures, "turn ended", latency_ms=100)
    clock.advance(STEP_S * STEPS)
    assert [step["turns"] for step in steps_of(figures)] == [0]


def test_what_was_said_is_in_no_figure() -> None:
    figures = figures_at(ManualClock())
    tell(figures, "tool used", tool="calculator", outcome="ok", arguments="hunter2")
    assert "hunter2" not in str(figures.as_json())


def test_only_the_role_operator_gets_figures() -> None:
    def authorize(authorization: str) -> dict[str, Any]:
        if authorization == "nonsense":
            raise FunctionFailed("Unauthorized", "Unauthorized")
        return {"context": {"roles": authorization}}

    page = OperatorPage(figures_at(ManualClock()), authorize)
    statuses = {
        sent: page.respond("GET", FIGURES_PATH, sent).status
        for sent in ("nonsense", "", "admin service", "operators", "admin operator")
    }
    assert statuses == {
        "nonsense": 401,
        "": 403,
        "admin service": 403,
        "operators": 403,
        "admin operator": 200,
    }
    assert page.respond("POST", FIGURES_PATH, "operator").status == 405
