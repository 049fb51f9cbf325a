"""Waiting for another process by polling until a deadline instead of a fixed sleep."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

Found = TypeVar("Found")

LOOK_EVERY_S = 0.05


def eventually(
    look: Callable[[], Found | None], *, within_s: float = 120.0, every_s: float = LOOK_EVERY_S
) -> Found:
    """Call ``look`` until its result is truthy and return that result.

    ``every_s`` should be longer when a call slows down the work that is waited for.

    Raises:
        AssertionError: no result was truthy in time; the message has the last one.
    """
    deadline = time.monotonic() + within_s
    while not (found := look()):
        assert time.monotonic() < deadline, f"not within {within_s} s; last: {found!r}"
        time.sleep(every_s)
    return found


def is_idle(data: Path) -> bool:
    """Return whether nothing waits in the run queue or the stream of the twin with this folder."""
    with (
        closing(sqlite3.connect(data / "runs.db")) as queue,
        closing(sqlite3.connect(data / "omniforge.db")) as table,
    ):
        requests = queue.execute("select count(*) from queue").fetchone()[0]
        return not requests + table.execute("select count(*) from writes").fetchone()[0]
