"""The tool loop: a model is asked, gets the results of its tool calls, and is asked again until it answers.

`agent.inference.router` picks the model and the tools. The context of each call says who its tool acts for.
Questions in a chat and runs of agents use the loop with different limits.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from pydantic import JsonValue

from agent.inference.call_guard import CallGuard
from agent.inference.prompt_leak_filter import PromptLeakFilter, strip_marks
from agent.turn_events import Chunk, Restarted, Thinking, ToolUsed
from conversation.clock import Deadline
from conversation.redaction.masking import mask_for_models
from llm.catalogue import Model
from llm.client_pool import ModelClientPool
from llm.errors import ModelUnavailable
from llm.failover import Attempt, ModelWalk, PassedOver
from llm.request_types import ModelResponse, ToolCall
from llm.spend_guard import SpendGuard
from tools.tool import Toolbox, ToolContext, ToolResult

Finish = Literal["answered", "out_of_steps", "out_of_time", "stopped", "model_unavailable"]
ModelMessage: TypeAlias = Mapping[str, JsonValue]

CHAT_TOOL_CALLS = 8
CHAT_MODEL_CALLS = 5
"""Four rounds of tools, and the answer."""
MAX_CALLS_PER_ANSWER = 64
"""Tool calls of one answer beyond this number are dropped entirely."""
MAX_NAME, MAX_ARGUMENTS = 64, 500
_WORTH_ASKING_S = 0.2
_CALLS_TO_COME = 3
"""So many calls have to fit into the time left for one that may use tools: itself, and the answer, which gets
half of what is then left while another model could stand in.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolLoopLimits:
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

    def to_event(self) -> ToolUsed:
        """The call as an event: its arguments are masked and cut."""
        return ToolUsed(
            self.call.name[:MAX_NAME],
            ok=self.result.ok,
            arguments=mask_for_models(self.call.arguments)[:MAX_ARGUMENTS],
            error_code=self.result.error_code,
            elapsed_ms=self.result.elapsed_ms,
        )


ToolLoopEvent: TypeAlias = Thinking | Chunk | Restarted | ToolUse
"""A `Chunk` is a piece of the model's words as they come; `Restarted` voids those so far: they were not its
answer.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolLoopResult:
    """How the loop ended."""

    text: str
    """The model's answer as it is; the words so far when ``stopped``; otherwise empty."""
    finish: Finish
    reason: str | None = None
    """Why no model answered: the reason of `llm.errors.ModelUnavailable`."""
    model: Model
    """The model that answered, or was asked last."""
    passed_over: tuple[PassedOver, ...] = ()
    """The models that it answered for."""
    tool_messages: tuple[ModelMessage, ...] = ()
    """The model's tool calls and their results, in order, as they were sent to the model."""
    tool_uses: tuple[ToolUse, ...] = ()


class ToolLoop:
    """Runs tool loops; keeps no state between them and may be used by several threads."""

    def __init__(self, pool: ModelClientPool) -> None:
        self._pool = pool

    def run(
        self,
        messages: Sequence[ModelMessage],
        toolbox: Toolbox,
        *,
        model: Model,
        stand_ins: Sequence[Model] = (),
        budget: SpendGuard,
        deadline: Deadline,
        context_for: Callable[[int], ToolContext],
        guard: CallGuard,
        limits: ToolLoopLimits | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
        on_event: Callable[[ToolLoopEvent], None] = lambda _: None,
    ) -> ToolLoopResult:
        """The same as `stream`, with ``on_event`` called for each event."""
        steps = self.stream(
            messages,
            toolbox,
            model=model,
            stand_ins=stand_ins,
            budget=budget,
            deadline=deadline,
            context_for=context_for,
            guard=guard,
            limits=limits,
            is_stopped=is_stopped,
        )
        while True:
            try:
                event = next(steps)
            except StopIteration as end:
                executed: ToolLoopResult = end.value
                return executed
            on_event(event)

    def stream(
        self,
        messages: Sequence[ModelMessage],
        toolbox: Toolbox,
        *,
        model: Model,
        stand_ins: Sequence[Model] = (),
        budget: SpendGuard,
        deadline: Deadline,
        context_for: Callable[[int], ToolContext],
        guard: CallGuard,
        limits: ToolLoopLimits | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Generator[ToolLoopEvent, None, ToolLoopResult]:
        """Ask until the model answers, yielding events on the way; return how it ended.

        ``stand_ins`` are asked in this order when the ``model`` does not answer; what tools returned so far
        goes along. Never raises for what a model or a tool does: the result says what happened, and its text
        is that of the chunks since the last `Restarted`. The ``guard`` reviews each call before it is made,
        and keeps those that it holds. ``context_for`` returns the context of the n-th tool call, from 0;
        ``is_stopped`` is checked before each step and each piece of an answer. The last model call may use no
        tools, so that it answers; so does an earlier one when the calls are too slow for another round.
        """
        models = (model, *stand_ins)
        conversation = _Conversation(self._pool, tuple(messages), toolbox, models, budget, deadline, guard)
        return conversation.steps(context_for, limits or ToolLoopLimits(), is_stopped)


class _Conversation:
    """The state of one loop: the messages and tool uses so far."""

    def __init__(
        self,
        pool: ModelClientPool,
        messages: tuple[ModelMessage, ...],
        toolbox: Toolbox,
        models: tuple[Model, ...],
        budget: SpendGuard,
        deadline: Deadline,
        guard: CallGuard,
    ) -> None:
        self._guard = guard
        self._pool = pool
        self._models = models
        """The model to ask next, then those that stand in for it."""
        self._passed_over: list[PassedOver] = []
        self._opening = messages
        self._exchanged: list[ModelMessage] = []
        self._emitted: list[str] = []
        self._uses: list[ToolUse] = []
        self._toolbox = toolbox
        self._budget = budget
        self._deadline = deadline

    def steps(
        self,
        context_for: Callable[[int], ToolContext],
        limits: ToolLoopLimits,
        is_stopped: Callable[[], bool],
    ) -> Generator[ToolLoopEvent, None, ToolLoopResult]:
        slowest_s = 0.0
        for place in range(limits.model_calls):
            if (ending := self._ending(is_stopped)) is not None:
                return self._end(ending)
            yield Thinking("answering")
            left_s = self._deadline.remaining()
            is_last = place + 1 == limits.model_calls or left_s < _CALLS_TO_COME * slowest_s
            try:
                completed = yield from self._ask_models(limits, is_stopped, is_last=is_last)
            except ModelUnavailable as error:
                yield from self._take_back()
                if self._uses and self._ending(is_stopped) == "out_of_time":
                    return self._end("out_of_time")
                return self._end("model_unavailable", reason=error.reason)
            slowest_s = max(slowest_s, left_s - self._deadline.remaining())
            if completed is None:
                return self._end("stopped", text="".join(self._emitted))
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

    def _ask_models(
        self, limits: ToolLoopLimits, is_stopped: Callable[[], bool], *, is_last: bool
    ) -> Generator[ToolLoopEvent, None, ModelResponse | None]:
        """The answer of the first model that has one; the next call of the loop begins with that model."""
        walk = ModelWalk(
            self._models,
            is_resting=self._pool.completion.is_resting,
            left_s=self._deadline.remaining,
            call_s=min(limits.call_timeout_s, limits.silent_s),
        )
        for attempt in walk.attempts():
            self._models = self._models[self._models.index(attempt.model) :]
            try:
                completed = yield from self._ask(attempt, limits, is_stopped, is_last=is_last)
            except ModelUnavailable as error:
                yield from self._take_back()
                walk.pass_over(attempt.model, error)
            else:
                self._passed_over += walk.passed_over
                return completed
        raise walk.failure

    def _ask(
        self,
        attempt: Attempt,
        limits: ToolLoopLimits,
        is_stopped: Callable[[], bool],
        *,
        is_last: bool,
    ) -> Generator[ToolLoopEvent, None, ModelResponse | None]:
        """The model's answer, emitted while it is made; None when it was stopped."""
        schemas = self._toolbox.schemas()
        client = self._pool.client(attempt.model, frozenset(self._toolbox.names))
        response = client.ask_streaming(
            (*self._opening, *self._exchanged),
            tools=schemas,
            tool_choice="none" if schemas and is_last else None,
            max_tokens=limits.max_tokens,
            deadline_s=min(limits.call_timeout_s, self._deadline.remaining()),
            max_silence_s=attempt.within_s,
            budget=self._budget,
            # A thinking model wants its signed thoughts back along with its tool calls. Thinking is off after
            # the first tool use instead.
            thinking=None if self._exchanged or not attempt.model.supports_thinking else limits.thinking,
            is_stopped=is_stopped,
        )
        leak_filter = PromptLeakFilter()
        with closing(response):
            for piece in response:
                if isinstance(piece, ModelResponse):
                    yield from self._emit(leak_filter.flush())
                    return replace(piece, text=strip_marks(piece.text))
                yield from self._emit(leak_filter.feed(piece))
        yield from self._emit(leak_filter.flush())
        return None

    def _emit(self, words: str) -> Generator[ToolLoopEvent, None, None]:
        if words:
            self._emitted.append(words)
            yield Chunk(words)

    def _take_back(self) -> Generator[ToolLoopEvent, None, None]:
        """Void the words emitted so far: they came before a tool call, or the model then failed."""
        if self._emitted:
            self._emitted.clear()
            yield Restarted()

    def _use_tools(
        self,
        completed: ModelResponse,
        context_for: Callable[[int], ToolContext],
        limits: ToolLoopLimits,
        is_stopped: Callable[[], bool],
    ) -> Generator[ToolLoopEvent, None, bool]:
        """Make the calls that are still allowed and refuse the others; True when it was stopped meanwhile."""
        calls = completed.tool_calls[:MAX_CALLS_PER_ANSWER]
        self._exchanged.append(_tool_call_message(completed.text, calls))
        for call in calls:
            if is_stopped():
                return True
            place = len(self._uses)
            if place < limits.tool_calls:
                result = self._make(call, context_for(place))
                use = ToolUse(call, result)
                self._uses.append(use)
                yield use
            else:
                result = _refused(call)
            self._exchanged.append(_tool_result_message(call, result))
        return False

    def _make(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """The result of the call, which is made unless the guard holds it."""
        tool = self._toolbox.find(call.name)
        if tool is None:
            return self._toolbox.call(call, context)
        held = self._guard.review(tool, call)
        if held is not None:
            return held
        result = self._toolbox.call(call, context)
        self._guard.record(tool, result)
        return result

    def _end(self, finish: Finish, *, text: str = "", reason: str | None = None) -> ToolLoopResult:
        return ToolLoopResult(
            text=text,
            finish=finish,
            reason=reason,
            model=self._models[0],
            passed_over=tuple(self._passed_over),
            tool_messages=tuple(self._exchanged),
            tool_uses=tuple(self._uses),
        )


def _refused(call: ToolCall) -> ToolResult:
    words = "No more tools may be used; answer with what you have."
    return ToolResult.failed(call.name, "not_allowed", words)


def _tool_call_message(text: str, calls: Sequence[ToolCall]) -> ModelMessage:
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


def _tool_result_message(call: ToolCall, result: ToolResult) -> ModelMessage:
    return {"role": "tool", "tool_call_id": call.id, "content": result.to_model_json()}
