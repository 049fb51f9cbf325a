"""docs/deploy.md as its reader follows it: its commands, typed into one shell with the stand-in as AWS."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.documented import pages

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "deploy.md"

_ENDED = re.compile(r"^<(\d+)>$")

ANOTHER: Mapping[str, str] = {
    "make build && .venv-sam/bin/sam deploy": "releases differ by their names alone here, and nobody asks",
    ".venv-sam/bin/sam deploy --parameter-overrides Stage": "the issuer is the rehearsal's own",
    ".venv-sam/bin/sam deploy --parameter-overrides AlarmTopicArn": "is part of the roll-back",
    "API=": "the stand-in has its gateway at another address",
    "POOL=": "the stack with Cognito is the second stage's",
    "OPERATOR=": "the stand-in has no sign-in page; its issuer gives the token",
    "ADMIN=": "the stand-in has no sign-in page; its issuer gives the token",
    ".venv/bin/python -m local restore": "the stand-in restores no table with indexes; a copy is prepared",
    "TABLE=": "the names are another run's",
}
"""Starts of commands in whose place another one is typed, and why."""

LEFT_OUT: Mapping[str, str] = {
    "make build  ": "the step before builds for this machine",
    "make publish-page": "needs CloudFront: tests/integration/twin/test_page_publishing.py",
    ".venv-sam/bin/sam deploy --config-env prod": "asks; it is the stage dev with other parameters",
    "docker run": "needs Docker: tests/built/test_sam_local.py",
    "make local-table": "needs Docker: tests/integration/twin/test_local_table.py",
    "make local-env": "needs Docker: tests/built/test_sam_local.py",
    ".venv-sam/bin/sam local": "needs Docker: tests/built/test_sam_local.py",
    "TOKEN=": "needs Docker: tests/built/test_sam_local.py",
    "make rehearse": "is this",
}
"""Starts of commands that a rehearsal does not type, and what holds them instead."""


class StepFailed(Exception):
    """A step of the rehearsal did not end as it should; the message says what was seen."""


def commands() -> list[str]:
    """Return the page's commands, in its order, each in one line."""
    return [re.sub(r"\\\n +", "", each.text) for each in pages.commands(PAGE.read_text(encoding="utf-8"))]


def to_type() -> list[str]:
    """Return the page's commands that a rehearsal types, some of them in other words."""
    return [each for each in commands() if not each.startswith(tuple(LEFT_OUT))]


class Reader:
    """Somebody who types the page's commands in a checkout of the project, in one shell.

    ``folder`` becomes the checkout; it links to everything of this one but what a deployment writes.
    """

    def __init__(self, folder: Path, variables: Mapping[str, str], programs: Path) -> None:
        self._folder = folder
        self._environment = {
            **os.environ,
            **variables,
            "AWS_PAGER": "",
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        }
        self._waiting = to_type()

    def __enter__(self) -> Self:
        self._folder.mkdir()
        for each in ROOT.iterdir():
            if each.name not in {".aws-sam", ".git"}:
                (self._folder / each.name).symlink_to(each)
        (self._folder / ".aws-sam" / "build").mkdir(parents=True)
        self._bash = subprocess.Popen(
            ["/bin/bash", "--noprofile", "--norc"],
            cwd=self._folder,
            env=self._environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bash.kill()
        self._bash.communicate()

    def write(self, name: str, text: str) -> None:
        """Write a file beside the checkout's others, as the page says to."""
        (self._folder / name).write_text(text, encoding="utf-8")

    def build(self, template: str, artefacts: Path) -> None:
        """Lay a build where `make build` lays it."""
        built = self._folder / ".aws-sam" / "build"
        (built / "template.yaml").write_text(template, encoding="utf-8")
        for each in artefacts.iterdir():
            if each.is_dir() and not (built / each.name).exists():
                (built / each.name).symlink_to(each)

    def types(self, start: str, another: str | None = None, *, code: int = 0) -> str:
        """Type the page's next command that begins so, or ``another`` in its place; return what it prints.

        Raises:
            StepFailed: the page has no such command, or it ends with another code.
        """
        command = next((each for each in self._waiting if each.startswith(start)), None)
        if command is None:
            raise StepFailed(f"{PAGE.name} has no (other) command that begins with {start!r}")
        if (another is None) == command.startswith(tuple(ANOTHER)):
            raise StepFailed(f"whether another command is typed for {start!r} is not as ANOTHER says")
        self._waiting.remove(command)
        return self.runs(another or command, code=code)

    def runs(self, command: str, *, code: int = 0) -> str:
        """Type any command; return what it prints.

        Raises:
            StepFailed: it ends with another code.
        """
        assert self._bash.stdin is not None
        assert self._bash.stdout is not None
        self._bash.stdin.write(f'{{ {command}\n}} 2> errors < /dev/null; code=$?; echo; echo "<$code>"\n')
        self._bash.stdin.flush()
        printed: list[str] = []
        for line in iter(self._bash.stdout.readline, ""):
            if ended := _ENDED.match(line):
                text = "".join(printed).strip()
                if int(ended[1]) != code:
                    errors = (self._folder / "errors").read_text(encoding="utf-8", errors="replace")
                    raise StepFailed(f"{command}: ended with {ended[1]}\n{text[-2_000:]}\n{errors[-2_000:]}")
                return text
            printed.append(line)
        raise StepFailed(f"the shell ended at {command}")

    def left(self) -> Iterator[str]:
        """Yield the commands that nobody typed."""
        yield from self._waiting
