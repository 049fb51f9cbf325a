"""The value types of model requests and responses. `llm.completion` makes the calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from pydantic import JsonValue


class ToolSchema(NamedTuple):
    """A tool as a model sees it. ``parameters`` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]


class ToolCall(NamedTuple):
    """A tool call a model requests. ``arguments`` is unchecked JSON text; ``id`` links it to its result."""

    id: str
    name: str
    arguments: str


class TokenUsage(NamedTuple):
    """The tokens of one answer, as its server reports them."""

    prompt: int
    """All tokens of the prompt, those from a cache and those written to one included."""
    completion: int
    cached: int = 0
    """Prompt tokens read from the provider's cache."""
    cache_written: int = 0
    """Prompt tokens written to the provider's cache."""


class Timer(Protocol):
    """A monotonic clock and sleep."""

    def monotonic(self) -> float:
        """Return seconds that never decrease."""

    def sleep(self, seconds: float) -> None:
        """Block for ``seconds``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """A request to a model.

    ``schema`` is the JSON schema that the answer should follow; None means free text. ``tool_choice`` is
    "auto", "none", "required" or a tool's name; None leaves it to the model. ``thinking`` is the effort
    value from `llm.catalogue.Model.thinking_effort`; None means the vendor's default.
    """

    messages: Sequence[Mapping[str, JsonValue]]
    schema: Mapping[str, JsonValue] | None = None
    max_tokens: int
    temperature: float
    tools: Sequence[ToolSchema] = ()
    tool_choice: str | None = None
    thinking: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelResponse:
    """A model's answer, unchecked. ``cost_usd`` is None when the model's price is unknown.

    ``text`` may be empty when there are ``tool_calls``.
    """

    text: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    tool_calls: tuple[ToolCall, ...] = ()
