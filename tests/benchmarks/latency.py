"""How long a turn takes without a model, over HTTP against the local twin."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.figures import Figure, Report
from tests.benchmarks.workload import exchange
from tests.fakes.deployment.twin import Twin

TURNS = 40
WARM_UP = 10
"""Together they stay below the burst that the template lets through at once."""

PLAIN = "add a task to call mom tomorrow at 5"


def measure() -> Report:
    """Median and 95th percentile over the turns of one conversation, of two kinds of messages."""
    with (
        tempfile.TemporaryDirectory() as data,
        Twin(Path(data), environ={"OMNIFORGE_INTENT_MODEL": ""}, workers=None) as twin,
    ):
        yield f"{TURNS} turns of one conversation, read through the gateway"
        yield from _figures(twin, "noor", "a plain request offline over the twin", lambda _: PLAIN)
        yield from _figures(
            twin,
            "maya",
            "500 characters of prose offline over the twin",
            lambda number: exchange(number).question,
        )


def _figures(twin: Twin, user: str, name: str, message: Callable[[int], str]) -> Report:
    token = twin.token(user=user)
    conversation_id = _say(twin, token, message(0), None)[1]
    taken = [_say(twin, token, message(number), conversation_id)[0] for number in range(1, WARM_UP + TURNS)]
    percentiles = statistics.quantiles(taken[WARM_UP - 1 :], n=20)
    yield Figure(f"{name}, p50", percentiles[9] * 1e3, "ms")
    yield Figure(f"{name}, p95", percentiles[18] * 1e3, "ms")


def _say(twin: Twin, token: str, message: str, conversation_id: str | None) -> tuple[float, str]:
    """Seconds of a turn, and the conversation it belongs to."""
    started = time.perf_counter()
    response = twin.chat(message, token=token, conversation_id=conversation_id)
    taken = time.perf_counter() - started
    response.raise_for_status()
    return taken, response.json()["conversation_id"]
