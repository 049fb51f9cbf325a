"""The rehearsal's inventory is the template's, and the faults that it has to find are found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from samtranslator.yaml_helper import yaml_parse

from local.template.sam_translation import TemplateInvalid, read_template
from tests.built.build import ROOT
from tests.rehearsal.inventory import compare
from tests.rehearsal.plants import PLANTS

IN_CODE = {"exemption"}
"""Planted in a built layer; the first day of the built functions finds it, and so does the rehearsal."""


def test_the_template_brings_what_the_inventory_expects() -> None:
    difference = compare(read_template(ROOT / "template.yaml"))
    assert (difference.gone, difference.new) == ([], []), (
        "python -m tests.rehearsal --accept records a change"
    )


@pytest.mark.parametrize("plant", sorted(PLANTS.keys() - IN_CODE))
def test_what_is_gone_is_told(plant: str, tmp_path: Path) -> None:
    template = yaml_parse((ROOT / "template.yaml").read_text(encoding="utf-8"))
    PLANTS[plant](template, tmp_path)
    changed = tmp_path / "template.yaml"
    changed.write_text(json.dumps(template, default=str), encoding="utf-8")
    try:
        translated = read_template(changed)
    except TemplateInvalid:
        return
    assert compare(translated).gone
