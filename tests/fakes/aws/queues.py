"""Reading the entries of an SQLite queue without consuming them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def queue_bodies(path: Path) -> list[str]:
    """Return the bodies of all entries, oldest first."""
    with closing(sqlite3.connect(path)) as connection:
        return [body for (body,) in connection.execute("select body from queue order by id")]
