"""The circuit breakers of models. Their state lives in this process only; they make no calls themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from resilience.circuit_breaker import CircuitBreaker

FAILURES_TO_OPEN = 3
FIRST_PAUSE_S = 5.0
MAX_PAUSE_S = 60.0


class ModelCircuitBreakers:
    """One circuit breaker per model.

    After a pause, one caller at a time may make a trial call; each failed one doubles the pause.
    After `permit` returns True, call exactly one of `record_success`, `record_failure`,
    `record_misconfiguration` and `record_inconclusive`.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._breakers: defaultdict[str, CircuitBreaker] = defaultdict(
            lambda: CircuitBreaker(
                monotonic,
                failures_to_open=FAILURES_TO_OPEN,
                first_pause_s=FIRST_PAUSE_S,
                max_pause_s=MAX_PAUSE_S,
            )
        )

    def permit(self, model: str) -> bool:
        """Return whether the model may be called now."""
        return self._breakers[model].permit()

    def record_success(self, model: str) -> None:
        """Close the breaker and forget all failures."""
        self._breakers[model].record_success()

    def record_failure(self, model: str) -> None:
        """Count a failed call. The breaker opens after three in a row, or after a failed trial call."""
        self._breakers[model].record_failure()

    def record_misconfiguration(self, model: str) -> None:
        """Open at once for a minute: the key, permission or name is wrong, and only an operator can help."""
        self._breakers[model].open_for(MAX_PAUSE_S)

    def record_inconclusive(self, model: str) -> None:
        """Record a call that says nothing about the model's health."""
        self._breakers[model].record_inconclusive()
