"""A bounded pool of clients, each for one model and one set of tools.

Connections and their client objects take half a second to create. Litellm caches those itself, one per
vendor, key and address, shared by all models and tool sets. So a client here is small: it holds its model
and the tools it may offer.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence

from pydantic import JsonValue

from llm.available_models import ModelRegistry
from llm.catalogue import Model
from llm.completion import CompletionClient
from llm.request_types import ModelRequest, ModelResponse, ToolSchema
from llm.spend_guard import SpendGuard
from resilience.cache import Cache

MAX_CLIENTS = 64
TEMPERATURE = 0.1


class ModelClient:
    """One model with one set of tools. Thread-safe."""

    def __init__(self, completion: CompletionClient, model: Model, tools: frozenset[str]) -> None:
        self._completion = completion
        self.model = model
        self.tools = tools

    def ask(
        self,
        messages: Sequence[Mapping[str, JsonValue]],
        *,
        tools: Sequence[ToolSchema] = (),
        max_tokens: int,
        deadline_s: float,
        budget: SpendGuard | None = None,
        tool_choice: str | None = None,
        schema: Mapping[str, JsonValue] | None = None,
        thinking: str | None = None,
    ) -> ModelResponse:
        """Return the model's answer. Tools and ``thinking`` are sent only to models that support them.

        Raises:
            ModelUnavailable: no answer; carries the reason.
            ValueError: a tool does not belong to this client.
        """
        question = self._question(
            messages,
            tools,
            max_tokens=max_tokens,
            tool_choice=tool_choice,
            schema=schema,
            thinking=thinking,
        )
        return self._completion.complete(question, model=self.model.id, deadline_s=deadline_s, budget=budget)

    def ask_streaming(
        self,
        messages: Sequence[Mapping[str, JsonValue]],
        *,
        tools: Sequence[ToolSchema] = (),
        max_tokens: int,
        deadline_s: float,
        max_silence_s: float,
        budget: SpendGuard | None = None,
        tool_choice: str | None = None,
        thinking: str | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Generator[str | ModelResponse, None, None]:
        """Yield the answer as free text while it arrives: see `llm.completion.CompletionClient.stream`.

        Raises:
            ModelUnavailable: no complete answer, perhaps after some text; carries the reason.
            ValueError: a tool does not belong to this client.
        """
        question = self._question(
            messages, tools, max_tokens=max_tokens, tool_choice=tool_choice, thinking=thinking
        )
        return self._completion.stream(
            question,
            model=self.model.id,
            deadline_s=deadline_s,
            max_silence_s=max_silence_s,
            budget=budget,
            is_stopped=is_stopped,
        )

    def _question(
        self,
        messages: Sequence[Mapping[str, JsonValue]],
        tools: Sequence[ToolSchema],
        *,
        max_tokens: int,
        tool_choice: str | None,
        schema: Mapping[str, JsonValue] | None = None,
        thinking: str | None,
    ) -> ModelRequest:
        if not self.tools.issuperset(tool.name for tool in tools):
            raise ValueError("a client offers the tools it was made for, and no others")
        return ModelRequest(
            messages=messages,
            schema=schema,
            max_tokens=max_tokens,
            temperature=TEMPERATURE,
            tools=tools if self.model.supports_tools else (),
            tool_choice=tool_choice,
            thinking=self.model.thinking_effort(thinking),
        )


class ModelClientPool:
    """Clients by model and tool set; evicts the least recently used. Shared by all turns of a process."""

    def __init__(
        self, completion: CompletionClient, registry: ModelRegistry, max_clients: int = MAX_CLIENTS
    ) -> None:
        self.completion = completion
        self.registry = registry
        self._clients = Cache[tuple[str, frozenset[str]], ModelClient](max_clients)

    def client(self, model: Model, tools: frozenset[str] = frozenset()) -> ModelClient:
        """Return the client for this model with exactly these tools."""
        return self._clients.get_or_put((model.id, tools), lambda: ModelClient(self.completion, model, tools))

    def is_resting(self, model: Model) -> bool:
        """Return whether the model would not be called now, however long it may take."""
        return self.completion.is_resting(model.id)

    def __len__(self) -> int:
        return len(self._clients)
