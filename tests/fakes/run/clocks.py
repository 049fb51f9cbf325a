"""A clock that moves only when a test advances it or code sleeps on it."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta


class ManualClock:
    """A clock that starts at a fixed time. Sleeping returns at once and advances it."""

    def __init__(self, start: datetime = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)) -> None:
        self._start = start
        self._passed = 0.0
        self._lock = threading.Lock()

    def now(self) -> datetime:
        with self._lock:
            return self._start + timedelta(seconds=self._passed)

    def monotonic(self) -> float:
        with self._lock:
            return self._passed

    def sleep(self, seconds: float) -> None:
        self.advance(seconds)

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        with self._lock:
            self._passed += seconds
