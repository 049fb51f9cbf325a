"""What a turn costs over each wire, beside the same turn over our own routes: processor time, in one process.

Both have an Idempotency-Key, the client's or a derived one. The two take turns in conversations of the same
length, and the wires do in every sample, so that a busy machine slows all alike. What a turn leaves to other
threads counts for it.
"""

from __future__ import annotations

import itertools
import json
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from tests.benchmarks.figures import SAMPLES, Figure, Report, at_most
from tests.fakes.aws.proxy_events import Context, request
from tests.fakes.deployment.functions import settings
from tests.fakes.run.wire_turns import WIRE_TURNS, WireTurn, own_body

TURNS = 60
WARM_UP = 6
"""Turns of a sample that are not counted: the first ones import."""
SAID = ("Hello", "add a task to call mom tomorrow at 5", "thanks")
TIMERS = "timers"
"""The thread that waits for turns that take long."""
PATIENCE_S = 10.0
_numbers = itertools.count()


class _Sample(NamedTuple):
    """Medians of a sample's turns, in milliseconds."""

    own: float
    more: float
    """Of the differences."""


def measure() -> Report:
    """For each wire, the median of several samples, each with a user of its own."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {**settings(Path(folder)), "POWERTOOLS_LOG_LEVEL": "CRITICAL"}
        app = import_module("functions.chat.app")
        samples = [{name: _sample(app, wire) for name, wire in WIRE_TURNS.items()} for _ in range(SAMPLES)]
        counted = SAMPLES * (TURNS - WARM_UP)
        yield f"processor time of {counted} turns more than of as many of our own: medians of medians"
        for name, wire in WIRE_TURNS.items():
            yield _figure(name, wire, [each[name] for each in samples])


def _figure(name: str, wire: WireTurn, samples: Sequence[_Sample]) -> Figure:
    own, more = statistics.median(each.own for each in samples), sorted(each.more for each in samples)
    beside = f"{wire.own_path}, {own:.1f} ms; samples {more[0]:.2f} to {more[-1]:.2f}"
    return Figure(f"{name} over {beside}", statistics.median(more), "ms", at_most(1.0))


def _sample(app: ModuleType, wire: WireTurn) -> _Sample:
    number = next(_numbers)
    own, other = (_begun(app, f"user-{number}-{place}") for place in "ab")
    taken: list[dict[int, float]] = []
    for turn in range(TURNS):
        text = SAID[turn % len(SAID)]
        # Over a wire, every turn has a key; it costs a turn an item.
        calls = [
            (wire.own_path, own_body(own[1], text, turn), own[0], {"Idempotency-Key": f"key-{turn}"}),
            (wire.path, wire.body(other[1], text, turn), other[0], {}),
        ]
        # Whoever comes second finds caches of the processor warm.
        first = turn % 2
        taken.append({place: _taken_ms(app, *calls[place]) for place in (first, 1 - first)})
    counted = taken[WARM_UP:]
    more = statistics.median(each[1] - each[0] for each in counted)
    return _Sample(statistics.median(each[0] for each in counted), more)


def _begun(app: ModuleType, user: str) -> tuple[str, str]:
    """A user, and the id of a conversation of theirs."""
    response = app.stream_handler(
        request("POST", "/v1/chat", body={"message": "Hello"}, user=user), Context()
    )
    return user, json.loads(b"".join(response.chunks))["conversation_id"]


def _taken_ms(
    app: ModuleType, path: str, body: Mapping[str, Any], user: str, headers: Mapping[str, str]
) -> float:
    event, before = request("POST", path, body=body, user=user, headers=headers), set(threading.enumerate())
    started = time.process_time()
    response = app.stream_handler(event, Context())
    written = b"".join(response.chunks)
    for thread in set(threading.enumerate()) - before:
        if thread.name != TIMERS:
            thread.join(PATIENCE_S)
    taken = time.process_time() - started
    assert response.status == 200, written
    return taken * 1e3
