"""What a turn costs over each wire, beside the same turn over our own routes: processor time, in one process.

Both have an Idempotency-Key, the client's or a derived one. The two take turns in conversations of the same
length, so that a busy machine slows both alike.
"""

from __future__ import annotations

import itertools
import json
import os
import statistics
import tempfile
import time
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.benchmarks.figures import Figure, Report, at_most, median_of
from tests.fakes.aws.proxy_events import Context, request
from tests.fakes.deployment.functions import settings
from tests.fakes.run.wire_turns import WIRE_TURNS, WireTurn, own_body

TURNS = 30
SAID = ("Hello", "add a task to call mom tomorrow at 5", "thanks")
_numbers = itertools.count()


def measure() -> Report:
    """For each wire, the median of the differences, of several samples with a user of their own."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {**settings(Path(folder)), "POWERTOOLS_LOG_LEVEL": "CRITICAL"}
        app = import_module("functions.chat.app")
        yield f"medians of the differences of {TURNS} turns, of processor time"
        for name, wire in WIRE_TURNS.items():
            more = median_of(partial(_difference_ms, app, wire))
            yield Figure(f"{name} over {wire.own_path}", more, "ms", at_most(1.0))


def _difference_ms(app: ModuleType, wire: WireTurn) -> float:
    number = next(_numbers)
    own, other = (_begun(app, f"user-{number}-{place}") for place in "ab")
    differences = []
    for turn in range(TURNS):
        text = SAID[turn % len(SAID)]
        # Over a wire, every turn has a key; it costs a turn an item.
        calls = [
            (wire.own_path, own_body(own[1], text, turn), own[0], {"Idempotency-Key": f"key-{turn}"}),
            (wire.path, wire.body(other[1], text, turn), other[0], {}),
        ]
        # Whoever comes second finds caches of the processor warm.
        first = turn % 2
        taken = {place: _taken(app, *calls[place]) for place in (first, 1 - first)}
        differences.append(taken[1] - taken[0])
    # The first ones import.
    return statistics.median(differences[2 * len(SAID) :]) * 1e3


def _begun(app: ModuleType, user: str) -> tuple[str, str]:
    """A user, and the id of a conversation of theirs."""
    response = app.stream_handler(
        request("POST", "/v1/chat", body={"message": "Hello"}, user=user), Context()
    )
    return user, json.loads(b"".join(response.chunks))["conversation_id"]


def _taken(
    app: ModuleType, path: str, body: Mapping[str, Any], user: str, headers: Mapping[str, str]
) -> float:
    event = request("POST", path, body=body, user=user, headers=headers)
    started = time.process_time()
    response = app.stream_handler(event, Context())
    written = b"".join(response.chunks)
    taken = time.process_time() - started
    assert response.status == 200, written
    return taken
