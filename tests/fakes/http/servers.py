"""Web servers on this machine with scripted answers, for tests of outgoing requests."""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


def free_port() -> int:
    """Return a port on loopback that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """A received request; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    def is_signed_with(self, secret: str) -> bool:
        """Whether the request has the documented signature for the secret."""
        signed = f"{self.headers['x-omniforge-timestamp']}.".encode() + self.body
        digest = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
        return hmac.compare_digest(self.headers["x-omniforge-signature"], f"v1={digest}")


Answering = Callable[[BaseHTTPRequestHandler], None]


class Site:
    """A server in threads of this process. It records every request and answers it with ``answer``."""

    def __init__(self, answer: Answering, *, tls: ssl.SSLContext | None = None) -> None:
        self.requests: list[ReceivedRequest] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = self.rfile.read(length)
                site.requests.append(ReceivedRequest(self.command, self.path, headers, body))
                try:
                    answer(self)
                except OSError:
                    return

            do_POST = do_GET  # noqa: N815 - the base class's name

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
                """Log nothing."""

        self._server = _QuietServer(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_port
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)

    def url(self, path: str = "/") -> str:
        """Return the URL of a path on this site."""
        return f"http://127.0.0.1:{self.port}{path}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


def fixed_answer(body: bytes, *, status: int = 200, **headers: str) -> Answering:
    """Return a fixed answer; underscores in header names become hyphens."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def answers_in_turn(*statuses: int, location: str = "/") -> Answering:
    """Return an answer with these statuses, one after the other, then 200; ``location`` is where redirects
    lead."""
    left, lock = list(statuses), threading.Lock()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        with lock:
            status = left.pop(0) if left else 200
        headers = {"Location": location} if 300 <= status < 400 else {}
        fixed_answer(b"ok", status=status, **headers)(handler)

    return answer


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors: tests make clients disconnect."""
