"""Which clock a deployment lives by."""

from __future__ import annotations

from pathlib import Path

from conversation.clock import Clock, FileClock, SystemClock


def open_clock(file: Path | None) -> Clock:
    """The machine's clock, or the one a file sets."""
    return SystemClock() if file is None else FileClock(file)
