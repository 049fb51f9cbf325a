"""Questions and answers in the form litellm takes and gives them, which is OpenAI's. Imports no litellm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue

from llm.errors import ModelOutputInvalid
from llm.questions import Completed, Question
from llm.tooling import ToolCall, ToolSchema

_CHOICES = frozenset({"auto", "none", "required"})
_NOT_THINKING = frozenset({None, "none"})


def arguments(question: Question) -> dict[str, Any]:
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
