"""Whether a process of this machine lives: what a dead one held is free."""

from __future__ import annotations

import os


def is_alive(process: int) -> bool:
    """Whether there is a process of that number, whosoever's."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
