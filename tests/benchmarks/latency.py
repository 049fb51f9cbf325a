"""How long a turn takes without a model, over HTTP against the local twin."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from tests.benchmarks.figures import Figure, Report
from tests.benchmarks.workload import exchange
from tests.fakes.deployment.twin import Twin

TURNS = 80
WARM_UP = 10
"""Together they stay below the burst that the template lets through at once."""


def measure() -> Report:
    """Median and 95th percentile over the turns of one conversation."""
    with (
        tempfile.TemporaryDirectory() as data,
        Twin(Path(data), environ={"OMNIFORGE_INTENT_MODEL": ""}, workers=None) as twin,
    ):
        token = twin.token()
        conversation_id = _say(twin, token, 0, None)[1]
        taken = [_say(twin, token, number, conversation_id)[0] for number in range(1, WARM_UP + TURNS)]
    percentiles = statistics.quantiles(taken[WARM_UP - 1 :], n=20)
    yield f"{TURNS} turns of one conversation, each question 500 characters, read through the gateway"
    yield Figure("offline turn over the twin, p50", percentiles[9] * 1e3, "ms")
    yield Figure("offline turn over the twin, p95", percentiles[18] * 1e3, "ms")


def _say(twin: Twin, token: str, number: int, conversation_id: str | None) -> tuple[float, str]:
    """Seconds of a turn, and the conversation it belongs to."""
    started = time.perf_counter()
    response = twin.chat(exchange(number).question, token=token, conversation_id=conversation_id)
    taken = time.perf_counter() - started
    response.raise_for_status()
    return taken, response.json()["conversation_id"]
