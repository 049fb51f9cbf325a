"""The server's side of the worker processes: it starts them and passes each call to the least busy one."""

from __future__ import annotations

import dataclasses
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from edge.http.server_sent_events import StreamedResponse
from local.proxy.events import MalformedResponse
from local.proxy.functions import FunctionFailed, set_environment
from local.template.resources import Function
from local.workers import frames
from local.workers.frames import ConnectionEnded, ProcessFrame
from local.workers.worker import STREAMED

RECORDS = "Records"
"""What the events of queues and of the table's stream have, and no request."""
EXIT_ERROR = "Runtime.ExitError"
"""What Lambda reports of a function whose process ended."""


class FunctionsUnusable(Exception):
    """The workers can't load the functions; the message is one line."""


def default_workers() -> int:
    """The number of processors this process may use."""
    usable = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(usable(0)) if usable else os.cpu_count() or 1


class ForkServer:
    """The process that forks the workers. It imports what they need while the server prepares the rest."""

    def __init__(self, workers: int) -> None:
        pairs = [socket.socketpair() for _ in range(workers)]
        self.calls = [ours for ours, _ in pairs]
        self._connection, its_own = socket.socketpair()
        theirs = [each for _, each in pairs]
        descriptors = [each.fileno() for each in theirs]
        command = [sys.executable, "-m", "local.workers.fork_server", *map(str, descriptors)]
        self._process = subprocess.Popen(command, stdin=its_own.fileno(), pass_fds=descriptors)
        for each in (*theirs, its_own):
            each.close()

    def load(self, functions: Mapping[str, Function], environment: Mapping[str, str]) -> None:
        """Wait until the first worker has loaded the functions.

        Raises:
            FunctionsUnusable: it can't.
        """
        fields = {name: dataclasses.asdict(function) for name, function in functions.items()}
        try:
            frames.send_json(self._connection, frames.CALL, [fields, dict(environment)])
            report = frames.receive_frame(self._connection)
        except ConnectionEnded:
            raise FunctionsUnusable("the functions can't be loaded") from None
        if report.kind == frames.FAILED:
            raise FunctionsUnusable(report.to_json())
        threading.Thread(target=self._end_with_it, name="fork-server", daemon=True).start()

    def _end_with_it(self) -> None:
        # Without it no worker is replaced: the supervisor starts another server.
        self._process.wait()
        os._exit(1)


class WorkerFunctions:
    """The functions of one stack, run by worker processes (`local.proxy.functions.FunctionInvoker`)."""

    def __init__(
        self,
        functions: Mapping[str, Function],
        environment: Mapping[str, str],
        fork_server: ForkServer,
    ) -> None:
        self.on_measured: Callable[[str, float, str | None], None] = lambda *_: None
        """Hears of each value that the functions measure: metric, value, and its own dimension's value."""
        self._functions = functions
        self._workers = _LeastBusy(fork_server.calls)
        for function in functions.values():  # the server reads its own settings among theirs
            set_environment(function, environment)
        fork_server.load(functions, environment)

    def timeout_s(self, name: str) -> float:
        return self._functions[name].timeout_s

    def invoke(self, name: str, event: dict[str, Any]) -> Any:
        with self._call(name, event, "whole") as connection:
            return self._frame(connection).to_json()

    def stream(
        self,
        name: str,
        event: dict[str, Any],
        *,
        on_response: Callable[[StreamedResponse], None],
        on_chunk: Callable[[bytes], None],
    ) -> None:
        with self._call(name, event, STREAMED) as connection:
            while (frame := self._frame(connection)).kind != frames.END:
                if frame.kind == frames.OPENED:
                    status, headers = frame.to_json()
                    on_response(StreamedResponse(status, headers, iter(())))
                else:
                    on_chunk(frame.payload)

    def _frame(self, connection: socket.socket) -> ProcessFrame:
        frame = frames.receive_frame(connection)
        while frame.kind == frames.MEASURED:
            for metric, value, word in frame.to_json():
                self.on_measured(metric, value, word)
            frame = frames.receive_frame(connection)
        if frame.kind == frames.FAILED:
            failed = frame.to_json()
            raise FunctionFailed(failed["kind"], failed["message"])
        if frame.kind == frames.MALFORMED:
            raise MalformedResponse
        return frame

    @contextmanager
    def _call(self, name: str, event: dict[str, Any], how: str) -> Iterator[socket.socket]:
        ours, theirs = socket.socketpair()
        try:
            with self._workers.taken(first=RECORDS not in event) as calls, ours:
                with theirs:
                    socket.send_fds(calls, [b"c"], [theirs.fileno()])
                frames.send_json(ours, frames.CALL, [name, event, how])
                yield ours
        except (ConnectionEnded, OSError):
            raise FunctionFailed(EXIT_ERROR, "the process ended before it answered") from None


class _LeastBusy:
    """The workers' sockets, and how many calls each has.

    Of equally busy ones the first is taken for requests, so that a single user's turns find what the last one
    has cached, and the last one for what follows a turn, so that it does not slow the next turn.
    """

    def __init__(self, calls: Sequence[socket.socket]) -> None:
        self._calls = calls
        self._busy = [0] * len(calls)
        self._lock = threading.Lock()

    @contextmanager
    def taken(self, *, first: bool) -> Iterator[socket.socket]:
        """Yield the socket of the least busy worker, which has one call more inside the ``with`` block."""
        with self._lock:
            places = range(len(self._busy))
            place = min(places if first else reversed(places), key=self._busy.__getitem__)
            self._busy[place] += 1
        try:
            yield self._calls[place]
        finally:
            with self._lock:
                self._busy[place] -= 1
