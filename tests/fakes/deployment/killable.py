"""The local twin that dies or stalls at a chosen storage request: ``python -m
tests.fakes.deployment.killable serve …``.

It takes the arguments of ``python -m local``. Writes to a queue (``send``) and to a timetable (``keep``)
count as storage requests. As soon as the file named by ``KILL_FILE`` exists, the process appends the name of
every storage request of a gateway request to the file beside it with the suffix ``.trace``. The text of the
first file, such as ``SIGKILL before update head``, says which signal the process sends itself at which
request: before the request is made, or after it took effect. ``SIGKILL before request 7`` counts the requests
since the twin was armed. When ``KILL_TURNS_ONLY`` is not empty, only requests of threads that serve the
gateway count. `tests.fakes.deployment.faulty_twins.MortalTwin` writes the first file and reads
the second.
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
from edge.adapters.schedules import SqliteScheduler
from local import supervision
from storage import keys
from storage.sqlite.table import SqliteTable
from storage.table import Key, Query

_BEHIND = ("stream-", "poll-", "scheduler", "rules")
"""Name prefixes of background threads, whose requests come at unpredictable times."""

_SERVING = ("invocation", "roster")
"""Name prefixes of the threads that serve a request to the gateway."""

REQUESTS = ("get", "query", "put", "update", "delete", "transact", "batch_delete")


class Trigger:
    """Logs the names of requests once armed, and signals the process at the chosen one."""

    def __init__(self, file: Path, *, turns_only: bool = False) -> None:
        self._file = file
        self._turns_only = turns_only
        self._counted = 0

    def around(self, operation: str, request: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap the request with a possible signal before and after it."""

        @functools.wraps(request)
        def watched(store: object, subject: Any, *more: Any, **options: Any) -> Any:
            chosen, name = self._chosen(), request_name(operation, subject)
            if self._turns_only and not _is_serving():
                return request(store, subject, *more, **options)
            # Skip background updates of a head: an earlier conversation's title may be set this late.
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
            # Signal this thread: another one might receive a signal to the process while this one continues.
            signal.pthread_kill(threading.get_ident(), signal.Signals[name])


def _is_behind() -> bool:
    return threading.current_thread().name.startswith(_BEHIND)


def _is_serving() -> bool:
    # A lease is renewed by a timer, as often as the machine is slow.
    return threading.current_thread().name.startswith(_SERVING)


def request_name(operation: str, subject: Any) -> str:
    """Return the name of a request: its operation, and its subject when there is exactly one."""
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
    """Wrap the table's requests, then run the twin, without a parent that starts it again."""
    supervision.supervise = lambda serve: serve(lambda: None)
    turns_only = bool(os.environ.get("KILL_TURNS_ONLY"))
    trigger = Trigger(Path(os.environ["KILL_FILE"]), turns_only=turns_only)
    for name in REQUESTS:
        setattr(SqliteTable, name, trigger.around(name, getattr(SqliteTable, name)))
    for store, name, operation in ((SqliteSender, "put", "send"), (SqliteScheduler, "put", "keep")):
        setattr(store, name, trigger.around(operation, getattr(store, name)))
    runpy.run_module("local", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
