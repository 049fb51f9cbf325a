"""Tools and thinking on the wire, over real HTTP: what a model is offered, and the calls it asks for."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from llm.available_models import Credentials, build_registry
from llm.catalogue import Model
from llm.client_pool import ModelClient, ModelClientPool
from llm.completion import CompletionClient
from llm.errors import ModelUnavailable
from llm.request_types import ModelResponse, ToolCall, ToolSchema
from tests.fakes.models.model_script import Reply, Script
from tests.fakes.models.model_server import ModelServer

CALCULATOR = ToolSchema(
    "calculator", "Works out a sum.", {"type": "object", "properties": {"expression": {"type": "string"}}}
)
SEARCH = ToolSchema("search", "Looks something up.", {"type": "object", "properties": {}})
ASKED = [{"role": "user", "content": "5 factorial times 8?"}]
HERE = build_registry(Credentials(openai=True), intent_model="gpt-4o-mini", strong_models=None)


def model(name: str) -> Model:
    found = HERE.find(name)
    assert found is not None
    return found


def client(completion: CompletionClient, name: str = "gpt-4.1", *tools: str) -> ModelClient:
    return ModelClientPool(completion, HERE).client(model(name), frozenset(tools))


def ask(asked: ModelClient, **options: Any) -> ModelResponse:
    return asked.ask(ASKED, max_tokens=300, deadline_s=5.0, **options)


def answer(**message: object) -> Reply:
    """A completion whose message is this."""
    choice = {"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", **message}}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return Reply(body=json.dumps({"id": "1", "model": "x", "choices": [choice], "usage": usage}))


def called(name: object = "calculator", arguments: object = "{}") -> dict[str, object]:
    return {"id": "call-1", "type": "function", "function": {"name": name, "arguments": arguments}}


def test_a_model_is_offered_the_tools_of_a_question(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    ask(client(completion, "gpt-4.1", "calculator", "search"), tools=[CALCULATOR, SEARCH])
    body = model_server.log().requests[0].body
    assert [tool["function"]["name"] for tool in body["tools"]] == ["calculator", "search"]
    assert body["tools"][0]["function"]["parameters"] == CALCULATOR.parameters
    assert set(body) == {"model", "messages", "tools", "temperature", "max_tokens"}


def test_tools_do_not_drag_in_the_mcp_package(
    completion: CompletionClient, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "mcp", raising=False)  # other tests of this process may use it
    ask(client(completion, "gpt-4.1", "calculator"), tools=[CALCULATOR])
    assert "mcp" not in sys.modules


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        (None, None),
        ("auto", "auto"),
        ("required", "required"),
        ("calculator", {"type": "function", "function": {"name": "calculator"}}),
    ],
)
def test_a_tool_may_be_demanded(
    completion: CompletionClient, model_server: ModelServer, choice: str | None, sent: object
) -> None:
    ask(client(completion, "gpt-4.1", "calculator"), tools=[CALCULATOR], tool_choice=choice)
    assert model_server.log().requests[0].body.get("tool_choice") == sent


def test_the_calls_a_model_asks_for_come_as_values(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=answer(content=None, tool_calls=[called(arguments='{"a": 1}')])))
    answered = ask(client(completion, "gpt-4.1", "calculator"), tools=[CALCULATOR])
    assert answered.text == ""
    assert answered.tool_calls == (ToolCall("call-1", "calculator", '{"a": 1}'),)


def test_calls_and_their_results_are_sent_back_as_they_are(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    call: dict[str, Any] = {"role": "assistant", "content": "Let me see.", "tool_calls": [called()]}
    result = {"role": "tool", "tool_call_id": "call-1", "content": "960"}
    asked = client(completion, "gpt-4.1", "calculator")
    asked.ask([*ASKED, call, result], tools=[CALCULATOR], max_tokens=300, deadline_s=5.0)
    assert model_server.log().requests[0].messages == [*ASKED, call, result]


@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "tool_calls": []},
        {"content": None},
        {"content": None, "tool_calls": [called(name=None)]},
    ],
)
def test_an_answer_that_says_and_calls_nothing_is_no_answer(
    completion: CompletionClient, model_server: ModelServer, message: dict[str, object]
) -> None:
    model_server.use(Script(default=answer(**message)))
    with pytest.raises(ModelUnavailable) as caught:
        ask(client(completion, "gpt-4.1", "calculator"), tools=[CALCULATOR])
    assert caught.value.reason in {"invalid_output", "server_error"}


def test_a_client_offers_no_tool_it_was_not_made_for(completion: CompletionClient) -> None:
    with pytest.raises(ValueError, match="made for"):
        ask(client(completion, "gpt-4.1", "calculator"), tools=[CALCULATOR, SEARCH])


def test_thinking_goes_to_a_model_that_can_be_told(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    ask(client(completion, "gpt-6.1-sol"), thinking="high")
    ask(client(completion, "gpt-4.1"), thinking="high")
    thinking, plain = (request.body for request in model_server.log().requests)
    assert (thinking["reasoning_effort"], "temperature" in thinking) == ("high", False)
    assert ("reasoning_effort" in plain, plain["temperature"]) == (False, 0.1)


def test_a_client_is_made_once_for_a_model_and_a_set_of_tools(completion: CompletionClient) -> None:
    pool = ModelClientPool(completion, HERE)
    first = pool.client(model("gpt-4.1"), frozenset({"search", "calculator"}))
    assert pool.client(model("openai/gpt-4.1"), frozenset({"calculator", "search"})) is first
    assert pool.client(model("gpt-4.1"), frozenset({"calculator"})) is not first
    assert pool.client(model("gpt-6-astra"), frozenset({"calculator", "search"})) is not first
    assert len(pool) == 3


def test_a_pool_forgets_what_was_not_used_for_longest(completion: CompletionClient) -> None:
    pool = ModelClientPool(completion, HERE, max_clients=2)
    mini = pool.client(model("gpt-4o-mini"))
    pool.client(model("gpt-4.1"))
    assert pool.client(model("gpt-4o-mini")) is mini
    pool.client(model("gpt-6-luna"))
    assert len(pool) == 2
    assert pool.client(model("gpt-4o-mini")) is mini
