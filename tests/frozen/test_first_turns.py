"""The first turns of a process that is frozen between invocations, as Lambda freezes one, with a model of
200 ms."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.imports import function_environment
from tests.fakes.deployment.frozen_function import FrozenFunction
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.slow

MODEL_MS = 200
WITHIN_S = 3.0
FAST, STRONG = "house-fast", "house-strong"
ANSWER = "The first of May."


def in_time(**reply: Any) -> Reply:
    return Reply(delay_ms=MODEL_MS, **reply)


SCRIPT = Script(
    [
        Rule(
            "which agents",
            in_time(decision={"action_type": "list_agents", "confidence": 0.95, "entities": {}}),
            prompt="Classify the last message",
        ),
        Rule(
            "",
            in_time(decision={"action_type": "query_info", "confidence": 0.95, "entities": {}}),
            prompt="Classify the last message",
        ),
        Rule(
            "",
            in_time(
                decision={"model": STRONG, "tools": [], "can_answer": True, "think": False, "reason": "-"}
            ),
            prompt="Pick who answers",
        ),
        Rule("", in_time(content=ANSWER), model=STRONG),
    ]
)
COMMAND, QUESTION = "Which agents do I have?", "When does the trade fair in Lisbon open next year?"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(SCRIPT) as running:
        yield running


@pytest.fixture
def function(server: ModelServer, tmp_path: Path) -> Iterator[FrozenFunction]:
    environ = {
        **function_environment(),
        "PYTHONPYCACHEPREFIX": os.environ["PYTHONPYCACHEPREFIX"],
        "OMNIFORGE_TABLE": f"sqlite:///{tmp_path / 'omniforge.db'}",
        "OMNIFORGE_FINISH_QUEUE": "",
        "OMNIFORGE_INTENT_MODEL": FAST,
        "OMNIFORGE_STRONG_MODELS": STRONG,
        "OMNIFORGE_INTENT_DEADLINE_MS": "2000",
        "OPENAI_BASE_URL": server.base_url,
        "OPENAI_API_KEY": "sk-test",
    }
    with FrozenFunction(environ) as started:
        yield started


@pytest.mark.parametrize("messages", [(COMMAND, QUESTION), (QUESTION, COMMAND)], ids=["command", "question"])
def test_a_fresh_process_has_its_first_command_and_question_answered_by_the_model(
    function: FrozenFunction, messages: tuple[str, ...]
) -> None:
    for message in messages:
        told = function.invoke(message)
        decision = told["metadata"]["decision"]
        assert (decision["source"], decision["model"]) == ("model", FAST), decision
        if message == QUESTION:
            assert told["text"] == ANSWER
            assert told["metadata"]["routing"]["model"] == STRONG
        assert told["took_s"] < WITHIN_S, os.getloadavg()
        assert not told["litellm"]
