"""Web servers on this machine with scripted answers, for tests of outgoing requests."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class SiteRequest:
    """A received request; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Site:
    """One server and its received requests."""

    port: int = 0
    seen: list[SiteRequest] = field(default_factory=list)

    def url(self, path: str = "/") -> str:
        """Return the URL of a path on this site."""
        return f"http://127.0.0.1:{self.port}{path}"


Answering = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def serve_site(answer: Answering, *, tls: ssl.SSLContext | None = None) -> Iterator[Site]:
    """Yield a site that answers every request with ``answer``."""
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            site.seen.append(SiteRequest(self.command, self.path, headers, self.rfile.read(length)))
            try:
                answer(self)
            except OSError:
                return

        do_POST = do_GET  # noqa: N815 - the base class's name

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            """Log nothing."""

    with _Quiet(("127.0.0.1", 0), Handler) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        site.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield site
        server.shutdown()


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


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors: tests make clients disconnect."""
