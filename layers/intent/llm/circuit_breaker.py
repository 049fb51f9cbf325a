"""The circuit breaker for models. Its state lives in this process only; it makes no calls itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

FAILURES_TO_OPEN = 3
FIRST_PAUSE_S = 5.0
MAX_PAUSE_S = 60.0


@dataclass(slots=True)
class _Record:
    failures: int = 0
    rest_s: float = 0.0
    open_until: float = 0.0
    trying: bool = False


class ModelCircuitBreakers:
    """One circuit breaker per model.

    After a pause, one caller at a time may make a trial call; each failed one doubles the pause.
    After `permit` returns True, call exactly one of `record_success`, `record_failure`,
    `record_misconfiguration` and `record_inconclusive`.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._records: dict[str, _Record] = {}

    def permit(self, model: str) -> bool:
        """Return whether the model may be called now."""
        with self._lock:
            record = self._records.setdefault(model, _Record())
            if not record.rest_s:
                return True
            if record.trying or self._monotonic() < record.open_until:
                return False
            record.trying = True
            return True

    def record_success(self, model: str) -> None:
        """Record an answer: close the breaker and reset its counters."""
        with self._lock:
            self._records[model] = _Record()

    def record_failure(self, model: str) -> None:
        """Record a missing answer or a model fault. Open after three in a row or a failed trial call."""
        with self._lock:
            record = self._records[model]
            record.failures += 1
            if record.trying or record.failures >= FAILURES_TO_OPEN:
                self._open(record, min(MAX_PAUSE_S, record.rest_s * 2 or FIRST_PAUSE_S))

    def record_misconfiguration(self, model: str) -> None:
        """Record a wrong key, permission or name. Open at once for the longest pause.

        Only an operator can fix these.
        """
        with self._lock:
            self._open(self._records[model], MAX_PAUSE_S)

    def record_inconclusive(self, model: str) -> None:
        """Record a call that says nothing about the model's health."""
        with self._lock:
            self._records[model].trying = False

    def _open(self, record: _Record, rest_s: float) -> None:
        # Calls permitted before the breaker opened may report late. They must not double or extend the pause.
        if record.trying or self._monotonic() >= record.open_until:
            record.rest_s = rest_s
            record.open_until = self._monotonic() + rest_s
        record.trying = False
