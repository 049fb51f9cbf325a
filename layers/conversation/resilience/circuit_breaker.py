"""A circuit breaker: stops asking a dependency that does not answer. State is kept in this process only."""

from __future__ import annotations

import threading
from collections.abc import Callable


class CircuitBreaker:
    """Opens after ``failures_to_open`` failures in a row and pauses; each failed trial doubles the pause.

    After a pause one caller at a time may try. Every `permit` that returned True must be followed by exactly
    one of `record_success`, `record_failure`, `record_inconclusive` and `open_for`. Safe to use from several
    threads.
    """

    def __init__(
        self,
        monotonic: Callable[[], float],
        *,
        first_pause_s: float,
        max_pause_s: float,
        failures_to_open: int = 1,
    ) -> None:
        self._monotonic = monotonic
        self._first_pause_s = first_pause_s
        self._max_pause_s = max_pause_s
        self._failures_to_open = failures_to_open
        self._lock = threading.Lock()
        self._failures = 0
        self._pause_s = 0.0
        self._open_until = 0.0
        self._is_trying = False

    def permit(self) -> bool:
        """Whether the dependency may be asked now."""
        if not self._pause_s:  # by far the most calls: no lock for them
            return True
        with self._lock:
            if not self._pause_s:
                return True
            if self._is_trying or self._monotonic() < self._open_until:
                return False
            self._is_trying = True
            return True

    def is_open(self) -> bool:
        """Whether `permit` would refuse now. Begins no trial."""
        return bool(self._pause_s) and (self._is_trying or self._monotonic() < self._open_until)

    def record_success(self) -> None:
        """It answered: close, and forget all failures."""
        if self._pause_s or self._failures:
            with self._lock:
                self._failures, self._pause_s, self._is_trying = 0, 0.0, False

    def record_failure(self) -> None:
        """It did not answer, or answered with a fault of its own."""
        with self._lock:
            self._failures += 1
            if self._is_trying or self._failures >= self._failures_to_open:
                self._open(min(self._max_pause_s, self._pause_s * 2 or self._first_pause_s))

    def open_for(self, pause_s: float) -> None:
        """Open at once, whatever happened before: asking again soon would not help."""
        with self._lock:
            self._open(pause_s)

    def record_inconclusive(self) -> None:
        """The call says nothing about the dependency's health."""
        if self._is_trying:
            with self._lock:
                self._is_trying = False

    def _open(self, pause_s: float) -> None:
        # Calls that began before it opened fail together and report late: they are one finding, which must
        # neither double the pause nor lengthen it.
        if self._is_trying or self._monotonic() >= self._open_until:
            self._pause_s = pause_s
            self._open_until = self._monotonic() + pause_s
        self._is_trying = False
