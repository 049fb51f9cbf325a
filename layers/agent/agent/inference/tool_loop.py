"""The tool loop: a model is asked, gets the results of its tool calls, and is asked again until it answers.

`agent.inference.router` picks the model and the tools. The context of each call says who its tool acts for.
Questions in a chat and runs of agents use the loop with different limits.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from pydantic import JsonValue

from agent.events import Chunk, Restarted, Thinking, ToolUsed
from agent.inference.prompt_marks import Unmarking, unmarked
from conversation.clock import Deadline
from conversation.redaction.redact import addressed
from conversation.usage.counters import ModelUsage
from llm.budget import Purse
from llm.catalogue import Model
from llm.errors import ModelUnavailable
from llm.pool import Pool
from llm.types import Completed, ToolCall
from tools.tool import Toolbox, ToolContext, ToolResult

Finish = Literal["answered", "out_of_steps", "out_of_time", "stopped", "model_unavailable"]
Message: TypeAlias = Mapping[str, JsonValue]

CHAT_TOOL_CALLS = 4
CHAT_MODEL_CALLS = 2
MAX_ASKED = 64
"""Tool calls of one answer beyond this number are dropped entirely."""
MAX_NAME, MAX_ARGUMENTS = 64, 500
_WORTH_ASKING_S = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLimits:
    """The limits of one loop; the defaults are those of a question in a chat."""

    model_calls: int = CHAT_MODEL_CALLS
    tool_calls: int = CHAT_TOOL_CALLS
    max_tokens: int = 1_000
    """Of one answer."""
    call_timeout_s: float = 50.0
    """Of one model call; never beyond the deadline, and shorter than the lifetime of a budget reservation."""
    silent_s: float = 20.0
    """How long a model may send nothing."""
    thinking: str | None = None
    """Reasoning effort, for models that have it."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool call of the model, and its result."""

    call: ToolCall
    result: ToolResult

    def told(self) -> ToolUsed:
        """The call as an event: its arguments are masked and cut."""
        return ToolUsed(
            self.call.name[:MAX_NAME],
            ok=self.result.ok,
            arguments=addressed(self.call.arguments)[:MAX_ARGUMENTS],
            error_code=self.result.error_code,
            elapsed_ms=self.result.elapsed_ms,
        )


StepEvent: TypeAlias = Thinking | Chunk | Restarted | ToolUse
"""A `Chunk` is a piece of the model's words as they come; `Restarted` voids those so far: they were not its
answer.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """How the loop ended."""

    text: str
    """The model's answer as it is; the words so far when ``stopped``; otherwise empty."""
    finish: Finish
    reason: str | None = None
    """Why no model answered: the reason of `llm.errors.ModelUnavailable`."""
    tool_messages: tuple[Message, ...] = ()
    """The model's tool calls and their results, in order, as they were sent to the model."""
    tool_results: tuple[ToolUse, ...] = ()
    usage: ModelUsage = field(default_factory=ModelUsage)


class ModelSteps:
    """Runs tool loops; keeps no state between them and may be used by several threads."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def run(
        self,
        messages: Sequence[Message],
        toolbox: Toolbox,
        *,
        model: Model,
        purse: Purse,
        deadline: Deadline,
        context_for: Callable[[int], ToolContext],
        limits: StepLimits | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
        on_event: Callable[[StepEvent], None] = lambda _: None,
    ) -> Executed:
        """The same as `steps`, with ``on_event`` called for each event."""
        steps = self.steps(
            messages,
            toolbox,
            model=model,
            purse=purse,
            deadline=deadline,
            context_for=context_for,
            limits=limits,
            is_stopped=is_stopped,
        )
        while True:
            try:
                event = next(steps)
            except StopIteration as end:
                executed: Executed = end.value
                return executed
            on_event(event)

    def steps(
        self,
        messages: Sequence[Message],
        toolbox: Toolbox,
        *,
        model: Model,
        purse: Purse,
        deadline: Deadline,
        context_for: Callable[[int], ToolContext],
        limits: StepLimits | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Generator[StepEvent, None, Executed]:
        """Ask until the model answers, yielding events on the way; return how it ended.

        Never raises for what a model or a tool does: the result says what happened, and its text is that of
        the chunks since the last `Restarted`. ``context_for`` returns the context of the n-th tool call, from
        0; ``is_stopped`` is checked before each step and each piece of an answer. The last model call may use
        no tools, so that it answers.
        """
        conversation = _Conversation(self._pool, tuple(messages), toolbox, model, purse, deadline)
        return conversation.steps(context_for, limits or StepLimits(), is_stopped)


class _Conversation:
    """The state of one loop: the messages so far and the usage."""

    def __init__(
        self,
        pool: Pool,
        messages: tuple[Message, ...],
        toolbox: Toolbox,
        model: Model,
        purse: Purse,
        deadline: Deadline,
    ) -> None:
        self._client = pool.client(model, frozenset(toolbox.names))
        self._opening = messages
        self._said: list[Message] = []
        self._telling: list[str] = []
        self._uses: list[ToolUse] = []
        self._usage = ModelUsage()
        self._toolbox = toolbox
        self._purse = purse
        self._deadline = deadline

    def steps(
        self, context_for: Callable[[int], ToolContext], limits: StepLimits, is_stopped: Callable[[], bool]
    ) -> Generator[StepEvent, None, Executed]:
        for place in range(limits.model_calls):
            if (ending := self._ending(is_stopped)) is not None:
                return self._end(ending)
            yield Thinking("answering")
            is_last = place + 1 == limits.model_calls
            try:
                completed = yield from self._ask(limits, is_stopped, is_last=is_last)
            except ModelUnavailable as error:
                yield from self._take_back()
                return self._end("model_unavailable", reason=error.reason)
            if completed is None:
                return self._end("stopped", text="".join(self._telling))
            self._usage = self._usage.plus(
                completed.prompt_tokens, completed.completion_tokens, completed.cost_usd
            )
            if not completed.tool_calls or (is_last and completed.text):
                return self._end("answered", text=completed.text)
            if is_last:
                break
            yield from self._take_back()
            if (yield from self._use_tools(completed, context_for, limits, is_stopped)):
                return self._end("stopped")
        return self._end("out_of_steps")

    def _ending(self, is_stopped: Callable[[], bool]) -> Finish | None:
        if is_stopped():
            return "stopped"
        return "out_of_time" if self._deadline.remaining() < _WORTH_ASKING_S else None

    def _ask(
        self, limits: StepLimits, is_stopped: Callable[[], bool], *, is_last: bool
    ) -> Generator[StepEvent, None, Completed | None]:
        """The model's answer, emitted while it is made; None when it was stopped."""
        schemas = self._toolbox.schemas()
        asked = self._client.ask_streaming(
            (*self._opening, *self._said),
            tools=schemas,
            tool_choice="none" if schemas and is_last else None,
            max_tokens=limits.max_tokens,
            deadline_s=min(limits.call_timeout_s, self._deadline.remaining()),
            silent_s=limits.silent_s,
            purse=self._purse,
            # A thinking model wants its signed thoughts back along with its tool calls. Thinking is off after
            # the first tool use instead.
            thinking=None if self._said else limits.thinking,
            is_stopped=is_stopped,
        )
        unmarking = Unmarking()
        with closing(asked):
            for piece in asked:
                if isinstance(piece, Completed):
                    yield from self._tell(unmarking.rest())
                    return replace(piece, text=unmarked(piece.text))
                yield from self._tell(unmarking.passed(piece))
        yield from self._tell(unmarking.rest())
        return None

    def _tell(self, words: str) -> Generator[StepEvent, None, None]:
        if words:
            self._telling.append(words)
            yield Chunk(words)

    def _take_back(self) -> Generator[StepEvent, None, None]:
        """Void the words emitted so far: they came before a tool call, or the model then failed."""
        if self._telling:
            self._telling.clear()
            yield Restarted()

    def _use_tools(
        self,
        completed: Completed,
        context_for: Callable[[int], ToolContext],
        limits: StepLimits,
        is_stopped: Callable[[], bool],
    ) -> Generator[StepEvent, None, bool]:
        """Make the calls that are still allowed and refuse the others; True when it was stopped meanwhile."""
        calls = completed.tool_calls[:MAX_ASKED]
        self._said.append(_asking(completed.text, calls))
        for call in calls:
            if is_stopped():
                return True
            place = len(self._uses)
            if place < limits.tool_calls:
                result = self._toolbox.call(call, context_for(place))
                use = ToolUse(call, result)
                self._uses.append(use)
                yield use
            else:
                result = _refused(call)
            self._said.append(_answering(call, result))
        return False

    def _end(self, finish: Finish, *, text: str = "", reason: str | None = None) -> Executed:
        return Executed(
            text=text,
            finish=finish,
            reason=reason,
            tool_messages=tuple(self._said),
            tool_results=tuple(self._uses),
            usage=self._usage,
        )


def _refused(call: ToolCall) -> ToolResult:
    words = "No more tools may be used; answer with what you have."
    return ToolResult.refused(call.name, "not_allowed", words)


def _asking(text: str, calls: Sequence[ToolCall]) -> Message:
    return {
        "role": "assistant",
        "content": text or None,
        "tool_calls": [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in calls
        ],
    }


def _answering(call: ToolCall, result: ToolResult) -> Message:
    return {"role": "tool", "tool_call_id": call.id, "content": result.for_model()}
