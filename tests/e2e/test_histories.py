"""Many writers at once, as processes, while requests fail and processes are killed: every promise is kept.

Each seed is a run of its own; the environment variable ``HISTORIES`` asks for every seed at both places. What
is recorded and what breaks a promise says `tests.history.checker`; runs with 64 writers and 100 messages each
are made by ``python -m tests.history --full``.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from storage.table import SCHEMA_VERSION
from tests.history.checker import find_broken_promises
from tests.history.faults import KILLS
from tests.history.records import FaultOccurred, History
from tests.history.runs import Environment, SharedTable, Size, shared_table, two_gateways

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.timeout(600),
]

SIZES = {0: Size(), **{seed: Size(messages=5) for seed in range(1, 5)}}
"""8 writers with 50 messages each, and four smaller runs."""

ON_DEMAND = pytest.mark.skipif("HISTORIES" not in os.environ, reason="HISTORIES asks for it: minutes")


def seeds(*always: int) -> list[Any]:
    """All seeds, of which only these are run without being asked for."""
    return [pytest.param(seed, marks=() if seed in always else ON_DEMAND) for seed in SIZES]


@pytest.fixture(scope="module")
def gateways(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Environment]:
    with two_gateways(tmp_path_factory.mktemp("gateways")) as place:
        yield place


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedTable]:
    with shared_table(tmp_path_factory.mktemp("table")) as place:
        yield place


def require_faults(history: History) -> None:
    """A run in which nothing happened proves nothing."""
    struck = Counter(event.fault for event in history.events if isinstance(event, FaultOccurred))
    kills = sum(struck[kind] for kind in KILLS)
    assert kills >= len(history.operations) / 100
    assert struck.total() - kills >= len(history.operations) / 100


@pytest.mark.parametrize("seed", seeds())
def test_writers_over_two_gateways_lose_nothing_and_do_nothing_twice(
    gateways: Environment, seed: int
) -> None:
    history = gateways.run(seed, SIZES[seed])
    assert find_broken_promises(history) == ()
    if seed == 0:
        require_faults(history)


@pytest.mark.parametrize("seed", seeds(0, 1, 2, 3, 4))
def test_writers_over_a_shared_table_lose_nothing_and_do_nothing_twice(table: Environment, seed: int) -> None:
    history = table.run(seed, SIZES[seed])
    assert find_broken_promises(history) == ()
    if seed == 0:
        require_faults(history)


def test_a_roll_back_under_load_loses_nothing_and_does_nothing_twice(table: SharedTable) -> None:
    """Half the writers are the next version until they are killed, and this one after that; all share
    conversations."""
    history = table.run(9, Size(messages=20), rolls_back=True)
    assert find_broken_promises(history) == ()
    versions = table.versions(9)
    assert versions.keys() == {SCHEMA_VERSION, SCHEMA_VERSION + 1}
    assert min(versions.values()) >= 20
