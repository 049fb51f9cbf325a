"""Tools and toolboxes: the schema a model or MCP client sees, and a checked call that never raises.

A call works for the caller in its context: no argument can make it touch another user's data. Which tools a
caller gets is decided by the code that fills a `Toolbox`.
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
from conversation.redaction.masking import mask, mask_value
from llm.request_types import ToolCall, ToolSchema
from resilience.deadlines import DeadlineExceeded, NoWorkerFree, WorkerThreads
from tools.argument_schema import Signature, check_size, parse_arguments
from tools.errors import ErrorCode, ToolError, as_tool_error

DEFAULT_TIMEOUT_S = 5.0
MAX_RESULT_BYTES = 16_384
IDENTITY_ARGUMENTS = frozenset({"tenant", "tenant_id", "user", "user_id"})
"""Arguments with which models tend to name whose data they want. They are dropped: the token decides that."""

PRODUCT, WEB, SKILL_PREFIX = "product", "web", "skill:"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAccess:
    """What a tool reads and does. The call guard decides by it (`agent.inference.call_guard`).

    The defaults are those of a tool that touches nothing, such as the calculator.
    """

    origin: str = PRODUCT
    """Who answers: `PRODUCT`, `WEB`, or `SKILL_PREFIX` with the name of the skill."""
    reads_personal: bool = False
    """Whether its results hold the user's own data."""
    reads_outside: bool = False
    """Whether its results hold text of somebody else: a web page, a skill's server."""
    writes: bool = False
    """Whether it changes something, here or elsewhere."""
    leaves: bool = False
    """Whether its arguments go to another server."""
    limits_words: bool = False
    """Whether it sends nothing but the user's own words, whatever its arguments say."""
    destination: str = ""
    """The address that gets the arguments; empty: none, or one that the deployment chose."""

    @classmethod
    def of_skill(cls, name: str, *, destination: str = "") -> ToolAccess:
        """Returns the access of a skill's tool. Its effect is unknown, so everything is assumed of it."""
        return cls(
            origin=f"{SKILL_PREFIX}{name}",
            reads_outside=True,
            writes=True,
            leaves=True,
            destination=destination,
        )

    @property
    def skill(self) -> str | None:
        """The name of the skill that answers; None for our own tools."""
        return self.origin.removeprefix(SKILL_PREFIX) if self.origin.startswith(SKILL_PREFIX) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolEffect:
    """What MCP clients are told of a tool that writes, so that they know what to ask their user about.

    A tool whose access says that it writes nothing needs none.
    """

    destroys: bool = True
    """Whether it may change or remove what was there; False: it only adds."""
    repeats_safely: bool = False
    """Whether a second call with the same arguments changes nothing more."""
    is_open: bool = False
    """Whether it reaches others than the caller's own data here: the web, models, other servers."""


UNKNOWN_ACCESS = ToolAccess(
    origin="unknown", reads_personal=True, reads_outside=True, writes=True, leaves=True
)
"""The access of a tool that does not declare its own."""

_WORKERS = WorkerThreads(64)
"""The threads for tool calls, shared by all turns of this process. A hung tool occupies one until it ends."""


@dataclass(slots=True)
class CallKey:
    """The Idempotency-Key of a call. The tool notes here that it returns what an earlier call made."""

    key: str
    replayed: bool = False


def no_progress(_stage: str) -> None:
    """Nobody wants to know how far the call is."""


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The caller a tool works for, the time, the deadline, and the step that calls it.

    ``step_id`` names the position of the call in its turn or run and stays the same on a retry. Tools derive
    the ids of what they create from it, so that a retry creates nothing twice.
    """

    caller: Caller
    now: datetime
    time_zone: str
    step_id: str
    deadline: Deadline
    conversation_id: str | None = None
    own_words: str | None = None
    """The user's own words that the call serves; None: no message is known, as in the call of an MCP
    client.
    """
    call_key: CallKey | None = None
    """Only MCP clients send one; turns and runs repeat a step by its id."""
    request_id: str = ""
    """The request by which an MCP client calls; empty for turns and runs."""
    tell: Callable[[str], None] = no_progress
    """Tells an MCP client that waits how far the call is."""
    keeps_history: bool = True
    """Whether conversations are stored; only the tool with which MCP clients chat asks."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The outcome of one call. ``data`` is the result, None after an error, which ``message`` describes.

    ``origin`` is that of the tool's access: who wrote the result.
    """

    name: str
    ok: bool
    data: JsonValue
    error_code: ErrorCode | None = None
    message: str = ""
    elapsed_ms: int = 0
    origin: str = PRODUCT

    @classmethod
    def failed(
        cls, name: str, code: ErrorCode, message: str, *, elapsed_ms: int = 0, origin: str = PRODUCT
    ) -> ToolResult:
        """Builds the outcome of a failed call."""
        failure = cls(name, ok=False, data=None, error_code=code, message=message, elapsed_ms=elapsed_ms)
        return replace(failure, origin=origin)

    def redacted(self) -> ToolResult:
        """Returns the outcome with its secrets redacted."""
        return replace(self, data=mask_value(self.data), message=mask(self.message))

    def to_model_json(self) -> str:
        """Returns the JSON text that a model gets for its call."""
        if self.ok:
            return json.dumps({"ok": True, "from": self.origin, "result": self.data}, ensure_ascii=False)
        error = {"code": self.error_code, "message": self.message}
        return json.dumps({"ok": False, "from": self.origin, "error": error}, ensure_ascii=False)


@dataclass(frozen=True)
class Tool:
    """A function with a name, a description and the JSON schema of its arguments.

    A tool built with the constructor gets its arguments unvalidated, and only the size of its result is
    checked: this is for tools whose schema comes from another server. `of` builds one from a typed function.
    """

    name: str
    description: str
    parameters: Mapping[str, JsonValue]
    invoke: Callable[[Mapping[str, JsonValue], ToolContext], JsonValue] = field(repr=False)
    timeout_s: float = DEFAULT_TIMEOUT_S
    max_result_bytes: int = MAX_RESULT_BYTES
    access: ToolAccess = UNKNOWN_ACCESS
    effect: ToolEffect = ToolEffect()
    describe_result: Callable[[], Mapping[str, JsonValue]] | None = field(default=None, repr=False)
    """Makes the schema of its results, which models don't need; None: nobody promises one."""

    @classmethod
    def of(
        cls,
        function: Callable[..., Any],
        *,
        access: ToolAccess = UNKNOWN_ACCESS,
        effect: ToolEffect = ToolEffect(),
        name: str | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        max_result_bytes: int = MAX_RESULT_BYTES,
    ) -> Tool:
        """Builds a tool from a typed function.

        The first paragraph of the docstring becomes the description. The parameters after the context become
        the schema. Each result must fit the return type.

        Raises:
            TypeError: a parameter names a tenant or user; the function must take those from its context.
        """
        signature = Signature.of(function)
        if named := IDENTITY_ARGUMENTS & signature.argument_names:
            raise TypeError(f"{function.__name__!r} must take {sorted(named)} from its context")

        def invoke(arguments: Mapping[str, JsonValue], context: ToolContext) -> JsonValue:
            said = {key: value for key, value in arguments.items() if key not in IDENTITY_ARGUMENTS}
            return signature.validate_result(function(context, **signature.validate_arguments(said)))

        return cls(
            name=name or function.__name__,
            description=signature.description,
            parameters=signature.schema,
            invoke=invoke,
            timeout_s=timeout_s,
            max_result_bytes=max_result_bytes,
            access=access,
            effect=effect,
            describe_result=signature.result_schema,
        )

    def schema(self) -> ToolSchema:
        """Returns the tool's schema for a model."""
        return ToolSchema(self.name, self.description, self.parameters)

    def call(self, arguments: str | Mapping[str, JsonValue], context: ToolContext) -> ToolResult:
        """Calls the tool and returns its outcome. Never raises for anything a model or a remote server does.

        A call that outlasts the tool's timeout or the context's deadline is abandoned in its thread.
        """
        clock = context.deadline.clock
        started = clock.monotonic()
        try:
            data, failure = self._run_with_timeout(arguments, context), None
        except Exception as error:  # noqa: BLE001 - the tool boundary: a model is told, a turn goes on
            data, failure = None, as_tool_error(error)
        elapsed_ms = round((clock.monotonic() - started) * 1000)
        if failure is not None:
            origin = self.access.origin
            return ToolResult.failed(
                self.name, failure.code, failure.message, elapsed_ms=elapsed_ms, origin=origin
            )
        return ToolResult(self.name, ok=True, data=data, elapsed_ms=elapsed_ms, origin=self.access.origin)

    def _run_with_timeout(self, arguments: str | Mapping[str, JsonValue], context: ToolContext) -> JsonValue:
        said = parse_arguments(arguments)
        seconds = min(self.timeout_s, context.deadline.remaining())
        try:
            return _WORKERS.run(lambda: self._invoke_and_check(said, context), seconds)
        except (DeadlineExceeded, TimeoutError):
            raise ToolError("timeout", f"No result within {max(0.0, seconds):.1f} s.") from None
        except NoWorkerFree:
            raise ToolError("unavailable", "Too many tools are at work; try again later.") from None

    def _invoke_and_check(self, said: Mapping[str, JsonValue], context: ToolContext) -> JsonValue:
        data = self.invoke(said, context)
        check_size(data, self.max_result_bytes)
        return data


class Toolbox:
    """The tools a caller may use, by name. A later tool replaces an earlier one of the same name."""

    def __init__(self, tools: Iterable[Tool] = (), *, redact_results: bool = False) -> None:
        """With ``masks``, secrets in the results are redacted."""
        self._masks = redact_results
        self._tools = {tool.name: tool for tool in tools}

    @property
    def names(self) -> frozenset[str]:
        """The names of the tools."""
        return frozenset(self._tools)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools, in the order given."""
        return tuple(self._tools.values())

    def find(self, name: str) -> Tool | None:
        """Returns the tool of this name; None when there is none."""
        return self._tools.get(name)

    def subset(self, names: Collection[str]) -> Toolbox:
        """Returns a toolbox with only the tools of these names; unknown names are ignored."""
        return Toolbox((tool for tool in self.tools if tool.name in names), redact_results=self._masks)

    def with_tool(self, tool: Tool) -> Toolbox:
        """Returns a toolbox with one more tool."""
        return Toolbox((*self.tools, tool), redact_results=self._masks)

    def with_redaction(self) -> Toolbox:
        """Returns the same tools in a toolbox that redacts secrets in their results."""
        return Toolbox(self.tools, redact_results=True)

    def schemas(self) -> tuple[ToolSchema, ...]:
        """Returns the schemas of the tools for a model."""
        return tuple(tool.schema() for tool in self._tools.values())

    def call(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """Calls the named tool and returns its outcome; like `Tool.call`, never raises."""
        tool = self._tools.get(call.name)
        if tool is None:
            return ToolResult.failed(call.name[:64], "unknown_tool", "There is no tool of this name.")
        result = tool.call(call.arguments, context)
        return result.redacted() if self._masks else result


_WORDS_OF_SCHEMAS = frozenset({"description", "title", "$comment", "examples", "default"})


def without_descriptions(tool: Tool) -> Tool:
    """Returns a skill's tool without what its server says in words of it and of its parameters."""
    parameters = _without_words(dict(tool.parameters))
    return replace(
        tool,
        description=f"A tool of the skill {tool.access.skill}.",
        parameters=parameters if isinstance(parameters, dict) else {},
    )


def _without_words(schema: JsonValue) -> JsonValue:
    if isinstance(schema, list):
        return [_without_words(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    # The names under "properties" are parameters: one may be called "title".
    return {
        name: {key: _without_words(part) for key, part in value.items()}
        if name == "properties" and isinstance(value, dict)
        else _without_words(value)
        for name, value in schema.items()
        if name not in _WORDS_OF_SCHEMAS
    }
