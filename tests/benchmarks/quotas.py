"""``python -m tests.benchmarks.quotas [CALLS]``: one user makes as many things of every kind as they can.

For every kind, a user of one tenant calls 10,000 times (or CALLS). Printed are the calls that were admitted,
which the user's limit bounds, and how long a neighbour's calls take before and in between. Calls follow each
other in one process, as on Lambda no two share one: so the neighbour's time shows what the flood left in the
table and in the process, not how busy the machine is. A run of the neighbour, queued behind the runs of the
flood, is timed in executions.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from conversation.limits.quotas import DAILY, QuotaKind, StockLimits
from edge.adapters.queues import SqliteRequestQueue
from local.events.queues import QueueReader
from local.template.resources import QueueConsumer
from storage.keys import TenantId
from tests.benchmarks.figures import Figure, at_most
from tests.fakes.deployment import functions
from tests.fakes.deployment.creating_functions import BY_REST, CreatingFunctions, calls_taking

CALLS = 10_000
NEIGHBOURS_CALLS = 200
WARM_UP = 20
MAX_RATIO = 2.0
STOCK = {QuotaKind.AGENTS: 50, QuotaKind.SKILLS: StockLimits().skills_per_user}
"""What a user may have at a time, where that is less than what may be made in a day."""
NEIGHBOUR = "acme-eu"
RUNS = QueueConsumer("RunQueue", "Runs", 1, 0, 360, 3, is_fifo=False)


def measure(calls: int) -> list[Figure]:
    """Flood with every kind in turn, each over data of its own."""
    return [figure for kind in BY_REST for figure in _of_kind(kind, calls)] + [_executions_before_neighbour()]


def _of_kind(kind: QuotaKind, calls: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as data:
        deployment = CreatingFunctions(functions.with_attachments(Path(data)))
        attempt, neighbour = calls_taking(deployment, kind), _neighbour(deployment)
        for _ in range(WARM_UP):
            neighbour()
        quiet = [_seconds(neighbour) for _ in range(NEIGHBOURS_CALLS)]
        loaded, statuses = list[float](), Counter[int]()
        every = max(1, calls // NEIGHBOURS_CALLS)
        for number in range(calls):
            statuses[attempt().status] += 1
            if number % every == 0:
                loaded.append(_seconds(neighbour))
    admitted = sum(count for status, count in statuses.items() if status < 300)
    limit = min(DAILY[kind].per_user, STOCK.get(kind, calls))
    before, during = _p95(quiet), _p95(loaded)
    return [
        Figure(f"{kind.value}: of {calls} calls admitted", admitted, "calls", at_most(limit)),
        Figure(f"{kind.value}: neighbour's p95, quiet", before * 1e3, "ms"),
        Figure(
            f"{kind.value}: neighbour's p95, loaded", during * 1e3, "ms", at_most(before * MAX_RATIO * 1e3)
        ),
    ]


def _neighbour(deployment: CreatingFunctions) -> Callable[[], None]:
    """A call of a neighbour's user: a conversation is begun, and the list of them read."""
    sent = {"name": "Neighbour", "limits": {"per_user_per_day": {"conversations": 100_000}}}
    operator = {"tenant": "omniforge", "roles": "operator"}
    assert deployment.ask("tenants", "PUT", f"/v1/tenants/{NEIGHBOUR}", body=sent, **operator).status == 200

    def call() -> None:
        path = "/v1/conversations"
        made = deployment.ask("conversations", "POST", path, body={}, tenant=NEIGHBOUR)
        listed = deployment.ask("conversations", "GET", f"{path}?limit=5", tenant=NEIGHBOUR)
        assert (made.status, listed.status) == (201, 200)

    return call


class _Request:
    """A request of a tenant to execute a run."""

    def __init__(self, tenant: str) -> None:
        self.tenant = TenantId(tenant)

    def to_body(self) -> str:
        return self.tenant


def _executions_before_neighbour() -> Figure:
    """As many runs of one tenant as may be started in a day are queued, then one of the neighbour's."""
    with tempfile.TemporaryDirectory() as data:
        path = f"{data}/runs.db"
        queue, reader = SqliteRequestQueue(path), QueueReader(path, RUNS)
        for _ in range(DAILY[QuotaKind.RUNS].per_user):
            queue.send(_Request("acme"))
        reader.receive(0)
        queue.send(_Request(NEIGHBOUR))
        before = 0
        while reader.receive(0)[0].body != NEIGHBOUR:
            before += 1
    name = f"of {DAILY[QuotaKind.RUNS].per_user} queued runs executed before the neighbour's"
    return Figure(name, before, "runs", at_most(1))


def _seconds(call: Callable[[], None]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def _p95(taken: list[float]) -> float:
    return statistics.quantiles(taken, n=20)[18]


def main() -> None:
    """Print every figure; the exit status tells whether all limits hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.quotas")
    parser.add_argument("calls", nargs="?", type=int, default=CALLS, help="of each kind (default: 10,000)")
    started = time.process_time()
    figures = measure(parser.parse_args().calls)
    print("\n".join(figure.line() for figure in figures))
    print(f"  took {time.process_time() - started:.0f} s of processor time")
    sys.exit(any(figure.limit is not None and not figure.limit.holds(figure.value) for figure in figures))


if __name__ == "__main__":
    main()
