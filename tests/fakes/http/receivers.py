"""A receiver of deliveries on loopback that records requests and answers with given statuses.

with Receiver(answers=[503, 200]) as receiver:
    ...  # deliver to receiver.url("/hook")
    assert [sent.status for sent in receiver.received] == [503, 200]
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, ClassVar, Self


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """One request and the status of its answer; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    status: int

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Receiver:
    """A server in threads of this process.

    ``answers`` are the statuses of its first answers; all later ones are 200. ``location`` is the target of
    redirects.
    """

    def __init__(self, answers: Sequence[int] = (), *, location: str = "/") -> None:
        self.location = location
        self._answers = list(answers)
        self._lock = threading.Lock()
        self._received: list[ReceivedRequest] = []
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.receiver = self
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    def url(self, path: str = "/") -> str:
        """Return the URL of a path on this server."""
        return f"http://127.0.0.1:{self._http.server_port}{path}"

    @property
    def requests(self) -> list[ReceivedRequest]:
        """Return the requests so far."""
        with self._lock:
            return list(self._received)

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> int:
        """Record a request and return the status of its answer."""
        with self._lock:
            status = self._answers.pop(0) if self._answers else 200
            self._received.append(ReceivedRequest(method, path, headers, body, status))
        return status

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
    receiver: Receiver


class _Handler(BaseHTTPRequestHandler):
    protocol_version: ClassVar[str] = "HTTP/1.1"  # type: ignore[misc]
    server: _Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Quiet."""

    def do_POST(self) -> None:
        """Keep and answer."""
        self._take()

    def do_GET(self) -> None:
        """Keep and answer."""
        self._take()

    def _take(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        receiver = self.server.receiver
        status = receiver.answer(self.command, self.path, headers, body)
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", receiver.location)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")
