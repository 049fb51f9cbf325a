"""Who pays for a model call, as a port: asked before each call, told after it what was spent.

Keeping budgets is not done here: see `agent.purses`.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol


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
