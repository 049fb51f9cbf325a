"""A model that answers over loopback, and the client library imported once for all tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TypeAlias

import pytest

from conversation.clock import SystemClock
from llm.adapters.registry import DirectAdapters
from llm.available_models import ModelServers
from llm.circuit_breaker import ModelCircuitBreakers
from llm.completion import MAX_CALLS, CompletionClient
from tests.fakes.models.model_server import ModelServer

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = (
    "True"  # read by litellm while it is imported; else it asks the network
)


Completions: TypeAlias = Callable[..., CompletionClient]


@pytest.fixture(scope="session")
def library() -> CompletionClient:
    completion = CompletionClient(timer=SystemClock(), breaker=ModelCircuitBreakers(SystemClock().monotonic))
    assert completion.is_ready(timeout_s=300)
    return completion


@pytest.fixture
def model_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """A scripted model that litellm takes for OpenAI."""
    with ModelServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        yield server


@pytest.fixture(params=["direct", "litellm"])
def way(request: pytest.FixtureRequest) -> str:
    """How models are reached: every test of a call holds for both ways."""
    return str(request.param)


@pytest.fixture
def completions(library: CompletionClient, way: str, model_server: ModelServer) -> Completions:
    """Makes completions that reach the scripted model this way."""

    def completion(max_calls: int = MAX_CALLS) -> CompletionClient:
        servers = ModelServers(openai_url=os.environ["OPENAI_BASE_URL"])
        made = CompletionClient(
            timer=SystemClock(),
            breaker=ModelCircuitBreakers(SystemClock().monotonic),
            api_key=lambda _vendor: os.environ.get("OPENAI_API_KEY"),
            direct=DirectAdapters(servers, max_connections=8) if way == "direct" else None,
            max_calls=max_calls,
        )
        assert made.is_ready(timeout_s=60, models=["gpt-4o-mini"])
        return made

    return completion


@pytest.fixture
def completion(completions: Completions) -> CompletionClient:
    """A completion that is ready, with a breaker of its own."""
    return completions()
