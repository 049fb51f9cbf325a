"""Who pays for a model call, as a port: asked before each call, told after it what was spent.

Keeping budgets is not done here: see `agent.inference.budget`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import NamedTuple, Protocol, Self, TypeAlias

from llm.types import Completed, Question


class Spent(NamedTuple):
    """What one model call took. ``cost_usd`` None: the price of this model is not known."""

    model: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


class Reservation(Protocol):
    """Money put aside for one call. Settled once; one that never is frees itself after a minute or so."""

    def settle(self, spent: Spent) -> None:
        """Replace the estimate by what was spent."""


class Purse(Protocol):
    """What one turn or run may spend. Safe to use from several threads."""

    def reserve(self, estimate_usd: float) -> Reservation:
        """Put aside what a call may cost at most.

        Raises:
            llm.errors.BudgetReached: it does not fit; nothing was put aside, and no model is to be asked.
        """


class Free:
    """A purse without a bottom that counts nothing."""

    def reserve(self, estimate_usd: float) -> Reservation:  # noqa: ARG002
        return _Unaccounted()


class _Unaccounted:
    def settle(self, spent: Spent) -> None:
        pass


BYTES_PER_TOKEN = 3
"""Tokens hold more on average, in every language but a few, so that counting bytes overestimates."""

Price: TypeAlias = Callable[[int, int], float | None]
"""What so many tokens of prompt and of answer cost in US dollars; None: nobody knows."""


@dataclass(slots=True)
class Tries:
    """What became of the tries of one call, counted by the thread that makes them."""

    started: int = 0
    refused: int = 0
    received_bytes: int = 0
    """How much of an answer came before it was complete; only of a stream that is known."""


class Bill:
    """Money put aside for one call; on leaving its context it is settled, whatever became of the call."""

    def __init__(self, question: Question, *, model: str, price: Price, purse: Purse, tries: Tries) -> None:
        """Put the estimate for one try aside.

        Raises:
            BudgetReached: it is not there.
        """
        self._model = model
        self._price = price
        self._tries = tries
        self._thinks = question.thinking not in (None, "none")
        self._prompt_tokens = prompt_tokens(question)
        self._completion_tokens = question.max_tokens
        self._answer: tuple[int, int, float | None] | None = None
        self._reserved: Reservation = purse.reserve(price(*self._estimate()) or 0.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Say what was spent: the answer, if there is one, and every try in doubt at its estimate."""
        in_doubt = self._tries.started - self._tries.refused - (self._answer is not None)
        prompt, answer = (tokens * in_doubt for tokens in self._estimate())
        cost = self._price(prompt, answer)
        if self._answer is not None:
            more_prompt, more_answer, more_cost = self._answer
            prompt, answer = prompt + more_prompt, answer + more_answer
            cost = None if cost is None or more_cost is None else cost + more_cost
        self._reserved.settle(Spent(self._model, prompt, answer, cost))

    def answered(self, completed: Completed) -> None:
        """There is an answer, which tells what it took."""
        self._answer = completed.prompt_tokens, completed.completion_tokens, completed.cost_usd

    def cut_short(self) -> None:
        """The reader wants no more of the answer. What a model thought unseen is anybody's guess."""
        if self._tries.received_bytes and not self._thinks:
            prompt, answer = self._prompt_tokens, tokens_in(self._tries.received_bytes)
            self._answer = prompt, answer, self._price(prompt, answer)

    def _estimate(self) -> tuple[int, int]:
        return self._prompt_tokens, self._completion_tokens


def prompt_tokens(question: Question) -> int:
    """At most so many tokens has the prompt, its tools and its schema included."""
    tools = [[tool.name, tool.description, dict(tool.parameters)] for tool in question.tools]
    prompt = [[dict(message) for message in question.messages], tools, dict(question.schema or {})]
    return tokens_in(len(json.dumps(prompt, ensure_ascii=False).encode()))


def tokens_in(size: int) -> int:
    """At most so many tokens has a text of so many bytes."""
    return size // BYTES_PER_TOKEN + 1
