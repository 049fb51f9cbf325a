"""An official client in a Node process, driven by commands: one process serves all tests of a file.

    with NodeClient("ai_sdk.mjs") as client:
        shown = client.call(chat="one", call="open", url=twin.url, token=token, id="my-chat")

A script reads one JSON object a line, with a ``number``, and writes ``{"number", "answer"}`` or ``{"number",
"failed"}``. Commands of several threads are carried out at the same time.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import threading
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.fakes.run.node import node

FOLDER = Path(__file__).parent
ANSWER_WITHIN_S = 240.0


class ClientFailed(AssertionError):
    """The client's own code raised; the message is its stack."""


class NodeClient:
    """One script in its process, from ``__enter__`` to ``__exit__``."""

    def __init__(self, script: str) -> None:
        self._script = script
        self._numbers = itertools.count()
        self._waiting: dict[int, Future[Any]] = {}
        self._writing = threading.Lock()

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [node(), self._script], cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._reader = threading.Thread(target=self._read, name=self._script, daemon=True)
        self._reader.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.kill()
        self._process.wait()
        self._reader.join()
        self._process.stdout.close()

    def call(self, **command: Any) -> Any:
        """What the script answers to a command.

        Raises:
            ClientFailed: the client raised, or its process ended.
        """
        number, answer = next(self._numbers), Future[Any]()
        self._waiting[number] = answer
        assert self._process.stdin is not None
        with self._writing:
            self._process.stdin.write(json.dumps({**command, "number": number}) + "\n")
            self._process.stdin.flush()
        return answer.result(timeout=ANSWER_WITHIN_S)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            written = json.loads(line)
            answer = self._waiting.pop(written["number"])
            if "failed" in written:
                answer.set_exception(ClientFailed(written["failed"]))
            else:
                answer.set_result(written["answer"])
        for answer in self._waiting.values():
            answer.set_exception(ClientFailed("make test installs what this needs; the process ended"))
