"""Holds back tool calls that the user has to approve first, by what was read before them.

Texts that a model reads may tell it what to do, and it may obey. So no rule here asks what a text says:
a call is held by who wrote what was read so far, and by what the call would do. `tools.tool.ToolAccess` says
that of each tool. `agent.inference.question_answering` asks about held calls; a run keeps them
(`agent.runs.worker`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Protocol
from urllib.parse import urlsplit

from pydantic import JsonValue

from agent.word_support import supports_call
from agent.workspace.runs import HeldCall, HeldReason
from conversation.identity import derived_id
from llm.request_types import ToolCall
from tools.argument_schema import parse_arguments
from tools.errors import ToolError
from tools.tool import IDENTITY_ARGUMENTS, Tool, ToolAccess, ToolResult

MAX_HELD_CALLS = 10
MAX_HELD_CHARACTERS = 8_000
"""Of a call's arguments: nobody can judge more, and ten of them fit into a run."""

_WAITS = (
    "This call was not made: it waits for the user's approval. Don't repeat it; finish with what you have."
)
_TOO_MUCH = "This call was not made: there is too much of it to ask the user. Finish with what you have."


class CallSupport(Protocol):
    """Decides whether the words that a turn or run serves ask for a call that changes something."""

    def __call__(self, tool: str, arguments: Mapping[str, JsonValue], names: Mapping[str, str]) -> bool:
        """Whether they do. ``names`` are those of the tasks and agents that were read so far, by id."""


def support_of_message(own_words: str) -> CallSupport:
    """What a message asks for in the user's own words: the act, and all that the call would write."""

    def is_asked_for(tool: str, arguments: Mapping[str, JsonValue], names: Mapping[str, str]) -> bool:
        return supports_call(own_words, tool, arguments, thing=names.get(str(arguments.get("task_id"))))

    return is_asked_for


class CallGuard:
    """Reviews the calls of one turn or run in their order. Not shared between threads."""

    def __init__(
        self,
        *,
        is_asked_for: CallSupport,
        outside: Collection[str] = (),
        described: Collection[str] = (),
        combines_skills: bool = False,
    ) -> None:
        """``outside`` are the origins of texts from outside that the prompt holds already; ``described`` are
        those whose descriptions of their tools the model reads.
        """
        self._is_asked_for = is_asked_for
        self._outside = {*outside, *described}
        self._sources = set(described)
        self._combines_skills = combines_skills
        self._has_read_personal = False
        self._names: dict[str, str] = {}
        self._held: dict[str, HeldCall] = {}

    @property
    def held(self) -> tuple[HeldCall, ...]:
        """The calls that wait for an approval, in the order they were wanted."""
        return tuple(self._held.values())

    @property
    def has_read_outside(self) -> bool:
        """Whether the model has read text from outside by now."""
        return bool(self._outside)

    def review(self, tool: Tool, call: ToolCall) -> ToolResult | None:
        """The result that the model gets instead of making the call; None when the call may be made."""
        try:
            arguments = canonical_arguments(call.arguments)
        except ToolError:
            return None  # the tool refuses them itself
        reason = self._reason(tool, json.loads(arguments))
        if reason is None:
            return None
        held = hold(tool, arguments, reason, about=self._about(json.loads(arguments)))
        if held.id not in self._held:
            if len(arguments) > MAX_HELD_CHARACTERS or len(self._held) == MAX_HELD_CALLS:
                return ToolResult.failed(tool.name, "not_allowed", _TOO_MUCH)
            self._held[held.id] = held
        return ToolResult.failed(tool.name, "needs_approval", _WAITS)

    def record(self, tool: Tool, result: ToolResult) -> None:
        """Take note of a call that was made: the model reads its result next, also that of a failed one."""
        access = tool.access
        self._has_read_personal = self._has_read_personal or access.reads_personal
        if access.reads_outside:
            self._outside.add(access.origin)
            self._sources.add(access.origin)
        else:
            self._names.update(_names_in(result.data))

    def _reason(self, tool: Tool, arguments: Mapping[str, JsonValue]) -> HeldReason | None:
        access = tool.access
        if access.leaves and not access.limits_words:
            if self._has_read_personal:
                return "personal_data"
            if self._sources - {access.origin} and not self._combines_skills:
                return "other_source"
        if access.writes:
            if self._outside and access.skill is None:
                return "outside_text"
            if not self._is_asked_for(tool.name, arguments, self._names):
                return "not_asked"
        return None

    def _about(self, arguments: Mapping[str, JsonValue]) -> str:
        known = (self._names.get(value) for value in arguments.values() if isinstance(value, str))
        return next(filter(None, known), "")


def canonical_arguments(arguments: str | Mapping[str, JsonValue]) -> str:
    """The arguments as JSON that is the same for the same values.

    Raises:
        ToolError: invalid_arguments; it is no JSON object.
    """
    said = parse_arguments(arguments)
    kept = {name: value for name, value in said.items() if name not in IDENTITY_ARGUMENTS}
    return json.dumps(kept, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def hold(tool: Tool, arguments: str, reason: HeldReason, *, about: str = "") -> HeldCall:
    """The call of this tool with these canonical arguments, as it is asked about."""
    return HeldCall(
        id=held_call_id(tool.name, tool.access, arguments),
        tool=tool.name,
        arguments=arguments,
        reason=reason,
        skill=tool.access.skill,
        host=urlsplit(tool.access.destination).hostname or "",
        about=about,
    )


def is_same_call(held: HeldCall, tool: Tool) -> bool:
    """Whether the tool still is the one that the call was approved for: it goes to the same place."""
    return held.id == held_call_id(tool.name, tool.access, held.arguments)


def held_call_id(tool: str, access: ToolAccess, arguments: str) -> str:
    """The id of a call: it changes with the tool, the place the call goes to, and each argument."""
    return derived_id("held call", tool, access.origin, access.destination, arguments)


def _names_in(data: JsonValue) -> Mapping[str, str]:
    """The names of what a result of ours lists, by id."""
    found: dict[str, str] = {}
    rest = [data]
    while rest:
        value = rest.pop()
        if isinstance(value, list):
            rest += value
        elif isinstance(value, dict):
            name = value.get("title") or value.get("name")
            if isinstance(value.get("id"), str) and isinstance(name, str):
                found[str(value["id"])] = name
            rest += value.values()
    return found
