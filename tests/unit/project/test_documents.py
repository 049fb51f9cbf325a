"""What the documents say is proven by a test is: the tests they name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
DOCUMENTS = [ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]
NAMED = re.compile(r"`((?:tests/)?(?:\w+/)*test_\w+\.py)(?:::(test_\w+))?`")
TESTS = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "tests").rglob("test_*.py")}


def found(name: str) -> list[Path]:
    """The files a document may mean: one by its whole path, or by its name alone."""
    return [path for known, path in TESTS.items() if known == name or known.endswith(f"/{name}")]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_test_a_document_names_is_there(document: Path) -> None:
    missing = [
        f"{name}::{function}" if function else name
        for name, function in NAMED.findall(document.read_text("utf-8"))
        if not any(f"def {function}(" in path.read_text("utf-8") for path in found(name))
        and not (found(name) and not function)
    ]
    assert missing == []


def promises() -> list[list[str]]:
    """The rows of the table of promises: what is promised, what proves it, where it ends."""
    text = (ROOT / "docs" / "promises.md").read_text("utf-8")
    rows = [line.strip("|").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return rows[1:]


def test_every_promise_has_a_test_and_says_where_it_ends() -> None:
    assert len(promises()) > 10
    for promised, proven, ends in promises():
        assert NAMED.search(proven), promised
        assert ends.strip(), promised


def test_the_readme_says_what_is_promised() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "## What we promise" in readme
    assert "docs/promises.md" in readme
