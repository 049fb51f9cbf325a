"""What a model is asked and what it answers, as values. Who asks it is `llm.completion`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from pydantic import JsonValue


class ToolSchema(NamedTuple):
    """A tool as a model sees it; ``parameters`` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]


class ToolCall(NamedTuple):
    """A call a model asks for. ``arguments`` is its JSON text, unchecked; ``id`` pairs it with its answer."""

    id: str
    name: str
    arguments: str


class Timer(Protocol):
    """Measures and waits."""

    def monotonic(self) -> float:
        """Seconds that only ever grow."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a model is asked.

    ``schema`` is the JSON schema its answer should follow; None: free text. ``tool_choice`` is "auto",
    "none", "required" or a tool's name; None leaves it to the model. ``thinking`` is how hard to think, in
    the words of `llm.catalogue.Model.effort`; None: as the vendor thinks best.
    """

    messages: Sequence[Mapping[str, JsonValue]]
    schema: Mapping[str, JsonValue] | None = None
    max_tokens: int
    temperature: float
    tools: Sequence[ToolSchema] = ()
    tool_choice: str | None = None
    thinking: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """A model's answer, unchecked. ``cost_usd`` None: the price of this model is not known.

    ``text`` may be empty when there are ``tool_calls``.
    """

    text: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    tool_calls: tuple[ToolCall, ...] = ()
