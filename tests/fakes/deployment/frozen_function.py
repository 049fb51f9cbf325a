"""A chat function that answers one message per line of its standard input, to be frozen between the lines.

``python -m tests.fakes.deployment.frozen_function`` in the function's environment writes a line when it is
imported, and one after each turn, as JSON. `FrozenFunction` starts it, and stops the process (SIGSTOP) as
soon as a line has come, as Lambda freezes an environment between invocations.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import Any, Self

from tests.benchmarks.imports import ROOT
from tests.fakes.deployment.processor_share import ProcessorShare, share_of

PATIENT = "PATIENT"
"""A variable: where it is set, a turn waits for litellm as long as a busy machine takes to import it."""
FROZEN_S = 0.5
"""How long it stays frozen: whatever runs in the background gets nothing done."""


class FrozenFunction:
    """The process of a module such as this one. It runs during its import and during invocations only.

    With ``memory_mb`` it has during invocations the part of a processor that Lambda gives for so much memory.
    Its import is not held back, as Lambda does not hold back what comes before the first invocation.
    """

    def __init__(
        self, environ: Mapping[str, str], module: str = __name__, *, memory_mb: int | None = None
    ) -> None:
        self._memory_mb = memory_mb
        command = [sys.executable, "-m", module]
        self._process = subprocess.Popen(
            command, env=dict(environ), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.imported = self._line()
        self._freeze()

    def invoke(self, message: str) -> dict[str, Any]:
        """Return what became of a message: its metadata, its text, the seconds and those of a
        processor, the libraries imported."""
        time.sleep(FROZEN_S)
        self._process.send_signal(signal.SIGCONT)
        assert self._process.stdin
        with self._held_back():
            self._process.stdin.write(f"{message}\n")
            self._process.stdin.flush()
            answered = self._line()
        self._freeze()
        return answered

    def _held_back(self) -> AbstractContextManager[object]:
        if self._memory_mb is None:
            return nullcontext()
        return ProcessorShare(self._process.pid, share_of(self._memory_mb))

    def _freeze(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def _line(self) -> dict[str, Any]:
        assert self._process.stdout
        while line := self._process.stdout.readline():
            if line.startswith('{"turn"'):  # the function's own log lines go the same way
                told: dict[str, Any] = json.loads(line)
                return told
        raise AssertionError("the function has ended")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.communicate()


def main() -> None:
    """Import the function, then answer every line."""
    from functions.chat import app

    _tell(turn="imported", cpu_s=time.process_time())
    from agent.turn_events import Done
    from conversation.clock import Deadline
    from conversation.identity import Caller
    from conversation.turns.admission import IncomingMessage
    from intent.analysis import analyzer
    from storage.keys import TenantId

    if PATIENT in os.environ:
        analyzer.LOADING_S = 250.0
    for line in sys.stdin:
        started, cpu_started = time.monotonic(), time.process_time()
        incoming = IncomingMessage(Caller(TenantId("acme"), "maya"), line.strip())
        *_, done = app.turns().run(incoming, Deadline.after(app.clock, 300))
        assert isinstance(done, Done)
        answer = done.answer
        _tell(
            turn="answered",
            text=answer.content,
            metadata=dict(answer.metadata),
            took_s=time.monotonic() - started,
            cpu_s=time.process_time() - cpu_started,
        )


def _tell(**told: Any) -> None:
    print(json.dumps({**told, "litellm": "litellm" in sys.modules}), flush=True)


if __name__ == "__main__":
    main()
