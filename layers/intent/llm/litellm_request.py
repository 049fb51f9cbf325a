"""Conversion of model calls to litellm arguments and of its responses to answers. Does not import litellm.

`llm.completion` makes the calls, with deadlines and retries.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue

from llm.catalogue import Catalogue
from llm.errors import ModelOutputInvalid
from llm.request_types import ModelRequest, ModelResponse, ToolCall, ToolSchema
from llm.response_stream import ResponseStream
from llm.spend_guard import (
    CallAttempts,
    CallReservation,
    NoBudget,
    SpendGuard,
    estimate_prompt_tokens,
    estimate_tokens,
)

_CHOICES = frozenset({"auto", "none", "required"})
_NOT_THINKING = frozenset({None, "none"})


def _request_arguments(question: ModelRequest) -> dict[str, Any]:
    """Return the call arguments that the question determines."""
    arguments: dict[str, Any] = {
        "messages": [dict(message) for message in question.messages],
        "max_tokens": question.max_tokens,
    }
    if question.thinking in _NOT_THINKING:
        # Thinking models accept only their default temperature.
        arguments["temperature"] = question.temperature
    if question.thinking is not None:
        arguments["reasoning_effort"] = question.thinking
    if question.schema is not None:
        arguments["response_format"] = _response_format(question.schema)
    if question.tools:
        arguments["tools"] = _tools(question.tools)
        if question.tool_choice is not None:
            arguments["tool_choice"] = _tool_choice(question.tool_choice)
    return arguments


class StreamedModelResponse:
    """Assembles an answer from the chunks of a stream."""

    def __init__(self) -> None:
        self._text: list[str] | None = None
        self._calls: list[_StreamedCall] = []
        self.size = 0
        """Bytes of everything the model wrote, including tool calls and visible thinking."""

    def add(self, chunk: Any) -> str:
        """Add a chunk and return the text it contains; empty when it contains none."""
        delta = chunk.choices[0].delta if chunk.choices else None
        for call in getattr(delta, "tool_calls", None) or ():
            self.size += self._called(call)
        self.size += len((getattr(delta, "reasoning_content", None) or "").encode())
        text = getattr(delta, "content", None)
        if not isinstance(text, str):
            return ""
        self._text = self._text or []
        self._text.append(text)
        self.size += len(text.encode())
        return text

    def to_response(
        self, prompt_tokens: int, completion_tokens: int, cost_usd: float | None
    ) -> ModelResponse:
        """Return the complete answer.

        Raises:
            ModelOutputInvalid: it has neither text nor tool calls, or is malformed.
        """
        if self._text is None and not self._calls:
            raise ModelOutputInvalid
        return ModelResponse(
            text="".join(self._text or ()),
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cost_usd=cost_usd,
            tool_calls=tuple(call.whole() for call in self._calls),
        )

    def _called(self, delta: Any) -> int:
        """Add the delta to its tool call and return the number of bytes added.

        The index identifies the call. A delta with a new id of its own starts a new call, because some
        servers don't number their calls.
        """
        call = next((call for call in reversed(self._calls) if call.index == delta.index), None)
        if call is None or (delta.id and call.id and delta.id != call.id):
            call = _StreamedCall(delta.index)
            self._calls.append(call)
        name = getattr(delta.function, "name", None) or ""
        arguments = getattr(delta.function, "arguments", None) or ""
        call.id = call.id or delta.id
        call.name = call.name or name
        call.arguments.append(arguments)
        return len((name + arguments).encode())


@dataclass(slots=True)
class _StreamedCall:
    index: int | None
    id: str | None = None
    name: str = ""
    arguments: list[str] = field(default_factory=list)

    def whole(self) -> ToolCall:
        if not self.id or not self.name:
            raise ModelOutputInvalid
        return ToolCall(self.id, self.name, "".join(self.arguments))


def _tools(tools: Sequence[ToolSchema]) -> list[dict[str, Any]]:
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            },
        }
        for tool in tools
    ]


def _tool_choice(choice: str) -> str | dict[str, Any]:
    return choice if choice in _CHOICES else {"type": "function", "function": {"name": choice}}


def _response_format(schema: Mapping[str, JsonValue]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(schema), "strict": False}}


def _tool_call(call: Any) -> ToolCall:
    match call.id, call.function.name, call.function.arguments:
        case str(id), str(name), str(arguments):
            return ToolCall(id, name, arguments)
        case _:
            raise ModelOutputInvalid


@dataclass(frozen=True, slots=True)
class LitellmCall:
    """One question to one model, with the client library and the time limits."""

    litellm: Any
    question: ModelRequest
    model: str
    until: float
    max_silence_s: float = math.inf
    """The longest allowed silence."""
    response_stream: ResponseStream | None = None
    """Receives the deltas; None when the answer comes in one piece."""
    attempts: CallAttempts = field(default_factory=CallAttempts)

    @property
    def is_abandoned(self) -> bool:
        """Whether the caller has stopped waiting."""
        return self.response_stream is not None and self.response_stream.is_abandoned

    def reserve_budget(self, budget: SpendGuard | None) -> CallReservation:
        """Return a `CallReservation` that reserves from ``budget``; None means no accounting."""
        payer = NoBudget() if budget is None else budget
        return CallReservation(
            self.question, model=self.model, price=self.price, budget=payer, attempts=self.attempts
        )

    def price(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """Return the cost by the catalogue, else by litellm, which knows far more models; else None."""
        listed = Catalogue.load().find(self.model)
        if listed is not None:
            return listed.cost_usd(prompt_tokens, completion_tokens)
        try:
            costs = self.litellm.cost_per_token(
                model=self.model, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens
            )
        except Exception:  # noqa: BLE001 - only the library's own code runs here, and it raises a bare one
            return None
        return float(sum(costs))

    def to_response(self, response: Any) -> ModelResponse:
        """Return the answer in a response.

        Raises:
            ModelOutputInvalid: it has neither text nor tool calls, or is malformed.
        """
        cost = self._cost_of(response)
        message = response.choices[0].message if response.choices else None
        calls = tuple(_tool_call(call) for call in getattr(message, "tool_calls", None) or ())
        text = getattr(message, "content", None)
        if text is None and calls:
            text = ""
        if not isinstance(text, str):
            raise ModelOutputInvalid
        return ModelResponse(
            text=text,
            prompt_tokens=response.usage.prompt_tokens,
            completion_tokens=response.usage.completion_tokens,
            cost_usd=cost,
            tool_calls=calls,
        )

    def to_streamed_response(self, answer: StreamedModelResponse, stream: Any, usage: Any) -> ModelResponse:
        """Return the answer of a finished stream, with the usage that the library reports at its end.

        Without a report from the provider, tokens and cost are estimated.

        Raises:
            ModelOutputInvalid: it contains no answer, or the stream ended without a finish reason.
        """
        # For a stream that simply stops, the library invents a finish reason and token counts.
        if not (stream.received_finish_reason or stream.intermittent_finish_reason):
            raise ModelOutputInvalid
        if usage is None or not any(getattr(chunk, "usage", None) for chunk in stream.chunks):
            tokens = estimate_prompt_tokens(self.question), estimate_tokens(answer.size)
            return answer.to_response(*tokens, self.price(*tokens))
        cost = self._cost_of_usage(usage)
        return answer.to_response(usage.prompt_tokens, usage.completion_tokens, cost)

    def arguments(self, api_key: str | None, timeout_s: float) -> dict[str, Any]:
        """Return the arguments to call the library with."""
        arguments: dict[str, Any] = {
            **_request_arguments(self.question),
            "model": self.model,
            "timeout": _rounded_up(timeout_s),
            "max_retries": 0,
            "drop_params": True,
            "_skip_mcp_handler": True,  # would import mcp when there are tools or a schema
        }
        if self.response_stream is not None:
            arguments |= {"stream": True, "stream_options": {"include_usage": True}}
        return arguments if api_key is None else {**arguments, "api_key": api_key}

    def _cost_of(self, response: Any) -> float | None:
        """The cost of an answer. Litellm accounts for cached prompts and the like if it knows the model."""
        cost = response._hidden_params.get("response_cost")  # noqa: SLF001 - documented, and never raises
        if isinstance(cost, float):
            return cost
        return self.price(response.usage.prompt_tokens, response.usage.completion_tokens)

    def _cost_of_usage(self, usage: Any) -> float | None:
        """The cost of a streamed answer, which reports its usage only at the end."""
        try:
            costs = self.litellm.cost_per_token(model=self.model, usage_object=usage)
        except Exception:  # noqa: BLE001 - only the library's own code runs here, and it raises a bare one
            return self.price(usage.prompt_tokens, usage.completion_tokens)
        return float(sum(costs))


def _rounded_up(seconds: float) -> float:
    """Rounds up to one digit: the library keeps a client with its own connections per timeout value."""
    unit = 10.0 ** math.floor(math.log10(seconds))
    return round(math.ceil(seconds / unit) * unit, 6)
