"""The local twin, made to die or stall at a chosen storage request: ``python -m tests.fakes.killable serve
…``.

Takes the arguments of ``python -m local``. As soon as the file named by ``KILL_FILE`` exists, every storage
request is named in the file beside it, with the suffix ``.trace``. The text of the first, such as
``SIGKILL before update head``, says which signal the process sends itself at which request: before it is
made, or after it took effect. `tests.fakes.mortal.MortalTwin` writes and reads both.
"""

from __future__ import annotations

import functools
import os
import runpy
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from storage import keys
from storage.sqlite import SqliteTable
from storage.table import Key, Query

REQUESTS = ("get", "query", "put", "update", "delete", "transact", "batch_delete")


class Trigger:
    """Names requests once armed, and signals the process at the chosen one."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def around(self, operation: str, request: Callable[..., Any]) -> Callable[..., Any]:
        """The request, with a possible signal before and after it."""

        @functools.wraps(request)
        def watched(table: SqliteTable, subject: Any, **options: Any) -> Any:
            chosen = self._chosen()
            if chosen is None:
                return request(table, subject, **options)
            name = request_name(operation, subject)
            self._note(name)
            self._signal_if(chosen, f"before {name}")
            result = request(table, subject, **options)
            self._signal_if(chosen, f"after {name}")
            return result

        return watched

    def _chosen(self) -> str | None:
        try:
            return self._file.read_text()
        except FileNotFoundError:
            return None

    def _note(self, name: str) -> None:
        with self._file.with_suffix(".trace").open("a") as trace:
            trace.write(f"{name}\n")

    def _signal_if(self, chosen: str, point: str) -> None:
        name, _, chosen_point = chosen.partition(" ")
        if chosen_point == point:
            self._file.unlink()
            os.kill(os.getpid(), signal.Signals[name])


def request_name(operation: str, subject: Any) -> str:
    """What a request is called: its operation, and what it is about when that is one thing."""
    if isinstance(subject, Query):
        return f"{operation} {subject.index or _partition_name(subject.partition)}"
    key = subject if isinstance(subject, Key) else getattr(subject, "key", None)
    return operation if key is None else f"{operation} {_item_name(key)}"


def _partition_name(partition: str) -> str:
    return "workspace" if partition.endswith("#W") else "messages"


def _item_name(key: Key) -> str:
    names = {keys.HEAD: "head", keys.POLICY: "policy"}
    return names.get(key.sort, key.sort.partition("#")[0])


def main() -> None:
    """Arm the table, then be the twin."""
    trigger = Trigger(Path(os.environ["KILL_FILE"]))
    for name in REQUESTS:
        setattr(SqliteTable, name, trigger.around(name, getattr(SqliteTable, name)))
    runpy.run_module("local", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
