"""Keeps the twin serving: its server is a child process, and a new one follows one that died.

On AWS, Lambda does this: it ends a function that hangs, and starts another one. Here one process serves
everybody, so a message that loops or crashes it takes all requests with it. A loop in C, such as a regular
expression, holds the interpreter lock; then only a thread without Python code can end the process.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import NoReturn, TypeAlias

STUCK_AFTER_S = 10.0
"""After how long without the interpreter lock a server counts as stuck. The lock is normally free a hundred
times a second, also on a busy machine."""

BEAT_EVERY_S = 1.0
STOP_WITHIN_S = 15
"""How long a server may take to stop before it is killed."""

MAX_FAILED_STARTS = 3
_PR_SET_PDEATHSIG = 1

Serve: TypeAlias = Callable[[Callable[[], None]], int]
"""Serves until it is told to stop and returns the exit code. It calls its argument once it is ready."""


def supervise(serve: Serve) -> int:
    """Serve in a child process until SIGTERM or SIGINT, and return its exit code.

    A child that dies after it was ready is followed by another one. A first one that dies before that is not:
    its exit code is returned. Call this before any thread is started.
    """
    return _Supervisor(serve).run()


class _Supervisor:
    """The parent of one server at a time."""

    def __init__(self, serve: Serve) -> None:
        self._serve = serve
        self._child: int | None = None
        self._is_stopping = False

    def run(self) -> int:
        # A child without its parent would keep the port: it reads this pipe, which ends with the parent.
        lifeline, held = os.pipe()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        signal.signal(signal.SIGALRM, self._kill)
        failed_starts = MAX_FAILED_STARTS
        while True:
            code, was_ready = self._serve_once(lifeline, held)
            failed_starts = 0 if was_ready else failed_starts + 1
            if code == 0 or self._is_stopping or failed_starts >= MAX_FAILED_STARTS:
                return code
            print(f"The server died with exit code {code}. Another one takes its place.", flush=True)

    def _serve_once(self, lifeline: int, held: int) -> tuple[int, bool]:
        """Run one child to its end; return its exit code, and whether it was ready before."""
        heard, told = os.pipe()
        sys.stdout.flush()
        self._child = os.fork()
        if self._child == 0:
            os.close(held)
            os.close(heard)
            _run_child(self._serve, lifeline, told)
        os.close(told)
        if self._is_stopping:
            self._stop()
        _, status = os.waitpid(self._child, 0)
        self._child = None
        signal.alarm(0)
        was_ready = os.read(heard, 1) != b""
        os.close(heard)
        code = os.waitstatus_to_exitcode(status)
        return (code if code >= 0 else 128 - code), was_ready

    def _stop(self, _number: int = 0, _frame: FrameType | None = None) -> None:
        self._is_stopping = True
        self._signal(signal.SIGTERM)
        signal.alarm(STOP_WITHIN_S)

    def _kill(self, _number: int, _frame: FrameType | None) -> None:
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        if self._child:
            with suppress(ProcessLookupError):
                os.kill(self._child, number)


def _run_child(serve: Serve, lifeline: int, told: int) -> NoReturn:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    os.setsid()  # the terminal interrupts the parent alone
    die_with_parent(lifeline)

    def ready() -> None:
        os.write(told, b"r")
        end_when_stuck()

    code = 1
    try:
        code = serve(ready)
    except BaseException:  # noqa: BLE001 - nothing is above it
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def end_when_stuck() -> None:
    """End this process once no Python code has run for `STUCK_AFTER_S`, and print where it stands still."""
    threading.Thread(target=_beat, name="heartbeat", daemon=True).start()


def _beat() -> None:
    while True:
        # A thread of C that needs no interpreter lock. Each call replaces the one before.
        faulthandler.dump_traceback_later(STUCK_AFTER_S, exit=True)
        time.sleep(BEAT_EVERY_S)


def die_with_parent(lifeline: int | None = None) -> None:
    """End this process when its parent ends.

    ``lifeline`` is a descriptor that ends with the parent. None starts no thread that waits for it: then only
    Linux ends the process.
    """
    if sys.platform == "linux":
        # At once, even when this process is stuck.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if lifeline is not None:
        threading.Thread(target=_wait_for_end, args=(lifeline,), name="lifeline", daemon=True).start()


def _wait_for_end(lifeline: int) -> None:
    os.read(lifeline, 1)
    os._exit(1)
