"""The local twin with functions that some words end.

``python -m tests.fakes.deployment.twin_with_deadly_messages serve …`` takes the arguments of ``python -m
local``. ``DEADLY_PLACES`` names functions, as in `tests.fakes.deployment.twin_with_bugs`. Called with a
`Fate` in its arguments, such a function crashes the process or loops. What ends a loop comes sooner here than
in the product.
"""

from __future__ import annotations

import functools
import importlib
import os
import re
import runpy
import signal
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from local import supervision
from resilience.cpu_limit import CpuLimit


class Fate(StrEnum):
    """A word, and what it does to a process."""

    CRASH = "zwetschgenkuchen"
    LOOP_IN_PYTHON = "donaudampfschiff"
    LOOP_IN_C = "eichhörnchen"


def meet(fate: Fate) -> None:
    """End this process, or loop without end."""
    match fate:
        case Fate.CRASH:
            os.kill(os.getpid(), signal.SIGKILL)
        case Fate.LOOP_IN_PYTHON:
            while True:
                pass
        case Fate.LOOP_IN_C:
            re.match("(a+)+$", "a" * 64 + "b")


def deadly(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap the function so that it meets its fate."""

    @functools.wraps(function)
    def planted(*args: Any, **kwargs: Any) -> Any:
        told = repr((args, kwargs))
        for fate in Fate:
            if fate in told:
                meet(fate)
        return function(*args, **kwargs)

    return planted


def plant() -> None:
    """Plant the faults that the environment names."""
    for place in os.environ["DEADLY_PLACES"].split():
        module, _, path = place.partition(":")
        *owners, name = path.split(".")
        owner = functools.reduce(getattr, owners, importlib.import_module(module))
        setattr(owner, name, deadly(getattr(owner, name)))
    CpuLimit.__init__.__defaults__ = (3.0,)


def main() -> None:
    """Plant the faults, then run the twin."""
    plant()
    supervision.STUCK_AFTER_S = 4.0
    runpy.run_module("local", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
