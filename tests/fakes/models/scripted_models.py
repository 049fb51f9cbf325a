"""Scripted models without a server, which record their requests."""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import NamedTuple

from llm.available_models import ModelRegistry
from llm.catalogue import Vendor
from llm.circuit_breaker import ModelCircuitBreakers
from llm.client_pool import ModelClientPool
from llm.completion import CompletionClient
from llm.errors import ModelTimeout, ModelUnavailable
from llm.request_types import ModelRequest, ModelResponse, ToolCall
from llm.spend_guard import SpendGuard
from tests.fakes.run.clocks import ManualClock

FAST, STRONG, OTHER = "gpt-4o-mini", "openai/deep-thinker", "openai/quick-writer"


class ScriptedModels(CompletionClient):
    """Returns the given replies in order, for any model; an exception among them is raised. The last
    exception is raised again when nothing is left.
    """

    def __init__(
        self, clock: ManualClock, answers: Iterable[ModelResponse | ModelUnavailable | FailingReply]
    ) -> None:
        super().__init__(timer=clock, breaker=ModelCircuitBreakers(clock.monotonic))
        self._clock = clock
        self._answers = deque(answers)
        self.call_s = 0.0
        """How long a streamed answer takes; one that gets less time is a timeout."""
        self._last: ModelUnavailable | FailingReply | None = None
        self.asked: list[tuple[str, ModelRequest]] = []

    def _next(self) -> ModelResponse | ModelUnavailable | FailingReply:
        # After the last answer, a failure is every model's.
        answer = self._last if not self._answers else self._answers.popleft()
        if isinstance(answer, ModelUnavailable | FailingReply):
            self._last = answer
        assert answer is not None, "nothing is scripted"
        return answer

    def complete(
        self, question: ModelRequest, *, model: str, deadline_s: float, budget: SpendGuard | None = None
    ) -> ModelResponse:
        self.asked.append((model, question))
        answer = self._next()
        if isinstance(answer, FailingReply):
            raise answer.error
        if isinstance(answer, ModelUnavailable):
            raise answer
        return answer

    def stream(
        self,
        question: ModelRequest,
        *,
        model: str,
        deadline_s: float,
        max_silence_s: float = math.inf,
        budget: SpendGuard | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Generator[str | ModelResponse, None, None]:
        self.asked.append((model, question))
        allowed_s = min(deadline_s, max_silence_s)
        self._clock.advance(min(self.call_s, allowed_s))
        if self.call_s > allowed_s:
            raise ModelTimeout
        answer = self._next()
        if isinstance(answer, ModelUnavailable):
            raise answer
        for piece in pieces_of(answer.text):
            if is_stopped():
                return
            yield piece
        if isinstance(answer, FailingReply):
            raise answer.error
        yield answer


class FailingReply(NamedTuple):
    """A reply that fails after some text."""

    text: str
    error: ModelUnavailable


def pieces_of(text: str) -> list[str]:
    """Return the text as streamed pieces: words, and the white space between them."""
    return re.findall(r"\s+|\S+", text)


def response(text: str = "", *calls: ToolCall, cost_usd: float | None = 0.001) -> ModelResponse:
    """Return a response of 10 tokens to a prompt of 100."""
    return ModelResponse(
        text=text, prompt_tokens=100, completion_tokens=10, cost_usd=cost_usd, tool_calls=tuple(calls)
    )


def pool_of(models: ScriptedModels, *strong: str) -> ModelClientPool:
    """Return a pool of the scripted models, with these strong ones."""
    registry = ModelRegistry(vendors=frozenset({Vendor.OPENAI}), intent_model=FAST, strong_models=strong)
    return ModelClientPool(models, registry)
