"""Asking a model over real HTTP: what comes back, why nothing did, how often and how long it was tried."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from conversation.clock import SystemClock
from llm.circuit_breaker import ModelCircuitBreakers
from llm.completion import CompletionClient
from llm.errors import ModelUnavailable
from llm.request_types import ModelRequest, ModelResponse
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer
from tests.fakes.run.bad_inputs import row
from tests.unit.conftest import Completions

QUESTION = ModelRequest(
    messages=[{"role": "system", "content": "Classify."}, {"role": "user", "content": "list my agents"}],
    schema={"type": "object", "properties": {"action_type": {"type": "string"}}},
    max_tokens=500,
    temperature=0.1,
)
MODEL = "gpt-4o-mini"
OK = Reply(content='{"action_type": "query_info"}')


def ask(completion: CompletionClient, *, model: str = MODEL, deadline_s: float = 5.0) -> ModelResponse:
    return completion.complete(QUESTION, model=model, deadline_s=deadline_s)


def reason(completion: CompletionClient, *, deadline_s: float = 5.0) -> str:
    with pytest.raises(ModelUnavailable) as caught:
        ask(completion, deadline_s=deadline_s)
    return caught.value.reason


def test_an_answer_comes_with_its_tokens_and_its_price(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=OK))
    answer = ask(completion)
    assert answer.text == '{"action_type": "query_info"}'
    assert (answer.prompt_tokens, answer.completion_tokens) == (600, 80)
    assert answer.cost_usd == pytest.approx(600 * 0.15e-6 + 80 * 0.6e-6)


def test_a_model_without_a_known_price_costs_none(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=OK))
    assert ask(completion, model="openai/house-model").cost_usd is None


def test_the_request_carries_schema_temperature_and_limit_and_nothing_internal(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    ask(completion)
    body = model_server.log().requests[0].body
    assert body["response_format"]["json_schema"]["schema"] == QUESTION.schema
    assert (body["temperature"], body["max_tokens"]) == (0.1, 500)
    assert set(body) == {"model", "messages", "response_format", "temperature", "max_tokens"}


def test_calls_one_after_the_other_share_a_connection(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    for _ in range(4):
        ask(completion)
    assert (len(model_server.log().requests), model_server.connections) == (4, 1)


def test_a_schema_does_not_drag_in_the_mcp_package(
    completion: CompletionClient, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "mcp", raising=False)  # other tests of this process may use it
    ask(completion, model="openai/gpt-3.5-turbo")
    assert "mcp" not in sys.modules


def test_a_key_that_was_handed_in_wins_over_the_environment(
    library: CompletionClient, model_server: ModelServer
) -> None:
    asked: list[str] = []

    def key_of(vendor: str) -> str:
        asked.append(vendor)
        return "sk-handed-in"

    keyed = CompletionClient(
        timer=SystemClock(),
        breaker=ModelCircuitBreakers(SystemClock().monotonic),
        api_key=key_of,
    )
    assert keyed.is_ready(timeout_s=60)
    ask(keyed)
    assert asked == ["openai"]
    assert model_server.log().requests[0].authorization == "Bearer sk-handed-in"


@row("J16", "J18")
@pytest.mark.parametrize(
    ("reply", "expected", "requests"),
    [
        (Reply(status=400), "refused", 1),
        (Reply(status=401), "refused", 1),
        (Reply(status=403), "refused", 1),
        (Reply(status=404), "refused", 1),
        (Reply(status=429), "rate_limited", 2),
        (Reply(status=500), "server_error", 2),
        (Reply(status=502), "server_error", 2),
        (Reply(status=503), "server_error", 2),
        (Reply(status=529), "server_error", 2),
        (Reply(mode="reset", content="half of it"), "unreachable", 2),
        (Reply(mode="garbage"), "invalid_output", 1),
        (Reply(body="{}"), "server_error", 2),
        (Reply(body="[]"), "server_error", 2),
        (Reply(body='{"choices": []}'), "invalid_output", 1),
        (Reply(body='{"choices": [{"index": 0}]}'), "server_error", 2),
        (Reply(content=None), "invalid_output", 1),
    ],
)
def test_a_failure_has_its_reason_and_its_number_of_tries(
    completion: CompletionClient, model_server: ModelServer, reply: Reply, expected: str, requests: int
) -> None:
    model_server.use(Script(default=reply))
    assert reason(completion) == expected
    assert len(model_server.log().requests) == requests


@row("J18")
def test_nobody_listening_is_unreachable(completion: CompletionClient, model_server: ModelServer) -> None:
    model_server.stop()
    assert reason(completion) == "unreachable"


@row("J18")
def test_a_server_that_speaks_no_tls_is_unreachable(
    completions: Completions, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.base_url.replace("http:", "https:"))
    assert reason(completions()) == "unreachable"


def test_a_missing_key_is_not_configured(
    completion: CompletionClient, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert reason(completion) == "not_configured"
    assert model_server.log().requests == ()


@row("J19")
@pytest.mark.parametrize("mode", ["hang", "drip"])
def test_a_silent_or_trickling_server_is_given_up_at_the_deadline(
    completion: CompletionClient, model_server: ModelServer, mode: str
) -> None:
    model_server.use(Script(default=Reply(content="never read", mode=mode)))  # type: ignore[arg-type]
    started = time.monotonic()
    assert reason(completion, deadline_s=0.3) == "deadline"
    assert time.monotonic() - started < 30
    eventually(lambda: len(model_server.log().requests) == 1)


def test_a_passing_fault_is_tried_again(completion: CompletionClient, model_server: ModelServer) -> None:
    model_server.use(Script([Rule("", Reply(status=503), times=1)], OK))
    assert ask(completion).text == OK.content


def test_retry_after_is_waited_for_when_it_fits(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script([Rule("", Reply(status=429, retry_after="0.4"), times=1)], OK))
    started = time.monotonic()
    assert ask(completion).text == OK.content
    assert time.monotonic() - started >= 0.4


def test_retry_after_beyond_the_deadline_is_not_waited_for(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=Reply(status=429, retry_after="30")))
    assert reason(completion, deadline_s=1.0) == "rate_limited"
    assert len(model_server.log().requests) == 1


def test_an_odd_retry_after_is_ignored(completion: CompletionClient, model_server: ModelServer) -> None:
    model_server.use(Script([Rule("", Reply(status=429, retry_after="nan"), times=1)], OK))
    assert ask(completion).text == OK.content


def test_after_three_failures_the_model_is_not_asked(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=Reply(status=500)))
    assert [reason(completion) for _ in range(4)] == ["server_error"] * 3 + ["breaker_open"]
    assert len(model_server.log().requests) == 6


@row("J16")
def test_a_refused_key_opens_the_breaker_at_once(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=Reply(status=401)))
    assert [reason(completion), reason(completion)] == ["refused", "breaker_open"]
    assert len(model_server.log().requests) == 1


def test_another_model_is_still_asked(completion: CompletionClient, model_server: ModelServer) -> None:
    model_server.use(Script([Rule("", Reply(status=401), times=1)], OK))
    assert reason(completion) == "refused"
    assert ask(completion, model="openai/gpt-4o").text == OK.content


def test_abandoned_calls_are_bounded(completions: Completions, model_server: ModelServer) -> None:
    model_server.use(Script(default=Reply(mode="hang")))
    narrow = completions(max_calls=2)
    reasons: list[str] = []
    threads = [
        threading.Thread(target=lambda: reasons.append(reason(narrow, deadline_s=1.0))) for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(reasons) == ["busy", "busy", "busy", "deadline", "deadline"]


def test_a_call_waits_for_one_that_ends_in_time(completions: Completions, model_server: ModelServer) -> None:
    model_server.use(Script(default=Reply(content="yes", delay_ms=200)))
    single = completions(max_calls=1)
    with ThreadPoolExecutor(max_workers=2) as threads:
        answers = [threads.submit(ask, single) for _ in range(2)]
    assert [answer.result().text for answer in answers] == ["yes", "yes"]
    assert model_server.log().max_concurrency == 1


@pytest.mark.slow
def test_while_the_library_loads_the_model_is_not_waited_for() -> None:
    script = """
import sys, time
from conversation.clock import SystemClock
from llm.circuit_breaker import ModelCircuitBreakers
from llm.completion import CompletionClient
from llm.errors import ModelLoading
from llm.request_types import ModelRequest
completion = CompletionClient(timer=SystemClock(), breaker=ModelCircuitBreakers(SystemClock().monotonic))
assert "litellm" not in sys.modules and "tiktoken" not in sys.modules and "openai" not in sys.modules
try:
    request = ModelRequest(messages=[], max_tokens=1, temperature=0)
    completion.complete(request, model="gpt-4o-mini", deadline_s=5)
except ModelLoading:
    print("loading")
assert completion.is_ready(timeout_s=280)
print("litellm" in sys.modules)
"""
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=300
    )
    assert run.stdout.split() == ["loading", "True"]


def test_a_failure_is_logged_by_its_kind_and_never_by_its_words(
    completion: CompletionClient, model_server: ModelServer, caplog: pytest.LogCaptureFixture, way: str
) -> None:
    model_server.use(Script(default=Reply(status=500)))
    reason(completion)
    (first, *_) = [record for record in caplog.records if record.name == "llm.completion"]
    kind = {"direct": "HTTP 500", "litellm": "InternalServerError"}[way]
    assert (first.__dict__["reason"], first.__dict__["error"]) == ("server_error", kind)
    assert "scripted refusal" not in caplog.text
    assert "list my agents" not in caplog.text
