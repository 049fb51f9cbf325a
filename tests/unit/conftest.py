"""A model that answers over loopback, and the client library imported once for all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from conversation.clock import SystemClock
from llm.circuit_breaker import ModelCircuitBreakers
from llm.completion import CompletionClient
from tests.fakes.models.model_server import ModelServer

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = (
    "True"  # read by litellm while it is imported; else it asks the network
)


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


@pytest.fixture
def completion(library: CompletionClient) -> CompletionClient:
    """A completion that is ready, with a breaker of its own."""
    fresh = CompletionClient(timer=SystemClock(), breaker=ModelCircuitBreakers(SystemClock().monotonic))
    assert fresh.is_ready(timeout_s=60)
    return fresh
