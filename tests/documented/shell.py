"""A reader's shell in a checkout, into which the commands of a page are typed one after the other.

Every ``curl`` also tells its status, ``sleep`` moves the clock by which the twins go, and ports and ``/tmp``
are this reader's own.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.fakes.http.servers import free_port

_STATUS = re.compile(r"^<status (\d{3})>$", re.MULTILINE)
_PORT = re.compile(r"(?<=127\.0\.0\.1:)\d{4}|(?<=--port )\d{4}|(?<=http\.server )\d{4}")
_OWN_COMMANDS = r"""
curl() { command curl -w '%{stderr}\n<status %{http_code}>\n' "$@"; }
sleep() {
  local file=$OMNIFORGE_CLOCK_FILE
  # One more: both moments are without their fractions, and nobody sleeps shorter.
  local now=$(($(date +%s -d "$(cat "$file")") + $(date +%s) - $(stat -c %Y "$file") + $1 + 1))
  date -u -d "@$now" +%Y-%m-%dT%H:%M:%SZ > "$file.new" && mv "$file.new" "$file"
}
"""


@dataclass(frozen=True)
class Ran:
    """What a command did. ``statuses``: of the HTTP requests it made, in order."""

    printed: str
    errors: str
    code: int
    statuses: tuple[int, ...]


class Shell:
    """Bash in ``checkout``. ``ports``: the port of this machine that stands for one of the page."""

    def __init__(self, checkout: Path, environ: Mapping[str, str], ports: Mapping[int, int]) -> None:
        self._checkout = checkout
        self._ports = dict(ports)
        self._environ = {"HOME": str(checkout), "LANG": "C.UTF-8", "PATH": os.environ["PATH"], **environ}

    def __enter__(self) -> Self:
        self._printed, self._errors = self._checkout / "printed", self._checkout / "errors"
        self._bash = subprocess.Popen(
            ["/bin/bash", "--noprofile", "--norc"],
            cwd=self._checkout,
            env=self._environ,
            text=True,
            start_new_session=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.types(_OWN_COMMANDS)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the shell, and what it left running."""
        os.killpg(self._bash.pid, signal.SIGKILL)
        self._bash.communicate()

    def types(self, text: str) -> Ran:
        """Run a command and return what came of it, in the page's ports and paths."""
        assert self._bash.stdin is not None
        assert self._bash.stdout is not None
        # Into files: what a command leaves running in the background goes on writing.
        self._bash.stdin.write(f"{{ {self._here(text)}\n}} > {self._printed} 2> {self._errors}; echo $?\n")
        self._bash.stdin.flush()
        code = self._bash.stdout.readline()
        assert code, f"the shell ended at {text!r}"
        errors = self._errors.read_text("utf-8", errors="replace")
        statuses = tuple(int(status) for status in _STATUS.findall(errors))
        printed = self._as_documented(self._printed.read_text("utf-8", errors="replace"))
        return Ran(printed, _STATUS.sub("", errors).strip(), int(code), statuses)

    def another(self, ports: Mapping[int, int]) -> Shell:
        """Return a fresh shell in the same checkout, where further ports are given."""
        return Shell(self._checkout, self._environ, {**self._ports, **ports})

    def port(self, documented: int) -> int:
        """Return the port that stands for one of the page: a free one, unless it was given."""
        if documented not in self._ports:
            self._ports[documented] = free_port()
        return self._ports[documented]

    def _here(self, text: str) -> str:
        text = _PORT.sub(lambda found: str(self.port(int(found[0]))), text)
        return re.sub(r"(?<![\w.])/tmp/", f"{self._checkout}/tmp/", text)

    def _as_documented(self, printed: str) -> str:
        for documented, port in self._ports.items():
            printed = printed.replace(f"127.0.0.1:{port}", f"127.0.0.1:{documented}")
        return printed.replace(f"{self._checkout}/tmp/", "/tmp/")
