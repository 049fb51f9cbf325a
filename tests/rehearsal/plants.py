"""Faults that a rehearsal has to find, each planted in the built template or in the built code."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Template = dict[str, Any]


def _of_type(template: Template, kind: str) -> list[Any]:
    return [each["Properties"] for each in template["Resources"].values() if each["Type"] == kind]


def _without_time_to_live(template: Template, _: Path) -> None:
    del template["Resources"]["Table"]["Properties"]["TimeToLiveSpecification"]


def _without_backups(template: Template, _: Path) -> None:
    del template["Resources"]["Table"]["Properties"]["PointInTimeRecoverySpecification"]


def _without_dead_letters(template: Template, _: Path) -> None:
    del template["Resources"]["RunQueue"]["Properties"]["RedrivePolicy"]


def _without_filter(template: Template, _: Path) -> None:
    feeds = _of_type(template, "AWS::Lambda::EventSourceMapping")
    feed = next(each for each in feeds if "FilterCriteria" in each)
    feed["FilterCriteria"]["Filters"].pop()


def _without_variable(template: Template, _: Path) -> None:
    del template["Globals"]["Function"]["Environment"]["Variables"]["OMNIFORGE_TABLE"]


def _without_alias(template: Template, _: Path) -> None:
    shared = template["Globals"]["Function"]
    # SAM refuses gradual updates of functions without an alias before anybody could miss it.
    del shared["AutoPublishAlias"], shared["DeploymentPreference"]


def _without_alarm(template: Template, _: Path) -> None:
    del template["Resources"]["TurnLatencyAlarm"]


def _without_exemption(template: Template, build: Path) -> None:
    """Let the authorizer refuse an operator whose own tenant is not registered."""
    layer = build / str(template["Resources"]["EdgeLayer"]["Properties"]["ContentUri"])
    copy = build / "EdgeLayerPlanted"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(layer, copy)
    shutil.rmtree(copy / "python/edge/auth/__pycache__", ignore_errors=True)
    module = copy / "python/edge/auth/authorizer.py"
    text = module.read_text(encoding="utf-8")
    assert _EXEMPTION in text, "the exemption reads otherwise now: change the plant"
    module.write_text(text.replace(_EXEMPTION, _NO_EXEMPTION), encoding="utf-8")
    template["Resources"]["EdgeLayer"]["Properties"]["ContentUri"] = copy.name


_EXEMPTION, _NO_EXEMPTION = "if OPERATOR in roles else", "if False else"

PLANTS: Mapping[str, Callable[[Template, Path], None]] = {
    "ttl": _without_time_to_live,
    "backups": _without_backups,
    "dead-letters": _without_dead_letters,
    "filter": _without_filter,
    "variable": _without_variable,
    "alias": _without_alias,
    "alarm": _without_alarm,
    "exemption": _without_exemption,
}
