"""The budget port for model calls: it reserves money before each call and settles the cost afterwards.

`agent.inference.turn_budget` keeps the budgets themselves.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import NamedTuple, Protocol, Self, TypeAlias

from llm.content_parts import without_content
from llm.request_types import ModelRequest, ModelResponse


class CallUsage(NamedTuple):
    """The tokens and cost of one model call. ``cost_usd`` is None when the model's price is unknown."""

    model: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


class Reservation(Protocol):
    """Money reserved for one call. It is settled once; if it never is, it expires after about a minute."""

    def settle(self, spent: CallUsage) -> None:
        """Replace the estimate with the actual cost."""


class SpendGuard(Protocol):
    """The spending limit of one turn or run. Thread-safe."""

    def reserve(self, estimate_usd: float) -> Reservation:
        """Reserve the most that a call may cost.

        Raises:
            llm.errors.ModelBudgetExceeded: the amount exceeds the budget. Nothing was reserved; don't call a
                model.
        """


class NoBudget:
    """A `SpendGuard` with no limit and no accounting."""

    def reserve(self, estimate_usd: float) -> Reservation:  # noqa: ARG002
        return _Unaccounted()


class _Unaccounted:
    def settle(self, spent: CallUsage) -> None:
        pass


_BYTES_PER_TOKEN = 3
"""A low estimate: in nearly every language tokens hold more on average, so counting bytes overestimates."""

CostFunction: TypeAlias = Callable[[int, int], float | None]
"""Returns the cost in US dollars of a number of prompt and answer tokens; None when the price is unknown."""


@dataclass(slots=True)
class CallAttempts:
    """Counts the attempts of one call and their outcomes. The thread that makes the attempts updates it."""

    started: int = 0
    refused: int = 0
    received_bytes: int = 0
    """Bytes of the answer received before it was complete. Known for streams only."""


class CallReservation:
    """Reserves money for one call and settles it when the context exits, whatever the outcome of the call."""

    def __init__(
        self,
        request: ModelRequest,
        *,
        model: str,
        price: CostFunction,
        budget: SpendGuard,
        attempts: CallAttempts,
    ) -> None:
        """Reserve the estimated cost of one attempt.

        Raises:
            ModelBudgetExceeded: the estimate exceeds the budget.
        """
        self._model = model
        self._price = price
        self._attempts = attempts
        self._is_thinking = request.thinking not in (None, "none")
        self._prompt_tokens = estimate_prompt_tokens(request)
        self._completion_tokens = request.max_tokens
        self._answer: tuple[int, int, float | None] | None = None
        self._reserved: Reservation = budget.reserve(price(*self._estimate()) or 0.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Settle the cost of the answer, if any, plus the estimate for every attempt of unknown outcome."""
        in_doubt = self._attempts.started - self._attempts.refused - (self._answer is not None)
        prompt, answer = (tokens * in_doubt for tokens in self._estimate())
        cost = self._price(prompt, answer)
        if self._answer is not None:
            more_prompt, more_answer, more_cost = self._answer
            prompt, answer = prompt + more_prompt, answer + more_answer
            cost = None if cost is None or more_cost is None else cost + more_cost
        self._reserved.settle(CallUsage(self._model, prompt, answer, cost))

    def record_answer(self, completed: ModelResponse) -> None:
        """Record the tokens and cost that the answer reports."""
        self._answer = completed.prompt_tokens, completed.completion_tokens, completed.cost_usd

    def record_partial_answer(self) -> None:
        """Bill the prompt and the text received so far, because the reader stopped the stream.

        A thinking model stays at its estimate: its hidden thinking tokens are unknown.
        """
        if self._attempts.received_bytes and not self._is_thinking:
            prompt, answer = self._prompt_tokens, estimate_tokens(self._attempts.received_bytes)
            self._answer = prompt, answer, self._price(prompt, answer)

    def _estimate(self) -> tuple[int, int]:
        return self._prompt_tokens, self._completion_tokens


def estimate_prompt_tokens(request: ModelRequest) -> int:
    """Return an upper estimate of the prompt's tokens, including its tools and schema."""
    tools = [[tool.name, tool.description, dict(tool.parameters)] for tool in request.tools]
    prompt = [
        [dict(message) for message in without_content(request.messages)],
        tools,
        dict(request.schema or {}),
    ]
    return estimate_tokens(len(json.dumps(prompt, ensure_ascii=False).encode()))


def estimate_tokens(size: int) -> int:
    """Return an upper estimate of the tokens in a text of ``size`` bytes."""
    return size // _BYTES_PER_TOKEN + 1
