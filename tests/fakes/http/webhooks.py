"""A webhook on loopback that records its requests, whose signatures tests can check."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True)
class WebhookRequest:
    """One request; header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)

    def is_signed_with(self, secret: str) -> bool:
        """Whether the request has the documented signature for the secret."""
        signed = f"{self.headers['x-omniforge-timestamp']}.".encode() + self.body
        digest = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
        return hmac.compare_digest(self.headers["x-omniforge-signature"], f"v1={digest}")


class Webhook:
    """The receiver, from ``__enter__`` to ``__exit__``. It gives every POST the same answer."""

    def __init__(
        self, *, status: int = 200, answer: bytes = b"{}", headers: Mapping[str, str] | None = None
    ) -> None:
        self.got: list[WebhookRequest] = []
        webhook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                sent = {name.lower(): value for name, value in self.headers.items()}
                webhook.got.append(WebhookRequest(self.path, sent, body))
                self.send_response(status)
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                """Log nothing; tests read the received requests."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hook"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
