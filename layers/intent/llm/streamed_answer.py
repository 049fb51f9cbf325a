"""Assembles a streamed answer from its pieces, whatever protocol they came by."""

from __future__ import annotations

from dataclasses import dataclass, field

from llm.errors import ModelOutputInvalid
from llm.request_types import ModelResponse, ToolCall


class StreamedAnswer:
    """The text and tool calls of a stream so far."""

    def __init__(self) -> None:
        self._text: list[str] | None = None
        self._calls: list[_StreamedCall] = []
        self.size = 0
        """Bytes of everything the model wrote, including tool calls and visible thinking."""

    def add_text(self, text: str) -> None:
        """Add text. An empty one says that the answer has a text, which is empty so far."""
        self._text = self._text or []
        self._text.append(text)
        self.size += len(text.encode())

    def add_thinking(self, text: str) -> None:
        """Count visible thinking, which is no part of the answer."""
        self.size += len(text.encode())

    def add_call(self, index: int | None, call_id: str | None, name: str, arguments: str) -> None:
        """Add a part of a tool call.

        The index identifies the call. A part with a new id of its own starts a new call, because some
        servers don't number their calls.
        """
        call = next((call for call in reversed(self._calls) if call.index == index), None)
        if call is None or (call_id and call.id and call_id != call.id):
            call = _StreamedCall(index)
            self._calls.append(call)
        call.id = call.id or call_id
        call.name = call.name or name
        call.arguments.append(arguments)
        self.size += len((name + arguments).encode())

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
