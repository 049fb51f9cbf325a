"""The pages for contributors name only files, modules, classes and functions that exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = ("CONTRIBUTING.md", "tests/README.md")
ROOMS = (
    "agent",
    "conversation",
    "edge",
    "functions",
    "intent",
    "llm",
    "local",
    "resilience",
    "storage",
    "tasks",
    "tests",
    "tools",
)

CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"\.?\w+(?:/[\w.]+)+/?|\w+\.(?:md|toml|yaml)")
NAME = re.compile(r"[a-z_]+(?:\.\w+)+")
PLACES = (
    re.compile(r"`(?P<names>[\w.]+)` (?:in|of) `(?P<path>[\w/]+\.py)`"),
    re.compile(r"`(?P<names>[\w.]+)` \(`(?P<path>[\w/]+\.py)`\)"),
    re.compile(r"`(?P<path>[\w/]+\.py)` \(`(?P<names>[\w.]+`(?:, `[\w.]+`)*)\)"),
)
"""The ways in which a page says what a file contains."""


def named(page: str, form: re.Pattern[str]) -> list[str]:
    """The code spans of a page that have the form, and the words of its commands that do."""
    text = (ROOT / page).read_text("utf-8")
    words = {word for span in CODE.findall(text) for word in span.split()}
    return sorted(word for word in words if form.fullmatch(word))


def paths(page: str) -> list[str]:
    """The files and folders of the repository that a page names; an installed one is none of them."""
    return [path for path in named(page, PATH) if not path.startswith(".venv/")]


def names(page: str) -> list[str]:
    """The modules and their contents that a page names, such as ``tools.tool.Tool``."""
    return [name for name in named(page, NAME) if name.partition(".")[0] in ROOMS and name not in paths(page)]


def parts(name: str) -> Iterator[tuple[str, str]]:
    """The name as a module and what it contains, the longest module first."""
    words = name.split(".")
    for end in range(len(words), 0, -1):
        yield ".".join(words[:end]), ".".join(words[end:])


def exists(name: str) -> bool:
    """Whether there is such a module, or a class, function or constant of it."""
    for module, content in parts(name):
        try:
            spec = find_spec(module)
        except ModuleNotFoundError:
            continue
        if spec is None:
            continue
        if not content:
            return True
        source = Path(spec.origin or "").read_text("utf-8")
        return (
            re.search(rf"^(?:class |def )?{re.escape(content.partition('.')[0])}\b", source, re.MULTILINE)
            is not None
        )
    return False


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_a_page_for_contributors_names_exists(page: str) -> None:
    assert len(paths(page)) > 10
    assert [path for path in paths(page) if not (ROOT / path).exists()] == []


def contents(page: str) -> set[tuple[str, str]]:
    """What a page says is in which file."""
    text = " ".join((ROOT / page).read_text("utf-8").split())
    found = (match for form in PLACES for match in form.finditer(text))
    return {
        (match["path"], name.rpartition(".")[2])
        for match in found
        for name in match["names"].replace("`", "").split(", ")
    }


def contains(path: str, name: str) -> bool:
    """Whether the file defines the name: a class, a function, a constant or a field."""
    source = (ROOT / path).read_text("utf-8")
    return re.search(rf"^\s*(?:(?:class|def) )?{name}\b(?!\.)", source, re.MULTILINE) is not None


def test_every_name_that_a_page_places_in_a_file_is_there() -> None:
    placed = contents("CONTRIBUTING.md")
    assert len(placed) > 15
    assert [(path, name) for path, name in sorted(placed) if not contains(path, name)] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_module_that_a_page_for_contributors_names_exists(page: str) -> None:
    assert names(page)
    assert [name for name in names(page) if not exists(name)] == []


def test_a_name_that_does_not_exist_is_noticed() -> None:
    assert exists("storage.keys.task")
    assert exists("agent.templates")
    assert not exists("storage.keys.purse")
    assert not exists("agent.purses")
    assert contains("layers/conversation/storage/keys.py", "task")
    assert not contains("layers/conversation/storage/keys.py", "purse")
