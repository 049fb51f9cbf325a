"""Waiting for what another process does: looking again until a deadline, never a fixed sleep."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

LOOK_EVERY_S = 0.05


def eventually(
    look: Callable[[], Found | None], *, within_s: float = 60.0, every_s: float = LOOK_EVERY_S
) -> Found:
    """What ``look`` finds once it finds something true.

    ``every_s``: longer where a look takes time from what is waited for.

    Raises:
        AssertionError: it found nothing in time; the message holds what it found last.
    """
    deadline = time.monotonic() + within_s
    while not (found := look()):
        assert time.monotonic() < deadline, f"not within {within_s} s; last: {found!r}"
        time.sleep(every_s)
    return found
