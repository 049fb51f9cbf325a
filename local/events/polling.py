"""Threads that poll inside a ``with`` block."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

Poll = Callable[[threading.Event], None]
"""Polls until the event is set."""


@contextmanager
def poll_in_threads(polls: Mapping[str, Poll]) -> Iterator[None]:
    """Run each function in a daemon thread of the given name, and tell all to stop at the end."""
    stop = threading.Event()
    for name, poll in polls.items():
        threading.Thread(target=poll, args=(stop,), name=name, daemon=True).start()
    try:
        yield
    finally:
        stop.set()
