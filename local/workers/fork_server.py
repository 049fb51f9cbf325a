"""The process that forks the workers: ``python -m local.workers.fork_server DESCRIPTOR ...``.

It imports what the functions import, once for all workers, and composes nothing: a connection to a database
does not survive a fork. It has a single thread, so that a fork copies no held lock. The descriptors are the
workers' sockets. Standard input is the connection to the server, which sends the functions and is told
whether the first worker could load them. When that connection ends, all of them end.
"""

from __future__ import annotations

import ast
import gc
import importlib
import json
import os
import select
import socket
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from edge.environment import SettingsInvalid
from local import supervision
from local.proxy.functions import FunctionMissing, Functions
from local.template.resources import Function
from local.workers import frames
from local.workers.frames import ConnectionEnded, ProcessFrame
from local.workers.worker import run_worker

FUNCTIONS = Path(__file__).resolve().parents[2] / "functions"
UNUSABLE = 2
"""The exit code of a worker that can't load the functions: another one couldn't either."""


def main() -> None:
    """Fork a worker per descriptor, and another one for each that ends."""
    supervision.die_with_parent()
    server = socket.socket(fileno=0)
    calls = [socket.socket(fileno=int(descriptor)) for descriptor in sys.argv[1:]]
    for module in dict.fromkeys(imported_modules(FUNCTIONS)):
        importlib.import_module(module)
    gc.freeze()  # collecting garbage would write to pages that the workers share
    try:
        functions, environment = frames.receive_frame(server).to_json()
        loaded = {name: Function(**fields) for name, fields in functions.items()}
        _ForkServer(server, loaded, environment).run(calls)
    except ConnectionEnded:
        return


def imported_modules(folder: Path) -> Iterator[str]:
    """Yield the modules that the functions in a folder import from, in order."""
    for path in sorted(folder.glob("*/app.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module != "__future__":
                yield node.module


class _ForkServer:
    """The parent of the workers of one server."""

    def __init__(
        self, server: socket.socket, functions: Mapping[str, Function], environment: Mapping[str, str]
    ) -> None:
        self._server = server
        self._functions = functions
        self._environment = environment

    def run(self, calls: Sequence[socket.socket]) -> None:
        """Keep a worker on each socket, until one can't load the functions or the server is gone."""
        heard, told = socket.socketpair()
        workers = {self._fork(calls[0], told): calls[0]}
        told.close()
        frames.send_frame(self._server, *_report(heard))
        heard.close()
        workers |= {self._fork(each): each for each in calls[1:]}
        while workers:
            process, status = os.wait()
            code = os.waitstatus_to_exitcode(status)
            if code == UNUSABLE or select.select([self._server], [], [], 0)[0]:
                return
            code = code if code >= 0 else 128 - code
            print(f"A worker died with exit code {code}. Another one takes its place.", flush=True)
            one = workers.pop(process)
            workers[self._fork(one)] = one

    def _fork(self, calls: socket.socket, told: socket.socket | None = None) -> int:
        process = os.fork()
        if process == 0:
            self._work(calls, told)
        return process

    def _work(self, calls: socket.socket, told: socket.socket | None) -> NoReturn:
        supervision.die_with_parent(self._server.fileno())
        try:
            functions = Functions(self._functions, self._environment)
            if told is not None:
                frames.send_frame(told, frames.RESULT)
                told.close()
            run_worker(calls, functions)
        except (FunctionMissing, SettingsInvalid) as error:
            if told is not None:
                frames.send_json(told, frames.FAILED, str(error))
        except BaseException:  # noqa: BLE001 - nothing is above it
            traceback.print_exc()
        sys.stderr.flush()
        os._exit(UNUSABLE)


def _report(heard: socket.socket) -> ProcessFrame:
    try:
        return frames.receive_frame(heard)
    except ConnectionEnded:  # it has printed why
        return ProcessFrame(frames.FAILED, json.dumps("the functions can't be loaded").encode())


if __name__ == "__main__":
    main()
