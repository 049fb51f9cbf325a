"""The suite of probes on the command line: which are played, and what is printed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.evals.dialogues.format import Json
from tests.evals.dialogues.over_http import started_twin
from tests.evals.probes.pairs import pair_probes
from tests.evals.probes.play import Outcome, play_probes
from tests.evals.probes.probe import Probe
from tests.evals.probes.questions import answer_probes
from tests.evals.probes.report import GOALS, record, summary, table, transcript
from tests.evals.probes.reversals import undo_probes
from tests.evals.probes.wrappers import wrapper_probes
from tests.fakes.deployment.twin import TwinDied

RECORDED = Path(__file__).with_name("recorded.json")
"""How many probes passed last; a test lets it only rise."""

EVERY = 14
"""Every fourteenth probe is in the sample that a test plays: all parts and wrappers, and most commands."""


def all_probes() -> list[Probe]:
    """Every probe, part by part."""
    return [*wrapper_probes(), *pair_probes(), *answer_probes(), *undo_probes()]


def chosen(probes: Sequence[Probe], only: str | None) -> list[Probe]:
    """The probes of these parts, and those whose ids hold one of these paths; all if ``only`` is empty."""
    paths = [path.strip("/") for path in (only or "").split(",") if path.strip("/")]
    return [probe for probe in probes if not paths or any(_is_of(probe, path) for path in paths)]


def _is_of(probe: Probe, path: str) -> bool:
    return probe.part == path if path in GOALS else f"/{path}/" in f"/{probe.id}/"


def run(options: argparse.Namespace) -> int:
    """Play the probes and print the figures; returns the exit code: 2 if nothing could be played."""
    probes = chosen(all_probes(), options.only)
    if not probes:
        return _unable("no probe to play")
    try:
        outcomes = _played(probes, verbose=options.verbose, silent=options.json)
    except (TwinDied, OSError) as error:
        return _unable(error)
    counted = summary(outcomes)
    probed = {"probes": [record(outcome) for outcome in outcomes]}
    if not options.only:
        counted["recorded"] = to_record(outcomes)
    print(json.dumps({**counted, **probed}, ensure_ascii=False, indent=2) if options.json else table(counted))
    return 0


def to_record(outcomes: Sequence[Outcome]) -> Json:
    """What `RECORDED` would hold if these are the outcomes of all probes."""
    parts: Json = {}
    for outcome in outcomes:
        share = parts.setdefault(outcome.probe.part, {"passed": 0, "total": 0})
        share["passed"] += outcome.passed
        share["total"] += 1
    sample = [outcome.passed for outcome in outcomes[::EVERY]]
    return {"parts": parts, "sample": {"passed": sum(sample), "total": len(sample)}}


def _played(probes: Sequence[Probe], *, verbose: bool, silent: bool) -> list[Outcome]:
    def tell(outcome: Outcome) -> None:
        if not silent and (verbose or not outcome.passed):
            print(transcript(outcome) + "\n", flush=True)

    with started_twin() as twin:
        return play_probes(probes, twin, tell)


def _unable(why: object) -> int:
    print(why, file=sys.stderr)
    return 2
