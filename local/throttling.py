"""API Gateway's throttling: one token bucket per method of the API."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from local.stack import Route, Throttle


class Throttles:
    """Counts the requests of each route against the settings of its method, or those of ``*`` and ``/*``."""

    def __init__(self, settings: Mapping[tuple[str, str], Throttle], monotonic: Callable[[], float]) -> None:
        self._settings = settings
        self._monotonic = monotonic
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}
        self._lock = threading.Lock()

    def admits(self, route: Route) -> bool:
        """Whether the method has a token left, and takes it."""
        name = (route.method, route.path)
        throttle = self._settings.get(name) or self._settings.get(("*", "/*"))
        if throttle is None:
            return True
        with self._lock:
            now = self._monotonic()
            tokens, seen = self._buckets.get(name, (float(throttle.burst), now))
            tokens = min(float(throttle.burst), tokens + (now - seen) * throttle.rate)
            admitted = tokens >= 1.0
            self._buckets[name] = (tokens - 1.0 if admitted else tokens, now)
            return admitted
