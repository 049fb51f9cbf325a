"""Why no model answered, the tree drawn here by what to do about it.

ModelUnavailable
├── ModelLoading        wait: the client library is still being imported
├── ModelTrouble        try again, once: rate limit, server error, no connection
├── ModelTooLate        the deadline passed; trying again would outlive the turn
├── ModelMisconfigured  an operator must change a key, a permission or a model's name
├── RequestRefused      this very request will never be accepted
├── ModelOutputInvalid  something answered, but not as a model does
├── ModelRested         its breaker is open, too many calls are under way, or the budget is unknown: not asked
└── BudgetReached       it may cost more than is left to spend: not asked at all

No text of a provider and no part of a prompt is in them.
"""

from __future__ import annotations

from typing import Literal

Reason = Literal[
    "deadline",
    "rate_limited",
    "refused",
    "server_error",
    "unreachable",
    "loading",
    "breaker_open",
    "busy",
    "budget_unknown",
    "invalid_output",
    "not_configured",
    "budget_reached",
]


class ModelUnavailable(Exception):
    """No usable answer from a model; ``reason`` is one stable word."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


class ModelLoading(ModelUnavailable):
    """The client library is being imported by a thread of its own; a few seconds."""

    def __init__(self) -> None:
        super().__init__("loading")


class ModelTrouble(ModelUnavailable):
    """A passing fault of the provider or the way to it; ``retry_after_s`` is what it asked for."""

    def __init__(
        self,
        reason: Literal["rate_limited", "server_error", "unreachable"],
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s


class ModelTooLate(ModelUnavailable):
    """No answer within the deadline."""

    def __init__(self) -> None:
        super().__init__("deadline")


class ModelMisconfigured(ModelUnavailable):
    """The key is missing or refused, the permission or the model does not exist."""

    def __init__(self, reason: Literal["refused", "not_configured"] = "refused") -> None:
        super().__init__(reason)


class RequestRefused(ModelUnavailable):
    """The provider calls the request itself wrong."""

    def __init__(self) -> None:
        super().__init__("refused")


class ModelOutputInvalid(ModelUnavailable):
    """The reply is no completion, or no decision."""

    def __init__(self) -> None:
        super().__init__("invalid_output")


class ModelRested(ModelUnavailable):
    """The model was not asked."""

    def __init__(self, reason: Literal["breaker_open", "busy", "budget_unknown"] = "breaker_open") -> None:
        super().__init__(reason)


class BudgetReached(ModelUnavailable):
    """The money put aside for models is spent; it says nothing about the model."""

    def __init__(self) -> None:
        super().__init__("budget_reached")
