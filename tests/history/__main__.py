"""Histories on demand: ``python -m tests.history``.

``--seed N`` is one simulated run, told event by event. ``--seeds N`` are the first so many. Without either
there are runs with real processes, against two gateways and against a shared table: ``--full`` has 64 writers
with 100 messages each, and 10,000 simulated runs before.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.history.checker import find_broken_promises
from tests.history.faults import KILLS
from tests.history.records import Answered, FaultOccurred, History, to_line
from tests.history.simulation import simulate

MANY_SEEDS = 10_000


def main() -> int:
    """Run the requested histories. Returns 1 when a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.history", description=__doc__)
    parser.add_argument("--seed", type=int, help="one simulated run, told event by event")
    parser.add_argument("--digest", action="store_true", help="of that run only a digest")
    parser.add_argument("--seeds", type=int, metavar="N", help="so many simulated runs")
    parser.add_argument("--full", action="store_true", help="64 writers with 100 messages each")
    options = parser.parse_args()
    # The checker reports problems; the log of a run with faults is full of expected errors.
    logging.disable(logging.CRITICAL)
    if options.seed is not None:
        return _told(options.seed, digest=options.digest)
    if options.seeds is not None:
        return _simulated(options.seeds)
    broken = _simulated(MANY_SEEDS) if options.full else 0
    return broken | _with_processes(full=options.full)


def _with_processes(*, full: bool) -> int:
    # Imported here: this takes longer than a simulated run.
    from tests.history.runs import Size, shared_table, two_gateways

    size, broken = Size(writers=64, messages=100, conversations=24) if full else Size(), 0
    for name, place in (("two gateways", two_gateways), ("a shared table", shared_table)):
        with tempfile.TemporaryDirectory() as folder, place(Path(folder)) as runs:
            broken |= _judged(f"{name}, seed 0", runs.run(0, size))
    return broken


def _told(seed: int, *, digest: bool) -> int:
    history = simulate(seed)
    if digest:
        told = "\n".join([*map(to_line, history.events), repr(history.final)])
        print(hashlib.sha256(told.encode()).hexdigest())
        return 0
    for event in history.events:
        print(event)
    return _judged(f"seed {seed}", history)


def _simulated(seeds: int) -> int:
    began, broken = time.process_time(), 0
    for seed in range(seeds):
        found = find_broken_promises(simulate(seed))
        for finding in found:
            print(f"seed {seed}: {finding.kind}: {finding.where}: {finding.seen}")
        broken |= bool(found)
    print(f"{seeds} simulated runs: {time.process_time() - began:.0f} s of one processor")
    return broken


def _judged(name: str, history: History) -> int:
    """Print the figures and the broken promises."""
    found = find_broken_promises(history)
    struck = Counter(event.fault for event in history.events if isinstance(event, FaultOccurred))
    kills = sum(struck[kind] for kind in KILLS)
    answered = len({event.op for event in history.events if isinstance(event, Answered)})
    print(f"{name}: {len(history.operations)} messages, {answered} answered to their clients")
    print(f"  faults: {sum(struck.values())}, of which {kills} killed a process")
    for fault, times in struck.most_common():
        print(f"    {times:6} {fault}")
    print(f"  promises broken: {len(found)}")
    for finding in found:
        print(f"    {finding.kind}: {finding.where}: {finding.seen}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
