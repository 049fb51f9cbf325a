"""A sample of the generated probes: as many commands work in other words, together and undone as before."""

from __future__ import annotations

import json
from collections import Counter

from tests.evals.dialogues.over_http import started_twin
from tests.evals.probes.command import EVERY, RECORDED, all_probes
from tests.evals.probes.play import play_probes

FIGURES = json.loads(RECORDED.read_text())
NOISE = 1
"""A run that ends sooner or later on a busy machine may change one reply."""


def test_commands_work_in_other_words_as_often_as_recorded() -> None:
    with started_twin() as twin:
        outcomes = play_probes(all_probes()[::EVERY], twin)

    assert len(outcomes) == FIGURES["sample"]["total"]
    failed = [outcome.probe.id for outcome in outcomes if not outcome.passed]
    assert len(outcomes) - len(failed) >= FIGURES["sample"]["passed"] - NOISE, failed


def test_every_part_has_a_recorded_figure() -> None:
    totals = Counter(probe.part for probe in all_probes())

    assert {part: share["total"] for part, share in FIGURES["parts"].items()} == totals
