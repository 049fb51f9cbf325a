"""Time as a parameter: the current time, and waiting. No other module may read the machine's clock."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol


class Clock(Protocol):
    """The current UTC time, and a way to wait that tests can shorten."""

    def now(self) -> datetime:
        """The current time, with its time zone (UTC)."""

    def monotonic(self) -> float:
        """Seconds that never decrease, for measuring and for deadlines."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class FileClock(SystemClock):
    """A clock set by a file that holds one ISO 8601 time. Time continues from there since the file was last
    written.

    For tests and demonstrations: write another time into the file, and the running service lives in another
    day. While the file is missing or empty, the machine's clock is used. Waiting is not affected.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def now(self) -> datetime:
        try:
            written, text = self._path.stat().st_mtime, self._path.read_text().strip()
        except FileNotFoundError:
            return super().now()
        if not text:
            return super().now()
        instant = datetime.fromisoformat(text)
        start = instant if instant.tzinfo else instant.replace(tzinfo=UTC)
        return start.astimezone(UTC) + timedelta(seconds=max(0.0, time.time() - written))


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment by which something must have ended, on a monotonic clock."""

    clock: Clock
    at: float

    @classmethod
    def after(cls, clock: Clock, seconds: float) -> Deadline:
        """The deadline that many seconds from now."""
        return cls(clock, clock.monotonic() + seconds)

    def remaining(self) -> float:
        """Seconds left; 0 or less once it has passed."""
        return self.at - self.clock.monotonic()


def to_text(moment: datetime) -> str:
    """The moment as ISO 8601 in UTC with milliseconds and ``Z``: 24 bytes, sorts as text."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def from_text(text: str) -> datetime:
    """The moment that `to_text` wrote."""
    return datetime.fromisoformat(text)


def to_millis(moment: datetime) -> int:
    """Milliseconds since 1970, for comparisons in the table."""
    return int(moment.timestamp() * 1000)


def from_millis(millis: int) -> datetime:
    """The moment from which `to_millis` made the number."""
    return datetime.fromtimestamp(millis / 1000, UTC)


def open_clock(file: Path | None) -> Clock:
    """The machine's clock, or a clock set by the file."""
    return SystemClock() if file is None else FileClock(file)
