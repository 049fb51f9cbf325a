"""The Lambda Runtime API on loopback: it hands out invocations and records their answers.

with RuntimeApi() as api:
    ...  # start a runtime with AWS_LAMBDA_RUNTIME_API=api.address
    invoked = api.invoke({"some": "event"})
    first = invoked.chunk()
    assert invoked.answer().body == b"..."
"""

from __future__ import annotations

import base64
import json
import queue
import threading
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, ClassVar, NamedTuple, Self

PATIENCE_S = 30.0
"""How long a test waits for the runtime."""
_PATH = "/2018-06-01/runtime"
_DELIMITER = bytes(8)


class Chunk(NamedTuple):
    """A piece of an answer, as the runtime sent it."""

    data: bytes
    arrived_at: float
    """On the monotonic clock, which all processes share."""


class Report(NamedTuple):
    """An error that a runtime reported."""

    error_type: str
    body: Any


@dataclass(frozen=True, slots=True)
class Answer:
    """A complete answer. Header and trailer names are in lower case."""

    headers: Mapping[str, str]
    sent: bytes
    trailers: Mapping[str, str]

    @property
    def prelude(self) -> Any:
        """The status and headers for the client."""
        return json.loads(self.sent.partition(_DELIMITER)[0])

    @property
    def body(self) -> bytes:
        """The body that the client receives."""
        return self.sent.partition(_DELIMITER)[2]

    @property
    def error(self) -> Report | None:
        """The error that ended the answer early, or None."""
        if not self.trailers:
            return None
        body = base64.b64decode(self.trailers["lambda-runtime-function-error-body"])
        return Report(self.trailers["lambda-runtime-function-error-type"], json.loads(body))


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingInvocation:
    """A request that the function is processing."""

    request_id: str
    headers: Mapping[str, str]
    event: bytes
    cut_after: int | None
    """The number of chunks after which the connection is cut."""
    chunks: queue.SimpleQueue[Chunk] = field(default_factory=queue.SimpleQueue)
    outcome: queue.SimpleQueue[Answer | Report] = field(default_factory=queue.SimpleQueue)

    def chunk(self) -> Chunk:
        """Wait for the next chunk."""
        return self.chunks.get(timeout=PATIENCE_S)

    def answer(self) -> Answer:
        """Wait for the complete answer."""
        outcome = self.outcome.get(timeout=PATIENCE_S)
        assert isinstance(outcome, Answer)
        return outcome

    def failure(self) -> Report:
        """Wait for the error that came instead of an answer."""
        outcome = self.outcome.get(timeout=PATIENCE_S)
        assert isinstance(outcome, Report)
        return outcome


class RuntimeApi:
    """A server in threads of this process.

    When ``broken`` is a status, every request for an invocation fails with it.
    """

    def __init__(self, *, broken: int | None = None) -> None:
        self.broken = broken
        self.calls: queue.SimpleQueue[str] = queue.SimpleQueue()
        """The runtime's requests in order; each is added before it is answered."""
        self.waiting: queue.SimpleQueue[PendingInvocation] = queue.SimpleQueue()
        self.under_way: dict[str, PendingInvocation] = {}
        self.reports: dict[str, Report] = {}
        """Errors outside of invocations, by phase: init or restore."""
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.api = self
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self._http.server_port}"

    def invoke(
        self, event: object = None, *, headers: Mapping[str, str] | None = None, cut_after: int | None = None
    ) -> PendingInvocation:
        """Queue an invocation. A text event is sent as it is, anything else as JSON, with the ``headers``."""
        request_id = str(uuid.uuid4())
        text = event if isinstance(event, str) else json.dumps(event)
        given = {
            "Lambda-Runtime-Aws-Request-Id": request_id,
            "Lambda-Runtime-Deadline-Ms": str(int((time.time() + 60) * 1000)),
            "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:eu-west-1:000000000000:function:test",
            **(headers or {}),
        }
        invoked = PendingInvocation(
            request_id=request_id, headers=given, event=text.encode(), cut_after=cut_after
        )
        self.under_way[request_id] = invoked
        self.waiting.put(invoked)
        return invoked

    def next_call(self) -> str:
        """Wait for the runtime's next request."""
        return self.calls.get(timeout=PATIENCE_S)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    api: RuntimeApi


class _Handler(BaseHTTPRequestHandler):
    protocol_version: ClassVar[str] = "HTTP/1.1"  # type: ignore[misc]
    server: _Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Quiet."""

    def do_GET(self) -> None:
        """Hand out an invocation, or let the runtime continue after its snapshot."""
        self.server.api.calls.put(self.path.removeprefix(_PATH))
        if self.server.api.broken is not None:
            self._respond(self.server.api.broken)
        elif self.path == f"{_PATH}/invocation/next":
            invoked = self.server.api.waiting.get()
            self._respond(200, invoked.event, {"Content-Type": "application/json", **invoked.headers})
        else:
            assert self.path == f"{_PATH}/restore/next"
            self._respond(200)

    def do_POST(self) -> None:
        """Record an answer or an error."""
        *_, subject, kind = self.path.split("/")
        if kind == "response":
            self._keep_answer(self.server.api.under_way[subject])
            return
        body = self.rfile.read(int(self.headers["Content-Length"]))
        report = Report(self.headers["Lambda-Runtime-Function-Error-Type"], json.loads(body))
        if subject in self.server.api.under_way:
            self.server.api.under_way[subject].outcome.put(report)
        else:
            self.server.api.reports[subject] = report
        self._respond(202)

    def _keep_answer(self, invoked: PendingInvocation) -> None:
        sent: list[bytes] = []
        while size := int(self.rfile.readline(), 16):
            sent.append(self.rfile.read(size))
            self.rfile.readline()
            invoked.chunks.put(Chunk(sent[-1], time.monotonic()))
            if len(sent) == invoked.cut_after:
                self.close_connection = True
                return
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = Answer(headers, b"".join(sent), self._trailers())
        self._respond(202)
        invoked.outcome.put(answer)

    def _trailers(self) -> dict[str, str]:
        trailers = {}
        while line := self.rfile.readline().decode().strip():
            name, _, value = line.partition(": ")
            trailers[name.lower()] = value
        return trailers

    def _respond(self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
