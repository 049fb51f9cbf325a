"""The body of an OpenAI chat completion, as far as the question determines it. Litellm takes the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from llm.request_types import ModelRequest, ToolSchema

_CHOICES = frozenset({"auto", "none", "required"})
_NOT_THINKING = frozenset({None, "none"})


def is_thinking(request: ModelRequest) -> bool:
    """Whether the request asks for a thinking effort above none."""
    return request.thinking not in _NOT_THINKING


def chat_arguments(request: ModelRequest) -> dict[str, Any]:
    """Return messages, limits, tools and the form of the answer."""
    arguments: dict[str, Any] = {
        "messages": [dict(message) for message in request.messages],
        "max_tokens": request.max_tokens,
    }
    if not is_thinking(request):
        # Thinking models accept only their default temperature.
        arguments["temperature"] = request.temperature
    if request.thinking is not None:
        arguments["reasoning_effort"] = request.thinking
    if request.schema is not None:
        arguments["response_format"] = _response_format(request.schema)
    if request.tools:
        arguments["tools"] = _tools(request.tools)
        if request.tool_choice is not None:
            arguments["tool_choice"] = _tool_choice(request.tool_choice)
    return arguments


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
