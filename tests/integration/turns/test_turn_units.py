"""The units that a turn takes on AWS are the committed ones, and the cost page computes with them."""

from __future__ import annotations

import copy
import json
import re
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from tests.benchmarks.cost_model import (
    Month,
    calculator_data,
    month_costs,
    month_json,
    read_figures,
    read_prices,
)
from tests.benchmarks.costs import (
    DOCUMENT,
    PAGE,
    SCENARIOS,
    SIZES,
    differences,
    document_with,
    measured_figures,
    page_with,
)
from tests.fakes.aws.dynamodb import ministack
from tests.fakes.run.node import node

MONTHS = [
    Month(0, 0.0, 0.0, 1536),
    *(Month(1_000, memory_mb=512, **scenario) for scenario in SCENARIOS.values()),
    Month(
        turns=250_000,
        model_share=0.37,
        model_seconds=7.3,
        memory_mb=1769,
        is_streamed=True,
        input_tokens=2_345,
        output_tokens=321,
        usd_per_million_input=3.0,
        usd_per_million_output=15.0,
        snapstart_gb=5.5,
        has_secret=False,
        has_own_key=True,
    ),
]


@pytest.mark.slow
def test_a_turn_takes_the_committed_units_and_lines_of_the_log() -> None:
    with ministack() as endpoint:
        measured = measured_figures(endpoint)
    found = list(differences(read_figures(), measured))
    assert not found, "python -m tests.benchmarks.costs --accept commits them: " + "; ".join(found)


def counts(figures: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The places of all counts."""
    for name, value in figures.items():
        if isinstance(value, dict):
            yield from counts(value, (*path, name))
        elif name not in {"cpu_ms", *SIZES}:
            yield (*path, name)


@pytest.mark.parametrize("place", tuple(counts(read_figures())), ids=".".join)
def test_one_more_of_anything_is_noticed(place: tuple[str, ...]) -> None:
    changed = copy.deepcopy(read_figures())
    inner = changed
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] += 1
    [difference] = differences(read_figures(), changed)
    assert difference.startswith(".".join(place))


def test_the_documents_have_the_committed_figures() -> None:
    text, page = DOCUMENT.read_text(), PAGE.read_text()
    assert document_with(text, read_figures()) == text
    assert page_with(page, read_figures()) == page


@pytest.mark.slow
def test_the_calculator_page_computes_what_the_cost_model_does() -> None:
    [arithmetic] = re.findall(r'<script id="arithmetic">(.*?)</script>', PAGE.read_text(), re.DOTALL)
    program = (
        f"{arithmetic}\nconst [months, data] = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "console.log(JSON.stringify(months.map((month) => monthCosts(month, data))));"
    )
    data = calculator_data(read_figures(), read_prices())
    told = json.dumps([[month_json(month) for month in MONTHS], data])
    ran = subprocess.run([node(), "-e", program], input=told, capture_output=True, text=True, check=True)
    expected = [month_costs(month, read_figures(), read_prices()) for month in MONTHS]
    for computed, month in zip(json.loads(ran.stdout), expected, strict=True):
        assert computed == pytest.approx(month, rel=1e-9)
        assert list(computed) == list(month)


def test_an_idle_month_costs_what_stands_by_and_no_turn() -> None:
    costs = month_costs(MONTHS[0], read_figures(), read_prices())
    assert {line for line, usd in costs.items() if usd} == {
        "Month: alarms and dashboards",
        "Month: polling of queues",
        "Month: hourly sweeps",
        "Month: secret",
    }
