"""A conversation with one model that may use tools: asked, given the tools' results, asked again, until it
answers.

Which model and which tools is not decided here (`agent.inference.router`), nor who the tools act for:
that is in the context each call gets. Used for questions in a chat and for runs of agents, with limits of
their own.
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
"""Calls of one answer beyond these are forgotten altogether."""
MAX_NAME, MAX_ARGUMENTS = 64, 500
_WORTH_ASKING_S = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLimits:
    """How far a model may go; the defaults are those of a question in a chat."""

    model_calls: int = CHAT_MODEL_CALLS
    tool_calls: int = CHAT_TOOL_CALLS
    max_tokens: int = 1_000
    """Of one answer."""
    call_timeout_s: float = 50.0
    """Of one model call; never beyond the deadline, and shorter than a purse puts money aside for it."""
    silent_s: float = 20.0
    """How long a model may say nothing."""
    thinking: str | None = None
    """Reasoning effort, for models that have it."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call the model wanted, and what came of it."""

    call: ToolCall
    result: ToolResult

    def told(self) -> ToolUsed:
        """What is told about it."""
        return ToolUsed(
            self.call.name[:MAX_NAME],
            ok=self.result.ok,
            arguments=addressed(self.call.arguments)[:MAX_ARGUMENTS],
            error_code=self.result.error_code,
            elapsed_ms=self.result.elapsed_ms,
        )


StepEvent: TypeAlias = Thinking | Chunk | Restarted | ToolUse
"""A `Chunk` is a piece of the model's words as they come; `Restarted` voids those said so far: they were not
its answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """How it ended."""

    text: str
    """The model's answer as it is; of one that was ``stopped``, what was said of it; otherwise empty."""
    finish: Finish
    reason: str | None = None
    """Why no model answered: the reason of `llm.errors.ModelUnavailable`."""
    tool_messages: tuple[Message, ...] = ()
    """What the model asked of tools and was answered, in order, as it was sent to the model."""
    tool_results: tuple[ToolUse, ...] = ()
    usage: ModelUsage = field(default_factory=ModelUsage)


class ModelSteps:
    """Asks models, step by step; keeps nothing between runs and may be used by several threads."""

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
        """The same as `steps`, telling what happens to ``on_event``."""
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
        """Ask until the model answers, telling what happens on the way.

        Never raises for what a model or a tool does: the end says what came of it, and its text is that of
        the chunks since the last `Restarted`. ``context_for`` gives the context of the n-th tool call, from
        0; ``is_stopped`` is asked before each step and each piece of an answer. The last model call may use
        no tools, so that it answers.
        """
        conversation = _Conversation(self._pool, tuple(messages), toolbox, model, purse, deadline)
        return conversation.steps(context_for, limits or StepLimits(), is_stopped)


class _Conversation:
    """One run: what was said so far, and what it took."""

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
        """The model's answer, told while it is made; None when it was stopped."""
        schemas = self._toolbox.schemas()
        asked = self._client.ask_streaming(
            (*self._opening, *self._said),
            tools=schemas,
            tool_choice="none" if schemas and is_last else None,
            max_tokens=limits.max_tokens,
            deadline_s=min(limits.call_timeout_s, self._deadline.remaining()),
            silent_s=limits.silent_s,
            purse=self._purse,
            # A model that thinks wants its thoughts back along with its tool calls, signed: after the first
            # tool it goes on without.
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
        """What was told is no answer: words before a tool's use, or those of a model that then failed."""
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
        """Make the calls that are still allowed, refuse the others; True when it was stopped meanwhile."""
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
