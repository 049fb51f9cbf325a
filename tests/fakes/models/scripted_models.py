"""Scripted models without a server, which record their requests."""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import NamedTuple

from llm.budget import Purse
from llm.catalogue import Vendor
from llm.circuit_breaker import Breaker
from llm.completion import Completion
from llm.errors import ModelUnavailable
from llm.pool import Pool
from llm.registry import Registry
from llm.types import Completed, Question, ToolCall
from tests.fakes.run.clocks import ManualClock

FAST, STRONG, OTHER = "gpt-4o-mini", "openai/deep-thinker", "openai/quick-writer"


class ScriptedModels(Completion):
    """Returns the given replies in order, for any model; an exception among them is raised."""

    def __init__(
        self, clock: ManualClock, answers: Iterable[Completed | ModelUnavailable | BrokenOff]
    ) -> None:
        super().__init__(timer=clock, breaker=Breaker(clock.monotonic))
        self._answers = deque(answers)
        self.asked: list[tuple[str, Question]] = []

    def complete(
        self, question: Question, *, model: str, deadline_s: float, purse: Purse | None = None
    ) -> Completed:
        self.asked.append((model, question))
        answer = self._answers.popleft()
        if isinstance(answer, BrokenOff):
            raise answer.error
        if isinstance(answer, ModelUnavailable):
            raise answer
        return answer

    def stream(
        self,
        question: Question,
        *,
        model: str,
        deadline_s: float,
        silent_s: float = math.inf,
        purse: Purse | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Generator[str | Completed, None, None]:
        self.asked.append((model, question))
        answer = self._answers.popleft()
        if isinstance(answer, ModelUnavailable):
            raise answer
        for piece in pieces_of(answer.text):
            if is_stopped():
                return
            yield piece
        if isinstance(answer, BrokenOff):
            raise answer.error
        yield answer


class BrokenOff(NamedTuple):
    """A reply that fails after some text."""

    text: str
    error: ModelUnavailable


def pieces_of(text: str) -> list[str]:
    """Return the text as streamed pieces: words, and the white space between them."""
    return re.findall(r"\s+|\S+", text)


def said(text: str = "", *calls: ToolCall, cost_usd: float | None = 0.001) -> Completed:
    """Return a response of 10 tokens to a prompt of 100."""
    return Completed(
        text=text, prompt_tokens=100, completion_tokens=10, cost_usd=cost_usd, tool_calls=tuple(calls)
    )


def pool_of(models: ScriptedModels, *strong: str) -> Pool:
    """Return a pool of the scripted models, with these strong ones."""
    registry = Registry(vendors=frozenset({Vendor.OPENAI}), intent_model=FAST, strong_models=strong)
    return Pool(models, registry)
