"""The local twin, made to die by SIGKILL at a chosen storage request: ``python -m tests.fakes.killable serve
…``.

Takes the arguments of ``python -m local``. As soon as the file named by ``KILL_FILE`` exists, storage
requests are counted; its text, ``<nth> before`` or ``<nth> after``, says at which of them the process kills
itself, before it is sent or after it took effect.
"""

from __future__ import annotations

import functools
import os
import runpy
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from storage.sqlite import SqliteTable

REQUESTS = ("get", "query", "put", "update", "delete", "transact", "batch_delete")


class Trigger:
    """Counts requests once armed, and ends the process at the chosen one."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._seen = 0

    def around(self, request: Callable[..., Any]) -> Callable[..., Any]:
        """The request, with a possible end before and after it."""

        @functools.wraps(request)
        def watched(*args: Any, **kwargs: Any) -> Any:
            chosen = self._file.read_text().split() if self._file.exists() else None
            if chosen is None:
                return request(*args, **kwargs)
            self._seen += 1
            self._end_if(chosen, "before")
            result = request(*args, **kwargs)
            self._end_if(chosen, "after")
            return result

        return watched

    def _end_if(self, chosen: list[str], when: str) -> None:
        if chosen == [str(self._seen), when]:
            self._file.unlink()
            os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Arm the table, then be the twin."""
    trigger = Trigger(Path(os.environ["KILL_FILE"]))
    for name in REQUESTS:
        setattr(SqliteTable, name, trigger.around(getattr(SqliteTable, name)))
    runpy.run_module("local", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
