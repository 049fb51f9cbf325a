"""What SECURITY.md calls a property has a test, and what it calls a sentence a prompt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "SECURITY.md", ROOT / "docs" / "threat-model.md"]
TEST = re.compile(r"`(?:tests/)?(?:\w+/)*test_\w+\.py`")
MODULE = re.compile(r"`([a-z]\w*(?:\.\w+)+)`")


def rows(page: Path, first: str) -> Iterator[list[str]]:
    """The cells of all rows of the page's tables whose first column has this name."""
    inside = False
    for line in page.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            inside = False
        elif cells[0] == first:
            inside = True
        elif inside and not set(line) <= set("|- "):
            yield cells


@pytest.mark.parametrize(
    ("page", "column", "fewest"),
    [(PAGES[0], "property", 15), (PAGES[1], "gate", 15)],
    ids=["SECURITY.md", "threat-model.md"],
)
def test_every_property_names_the_test_that_proves_it(page: Path, column: str, fewest: int) -> None:
    found = list(rows(page, column))
    assert len(found) >= fewest
    assert [cells[0] for cells in found if not TEST.search(cells[-1])] == []


def test_every_sentence_stands_in_the_prompt_it_names_and_claims_no_proof() -> None:
    found = list(rows(PAGES[0], "sentence"))
    assert len(found) >= 5
    for sentence, place, consequence in found:
        assert not TEST.search(f"{sentence} {place} {consequence}"), sentence
        modules = MODULE.findall(place)
        assert modules, sentence
        for name in modules:
            assert sentence.strip('"') in prompts_in(name), (sentence, name)


def prompts_in(module: str) -> str:
    """The source of a module with its texts on one line each."""
    (path,) = (ROOT / "layers").glob(f"*/{module.replace('.', '/')}.py")
    joined = re.sub(r'\\\n|"\n\s*f?"', "", path.read_text("utf-8"))
    return " ".join(joined.split())


def test_every_kind_of_line_is_one_or_the_other() -> None:
    text = PAGES[0].read_text("utf-8")
    section = text[text.index("## Properties and sentences") : text.index("## Tokens")]
    headers = [
        line
        for line, below in zip(section.splitlines(), section.splitlines()[1:], strict=False)
        if line.startswith("|") and below.startswith("|---")
    ]
    assert {header.strip("| ").split(" |")[0] for header in headers} == {"property", "sentence"}
