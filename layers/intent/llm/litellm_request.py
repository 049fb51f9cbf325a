"""One call of a model as values: what the library is asked, and what its answer took. Imports no library.

Making it, in time and again if need be, is `llm.completion`'s job.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue

from llm.budget import Bill, Free, Purse, Tries, prompt_tokens, tokens_in
from llm.catalogue import Catalogue
from llm.errors import ModelOutputInvalid
from llm.streaming import Flow
from llm.types import Completed, Question, ToolCall, ToolSchema

_CHOICES = frozenset({"auto", "none", "required"})
_NOT_THINKING = frozenset({None, "none"})


def question_arguments(question: Question) -> dict[str, Any]:
    """What the question says of a call."""
    given: dict[str, Any] = {
        "messages": [dict(message) for message in question.messages],
        "max_tokens": question.max_tokens,
    }
    if question.thinking in _NOT_THINKING:
        given["temperature"] = question.temperature  # who thinks refuses every temperature but its own
    if question.thinking is not None:
        given["reasoning_effort"] = question.thinking
    if question.schema is not None:
        given["response_format"] = _response_format(question.schema)
    if question.tools:
        given["tools"] = _tools(question.tools)
        if question.tool_choice is not None:
            given["tool_choice"] = _tool_choice(question.tool_choice)
    return given


def completed(response: Any, cost_usd: float | None) -> Completed:
    """The answer in a response.

    Raises:
        ModelOutputInvalid: it says nothing and calls nothing, or not in the form a model does.
    """
    said = response.choices[0].message if response.choices else None
    calls = tuple(_tool_call(call) for call in getattr(said, "tool_calls", None) or ())
    text = getattr(said, "content", None)
    if text is None and calls:
        text = ""
    if not isinstance(text, str):
        raise ModelOutputInvalid
    return Completed(
        text=text,
        prompt_tokens=response.usage.prompt_tokens,
        completion_tokens=response.usage.completion_tokens,
        cost_usd=cost_usd,
        tool_calls=calls,
    )


class Streamed:
    """An answer put together from the chunks of a stream."""

    def __init__(self) -> None:
        self._text: list[str] | None = None
        self._calls: list[_StreamedCall] = []
        self.size = 0
        """Bytes of all that the model wrote, calls and visible thoughts included."""

    def hear(self, chunk: Any) -> str:
        """Keep what the chunk adds; the text it adds is returned, empty for none."""
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

    def completed(self, prompt_tokens: int, completion_tokens: int, cost_usd: float | None) -> Completed:
        """The whole answer.

        Raises:
            ModelOutputInvalid: it says nothing and calls nothing, or not in the form a model does.
        """
        if self._text is None and not self._calls:
            raise ModelOutputInvalid
        return Completed(
            text="".join(self._text or ()),
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cost_usd=cost_usd,
            tool_calls=tuple(call.whole() for call in self._calls),
        )

    def _called(self, delta: Any) -> int:
        """Add to the call that the delta belongs to: the one of its place, unless it comes with an id of its
        own, as from servers that count no places. How many bytes it added.
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
class Call:
    """One question to one model, with the library that puts it and the time it has."""

    litellm: Any
    question: Question
    model: str
    until: float
    silent_s: float = math.inf
    """How long it may say nothing."""
    flow: Flow | None = None
    """Where its deltas go; None: it is answered in one piece."""
    tries: Tries = field(default_factory=Tries)

    @property
    def is_given_up(self) -> bool:
        """Whether nobody waits for it any more."""
        return self.flow is not None and self.flow.is_given_up

    def paid_by(self, purse: Purse | None) -> Bill:
        """Its bill; None: nobody keeps accounts."""
        payer = Free() if purse is None else purse
        return Bill(self.question, model=self.model, price=self.price, purse=payer, tries=self.tries)

    def price(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """What so many tokens cost, by the catalogue; else by litellm, which knows far more models."""
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

    def completed(self, response: Any) -> Completed:
        """The answer in a response.

        Raises:
            ModelOutputInvalid: there is none.
        """
        return completed(response, self._cost_of(response))

    def streamed(self, answer: Streamed, stream: Any, usage: Any) -> Completed:
        """The answer that a stream came to, with what the library says at its end that it took.

        Raises:
            ModelOutputInvalid: there is none, or the stream just ended.
        """
        # Behind a stream that just ended the library makes up a reason, and tokens nobody told of.
        if not (stream.received_finish_reason or stream.intermittent_finish_reason):
            raise ModelOutputInvalid
        if usage is None or not any(getattr(chunk, "usage", None) for chunk in stream.chunks):
            tokens = prompt_tokens(self.question), tokens_in(answer.size)
            return answer.completed(*tokens, self.price(*tokens))
        cost = self._cost_of_usage(usage)
        return answer.completed(usage.prompt_tokens, usage.completion_tokens, cost)

    def arguments(self, api_key: str | None, timeout_s: float) -> dict[str, Any]:
        """What the library is called with."""
        arguments: dict[str, Any] = {
            **question_arguments(self.question),
            "model": self.model,
            "timeout": _rounded_up(timeout_s),
            "max_retries": 0,
            "drop_params": True,
            "_skip_mcp_handler": True,  # with tools or a schema it would import mcp
        }
        if self.flow is not None:
            arguments |= {"stream": True, "stream_options": {"include_usage": True}}
        return arguments if api_key is None else {**arguments, "api_key": api_key}

    def _cost_of(self, response: Any) -> float | None:
        """What an answer cost: litellm counts cached prompts and the like, where it knows the model."""
        cost = response._hidden_params.get("response_cost")  # noqa: SLF001 - documented, and never raises
        if isinstance(cost, float):
            return cost
        return self.price(response.usage.prompt_tokens, response.usage.completion_tokens)

    def _cost_of_usage(self, usage: Any) -> float | None:
        """The same for a stream, which says only at its end what it took."""
        try:
            costs = self.litellm.cost_per_token(model=self.model, usage_object=usage)
        except Exception:  # noqa: BLE001 - only the library's own code runs here, and it raises a bare one
            return self.price(usage.prompt_tokens, usage.completion_tokens)
        return float(sum(costs))


def _rounded_up(seconds: float) -> float:
    """To one digit: the library has a client, and so connections, of its own for every timeout it is told."""
    unit = 10.0 ** math.floor(math.log10(seconds))
    return round(math.ceil(seconds / unit) * unit, 6)
