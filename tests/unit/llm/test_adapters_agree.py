"""Asking a vendor's model without litellm comes to what asking it through litellm comes to.

The same scripted answers, streams and faults, on OpenAI's, Anthropic's and Bedrock's wires, over real HTTP.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

from conversation.clock import SystemClock
from llm.adapters.registry import DirectAdapters
from llm.available_models import ModelServers
from llm.circuit_breaker import ModelCircuitBreakers
from llm.completion import CompletionClient
from llm.content_parts import file_part, text_part
from llm.errors import ModelUnavailable
from llm.request_types import ModelRequest, ModelResponse, ToolSchema
from tests.fakes.data import sample_files
from tests.fakes.models.model_script import Reply, Script
from tests.fakes.models.model_server import ModelServer

OPENAI, ANTHROPIC, BEDROCK = "gpt-4o-mini", "anthropic/claude-haiku-4-5", "bedrock/amazon.nova-micro-v1:0"
MODELS = (OPENAI, ANTHROPIC, BEDROCK)
DEADLINE_S = 60.0

CALCULATOR = ToolSchema(
    "calculator",
    "Works out a sum.",
    {"type": "object", "properties": {"sum": {"type": "string"}}, "required": ["sum"]},
)
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"kind": {"type": "string"}}, "required": ["kind"]}
ASKED = ModelRequest(
    messages=[
        {"role": "system", "content": "Be brief."},
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Why is the sky blue?"},
    ],
    max_tokens=500,
    temperature=0.1,
)
WITH_TOOLS = replace(ASKED, tools=[CALCULATOR])
CALL: dict[str, Any] = {
    "id": "c1", "type": "function", "function": {"name": "calculator", "arguments": '{"sum": "1+1"}'},
}  # fmt: skip
LATER = replace(
    WITH_TOOLS,
    messages=[
        *ASKED.messages,
        {"role": "assistant", "content": "Let me see.", "tool_calls": [CALL, {**CALL, "id": "c2"}]},
        {"role": "tool", "tool_call_id": "c1", "content": '{"result": 2}'},
        {"role": "tool", "tool_call_id": "c2", "content": "2"},
        {"role": "user", "content": "Go on."},
        {"role": "user", "content": "Please."},
    ],
)
CALLS: list[dict[str, Any]] = [
    {"name": "calculator", "arguments": {"sum": "6 * 7", "why": "wörk"}},
    {"name": "calculator", "arguments": {}},
]
TEXT = "Because  of the air:\nit scatters blüe light. "


@dataclass
class Ways:
    """Both ways to the scripted server."""

    server: ModelServer

    def outcome(
        self, way: str, model: str, request: ModelRequest, *, streamed: bool, deadline_s: float = DEADLINE_S
    ) -> tuple[str | ModelResponse, str, int]:
        """The reason or the complete answer, the text that was streamed, and the number of requests."""
        self.server.forget()
        base = self.server.base_url.removesuffix("/v1")
        servers = ModelServers(
            openai_url=self.server.base_url, anthropic_url=base, bedrock_url=base, aws_region="us-east-1"
        )
        completion = CompletionClient(
            timer=SystemClock(),
            breaker=ModelCircuitBreakers(SystemClock().monotonic),
            api_key=lambda vendor: None if vendor == "bedrock" else "sk-test",
            direct=DirectAdapters(servers, max_connections=4) if way == "direct" else None,
        )
        assert completion.is_ready(60, models=[model])
        said: list[str] = []
        answer: str | ModelResponse = "nothing"
        try:
            if not streamed:
                answer = _rounded(completion.complete(request, model=model, deadline_s=deadline_s))
            else:
                for piece in completion.stream(request, model=model, deadline_s=deadline_s):
                    if isinstance(piece, str):
                        said.append(piece)
                    else:
                        answer = _rounded(piece)
        except ModelUnavailable as error:
            answer = f"{type(error).__name__}: {error.reason}"
        return answer, "".join(said), len(self.server.log().requests)

    def agree(self, model: str, request: ModelRequest, **how: Any) -> tuple[str | ModelResponse, str, int]:
        """Assert that both ways come to the same, and return it."""
        direct = self.outcome("direct", model, request, **how)
        body = self.server.log().requests[0].body if self.server.log().requests else None
        assert direct == self.outcome("litellm", model, request, **how)
        if body is not None:
            assert body == self.server.log().requests[0].body
        return direct


def _rounded(answer: ModelResponse) -> ModelResponse:
    """Both multiply by the same prices, but not in the same order."""
    return answer if answer.cost_usd is None else replace(answer, cost_usd=round(answer.cost_usd, 12))


@pytest.fixture
def ways(library: CompletionClient, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ways]:
    with ModelServer() as server:
        base = server.base_url.removesuffix("/v1")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("ANTHROPIC_API_BASE", base)
        monkeypatch.setenv("AWS_BEDROCK_RUNTIME_ENDPOINT", base)
        monkeypatch.setenv("AWS_REGION", "us-east-1")
        yield Ways(server)


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("model", MODELS)
def test_answers_and_calls_are_the_same(ways: Ways, model: str, streamed: bool) -> None:
    for request, reply in {
        "text": (ASKED, Reply(content=TEXT)),
        "one word": (ASKED, Reply(content="Air.")),
        "calls": (WITH_TOOLS, Reply(tool_calls=CALLS)),
        "text and calls": (WITH_TOOLS, Reply(content=TEXT, tool_calls=CALLS)),
        "later turns": (LATER, Reply(content=TEXT)),
        "cut": (ASKED, Reply(content=TEXT, finish_reason="length")),
    }.values():
        ways.server.use(Script(default=reply))
        answer, said, requests = ways.agree(model, request, streamed=streamed)
        assert isinstance(answer, ModelResponse)
        assert (said, requests) == (answer.text if streamed else "", 1)
        assert (answer.prompt_tokens, answer.completion_tokens) == (600, 80)


@pytest.mark.parametrize("choice", ["auto", "none", "required", "calculator"])
@pytest.mark.parametrize(
    "model", [*MODELS, "anthropic/claude-sonnet-5-5", "bedrock/global.anthropic.claude-sonnet-5-5"]
)
def test_a_choice_of_tools_is_put_the_same_way(ways: Ways, model: str, choice: str) -> None:
    ways.server.use(Script(default=Reply(content="So.")))
    ways.agree(model, replace(WITH_TOOLS, tool_choice=choice), streamed=False)


@pytest.mark.parametrize(
    "model",
    [
        OPENAI,
        "openai/gpt-4o",
        "openai/house-model",
        "gpt-6-luna",
        ANTHROPIC,
        "anthropic/claude-haiku-5-5",
        "anthropic/claude-sonnet-5-5",
    ],
)
def test_an_answer_in_a_schema_s_form_is_asked_for_the_same_way(ways: Ways, model: str) -> None:
    ways.server.use(Script(default=Reply(content='{"kind": "query"}')))
    answer, _, _ = ways.agree(model, replace(ASKED, schema=SCHEMA), streamed=False)
    assert isinstance(answer, ModelResponse)
    assert answer.text == '{"kind": "query"}'


@pytest.mark.parametrize(
    "model",
    [BEDROCK, "bedrock/global.anthropic.claude-haiku-5-5", "bedrock/global.anthropic.claude-sonnet-5-5"],
)
def test_on_bedrock_a_tool_takes_the_answer_in_a_schema_s_form(ways: Ways, model: str) -> None:
    form = [{"name": "json_tool_call", "arguments": {"kind": "query"}}]
    ways.server.use(Script(default=Reply(tool_calls=form)))
    answer, _, _ = ways.agree(model, replace(ASKED, schema=SCHEMA), streamed=False)
    assert isinstance(answer, ModelResponse)
    assert (answer.text, answer.tool_calls) == ('{"kind": "query"}', ())


@pytest.mark.parametrize(
    ("model", "thinking"),
    [
        ("gpt-6-luna", "none"),
        ("gpt-6-luna", "low"),
        ("gpt-6.1-sol", None),
        ("gpt-6.1-sol", "high"),
        ("anthropic/claude-sonnet-5-5", "high"),
        ("anthropic/claude-sonnet-4-6", "low"),
        ("anthropic/claude-opus-5-5", None),
    ],
)
def test_thinking_is_asked_for_the_same_way(ways: Ways, model: str, thinking: str | None) -> None:
    ways.server.use(Script(default=Reply(content="Air.")))
    ways.agree(model, replace(ASKED, thinking=thinking), streamed=False)


FAULTS = {
    **{f"status {status}": Reply(status=status) for status in (400, 401, 403, 404, 408, 413, 500, 503, 529)},
    "429": Reply(status=429),
    "429, again at once": Reply(status=429, retry_after="0.05"),
    "429, again much later": Reply(status=429, retry_after="30"),
    "cut connection": Reply(content=TEXT, mode="reset", breaks_after=0),
    "garbage": Reply(mode="garbage"),
}


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_the_same_error(ways: Ways, model: str, fault: str, streamed: bool) -> None:
    ways.server.use(Script(default=FAULTS[fault]))
    answer, said, requests = ways.agree(model, ASKED, streamed=streamed)
    assert (isinstance(answer, str), said) == (True, "")
    assert requests in (1, 2)


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("reply", [Reply(body=""), Reply(content=None)], ids=["empty", "nothing said"])
def test_no_answer_is_an_error(ways: Ways, model: str, reply: Reply, streamed: bool) -> None:
    ways.server.use(Script(default=reply))
    if model == BEDROCK:
        # Of Bedrock, litellm takes nothing for an empty answer, which would be shown.
        answer, _, _ = ways.outcome("direct", model, ASKED, streamed=streamed)
    else:
        answer, _, _ = ways.agree(model, ASKED, streamed=streamed)
    assert answer == "ModelOutputInvalid: invalid_output"


@pytest.mark.parametrize("mode", ["reset", "broken", "unended", "malformed"])
@pytest.mark.parametrize("model", MODELS)
def test_a_stream_that_breaks_off_is_the_same_error(ways: Ways, model: str, mode: Any) -> None:
    ways.server.use(Script(default=Reply(content=TEXT, mode=mode, breaks_after=4)))
    answer, said, requests = ways.agree(model, ASKED, streamed=True)
    assert (isinstance(answer, str), requests) == (True, 1)
    assert TEXT.startswith(said)


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("model", MODELS)
def test_a_slow_model_is_given_up_the_same_way(ways: Ways, model: str, streamed: bool) -> None:
    ways.server.use(Script(default=Reply(content=TEXT, mode="hang")))
    answer, _, _ = ways.agree(model, ASKED, streamed=streamed, deadline_s=0.4)
    assert answer == "ModelTimeout: deadline"


SEEING = (OPENAI, ANTHROPIC, "bedrock/global.anthropic.claude-sonnet-5-5")
IMAGE = base64.b64encode(sample_files.png()).decode()
DOCUMENT = base64.b64encode(sample_files.pdf("Hello")).decode()


def with_file(media_type: str, content: str) -> ModelRequest:
    parts = [file_part("a file", media_type, content), text_part("What is it?")]
    return replace(ASKED, messages=[*ASKED.messages[:2], {"role": "user", "content": cast("Any", parts)}])


@pytest.mark.parametrize("model", SEEING)
def test_an_image_is_put_the_same_way(ways: Ways, model: str) -> None:
    ways.server.use(Script(default=Reply(content="A dot.")))
    answer, _, requests = ways.agree(model, with_file("image/png", IMAGE), streamed=False)
    assert isinstance(answer, ModelResponse)
    assert requests == 1
    assert IMAGE in str(ways.server.log().requests[0].body)


@pytest.mark.parametrize("model", SEEING)
def test_a_document_is_put_as_its_vendor_wants_it(ways: Ways, model: str) -> None:
    ways.server.use(Script(default=Reply(content="A page.")))
    ways.outcome("direct", model, with_file("application/pdf", DOCUMENT), streamed=False)
    [asked] = ways.server.log().requests
    assert DOCUMENT in str(asked.body)
    assert "a file" not in str(asked.body) or model == OPENAI


def test_a_model_that_reads_no_files_is_told_of_them(ways: Ways) -> None:
    ways.server.use(Script(default=Reply(content="I can't see it.")))
    ways.outcome("direct", "openai/house-model", with_file("image/png", IMAGE), streamed=False)
    [asked] = ways.server.log().requests
    assert IMAGE not in str(asked.body)
    assert "which you can't read" in str(asked.body)
