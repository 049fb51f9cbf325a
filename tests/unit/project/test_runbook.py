"""docs/runbook.md tells of every alarm and saved query of the template, and of no other."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from edge.event_metrics import EVENT_COUNTERS, EVENT_METRICS
from local.template.sam_translation import read_template
from tests.built.build import ROOT
from tests.built.deployed_stack import deployed

STACK = deployed(read_template(ROOT / "template.yaml"), {})
ALARMS = STACK.of_type("AWS::CloudWatch::Alarm")
QUERIES = STACK.of_type("AWS::Logs::QueryDefinition")
(DASHBOARD,) = STACK.of_type("AWS::CloudWatch::Dashboard").values()
RUNBOOK = (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8")
SECTIONS: Mapping[str, str] = dict(
    re.findall(r"^## (\w+Alarm)\n(.*?)(?=^## |\Z)", RUNBOOK, re.MULTILINE | re.DOTALL)
)
MEASURED = {each.name for group in EVENT_METRICS.values() for each in group} | {
    counter.name for counter in EVENT_COUNTERS.values()
}


def test_every_alarm_has_a_section_and_every_section_an_alarm() -> None:
    assert set(SECTIONS) == set(ALARMS)


@pytest.mark.parametrize("alarm", SECTIONS)
def test_a_section_says_what_it_means_what_to_look_at_and_what_to_do(alarm: str) -> None:
    assert re.findall(r"^- \*\*([\w ]+):\*\*", SECTIONS[alarm], re.MULTILINE) == ["Means", "Look at", "Do"]


def test_a_section_names_only_alarms_there_are() -> None:
    assert set(re.findall(r"\b[A-Z]\w+Alarm\b", RUNBOOK)) == set(ALARMS)


def test_every_saved_query_is_described_and_there_is_no_other() -> None:
    (table,) = re.findall(r"^\| query \|.*?\n\|---.*?\n(.*?)\n\n", RUNBOOK, re.MULTILINE | re.DOTALL)
    described = re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)
    assert sorted(described) == sorted(query["Name"].rpartition("/")[2] for query in QUERIES.values())
    named = set(re.findall(r"quer(?:y|ies)\s+`([^`]+)`", RUNBOOK))
    assert named <= set(described)


def test_a_saved_query_reads_logs_of_the_stack() -> None:
    groups = set(STACK.of_type("AWS::Logs::LogGroup"))
    for query in QUERIES.values():
        assert set(query["LogGroupNames"]) <= groups


def test_saved_queries_ask_for_metrics_there_are() -> None:
    asked = {name for query in QUERIES.values() for name in re.findall(r"(\w+)\.0", query["QueryString"])}
    assert asked <= MEASURED


def test_the_dashboard_shows_metrics_of_this_stack() -> None:
    shown = {
        tuple(part for part in metric if isinstance(part, str))
        for widget in json.loads(DASHBOARD["DashboardBody"])["widgets"]
        for metric in widget["properties"]["metrics"]
    }
    own = {metric for metric in shown if metric[:1] == ("OmniForge",)}
    services = {path.parent.name for path in (ROOT / "functions").glob("*/app.py")}
    assert own
    for _, name, *dimensions in own:
        assert name in MEASURED
        assert dimensions[:3] == ["stage", "dev", "service"]
        assert dimensions[3] in services
    functions = {metric[3] for metric in shown if metric[:1] == ("AWS/Lambda",)}
    assert functions == set(STACK.functions())


def test_a_dashboard_reaches_every_metric_with_a_dimension_of_its_own() -> None:
    body: Any = DASHBOARD["DashboardBody"]
    for counter in EVENT_COUNTERS.values():
        assert f'{{OmniForge,{counter.field},service,stage}} MetricName=\\"{counter.name}\\"' in body
