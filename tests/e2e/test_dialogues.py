"""A sample of the dialogues that nobody works on: as many people get what they came for as before."""

from __future__ import annotations

import json
from pathlib import Path

from tests.evals.dialogues.command import CASES, own_cases
from tests.evals.dialogues.format import Json, read_dialogues
from tests.evals.dialogues.over_http import play_all, started_twin

RECORDED = json.loads(CASES.with_name("recorded.json").read_text())
EVERY = 9
"""Every ninth dialogue of each author is in the sample."""

NOISE = 1
"""One dialogue in 40 may go another way on a busy machine, when the twin is late in the background."""


def sample(path: Path) -> list[Json]:
    return read_dialogues([path])[::EVERY]


def test_people_get_what_they_came_for_as_often_as_recorded() -> None:
    cases = [case for path in own_cases() for case in sample(path)]

    with started_twin() as twin:
        results = play_all(cases, twin)

    assert len(results) == RECORDED["sample"]["total"]
    assert [played.broken for played in results if played.broken] == []
    assert sum(played.passed for played in results) >= RECORDED["sample"]["passed"] - NOISE


def test_every_author_has_a_recorded_figure() -> None:
    totals = {path.stem: len(read_dialogues([path])) for path in own_cases()}

    assert {author: share["total"] for author, share in RECORDED["by_author"].items()} == totals
