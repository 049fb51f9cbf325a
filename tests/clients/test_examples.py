"""The examples run as they stand, with the official packages, and print what their pages say."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.fakes.deployment.twin import ROOT, Twin
from tests.fakes.run.node import node

pytestmark = pytest.mark.e2e

EXAMPLES = ROOT / "examples"
PACKAGES = Path(__file__).parent / "node_modules"
"""Node looks for an example's packages beside it, so it is run in here."""
MOST_LINES = 15
SHOWN_WITHIN_S = 120
_COMMAND = re.compile(r"^\$ (node|sh|\.venv/bin/python) (.*)\n((?:(?!\$|```).*\n)*)", re.MULTILINE)


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("examples")) as running:
        yield running


def environment(twin: Twin, user: str) -> Mapping[str, str]:
    return {**os.environ, "OMNIFORGE_URL": twin.url, "OMNIFORGE_TOKEN": twin.token(user=user)}


def beside_packages(path: Path) -> Path:
    """The example, unchanged, where its packages are."""
    copied = PACKAGES / ".examples" / path.relative_to(EXAMPLES)
    copied.parent.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(path, copied))


def _runner(program: str, script: str) -> list[str]:
    """The command that runs a script."""
    if program == "node":
        return [node(), os.fspath(beside_packages(ROOT / script))]
    return ["sh" if program == "sh" else sys.executable, script]


@pytest.mark.parametrize("page", sorted(EXAMPLES.glob("*/README.md")), ids=lambda page: page.parent.name)
def test_an_example_prints_what_its_page_says(twin: Twin, page: Path) -> None:
    commands = _COMMAND.findall(page.read_text())
    assert commands
    for program, command, printed in commands:
        script, *arguments = shlex.split(command)
        ran = subprocess.run(
            [*_runner(program, script), *arguments],
            cwd=ROOT,
            env=environment(twin, page.parent.name),
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ran.stderr, ran.stdout) == ("", printed)


def test_the_page_of_the_ai_sdk_shows_what_was_said_and_the_answer(twin: Twin) -> None:
    page = beside_packages(EXAMPLES / "ai-sdk" / "page.jsx")
    said = ("Add a task to buy groceries", "Added to your list: “buy groceries”.")
    ran = subprocess.run(
        [node(), "page.mjs", os.fspath(page), *said],
        cwd=PACKAGES.parent,
        env=environment(twin, "page"),
        capture_output=True,
        text=True,
        timeout=SHOWN_WITHIN_S,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize(
    "example",
    sorted(path for path in EXAMPLES.glob("*/*") if path.suffix != ".md"),
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_an_example_takes_few_lines(example: Path) -> None:
    lines = [line for line in example.read_text().splitlines() if line.strip()]
    assert len(lines) <= MOST_LINES
