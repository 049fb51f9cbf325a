"""The memory that turns of the built functions take, against what the template gives them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.built.build import ROOT, Build
from tests.built.conftest import Services
from tests.built.emulator import EmulatedFunction, sample
from tests.built.test_built_runs import ROUTED, stored_agent
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.built

EVENTS = ROOT / "events"
SHARE = 0.6
"""What a turn may take of a function's memory."""
TURNS = 3
QUESTION = "When does the trade fair in Lisbon open next year?"
UNDERSTOOD = Rule(
    "", Reply(decision={"action_type": "query_info", "confidence": 0.95}), prompt="Classify the last message"
)
ANSWER = "The first of May. " * 500

Start = Callable[..., EmulatedFunction]


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer(Script([UNDERSTOOD, ROUTED], default=Reply(content=ANSWER))) as running:
        yield running


def models(server: ModelServer, **changed: str) -> dict[str, str]:
    """The settings of models on the scripted server, and of an environment that Lambda prepares."""
    return {
        "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
        "OMNIFORGE_INTENT_MODEL": "gpt-4o-mini",
        "OMNIFORGE_STRONG_MODELS": "gpt-4o",
        "OMNIFORGE_INTENT_DEADLINE_MS": "20000",
        "OPENAI_BASE_URL": server.base_url,
        "OPENAI_API_KEY": "test",
        "AWS_LAMBDA_FUNCTION_TIMEOUT": "300",
        **changed,
    }


def asking(name: str) -> Any:
    """An event of a message that a model answers."""
    event = sample(EVENTS / f"{name}.json")
    body = {**json.loads(event["body"]), "message": QUESTION}
    event["headers"].pop("Idempotency-Key", None)
    event["multiValueHeaders"].pop("Idempotency-Key", None)
    return {**event, "body": json.dumps(body)}


def chat(function: EmulatedFunction) -> str:
    answered = function.invoke(asking("chat/message"))
    return str(json.loads(answered["body"])["message"]["content"])


def stream(function: EmulatedFunction) -> str:
    return function.stream(asking("stream/message"))[1].decode()


def mcp(function: EmulatedFunction) -> str:
    event = sample(EVENTS / "mcp" / "call_tool.json")
    call = {**json.loads(event["body"]), "params": {"name": "chat", "arguments": {"message": QUESTION}}}
    return function.stream({**event, "body": json.dumps(call)})[1].decode()


def run(function: EmulatedFunction) -> str:
    assert function.invoke(sample(EVENTS / "agent_runs" / "scheduled.json")) == {"batchItemFailures": []}
    return ""


TAKES: dict[str, Callable[[EmulatedFunction], str]] = {
    "ChatFunction": chat,
    "StreamFunction": stream,
    "McpFunction": mcp,
    "AgentRunsFunction": run,
}


@pytest.mark.parametrize("name", TAKES)
def test_turns_of_a_model_leave_two_fifths_of_the_memory(
    name: str, start: Start, build: Build, server: ModelServer, services: Services
) -> None:
    stored_agent(services, sources=[])
    function = start(name, **models(server))
    server.forget()
    said = [TAKES[name](function) for _ in range(1 if name == "AgentRunsFunction" else TURNS)]

    assert len(server.log().requests) > 1, "models were asked"
    assert all("first of May" in each for each in said if each)
    print(f"{name}: {function.peak_mib():.0f} MiB of {build.memory_mb(name)}")
    assert function.peak_mib() <= SHARE * build.memory_mb(name)


def test_so_do_turns_that_need_litellm(start: Start, build: Build, server: ModelServer) -> None:
    ollama = {"OMNIFORGE_INTENT_MODEL": "ollama_chat/llama3.1", "OMNIFORGE_STRONG_MODELS": "none"}
    function = start("ChatFunction", **models(server, **ollama, OLLAMA_API_BASE="http://127.0.0.1:9"))
    for _ in range(TURNS):
        answered = function.invoke(asking("chat/message"))
    decision = json.loads(answered["body"])["metadata"]["decision"]

    assert decision["fallback_reason"] != "model_loading"
    print(f"ChatFunction with litellm: {function.peak_mib():.0f} MiB of {build.memory_mb('ChatFunction')}")
    assert function.peak_mib() <= SHARE * build.memory_mb("ChatFunction")
