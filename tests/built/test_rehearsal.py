"""The rehearsal's inventory is the template's, the faults that it has to find are found, and it types the
commands of docs/deploy.md.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from samtranslator.yaml_helper import yaml_parse

from local.template.sam_translation import TemplateInvalid, read_template
from tests.built.build import ROOT
from tests.rehearsal import day
from tests.rehearsal.inventory import compare
from tests.rehearsal.page import ANOTHER, LEFT_OUT, commands, to_type
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


def test_every_command_of_the_deployment_page_is_typed_or_left_out_for_a_reason() -> None:
    waiting = to_type()
    for start in _typed(ast.parse(Path(str(day.__file__)).read_text(encoding="utf-8"))):
        found = next((each for each in waiting if each.startswith(start)), None)
        assert found is not None, f"the rehearsal types {start!r}, which the page does not have"
        waiting.remove(found)
    assert waiting == [], "docs/deploy.md has commands that tests/rehearsal/day.py does not type"


@pytest.mark.parametrize("start", [*ANOTHER, *LEFT_OUT])
def test_what_is_not_typed_as_it_is_stands_on_the_page(start: str) -> None:
    assert any(each.startswith(start) for each in commands())


def _typed(tree: ast.AST) -> Iterator[str]:
    """Yield the starts of the commands that are given to the reader to type."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr == "types":
            yield ast.literal_eval(node.args[0])
        elif node.func.attr == "_release" and len(node.args) > 1:
            yield ast.literal_eval(node.args[1])
