"""The first turns of a process that is frozen between invocations and held back during them, as Lambda does
by a function's memory, with a model of 200 ms: started from nothing, or copied from a snapshot (SnapStart).
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from local.template.sam_translation import read_template
from tests.benchmarks.imports import ROOT, function_environment
from tests.fakes.deployment import cloned_function
from tests.fakes.deployment.frozen_function import PATIENT, FrozenFunction
from tests.fakes.http.servers import Site, fixed_answer
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.slow

MODEL_MS = 200
WITHIN_S, RESTORED_WITHIN_S = 3.0, 1.5
COPIES = 8
LEAST_CPU_S = 0.02
"""Twice what a plain command takes; below it a measurement says more about the machine."""
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
def environ(server: ModelServer, tmp_path: Path) -> dict[str, str]:
    return {
        **function_environment(),
        "PYTHONPYCACHEPREFIX": os.environ["PYTHONPYCACHEPREFIX"],
        "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
        "OMNIFORGE_TABLE": f"sqlite:///{tmp_path / 'omniforge.db'}",
        "OMNIFORGE_FINISH_QUEUE": "",
        "OMNIFORGE_INTENT_MODEL": FAST,
        "OMNIFORGE_STRONG_MODELS": STRONG,
        "OMNIFORGE_INTENT_DEADLINE_MS": "2000",
        "OPENAI_BASE_URL": server.base_url,
        "OPENAI_API_KEY": "sk-test",
    }


@pytest.fixture(scope="module")
def memory_mb() -> int:
    """The chat function's."""
    chat: Any = read_template(ROOT / "template.yaml")["Resources"]["ChatFunction"]
    return int(chat["Properties"]["MemorySize"])


@pytest.fixture
def function(environ: dict[str, str], memory_mb: int) -> Iterator[FrozenFunction]:
    with FrozenFunction(environ, memory_mb=memory_mb) as started:
        yield started


def test_a_first_turn_costs_no_more_than_three_of_the_second(environ: dict[str, str]) -> None:
    with FrozenFunction({**environ, "OMNIFORGE_INTENT_MODEL": ""}) as function:
        first, second = (function.invoke(message)["cpu_s"] for message in (COMMAND, "Which tasks do I have?"))
    assert first <= 3 * max(second, LEAST_CPU_S)


def test_no_turn_after_the_second_does_without_a_model_because_litellm_loads(environ: dict[str, str]) -> None:
    """Nothing is imported while the process is frozen; a model of another vendor needs litellm."""
    only_litellm = {"OMNIFORGE_INTENT_MODEL": "ollama_chat/llama3.1", "OLLAMA_API_BASE": "http://127.0.0.1:9"}
    only_litellm |= {"OMNIFORGE_STRONG_MODELS": "none", PATIENT: "yes"}
    with FrozenFunction({**environ, **only_litellm}) as function:
        told = [function.invoke(COMMAND) for _ in range(4)]
    reasons = [each["metadata"]["decision"].get("fallback_reason") for each in told]
    assert "model_loading" not in reasons[2:], reasons
    assert all(each["litellm"] for each in told[2:])


class Secret:
    """A Secrets Manager that knows one secret, and keeps connections open."""

    def __init__(self) -> None:
        self.key, self.asked = "sk-old", 0

    def __call__(self, handler: BaseHTTPRequestHandler) -> None:
        self.asked += 1
        handler.protocol_version, handler.close_connection = "HTTP/1.1", False
        secret = json.dumps({"openai": self.key})
        fixed_answer(json.dumps({"Name": "keys", "SecretString": secret}).encode())(handler)


ARN = "arn:aws:secretsmanager:eu-west-1:000000000000:secret:keys-AbCdEf"
HOOKS = Path(__file__).parents[1] / "fakes" / "aws" / "runtime_hooks"


@pytest.mark.skipif(sys.platform != "linux", reason="a process tells its sockets by /proc")
def test_copies_of_a_snapshot_are_answered_by_the_model_at_once_and_share_nothing(
    environ: dict[str, str], server: ModelServer, memory_mb: int
) -> None:
    secret, told = Secret(), []
    del environ["OPENAI_API_KEY"]
    with Site(secret) as secrets:
        environ |= {
            "AWS_LAMBDA_INITIALIZATION_TYPE": "snap-start",
            "AWS_ENDPOINT_URL_SECRETS_MANAGER": secrets.url(),
            "OMNIFORGE_PROVIDER_SECRET_ARN": ARN,
            "PYTHONPATH": os.pathsep.join([environ["PYTHONPATH"], str(HOOKS)]),
        }
        with FrozenFunction(environ, cloned_function.__name__, memory_mb=memory_mb) as snapshot:
            assert secret.asked > 0, "a connection was opened before the snapshot"
            assert snapshot.imported["sockets"] == []
            assert len(server.log().requests) == 0, "the rehearsal reaches no model"
            secret.key = "sk-new"
            for number in range(COPIES):
                messages = (COMMAND, QUESTION)[:: 1 if number % 2 else -1]
                told.append((messages, snapshot.invoke(json.dumps(messages))))
    ids = [each for _, one in told for each in one["ids"]]
    assert len(set(ids)) == len(ids) == COPIES * cloned_function.IDS_EACH * 2
    assert len({one["random"] for _, one in told}) == COPIES
    assert [one["sockets"] for _, one in told] == [[]] * COPIES
    assert {entry.authorization for entry in server.log().requests} == {"Bearer sk-new"}
    first, second = zip(*(check_answers(*each) for each in told), strict=True)
    print(f"first turns of copies: {sorted(round(each, 2) for each in first)} s")
    # The best of them: the others may have waited for a processor.
    assert max(min(first), min(second)) <= RESTORED_WITHIN_S, os.getloadavg()


def check_answers(messages: tuple[str, ...], one: dict[str, Any]) -> list[float]:
    """The seconds of a copy's turns, each of which the model answered."""
    for message, answer in zip(messages, one["answers"], strict=True):
        decision = answer["metadata"]["decision"]
        assert (decision["source"], decision["model"]) == ("model", FAST), decision
        assert message == COMMAND or answer["text"] == ANSWER
    return [answer["took_s"] for answer in one["answers"]]


@pytest.mark.skipif(sys.platform != "linux", reason="a process tells its processor time by its number")
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
        print(f"{message} {told['took_s']:.2f} s")
        assert told["took_s"] < WITHIN_S, os.getloadavg()
        assert not told["litellm"]
