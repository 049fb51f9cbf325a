"""A thousand simulated runs under faults, and what makes them worth something: each can be had again."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

import pytest

from tests.fakes.deployment.twin import ROOT
from tests.history.checker import find_broken_promises
from tests.history.faults import BUG, Fault
from tests.history.records import FaultOccurred
from tests.history.scenario import Circumstances
from tests.history.simulation import simulate

SEEDS, AT_ONCE = 1_000, 25


@pytest.mark.parametrize("first", range(0, SEEDS, AT_ONCE))
def test_no_seed_breaks_a_promise(first: int) -> None:
    for seed in range(first, first + AT_ONCE):
        found = find_broken_promises(simulate(seed))
        assert not found, f"python -m tests.history --seed {seed}"


def test_the_seeds_have_every_kind_of_fault() -> None:
    drawn = {kind for seed in range(SEEDS) for kind in Circumstances.from_random(Random(seed)).rates}
    assert drawn == set(Fault)


def test_every_kind_of_fault_at_once_breaks_no_promise() -> None:
    like = Circumstances(messages=10, rates=dict.fromkeys(Fault, 0.01), bugs=0.05, lost_replies=0.05)
    history = simulate(0, like=like)
    assert {event.fault for event in history.events if isinstance(event, FaultOccurred)} == {*Fault, BUG}
    assert find_broken_promises(history) == ()


def test_a_seed_is_the_same_run_in_any_process() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-m", "tests.history", "--seed", "5", "--digest"],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(digests) == 1
