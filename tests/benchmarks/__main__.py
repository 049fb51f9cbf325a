"""``python -m tests.benchmarks [GROUP …]``: every figure beside its limit, or those of the named groups."""

from __future__ import annotations

import argparse
import logging
import platform
import time
from collections.abc import Mapping

from tests.benchmarks import (
    builds,
    contexts,
    imports,
    latency,
    model_libraries,
    models,
    pages,
    prompts,
    searches,
    sessions,
    starts,
    turn_costs,
    understanding,
    wires,
)
from tests.benchmarks.figures import SAMPLES, Figure, Group, machine_load

GROUPS: Mapping[str, Group] = {
    "turns": turn_costs.measure,
    "context": contexts.measure,
    "prompts": prompts.measure,
    "models": models.measure,
    "imports": imports.measure,
    "libraries": model_libraries.measure,
    "start": starts.measure,
    "latency": latency.measure,
    "understanding": understanding.measure,
    "wires": wires.measure,
    "sessions": sessions.measure,
    "search": searches.measure,
    "page": pages.measure,
    "builds": builds.measure,
}


def main() -> None:
    """Measure and print, one group after the other."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Figures beside limits")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"some of {', '.join(GROUPS)}")
    names = parser.parse_args().groups or list(GROUPS)
    unknown = [name for name in names if name not in GROUPS]
    if unknown:
        parser.error(f"no group is called {unknown[0]!r}; there are {', '.join(GROUPS)}")
    logging.getLogger().addHandler(logging.NullHandler())
    print(f"Python {platform.python_version()} on {platform.machine()}; times are medians of {SAMPLES}")
    for name in names:
        started, load = time.monotonic(), machine_load()
        print(f"\n{name} ({load})", flush=True)
        for entry in GROUPS[name]():
            print(entry.line() if isinstance(entry, Figure) else f"  {entry}", flush=True)
        print(f"  took {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
