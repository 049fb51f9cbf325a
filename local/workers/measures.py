"""What a worker's functions measure, kept until the next call ends and takes it to the server."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator

from edge.event_metrics import measured

MAX_KEPT = 10_000
"""More than one call measures. What was measured first is dropped when nobody calls."""


class MeasureBuffer(logging.Handler):
    """A log handler that keeps the values of events. Safe to use from several threads."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self._kept: deque[tuple[str, float, str | None]] = deque(maxlen=MAX_KEPT)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the values of an event's metrics: name, value, and the value of its own dimension."""
        self._kept.extend(
            (each.metric, each.value, each.dimension[1] if each.dimension else None)
            for each in measured(record)
        )

    def taken(self) -> list[tuple[str, float, str | None]]:
        """Return what was kept, which then is no more."""
        return list(self._take())

    def _take(self) -> Iterator[tuple[str, float, str | None]]:
        while self._kept:
            yield self._kept.popleft()
