"""The cost of a call in counted steps and peak memory, which does not depend on the machine's load.

It counts executed Python lines and calls into C. The work of one call into C is not counted; it is bounded by
the size of the call's input.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple


class Effort(NamedTuple):
    """The cost of one call, in the calling thread."""

    steps: int
    """Executed lines plus calls of C functions."""
    peak_bytes: int


def effort_of(call: Callable[[], object]) -> Effort:
    """Run the call and return its cost. Its exceptions propagate."""
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
