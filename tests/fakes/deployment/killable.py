"""The local twin, made to die or stall at a chosen storage request: ``python -m
tests.fakes.deployment.killable serve
…``. What it puts into a queue (``send``) or a timetable (``keep``) counts as one.

Takes the arguments of ``python -m local``. As soon as the file named by ``KILL_FILE`` exists, every storage
request of a request to the gateway is named in the file beside it, with the suffix ``.trace``. The text of
the first, such as ``SIGKILL before update head``, says which signal the process sends itself at which
request: before it is made, or after it took effect; ``SIGKILL before request 7`` counts them since it was
armed.
`tests.fakes.deployment.faulty_twins.MortalTwin` writes and reads both.
"""

from __future__ import annotations

import functools
import os
import runpy
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from edge.adapters.queues import SqliteSender
from edge.adapters.schedules import SqliteTimetable
from storage import keys
from storage.sqlite.table import SqliteTable
from storage.table import Key, Query

_BEHIND = ("stream-", "poll-", "scheduler", "rules")
"""Threads that follow what was written; they come and go as they please."""

REQUESTS = ("get", "query", "put", "update", "delete", "transact", "batch_delete")


class Trigger:
    """Names requests once armed, and signals the process at the chosen one."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._counted = 0

    def around(self, operation: str, request: Callable[..., Any]) -> Callable[..., Any]:
        """The request, with a possible signal before and after it."""

        @functools.wraps(request)
        def watched(store: object, subject: Any, *more: Any, **options: Any) -> Any:
            chosen, name = self._chosen(), request_name(operation, subject)
            # The title of an earlier conversation may come as late as this; a turn updates its head as well.
            if chosen is None or (_is_behind() and name == "update head"):
                return request(store, subject, *more, **options)
            self._note(name)
            self._counted += 1
            ordinal = f"request {self._counted}"
            self._signal_if(chosen, f"before {name}", f"before {ordinal}")
            result = request(store, subject, *more, **options)
            self._signal_if(chosen, f"after {name}", f"after {ordinal}")
            return result

        return watched

    def _chosen(self) -> str | None:
        try:
            return self._file.read_text()
        except FileNotFoundError:
            return None

    def _note(self, name: str) -> None:
        if _is_behind():
            return
        with self._file.with_suffix(".trace").open("a") as trace:
            trace.write(f"{name}\n")

    def _signal_if(self, chosen: str, *points: str) -> None:
        name, _, chosen_point = chosen.partition(" ")
        if chosen_point in points:
            self._file.unlink()
            # To this very thread: one sent to the process may be taken by another, while this one goes on.
            signal.pthread_kill(threading.get_ident(), signal.Signals[name])


def _is_behind() -> bool:
    return threading.current_thread().name.startswith(_BEHIND)


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
    for store, name, operation in ((SqliteSender, "put", "send"), (SqliteTimetable, "put", "keep")):
        setattr(store, name, trigger.around(operation, getattr(store, name)))
    runpy.run_module("local", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
