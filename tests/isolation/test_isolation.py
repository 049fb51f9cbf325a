"""Nobody comes across what is another's, whatever they ask for; and every mistake that is planted shows.

`python -m tests.isolation` makes 10,000 calls of 100 people; here are fewer.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.isolation import calls
from tests.isolation.canaries import Found, Owner, found_in
from tests.isolation.deployment import deployed
from tests.isolation.isolation_bugs import PLANTED
from tests.isolation.runs import Run, people_of, told


def test_nobody_comes_across_what_is_anothers_one_call_after_the_other_and_several_at_a_time(
    tmp_path: Path,
) -> None:
    with deployed(tmp_path) as deployment:
        run = Run(deployment, people_of(20, 2), random.Random(1))
        run.settle_in()
        run.call_at_random(600)
        run.call_at_random(600, threads=4)
        run.look_through()
    assert run.findings == [], "\n".join(told(run))
    assert set(run.called) == {operation.name for operation in (*calls.OPERATIONS, calls.TOOLS)}
    assert deployment.models.prompts
    assert deployment.queued
    assert deployment.log.getvalue()
    assert len(run.known.cursors) > 10


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_leak_is_found(name: str, tmp_path: Path) -> None:
    plant = PLANTED[name]
    with plant.made(), deployed(tmp_path) as deployment:
        run = Run(deployment, people_of(3, 2), random.Random(1))
        run.settle_in()
        run.call_at_random(150, only=plant.shows_by)
        run.look_through()
    assert [finding for finding in run.findings if plant.found_as in finding], "\n".join(told(run))


def test_a_word_says_whose_it_is_wherever_it_ended_up() -> None:
    maya, noah = Owner(7, 0), Owner(7, 1)
    text = f"{maya.login}, {noah.word('m').upper()} {maya.word('t')}-agent"
    assert found_in(text) == {Found(maya, "n"), Found(noah, "m"), Found(maya, "t")}
