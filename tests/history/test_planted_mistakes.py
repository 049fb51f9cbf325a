"""Each mistake that a chat backend may make with its storage is caught, and only where it is made."""

from __future__ import annotations

import pytest

from tests.history.checker import find_broken_promises
from tests.history.protocol_bugs import MISTAKES, Mistake
from tests.history.simulation import simulate

SEEDS = range(40)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_planted_mistake_is_caught(mistake: Mistake) -> None:
    for seed in SEEDS:
        found = find_broken_promises(simulate(seed, plant=mistake.plant, like=mistake.like))
        if mistake.shows <= {finding.kind for finding in found}:
            break
    else:
        pytest.fail(f"not caught in {len(SEEDS)} seeds")
    assert find_broken_promises(simulate(seed, like=mistake.like)) == (), "the mistake is not what was caught"
