"""`python -m tests.isolation`: random calls of strangers in one deployment; what of it leaked."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.isolation.canaries import NAMES
from tests.isolation.deployment import deployed
from tests.isolation.runs import Run, people_of, told


def main() -> int:
    """1 where anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.isolation", description=__doc__)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--tenants", type=int, default=len(NAMES), help=f"at most {len(NAMES)}")
    parser.add_argument("--users", type=int, default=5, help="of each tenant")
    parser.add_argument("--threads", type=int, default=4, help="for the second half of the calls")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, deployed(Path(folder)) as deployment:
        run = Run(deployment, people_of(options.tenants, options.users), random.Random(options.seed))
        run.settle_in()
        run.call_at_random(options.calls // 2)
        run.call_at_random(options.calls - options.calls // 2, threads=options.threads)
        run.look_through()
    print(*told(run), f"{time.monotonic() - began:.0f} s", sep="\n")
    return 1 if run.findings else 0


if __name__ == "__main__":
    sys.exit(main())
