"""``python -m tests.evals [--cases FILE] [--json] [--tier offline|model] [--model NAME]``:

accuracy of a tier.

Without ``--cases`` the utterances beside this file count. The model tier needs the vendor's key in the
environment.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from conversation.clock import SystemClock
from intent.analyzer import IntentAnalyzer
from intent.offline import OfflineClassifier
from llm.breaker import Breaker
from llm.completion import Completion
from tests.evals.measuring import OWN_CASES, Result, measure, read_cases
from tests.evals.quality import figures

_LIBRARY_TIMEOUT_S = 120.0


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.evals", description="Accuracy of understanding messages."
    )
    parser.add_argument(
        "--cases", type=Path, default=OWN_CASES, help="JSON lines: id text label difficulty history"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--tier", choices=("offline", "model"), default="offline")
    parser.add_argument("--model", default="gpt-4o-mini", help="for --tier model, as litellm names it")
    parser.add_argument("--deadline", type=float, default=5.0, help="seconds per message, for --tier model")
    arguments = parser.parse_args()
    model = arguments.model if arguments.tier == "model" else None
    cases, analyzer = read_cases(arguments.cases), _analyzer(model, arguments.deadline)
    if model is None:
        measure(cases, analyzer)  # what a rule's first use costs is a start's business, not a message's
    result = measure(cases, analyzer)
    print(json.dumps(result.as_json(), indent=2) if arguments.json else _table(result))


def _analyzer(model: str | None, deadline_s: float) -> IntentAnalyzer:
    clock = SystemClock()
    completion = Completion(timer=clock, breaker=Breaker(clock.monotonic)) if model else None
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
    main()
