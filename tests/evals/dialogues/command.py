"""The suite of dialogues on the command line: its options, and what is printed and written."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.evals.dialogues.format import Json, read_dialogues
from tests.evals.dialogues.judgement import Played
from tests.evals.dialogues.over_http import play_all, started_twin
from tests.evals.dialogues.report import markdown, record, summary, table, transcript
from tests.fakes.deployment.twin import TwinDied

CASES = Path(__file__).with_name("cases")
"""A file of dialogues per author, which nobody who works on the product reads; see the README.md in it."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that this suite alone has."""
    options = parser.add_argument_group("for --suite dialogues, of which probes take --only and --verbose")
    options.add_argument(
        "--only", help="ids, separated by commas; of probes also parts of ids: wrappers/greeting, pause-agent"
    )
    options.add_argument("--kind", help="dialogues of one of these kinds, separated by commas")
    options.add_argument("--check", action="store_true", help="only read the dialogues")
    options.add_argument("--verbose", action="store_true", help="show the dialogues that passed as well")
    options.add_argument("--report", type=Path, metavar="FILE", help="write a Markdown page")


def own_cases() -> list[Path]:
    """The files of dialogues that come with the project, by author."""
    return sorted(CASES.glob("*.jsonl"))


def chosen(cases: Iterable[Json], *, only: str | None, kind: str | None) -> list[Json]:
    """The cases with one of these ids and of one of these kinds, both separated by commas; None: all."""
    ids, kinds = set((only or "").split(",")), set((kind or "").split(","))
    return [
        case for case in cases if (not only or case["id"] in ids) and (not kind or kinds & set(case["kind"]))
    ]


def run(options: argparse.Namespace) -> int:
    """Play the dialogues and print the figures; returns the exit code: 2 if nothing could be played."""
    try:
        cases = read_dialogues(options.cases or own_cases())
    except (OSError, ValueError) as error:
        return _unable(error)
    cases = chosen(cases, only=options.only, kind=options.kind)
    if options.check:
        kinds = Counter(kind for case in cases for kind in case["kind"])
        print(json.dumps({"total": len(cases), "kinds": dict(sorted(kinds.items()))}))
        return 0
    if not cases:
        return _unable("no dialogue to play")
    try:
        results = _played(cases, verbose=options.verbose, silent=options.json)
    except (TwinDied, OSError) as error:
        return _unable(error)
    if options.report:
        options.report.write_text(markdown(results), encoding="utf-8")
    counted = summary(results)
    dialogues = {"dialogues": [record(played) for played in results]}
    print(
        json.dumps({**counted, **dialogues}, ensure_ascii=False, indent=2) if options.json else table(counted)
    )
    return 0


def _played(cases: Sequence[Json], *, verbose: bool, silent: bool) -> list[Played]:
    def tell(played: Played) -> None:
        if not silent and (verbose or not played.passed):
            print(transcript(played) + "\n", flush=True)

    with started_twin() as twin:
        return play_all(cases, twin, tell)


def _unable(why: object) -> int:
    print(why, file=sys.stderr)
    return 2
