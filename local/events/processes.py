"""A check whether a process of this machine is alive, so that others can take over what a dead one held."""

from __future__ import annotations

import os


def is_alive(process: int) -> bool:
    """Whether a process with that id exists, whichever user owns it."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
