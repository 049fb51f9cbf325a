"""The errors of model calls, grouped by what to do about them.

ModelUnavailable
├── ModelLoading            wait: the client library is still being imported
├── TransientModelError     retry once: rate limit, server error, no connection
├── ModelTimeout            the deadline passed; a retry would outlive the turn
├── ModelMisconfigured      an operator must change a key, a permission or a model's name
├── RequestRejected         the provider will never accept this request
├── ModelOutputInvalid      the response is not a valid completion
├── ModelUnavailableForNow  not called: circuit breaker open, too many calls running, or budget unknown
└── ModelBudgetExceeded     not called: the call may cost more than is left to spend

The errors contain no provider text and no part of a prompt.
"""

from __future__ import annotations

import math
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
    """No usable answer from a model. ``reason`` is one stable word."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason
        self.cause_name = ""
        """The type of the error behind this one, or the HTTP status; for logs. Never a provider's words."""
        self.was_sent = True
        """False where no connection came about, so that the provider can't have done the work."""


class ModelLoading(ModelUnavailable):
    """A background thread is still importing the client library, which takes a few seconds."""

    def __init__(self) -> None:
        super().__init__("loading")


class TransientModelError(ModelUnavailable):
    """A temporary provider or network fault. ``retry_after_s`` is the delay that the provider asked for."""

    def __init__(
        self,
        reason: Literal["rate_limited", "server_error", "unreachable"],
        retry_after_s: float | None = None,
        *,
        was_sent: bool = True,
    ) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s
        self.was_sent = was_sent


class ModelTimeout(ModelUnavailable):
    """No answer within the deadline."""

    def __init__(self) -> None:
        super().__init__("deadline")


class ModelMisconfigured(ModelUnavailable):
    """The key is missing or refused, or the permission or model does not exist."""

    def __init__(self, reason: Literal["refused", "not_configured"] = "refused") -> None:
        super().__init__(reason)


class RequestRejected(ModelUnavailable):
    """The provider rejected the request as invalid."""

    def __init__(self) -> None:
        super().__init__("refused")


class ModelOutputInvalid(ModelUnavailable):
    """The response is not a valid completion or decision."""

    def __init__(self) -> None:
        super().__init__("invalid_output")


class ModelUnavailableForNow(ModelUnavailable):
    """The model was not called."""

    def __init__(self, reason: Literal["breaker_open", "busy", "budget_unknown"] = "breaker_open") -> None:
        super().__init__(reason)


class ModelBudgetExceeded(ModelUnavailable):
    """The budget for models is spent. This says nothing about the model's health."""

    def __init__(self) -> None:
        super().__init__("budget_reached")


_MISCONFIGURED = frozenset({401, 403, 404})


def error_of_status(status: object, retry_after_s: float | None = None) -> ModelUnavailable:
    """Return the error that an HTTP error status means; without a known status, a server error."""
    if status in _MISCONFIGURED:
        return ModelMisconfigured()
    if status == 429:
        return TransientModelError("rate_limited", retry_after_s)
    if status == 408:
        return ModelTimeout()
    if isinstance(status, int) and 400 <= status < 500:
        return RequestRejected()
    return TransientModelError("server_error", retry_after_s)


def parse_retry_after(value: str | None) -> float | None:
    """Return the seconds of a Retry-After header; None when absent or a date, too coarse for a deadline."""
    try:
        seconds = float(value or "")
    except ValueError:
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
