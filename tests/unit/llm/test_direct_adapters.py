"""Models that are asked without litellm: which, at what cost, and what a hostile server gets out of it."""

from __future__ import annotations

import json
import ssl
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from conversation.clock import SystemClock
from llm.adapters import http_client
from llm.adapters.registry import DirectAdapters
from llm.available_models import ModelServers
from llm.circuit_breaker import ModelCircuitBreakers
from llm.completion import CompletionClient
from llm.errors import ModelUnavailable
from llm.request_types import ModelRequest, ModelResponse, ToolSchema
from tests.fakes.http.servers import Site, fixed_answer
from tests.fakes.identity.certificates import self_signed
from tests.fakes.models.model_script import Reply, Script
from tests.fakes.models.model_server import ModelServer

ASKED = ModelRequest(
    messages=[{"role": "user", "content": "A secret question?"}], max_tokens=9, temperature=0
)
KEY = "sk-very-secret"
Made = Callable[[str], CompletionClient]


@pytest.fixture
def made() -> Made:
    def completion(url: str) -> CompletionClient:
        return CompletionClient(
            timer=SystemClock(),
            breaker=ModelCircuitBreakers(SystemClock().monotonic),
            api_key=lambda _vendor: KEY,
            direct=DirectAdapters(ModelServers(openai_url=url), max_connections=2),
        )

    return completion


def ask(completion: CompletionClient, model: str = "gpt-4o-mini") -> ModelResponse:
    return completion.complete(ASKED, model=model, deadline_s=5.0)


@pytest.mark.parametrize(
    ("model", "servers", "adapter"),
    [
        ("gpt-4o-mini", ModelServers(), "OpenAIChat"),
        ("openai/house-model", ModelServers(openai_url="http://127.0.0.1/v1"), "OpenAIChat"),
        ("gpt-99", ModelServers(), None),
        ("anthropic/claude-haiku-5-5", ModelServers(), "AnthropicMessages"),
        ("anthropic/claude-99", ModelServers(), None),
        ("bedrock/amazon.nova-pro-v1:0", ModelServers(aws_region="eu-west-1"), "BedrockConverse"),
        ("gemini/gemini-3.8-flash", ModelServers(), None),
        ("ollama_chat/llama3.1", ModelServers(openai_url="http://127.0.0.1/v1"), None),
        ("gpt-4o-mini", ModelServers(is_behind_proxy=True), None),
    ],
)
def test_models_of_three_vendors_are_asked_directly(
    model: str, servers: ModelServers, adapter: str | None
) -> None:
    found = DirectAdapters(servers, max_connections=1).find(model)
    assert (type(found).__name__ if found else None) == adapter


def test_thinking_with_tools_goes_to_openai_by_litellm_which_knows_its_other_protocol() -> None:
    tool = ToolSchema("calculator", "Works out a sum.", {"type": "object"})
    asked = replace(ASKED, tools=[tool], thinking="high")
    adapters = DirectAdapters(ModelServers(), max_connections=1)
    assert adapters.find("gpt-6.1-sol", asked) is None
    assert adapters.find("gpt-6.1-sol", replace(asked, tools=())) is not None


def test_a_model_with_an_adapter_of_its_own_is_ready_at_once_and_imports_no_litellm() -> None:
    script = """
import sys
from conversation.clock import SystemClock
from llm.adapters.registry import DirectAdapters
from llm.circuit_breaker import ModelCircuitBreakers
from llm.completion import CompletionClient
from llm.available_models import ModelServers
completion = CompletionClient(
    timer=SystemClock(),
    breaker=ModelCircuitBreakers(SystemClock().monotonic),
    direct=DirectAdapters(ModelServers(), max_connections=1),
)
completion.prepare("gpt-4o-mini")
print(completion.is_ready(0.0, models=["gpt-4o-mini", "anthropic/claude-haiku-5-5"]))
print([name for name in ("litellm", "openai", "httpx") if name in sys.modules])
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split("\n")[:2] == ["True", "[]"]


def completed(content: str, **usage: Any) -> Reply:
    message = {"role": "assistant", "content": content}
    counts = {"prompt_tokens": 1000, "completion_tokens": 10, **usage}
    return Reply(body=json.dumps({"choices": [{"index": 0, "message": message}], "usage": counts}))


def test_cached_tokens_cost_less(made: Made) -> None:
    with ModelServer(
        Script(default=completed("Air.", prompt_tokens_details={"cached_tokens": 400}))
    ) as server:
        answer = ask(made(server.base_url))
    assert answer.cost_usd == pytest.approx(600 * 0.15e-6 + 400 * 0.075e-6 + 10 * 0.6e-6)


def test_a_model_outside_the_catalogue_has_the_price_that_litellm_s_file_says(made: Made) -> None:
    with ModelServer(Script(default=completed("Air."))) as server:
        assert ask(made(server.base_url), "openai/gpt-4o").cost_usd == pytest.approx(
            1000 * 2.5e-6 + 10 * 1e-5
        )
        assert ask(made(server.base_url), "openai/house-model").cost_usd is None


def test_thinking_that_a_server_writes_before_the_answer_is_left_out(made: Made) -> None:
    with ModelServer(Script(default=completed("<think>Sky? Blue.</think>Air."))) as server:
        assert ask(made(server.base_url)).text == "Air."


def test_a_redirect_is_not_followed_and_takes_no_key_along(made: Made) -> None:
    with ModelServer() as elsewhere:
        away = f"{elsewhere.base_url}/chat/completions"
        with (
            Site(fixed_answer(b"", status=307, Location=away)) as server,
            pytest.raises(ModelUnavailable) as caught,
        ):
            ask(made(server.url("/v1")))
        assert caught.value.reason == "server_error"
        assert elsewhere.log().requests == ()


def test_a_certificate_that_nobody_vouches_for_is_refused_before_the_key_is_sent(
    made: Made, tmp_path: Path
) -> None:
    received: list[str] = []

    def answer(handler: BaseHTTPRequestHandler) -> None:
        received.append(handler.path)

    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(self_signed(tmp_path, "localhost"))
    with Site(answer, tls=tls) as server, pytest.raises(ModelUnavailable) as caught:
        ask(made(f"https://localhost:{server.url().rpartition(':')[2].strip('/')}/v1"))
    assert (caught.value.reason, received) == ("unreachable", [])


@pytest.mark.parametrize("streamed", [False, True])
def test_an_answer_without_an_end_is_given_up(
    made: Made, monkeypatch: pytest.MonkeyPatch, streamed: bool
) -> None:
    monkeypatch.setattr(http_client, "MAX_RESPONSE_BYTES", 10_000)
    with ModelServer(Script(default=Reply(content="word " * 5_000))) as server:
        completion = made(server.base_url)
        stream = completion.stream(ASKED, model="gpt-4o-mini", deadline_s=5.0)
        with pytest.raises(ModelUnavailable) as caught:
            _ = list(stream) if streamed else ask(completion)
    assert caught.value.reason == "invalid_output"


@pytest.mark.parametrize(
    "reply", [Reply(status=401), Reply(mode="reset", content="half"), Reply(mode="garbage")]
)
def test_neither_key_nor_words_are_in_an_error_or_a_log(
    made: Made, reply: Reply, caplog: pytest.LogCaptureFixture
) -> None:
    with ModelServer(Script(default=reply)) as server, pytest.raises(ModelUnavailable) as caught:
        ask(made(server.base_url))
    error: BaseException | None = caught.value
    told = caplog.text
    while error is not None:
        told += repr(error) + repr(vars(error))
        error = error.__cause__
    for words in (KEY, "secret", "scripted refusal", "gateway says"):
        assert words not in told


def test_where_the_machine_has_no_certificates_those_of_botocore_are_trusted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ssl, "create_default_context", lambda: ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))

    assert http_client._tls_context().cert_store_stats()["x509_ca"] > 50
