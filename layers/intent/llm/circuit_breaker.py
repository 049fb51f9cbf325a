"""Which models are worth asking right now, remembered in this process only. It asks none itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

FAILURES_TO_OPEN = 3
FIRST_REST_S = 5.0
LONGEST_REST_S = 60.0


@dataclass(slots=True)
class _Record:
    failures: int = 0
    rest_s: float = 0.0
    open_until: float = 0.0
    trying: bool = False


class Breaker:
    """One breaker per model. After a rest, one caller at a time may try; each failed try doubles the rest.

    Every `permit` that said yes must be followed by exactly one of `succeeded`, `failed`, `misconfigured`
    and `undecided`.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._records: dict[str, _Record] = {}

    def permit(self, model: str) -> bool:
        """Whether the model may be asked now."""
        with self._lock:
            record = self._records.setdefault(model, _Record())
            if not record.rest_s:
                return True
            if record.trying or self._monotonic() < record.open_until:
                return False
            record.trying = True
            return True

    def succeeded(self, model: str) -> None:
        """It answered: everything before is forgotten."""
        with self._lock:
            self._records[model] = _Record()

    def failed(self, model: str) -> None:
        """It did not answer, or with a fault of its own. Opens after three in a row, or on a failed try."""
        with self._lock:
            record = self._records[model]
            record.failures += 1
            if record.trying or record.failures >= FAILURES_TO_OPEN:
                self._open(record, min(LONGEST_REST_S, record.rest_s * 2 or FIRST_REST_S))

    def misconfigured(self, model: str) -> None:
        """Key, permission or name are wrong: only an operator helps, so it opens at once and for long."""
        with self._lock:
            self._open(self._records[model], LONGEST_REST_S)

    def undecided(self, model: str) -> None:
        """The call says nothing about the model's health."""
        with self._lock:
            self._records[model].trying = False

    def _open(self, record: _Record, rest_s: float) -> None:
        # Callers that were let in before it opened report late: they must neither double the rest nor
        # lengthen it.
        if record.trying or self._monotonic() >= record.open_until:
            record.rest_s = rest_s
            record.open_until = self._monotonic() + rest_s
        record.trying = False
