"""The labelled tool-selection cases against the real router, prompt and tools; only the model is scripted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest

from llm.catalogue import Catalogue
from tests.evals.tools import (
    STRONG,
    TARGET,
    as_labelled,
    offered_tools,
    open_router,
    pick_all,
    read_tool_cases,
)
from tests.fakes.models.model_script import Reply
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.slow

CASES = read_tool_cases()
FAST = "gpt-4o-mini"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with ModelServer(as_labelled(CASES)) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield running


def test_the_cases_are_many_and_name_only_what_there_is() -> None:
    known = offered_tools().names
    assert len(CASES) >= 60
    assert max(Counter(case.id for case in CASES).values()) == 1
    assert {name for case in CASES for name in case.tools | case.also} == known
    assert all(Catalogue.load().find(name) for name in STRONG)
    assert {case.model for case in CASES} <= {None, *STRONG}


def test_a_model_that_picks_as_labelled_is_right_every_time(server: ModelServer) -> None:
    picked = pick_all(open_router(FAST), CASES)

    assert (picked.overall.accuracy, picked.fallbacks) == (1.0, 0)
    assert picked.cost_usd / len(CASES) < 0.0002


def test_a_model_that_never_picks_a_tool_misses_the_target(server: ModelServer) -> None:
    nothing = {"model": STRONG[0], "tools": [], "can_answer": True, "think": False, "reason": ""}
    server.use(lambda _: Reply(decision=nothing))

    picked = pick_all(open_router(FAST), CASES)

    assert picked.overall.accuracy < TARGET


def test_a_router_is_shown_every_tool_and_both_models_and_must_be_brief(server: ModelServer) -> None:
    pick_all(open_router(FAST), CASES[:1])

    (request,) = server.log().requests
    schema = json.dumps(request.body["response_format"])
    assert all(f'"{name}"' in schema for name in (*offered_tools().names, *STRONG))
    assert all(f"- {name}: " in request.system for name in (*offered_tools().names, *STRONG))
    assert request.body["max_tokens"] <= 150
    assert request.offered_tools == []
