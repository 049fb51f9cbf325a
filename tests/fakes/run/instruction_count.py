"""What a call takes, counted: nobody else's work on the machine decides.

Loops of Python and calls into C are counted, and the memory at its peak; what one call into C does is bounded
by the size of what it is given.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple


class Effort(NamedTuple):
    """Of one call, in the thread that made it."""

    steps: int
    """Lines run and functions of C called."""
    peak_bytes: int


def effort_of(call: Callable[[], object]) -> Effort:
    """What the call takes; what it raises passes through."""
    steps = 0

    def line(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal steps
        steps += event == "line"
        return line

    def profile(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal steps
        steps += event == "c_call"

    traced, profiled = sys.gettrace(), sys.getprofile()
    tracemalloc.start()
    try:
        sys.setprofile(profile)
        sys.settrace(line)
        call()
    finally:
        sys.settrace(traced)
        sys.setprofile(profiled)
        _, peak_bytes = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return Effort(steps, peak_bytes)
