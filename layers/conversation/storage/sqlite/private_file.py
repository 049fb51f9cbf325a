"""Creates SQLite's files so that nobody but their owner can read them."""

from __future__ import annotations

import os
from contextlib import suppress

PRIVATE = 0o600


def create_private(path: str) -> None:
    """Create the file with these rights unless it exists; the files that SQLite puts beside it get the same.

    A database in memory has none. A path that can't be created is left to SQLite to refuse.
    """
    if path and path != ":memory:":
        with suppress(OSError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
