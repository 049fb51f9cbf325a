"""The part of a clock that deadlines need."""

from __future__ import annotations

from typing import Protocol


class Timer(Protocol):
    """Measures and waits."""

    def monotonic(self) -> float:
        """Seconds that only ever grow."""

    def sleep(self, seconds: float) -> None:
        """Wait."""
