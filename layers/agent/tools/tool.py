"""Tools as values: what a model or a client sees of one, and one checked call.

What a tool does is its function's business; which tools somebody gets is decided by whoever fills a
`Toolbox`. A call is made for the caller of the context: no argument changes whose data it touches.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from pydantic import JsonValue

from conversation.clock import Deadline
from conversation.identity import Caller
from conversation.redaction.redact import cleaned, masked
from llm.types import ToolCall, ToolSchema
from tools.errors import ErrorCode, ToolError, as_tool_error
from tools.signature import Signature, arguments_in, check_size
from tools.worker_threads import Hands, LeftBehind, NoHandFree

__all__ = ["ErrorCode", "Tool", "ToolContext", "ToolError", "ToolResult", "Toolbox"]

DEFAULT_TIMEOUT_S = 5.0
MAX_RESULT_BYTES = 16_384
IDENTITY = frozenset({"tenant", "tenant_id", "user", "user_id"})
"""Arguments by which models like to say whose data they want. The token says that."""

_HANDS = Hands(64)
"""Threads tools may be in at once: hung ones of all turns of this process share them."""


@dataclass(frozen=True, slots=True)
class ToolContext:
    """For whom a tool is called, and when.

    ``step_id`` names the place of the call in its turn or run and is the same when that is thought through
    again: what a tool creates derives its id from it, so that it is created once.
    """

    caller: Caller
    now: datetime
    time_zone: str
    step_id: str
    deadline: Deadline
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """How one call went. ``data`` is the result, None after an error; ``message`` says what went wrong."""

    name: str
    ok: bool
    data: JsonValue
    error_code: ErrorCode | None = None
    message: str = ""
    elapsed_ms: int = 0

    @classmethod
    def refused(cls, name: str, code: ErrorCode, message: str, *, elapsed_ms: int = 0) -> ToolResult:
        """The outcome of a call that led to nothing."""
        return cls(name, ok=False, data=None, error_code=code, message=message, elapsed_ms=elapsed_ms)

    def masked(self) -> ToolResult:
        """The outcome without secrets."""
        return replace(self, data=cleaned(self.data), message=masked(self.message))

    def for_model(self) -> str:
        """The JSON text a model gets as the answer to its call."""
        if self.ok:
            return json.dumps({"ok": True, "result": self.data}, ensure_ascii=False)
        error = {"code": self.error_code, "message": self.message}
        return json.dumps({"ok": False, "error": error}, ensure_ascii=False)


@dataclass(frozen=True)
class Tool:
    """A function with a name, a description and the JSON schema of its arguments.

    Made like this, a tool gets the arguments as they come, and of its result only the size is checked: for
    tools whose schema is somebody else's. `of` makes one from a typed function.
    """

    name: str
    description: str
    parameters: Mapping[str, JsonValue]
    invoke: Callable[[Mapping[str, JsonValue], ToolContext], JsonValue] = field(repr=False)
    timeout_s: float = DEFAULT_TIMEOUT_S
    max_result_bytes: int = MAX_RESULT_BYTES

    @classmethod
    def of(
        cls,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        max_result_bytes: int = MAX_RESULT_BYTES,
    ) -> Tool:
        """The tool a typed function is: its docstring's first paragraph describes it, the parameters behind
        the context make the schema, and each result must fit the return type.

        Raises:
            TypeError: a parameter says whose data is meant, which is the context's business.
        """
        signature = Signature.of(function)
        if named := IDENTITY & signature.names:
            raise TypeError(f"{function.__name__!r} must take {sorted(named)} from its context")

        def invoke(arguments: Mapping[str, JsonValue], context: ToolContext) -> JsonValue:
            said = {key: value for key, value in arguments.items() if key not in IDENTITY}
            return signature.result(function(context, **signature.arguments(said)))

        return cls(
            name=name or function.__name__,
            description=signature.description,
            parameters=signature.schema,
            invoke=invoke,
            timeout_s=timeout_s,
            max_result_bytes=max_result_bytes,
        )

    def schema(self) -> ToolSchema:
        """The tool as a model sees it."""
        return ToolSchema(self.name, self.description, self.parameters)

    def call(self, arguments: str | Mapping[str, JsonValue], context: ToolContext) -> ToolResult:
        """What the tool answers. Nothing that a model or a tool's peer does makes this raise.

        A tool that hangs is left behind when its time, or the context's, is over.
        """
        clock = context.deadline.clock
        started = clock.monotonic()
        try:
            data, failure = self._done(arguments, context), None
        except Exception as error:  # noqa: BLE001 - the tool boundary: a model is told, a turn goes on
            data, failure = None, as_tool_error(error)
        elapsed_ms = round((clock.monotonic() - started) * 1000)
        if failure is not None:
            return ToolResult.refused(self.name, failure.code, failure.message, elapsed_ms=elapsed_ms)
        return ToolResult(self.name, ok=True, data=data, elapsed_ms=elapsed_ms)

    def _done(self, arguments: str | Mapping[str, JsonValue], context: ToolContext) -> JsonValue:
        said = arguments_in(arguments)
        seconds = min(self.timeout_s, context.deadline.remaining())
        try:
            return _HANDS.do(lambda: self._checked(said, context), seconds)
        except (LeftBehind, TimeoutError):
            raise ToolError("timeout", f"No result within {max(0.0, seconds):.1f} s.") from None
        except NoHandFree:
            raise ToolError("unavailable", "Too many tools are at work; try again later.") from None

    def _checked(self, said: Mapping[str, JsonValue], context: ToolContext) -> JsonValue:
        data = self.invoke(said, context)
        check_size(data, self.max_result_bytes)
        return data


class Toolbox:
    """The tools somebody may use, by name; a later one replaces an earlier one of its name."""

    def __init__(self, tools: Iterable[Tool] = (), *, masks: bool = False) -> None:
        """``masks``: what tools answer loses its secrets."""
        self._masks = masks
        self._tools = {tool.name: tool for tool in tools}

    @property
    def names(self) -> frozenset[str]:
        """The names of the tools."""
        return frozenset(self._tools)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools, in the order they were given."""
        return tuple(self._tools.values())

    def only(self, names: Collection[str]) -> Toolbox:
        """Those tools of these names that are here."""
        return Toolbox((tool for tool in self.tools if tool.name in names), masks=self._masks)

    def masking(self) -> Toolbox:
        """The same tools; what they answer loses its secrets."""
        return Toolbox(self.tools, masks=True)

    def schemas(self) -> tuple[ToolSchema, ...]:
        """The tools as a model sees them."""
        return tuple(tool.schema() for tool in self._tools.values())

    def call(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """What the tool of the call's name answers; like `Tool.call` it never raises."""
        tool = self._tools.get(call.name)
        if tool is None:
            return ToolResult.refused(call.name[:64], "unknown_tool", "There is no tool of this name.")
        result = tool.call(call.arguments, context)
        return result.masked() if self._masks else result
