"""A bounded cache. Expired values stay in it, for callers that may use them while their source is
unreachable."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Cache(Generic[Key, Value]):
    """At most ``max_size`` values; the least recently used one is evicted. Safe to use from several threads.

    ``now`` is a clock in seconds. It may jump in both directions: a value is fresh while it was put less than
    ``ttl_s`` seconds before or after now.
    """

    def __init__(
        self, max_size: int, *, ttl_s: float = math.inf, now: Callable[[], float] = lambda: 0.0
    ) -> None:
        self._max_size = max_size
        self._ttl_s = ttl_s
        self._now = now
        self._entries: OrderedDict[Key, tuple[float, Value]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key, *, ttl_s: float | None = None) -> Value | None:
        """Return the value if it is fresh, else None. ``ttl_s`` replaces the cache's own; infinity: any
        age."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or abs(self._now() - entry[0]) >= (self._ttl_s if ttl_s is None else ttl_s):
                return None
            self._entries.move_to_end(key)
            return entry[1]

    def get_or_put(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of any age, made on first use. Concurrent callers get the same one."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                self._entries.move_to_end(key)
                return entry[1]
            value = make()
            self._put(key, self._now(), value)
            return value

    def put(self, key: Key, value: Value, *, at: float | None = None) -> None:
        """Keep a value that was read at the time ``at`` (default: now)."""
        with self._lock:
            self._put(key, self._now() if at is None else at, value)

    def drop(self, key: Key) -> None:
        """Remove the value, if there is one."""
        with self._lock:
            self._entries.pop(key, None)

    def __len__(self) -> int:
        return len(self._entries)

    def _put(self, key: Key, at: float, value: Value) -> None:
        self._entries[key] = (at, value)
        self._entries.move_to_end(key)
        while len(self._entries) > self._max_size:
            self._entries.popitem(last=False)
