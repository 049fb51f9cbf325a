"""``python -m tests.benchmarks.costs``: counts the units of a turn again and prints what they cost on AWS.

It fails when the counts are not the committed ones. ``--accept`` commits the new ones to
``tests/benchmarks/turn_units.json``, `docs/costs.md` and `docs/costs.html`.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from local.template import interpreter, sam_translation
from tests.benchmarks.cost_model import (
    FIGURES,
    PRICES,
    Month,
    calculator_data,
    is_monthly,
    month_costs,
    read_figures,
    read_prices,
)
from tests.benchmarks.figures import machine_load
from tests.benchmarks.turn_units import TEMPLATE, TURNS, measure_conversation
from tests.fakes.aws.dynamodb import ministack

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT, PAGE = ROOT / "docs" / "costs.md", ROOT / "docs" / "costs.html"
SECONDS_PER_MONTH = 730 * 3_600
POLLS_PER_QUEUE = 5 * SECONDS_PER_MONTH // 20
"""Lambda keeps five connections open to a queue, each for 20 seconds."""
SIZES = {"log_bytes": 0.1, "stored_bytes": 0.02}
"""How far these may be from the committed ones: durations have more or fewer digits."""

SCENARIOS: Mapping[str, Mapping[str, Any]] = {
    "offline": {"model_share": 0.0, "model_seconds": 0.0},
    "model, 0.6 s": {"model_share": 1.0, "model_seconds": 0.6},
    "model, 5 s": {"model_share": 1.0, "model_seconds": 5.0},
    "streamed, 10 s": {"model_share": 1.0, "model_seconds": 10.0, "is_streamed": True},
}


def measured_figures(endpoint: str) -> dict[str, Any]:
    """Count the units of a turn with and without a model, and what the template has."""
    tiers = {name: measure_conversation(endpoint, model=name == "model") for name in ("offline", "model")}
    metrics = set[str]().union(*(part.metrics for tier in tiers.values() for part in (tier.turn, tier.after)))
    counted = {name: tier.to_json() for name, tier in tiers.items()}
    return {"turns": TURNS, **counted, **_template_counts(metrics=len(metrics))}


def _template_counts(*, metrics: int) -> dict[str, Any]:
    translated = sam_translation.read_template(TEMPLATE)
    stack = interpreter.interpret(translated, {})
    kinds = [resource["Type"] for resource in translated["Resources"].values()]
    fifo = sum(consumer.is_fifo for consumer in stack.consumers)
    memory = {name: function.memory_mb for name, function in stack.functions.items()}
    with_snapshot = [
        memory[name]
        for name, resource in translated["Resources"].items()
        if resource["Type"] == "AWS::Lambda::Function" and "SnapStart" in resource["Properties"]
    ]
    return {
        "memory_mb": {
            "chat": memory["ChatFunction"],
            "after": max(memory[consumer.function] for consumer in stack.streams),
            "authorizer": memory["AuthorizerFunction"],
        },
        "month": {
            "seconds": SECONDS_PER_MONTH,
            "alarms": kinds.count("AWS::CloudWatch::Alarm"),
            "dashboards": kinds.count("AWS::CloudWatch::Dashboard"),
            "metrics": metrics,
            "snapstart_gb": sum(with_snapshot) / 1024,
            "standard_polls": POLLS_PER_QUEUE * (len(stack.consumers) - fifo),
            "fifo_polls": POLLS_PER_QUEUE * fifo,
            "sweeps": sum(SECONDS_PER_MONTH / rule.every_s for rule in stack.rules),
            "sweep_gb_seconds": 0.5,
            "sweep_read_units": 16,
            "sweep_write_units": 1,
        },
    }


def differences(committed: Mapping[str, Any], measured: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Yield each count that is not the committed one; processor time is never compared."""
    for name in sorted(committed.keys() | measured.keys()):
        place, old, new = f"{path}{name}", committed.get(name), measured.get(name)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            yield from differences(old, new, f"{place}.")
        elif not _is_same(name, old, new):
            yield f"{place}: {old} -> {new}"


def _is_same(name: str, old: Any, new: Any) -> bool:
    if name in SIZES and old is not None and new is not None:
        return abs(float(new - old)) <= SIZES[name] * float(old)
    return name == "cpu_ms" or bool(old == new)


def tables(figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of the tables of `docs/costs.md`."""
    usd, memory = read_prices(), figures["memory_mb"]["chat"]
    months = [Month(1_000, memory_mb=memory, **scenario) for scenario in SCENARIOS.values()]
    columns = [month_costs(month, figures, usd) for month in months]
    lines = [line for line in columns[0] if not is_monthly(line) and line != "Models"]
    yield f"USD per 1,000 turns | {' | '.join(SCENARIOS)}"
    for line in lines:
        yield f"{line} | {' | '.join(f'{column[line]:.5f}' for column in columns)}"
    sums = [sum(column[line] for line in lines) for column in columns]
    yield f"**together** | {' | '.join(f'**{each:.5f}**' for each in sums)}"
    yield ""
    yield "USD per month | idle | with turns"
    snapstart_gb = figures["month"]["snapstart_gb"]
    fixed = [
        month_costs(Month(turns, 0.0, 0.0, memory, snapstart_gb=snapstart_gb), figures, usd)
        for turns in (0, 1)
    ]
    standing = [line for line in fixed[0] if is_monthly(line)]
    for line in standing:
        yield f"{line.removeprefix('Month: ')} | {' | '.join(f'{column[line]:.2f}' for column in fixed)}"
    sums = [sum(column[line] for line in standing) for column in fixed]
    yield f"**together** | {' | '.join(f'**{each:.2f}**' for each in sums)}"
    yield ""
    yield "counted per turn | offline | model"
    for part in ("turn", "after"):
        for name in figures["offline"][part]:
            values = (figures[tier][part][name] for tier in ("offline", "model"))
            per_turn = (value if name == "cpu_ms" else value / figures["turns"] for value in values)
            title = {"turn": "in the turn", "after": "after it"}[part]
            yield f"{name.replace('_', ' ')}, {title} | {' | '.join(f'{each:g}' for each in per_turn)}"


def as_markdown(lines: Iterator[str]) -> str:
    """The tables as they stand in the document."""
    text, is_head = "", True
    for line in lines:
        text += f"| {line} |\n" if line else "\n"
        if line and is_head:
            text += "|---" * (line.count("|") + 1) + "|\n"
        is_head = not line
    return text


def document_with(text: str, figures: Mapping[str, Any]) -> str:
    """The document with the tables between its two marks."""
    inside = f"<!-- tables -->\n\n{as_markdown(tables(figures))}\n<!-- end of tables -->"
    return re.sub(r"<!-- tables -->.*<!-- end of tables -->", lambda _: inside, text, flags=re.DOTALL)


def page_with(text: str, figures: Mapping[str, Any]) -> str:
    """The calculator page with the data between its two marks."""
    data = json.dumps(calculator_data(figures, read_prices()))
    pattern = r'(<script type="application/json" id="data">).*?(</script>)'
    return re.sub(pattern, lambda found: found[1] + data + found[2], text, flags=re.DOTALL)


def main() -> int:
    """Count, compare and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.costs")
    parser.add_argument("--accept", action="store_true", help="commit the counts to the files")
    accept = parser.parse_args().accept
    logging.getLogger().addHandler(logging.NullHandler())
    with ministack() as endpoint:
        figures = measured_figures(endpoint)
    if accept:
        FIGURES.write_text(json.dumps(figures, indent=2) + "\n")
        DOCUMENT.write_text(document_with(DOCUMENT.read_text(), figures))
        PAGE.write_text(page_with(PAGE.read_text(), figures))
    checked = json.loads(PRICES.read_text())
    print(
        f"List prices of {checked['region']}, {checked['checked']}; units of {TURNS} turns ({machine_load()})"
    )
    print(as_markdown(tables(figures)))
    found = list(differences(read_figures(), figures))
    for line in found:
        print(f"not as committed: {line}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
