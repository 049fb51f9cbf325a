"""``python -m tests.evals [--cases FILE] [--json] [--tier offline|model] [--model NAME]``: a tier's accuracy.
``python -m tests.evals --suite tools [--cases FILE] [--json] [--model NAME]``: accuracy of picking tools.
``python -m tests.evals --suite times [--cases FILE …] [--json] [--totals]``: how often words about times are
understood, asked about, or silently taken for something else.
``python -m tests.evals --suite dialogues [--cases FILE …] [--json] [--report FILE]``: how often a simulated
user gets what they came for.
``python -m tests.evals --suite probes [--only PATH,…] [--json]``: whether every command works however it is
worded, combined, answered and undone.
``python -m tests.evals --suite questions [--cases FILE …] [--json]``: whether questions about the
workspace are told from others, without a model and with a scripted one.
``python -m tests.evals --suite corrections [--cases FILE …] [--json]``: what twenty corrections gain on a
tenant's own wording, and lose elsewhere.

Without ``--cases`` those beside this file count. A model needs its vendor's key in the environment.
The suite of tools without ``--model`` asks a scripted server that answers as the cases are labelled.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from conversation.clock import SystemClock
from intent.analysis.analyzer import IntentAnalyzer
from intent.offline.offline_classifier import OfflineClassifier
from llm.circuit_breaker import ModelCircuitBreakers
from llm.completion import CompletionClient
from tests.evals.corrections import command as corrections
from tests.evals.dialogues import command as dialogues
from tests.evals.measurement import OWN_CASES, Result, measure, read_cases
from tests.evals.probes import command as probes
from tests.evals.quality import figures
from tests.evals.questions import command as questions
from tests.evals.times import CASES as TIME_CASES
from tests.evals.times import play, read_time_cases
from tests.evals.tools import CASES as TOOL_CASES
from tests.evals.tools import TARGET, Picked, ToolCase, as_labelled, open_router, pick_all, read_tool_cases
from tests.fakes.models.model_server import ModelServer

_LIBRARY_TIMEOUT_S = 120.0
_OWN_PRICES = {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
"""As in a deployment: the library does not look for newer prices on the net."""


def main() -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.evals",
        description="Accuracy of understanding messages, picking tools and holding dialogues.",
    )
    parser.add_argument(
        "--suite",
        choices=("intents", "tools", "times", "dialogues", "probes", "questions", "corrections"),
        default="intents",
    )
    parser.add_argument(
        "--cases",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="JSON lines; see measurement.py, tools.py and dialogues/README.md",
    )
    parser.add_argument("--totals", action="store_true", help="for --suite times: no ids")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--tier", choices=("offline", "model"), default="offline")
    parser.add_argument("--model", help="as litellm names it; for --tier model: gpt-4o-mini")
    parser.add_argument("--deadline", type=float, default=5.0, help="seconds per message, for --tier model")
    dialogues.add_options(parser)
    arguments = parser.parse_args()
    if arguments.suite == "times":
        print(_times_report(arguments))
        return 0
    if arguments.suite == "dialogues":
        return dialogues.run(arguments)
    if arguments.suite == "probes":
        return probes.run(arguments)
    os.environ |= _OWN_PRICES
    if arguments.suite == "corrections":
        return corrections.run(arguments)
    if arguments.suite == "questions":
        return questions.run(arguments)
    if arguments.suite == "tools":
        files = arguments.cases or [TOOL_CASES]
        picked = _picked(arguments.model, [case for file in files for case in read_tool_cases(file)])
        print(
            json.dumps(asdict(picked), indent=2) if arguments.json else _tools_table(picked, arguments.model)
        )
    else:
        _measure_intents(arguments)
    return 0


def _measure_intents(arguments: argparse.Namespace) -> None:
    model = (arguments.model or "gpt-4o-mini") if arguments.tier == "model" else None
    cases = [case for file in arguments.cases or [OWN_CASES] for case in read_cases(file)]
    analyzer = _analyzer(model, arguments.deadline)
    if model is None:
        measure(cases, analyzer)  # what a rule's first use costs is a start's business, not a message's
    result = measure(cases, analyzer)
    print(json.dumps(result.as_json(), indent=2) if arguments.json else _table(result))


def _times_report(arguments: argparse.Namespace) -> str:
    """The figures of the time phrases as text or JSON."""
    result = play(case for file in arguments.cases or TIME_CASES for case in read_time_cases(file))
    figures_of_times = result.totals() if arguments.totals else result.as_json()
    if arguments.json:
        return json.dumps(figures_of_times, indent=2)
    return "\n".join(f"{name:<14}{value}" for name, value in figures_of_times.items())


def _picked(model: str | None, cases: Sequence[ToolCase]) -> Picked:
    if model is not None:
        return pick_all(open_router(model), cases)
    with ModelServer(as_labelled(cases)) as server:
        os.environ |= {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "none"}
        return pick_all(open_router("gpt-4o-mini"), cases)


def _tools_table(picked: Picked, model: str | None) -> str:
    share = picked.overall
    lines = [
        f"picked by {model or 'a script that follows the labels'}",
        f"{'right':<18}{share.accuracy:7.1%}  {share.right}/{share.total}  (target {TARGET:.0%})",
        f"{'fallbacks':<18}{picked.fallbacks}",
        f"{'USD per question':<18}{picked.cost_usd / max(1, share.total):.6f}",
        *(f"{name:<18}{what}" for name, what in sorted(picked.wrong.items())),
    ]
    return "\n".join(lines)


def _analyzer(model: str | None, deadline_s: float) -> IntentAnalyzer:
    clock = SystemClock()
    completion = (
        CompletionClient(timer=clock, breaker=ModelCircuitBreakers(clock.monotonic)) if model else None
    )
    if completion:
        completion.is_ready(_LIBRARY_TIMEOUT_S)
    return IntentAnalyzer(
        offline=OfflineClassifier(), completion=completion, model=model, clock=clock, deadline_s=deadline_s
    )


def _table(result: Result) -> str:
    lines = [f"{'overall':<18}{result.overall.accuracy:7.1%}  {result.overall.right}/{result.overall.total}"]
    for shares in (result.by_label, result.by_difficulty, result.by_source):
        lines += [
            "",
            *(
                f"{name:<18}{share.accuracy:7.1%}  {share.right}/{share.total}"
                for name, share in sorted(shares.items())
            ),
        ]
    lines += ["", *(f"{name:<24}{value}" for name, value in figures(result.answers).items())]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
