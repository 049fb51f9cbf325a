"""What the documents name is there: tests, files, modules, links, routes and settings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "tests/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
NAMED = re.compile(r"`((?:tests/)?(?:\w+/)*test_\w+\.py)(?:::(test_\w+))?`")
TESTS = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "tests").rglob("test_*.py")}

FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
QUOTED = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^()\s]+)\)")
ROOT_FILE = re.compile(r"[\w-]+\.(?:toml|yaml)|Makefile|[A-Z]+\.md")
MODULE = re.compile(r"[a-z]\w*(?:\.\w+)+")
RUN_MODULE = re.compile(r"-m ([\w.]+)")
IMPORT_ROOTS = {
    child.name: folder
    for folder in (ROOT, *sorted((ROOT / "layers").glob("*/")))
    for child in folder.iterdir()
    if (child / "__init__.py").exists() or child.name == "training"
}
MADE_BY_BUILDS = ("build/", "web/dist")
"""Folders that documents name and that are not in the repository."""

ROUTE = re.compile(r"^\| `([A-Z]+) (/[^`]*)` \|", re.MULTILINE)
SETTING = re.compile(r"OMNIFORGE_[A-Z_]*[A-Z](?![A-Z_])")
SETTING_ROW = re.compile(r"^\| `(OMNIFORGE_[A-Z_]+)` \|", re.MULTILINE)

of_every_document = pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix()
)


def found(name: str) -> list[Path]:
    """The files a document may mean: one by its whole path, or by its name alone."""
    return [path for known, path in TESTS.items() if known == name or known.endswith(f"/{name}")]


def quoted(document: Path) -> Iterator[str]:
    """Everything in backticks outside code blocks."""
    yield from QUOTED.findall(FENCED.sub("", document.read_text("utf-8")))


def is_missing_path(text: str) -> bool:
    """Whether the text is a path in this repository, and nothing is there."""
    is_path = (ROOT / text.partition("/")[0]).is_dir() if "/" in text else ROOT_FILE.fullmatch(text)
    if not is_path or text.startswith(("/", *MADE_BY_BUILDS)) or re.search(r"[\s*{<…]", text):
        return False
    return not (ROOT / text.partition("::")[0]).exists()


def is_missing_module(text: str) -> bool:
    """Whether the text is a dotted name below one of our packages, and no such module or name exists."""
    package, *names = text.split(".")
    if package not in IMPORT_ROOTS:
        return False
    place = IMPORT_ROOTS[package] / package
    while names and (place / names[0]).is_dir():
        place /= names.pop(0)
    if not names:
        return False
    module = place / f"{names[0]}.py"
    if module.exists():
        return len(names) > 1 and re.search(rf"\b{names[1]}\b", module.read_text("utf-8")) is None
    return not (place / f"{names[0]}.{names[-1]}").exists()


def anchors(document: Path) -> set[str]:
    """The anchors that GitHub gives the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", document.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def is_broken_link(document: Path, target: str) -> bool:
    """Whether a relative link of the document leads to no file, or to no heading of one."""
    if target.startswith(("http:", "https:", "mailto:")):
        return False
    path, _, anchor = target.partition("#")
    file = document.parent / path if path else document
    return not file.exists() or bool(anchor and anchor not in anchors(file))


@of_every_document
def test_every_test_a_document_names_is_there(document: Path) -> None:
    missing = [
        f"{name}::{function}" if function else name
        for name, function in NAMED.findall(document.read_text("utf-8"))
        if not any(f"def {function}(" in path.read_text("utf-8") for path in found(name))
        and not (found(name) and not function)
    ]
    assert missing == []


@of_every_document
def test_every_path_a_document_names_is_there(document: Path) -> None:
    assert [text for text in quoted(document) if is_missing_path(text)] == []


@of_every_document
def test_every_module_a_document_names_is_there(document: Path) -> None:
    named = [text for text in quoted(document) if MODULE.fullmatch(text)]
    run = RUN_MODULE.findall(document.read_text("utf-8"))
    assert [text for text in (*named, *run) if is_missing_module(text)] == []


@of_every_document
def test_every_link_of_a_document_leads_somewhere(document: Path) -> None:
    targets = LINK.findall(FENCED.sub("", document.read_text("utf-8")))
    assert [target for target in targets if is_broken_link(document, target)] == []


def test_the_readme_names_files_and_leads_into_the_documents() -> None:
    readme = ROOT / "README.md"
    assert sum((ROOT / text).exists() for text in quoted(readme)) > 20
    linked = {target.partition("#")[0] for target in LINK.findall(readme.read_text("utf-8"))}
    documents = {path.relative_to(ROOT).as_posix() for path in DOCUMENTS} - {"README.md"}
    assert documents - linked == set()


def test_the_api_page_lists_every_route_that_is_described() -> None:
    described = json.loads((ROOT / "layers/edge/edge/routes/openapi.json").read_text("utf-8"))
    routes = {
        (method.upper(), path)
        for path, operations in described["paths"].items()
        for method in operations
        if path.startswith("/v1/") and method != "parameters"
    }
    listed = ROUTE.findall((ROOT / "docs" / "api.md").read_text("utf-8"))
    assert len(listed) == len(set(listed))
    assert set(listed) == routes


def test_the_settings_page_lists_every_setting_that_is_read() -> None:
    sources = [path for name in ("layers", "local") for path in (ROOT / name).rglob("*.py")]
    read = {name for path in sources for name in SETTING.findall(path.read_text("utf-8"))}
    listed = SETTING_ROW.findall((ROOT / "docs" / "settings.md").read_text("utf-8"))
    assert len(listed) == len(set(listed))
    assert set(listed) == read


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
