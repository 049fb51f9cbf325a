"""The commands of a Markdown page, in the order of the page, each with what the page shows of its output.

It does not run them: that is `tests.documented.shell`.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SHELL, SESSION, OUTPUT = "sh", "console", ""
"""Languages of blocks: commands; a session, of commands after ``$`` and their output; output."""

_COMMENT = re.compile(r"(?:^|\s)# (.*)$")


@dataclass(frozen=True)
class Block:
    """A block of code: a fenced one, or an indented one, which is ``sh``."""

    language: str
    lines: Sequence[str]


@dataclass(frozen=True)
class Command:
    """One command as a reader types it, and what the page says of it.

    ``remark`` is the comment at its end, ``shown`` the output below it. ``is_exact`` says that the output is
    shown as it is, with nothing left out.
    """

    text: str
    remark: str = ""
    shown: Sequence[str] = ()
    is_exact: bool = False


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a page."""
    language: str | None = None
    lines: list[str] = []
    before = ""
    for line in (*text.splitlines(), ""):
        if language is None:
            fence = re.match(r"^ *```(.*)$", line)
            if fence:
                language, lines = fence[1].strip(), []
            elif line.startswith("    ") and line[4:5].strip() and not before.strip():
                language, lines = "indented", [line[4:]]
        elif language == "indented":
            if line.startswith("    "):
                lines.append(line[4:])
            else:
                yield Block(SHELL, lines)
                language = None
        elif line.strip() == "```":
            yield Block(language, lines)
            language = None
        else:
            lines.append(line)
        before = line


def commands(text: str) -> list[Command]:
    """Return the commands of a page."""
    found: list[Command] = []
    for block in blocks(text):
        if block.language == SHELL:
            found += _typed(block.lines)
        elif block.language == SESSION:
            found += _session(block.lines)
        elif block.language == OUTPUT and found:
            found[-1] = Command(found[-1].text, found[-1].remark, block.lines)
    return found


def section(text: str, heading: str) -> str:
    """Return what stands below a heading of a page, up to the next one."""
    return re.split(r"^#+ ", text.split(f"# {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def _typed(lines: Sequence[str]) -> Iterator[Command]:
    waiting: list[str] = []
    shown: list[str] = []
    last = ""
    for line in lines:
        if not waiting and line.startswith("# "):
            shown.append(line[2:])
            continue
        if not waiting and last:
            yield _command(last, shown)
            last, shown = "", []
        waiting.append(line)
        if _is_complete("\n".join(waiting)):
            last, waiting = "\n".join(waiting).strip(), []
    assert not waiting, f"no whole command: {waiting}"
    if last:
        yield _command(last, shown)


def _session(lines: Sequence[str]) -> Iterator[Command]:
    steps = re.split(r"^\$ ", "\n".join(lines), flags=re.MULTILINE)[1:]
    for text, _, output in (step.partition("\n") for step in steps):
        yield Command(text, shown=output.splitlines(), is_exact=True)


def _command(text: str, shown: Sequence[str]) -> Command:
    remark = _COMMENT.search(text.splitlines()[-1])
    return Command(text, remark[1] if remark else "", tuple(shown))


def _is_complete(text: str) -> bool:
    """Return whether a shell would run the text, and not wait for more of it."""
    if text.endswith("\\"):
        return False
    read = subprocess.run(["/bin/bash", "-n"], input=text, capture_output=True, text=True, check=False)
    return read.returncode == 0 and not read.stderr
