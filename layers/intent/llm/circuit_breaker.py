"""The circuit breakers of models. Their state lives in this process only; they make no calls themselves."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Literal, TypeAlias

from resilience.circuit_breaker import CircuitBreaker

FAILURES_TO_OPEN = 3
FIRST_PAUSE_S = 5.0
MAX_PAUSE_S = 60.0
REFUSED_S = 900.0
"""How long a model rests whose key, permission or name is wrong: only an operator can help."""
MAX_RETRY_AFTER_S = 3_600.0
MUCH_LONGER = 2.0
"""A model that was too slow for one deadline may be asked with one that is so many times as long."""

Failure: TypeAlias = Literal["failing", "invalid_output", "slow", "rate_limited", "refused"]
FAILURES: tuple[Failure, ...] = ("failing", "invalid_output", "slow", "rate_limited", "refused")


class ModelCircuitBreakers:
    """One circuit breaker per model and reason of failure.

    After a pause, one caller at a time may make a trial call; each failed one doubles the pause.
    After `permit` returns True, call exactly one of `record_success`, `record_failure`, `record_rate_limit`,
    `record_refusal` and `record_inconclusive`, with the same ``within_s``: the deadline of the call.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._models: dict[str, _Model] = {}

    def permit(self, model: str, within_s: float = math.inf) -> bool:
        """Return whether the model may be called now."""
        known = self._models.get(model)
        return known is None or known.permit(within_s)

    def is_resting(self, model: str, within_s: float = math.inf) -> bool:
        """Return whether `permit` would refuse the model. Begins no trial call."""
        known = self._models.get(model)
        return known is not None and known.is_resting(within_s)

    def record_success(self, model: str, within_s: float = math.inf) -> None:
        """Close the breakers and forget all failures."""
        known = self._models.get(model)
        if known is not None:
            known.record_success(within_s)

    def record_failure(self, model: str, failure: Failure, within_s: float = math.inf) -> None:
        """Count a failed call. The breaker opens after three in a row, or after a failed trial call."""
        self._known(model).record_failure(failure, within_s)

    def record_rate_limit(self, model: str, retry_after_s: float | None) -> None:
        """Rest as long as the provider says; where it says nothing, count a failed call."""
        if retry_after_s is None:
            self.record_failure(model, "rate_limited")
        else:
            self._known(model).open_for("rate_limited", min(retry_after_s, MAX_RETRY_AFTER_S))

    def record_refusal(self, model: str) -> None:
        """Rest at once and for long: the key, the permission or the name is wrong."""
        self._known(model).open_for("refused", REFUSED_S)

    def record_inconclusive(self, model: str) -> None:
        """Record a call that says nothing about the model's health."""
        known = self._models.get(model)
        if known is not None:
            known.record_inconclusive()

    def _known(self, model: str) -> _Model:
        with self._lock:
            return self._models.setdefault(model, _Model(self._monotonic))


class _Model:
    """The breakers of one model."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._too_short_s = 0.0
        """The longest deadline that the model was too slow for."""
        self._breakers: Mapping[Failure, CircuitBreaker] = {
            failure: CircuitBreaker(
                monotonic,
                failures_to_open=FAILURES_TO_OPEN,
                first_pause_s=FIRST_PAUSE_S,
                max_pause_s=MAX_PAUSE_S,
            )
            for failure in FAILURES
        }

    def permit(self, within_s: float) -> bool:
        permitted: list[CircuitBreaker] = []
        for breaker in self._concerned(within_s):
            if not breaker.permit():
                for earlier in permitted:
                    earlier.record_inconclusive()
                return False
            permitted.append(breaker)
        return True

    def is_resting(self, within_s: float) -> bool:
        return any(breaker.is_open() for breaker in self._concerned(within_s))

    def record_success(self, within_s: float) -> None:
        concerned = tuple(self._concerned(within_s))
        for breaker in concerned:
            breaker.record_success()
        if self._breakers["slow"] in concerned:
            self._too_short_s = 0.0

    def record_failure(self, failure: Failure, within_s: float) -> None:
        if failure == "slow":
            self._too_short_s = max(self._too_short_s, within_s)
        self._breakers[failure].record_failure()
        self._end_other_trials(failure)

    def open_for(self, failure: Failure, pause_s: float) -> None:
        self._breakers[failure].open_for(pause_s)
        self._end_other_trials(failure)

    def record_inconclusive(self) -> None:
        for breaker in self._breakers.values():
            breaker.record_inconclusive()

    def _end_other_trials(self, failure: Failure) -> None:
        for other, breaker in self._breakers.items():
            if other != failure:
                breaker.record_inconclusive()

    def _concerned(self, within_s: float) -> Iterator[CircuitBreaker]:
        has_time = within_s > self._too_short_s * MUCH_LONGER
        return (breaker for failure, breaker in self._breakers.items() if failure != "slow" or not has_time)
