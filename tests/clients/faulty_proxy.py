"""A proxy that answers some requests with 500, and cuts the connection of others after they were carried out.

with FaultyProxy(twin.url, faults=Faults(seed=7)) as proxy:
    client = OpenAI(base_url=f"{proxy.url}/openai/v1", api_key=token)
"""

from __future__ import annotations

import random
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

import httpx

FAULTS = ("500", "cut")
HOP_BY_HOP = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length", "host"})
ANSWER_WITHIN_S = 240.0


class Faults:
    """Draws what becomes of each request: 5% get 500, 5% are cut, all others are answered."""

    def __init__(self, seed: int, *, share: float = 0.05) -> None:
        self._draw = random.Random(seed)
        self._share = share
        self._lock = threading.Lock()
        self.drawn: Counter[str] = Counter()

    def next(self) -> str:
        with self._lock:
            drawn = self._draw.random()
            place = int(drawn / self._share)
            fault = FAULTS[place] if place < len(FAULTS) else "answered"
            self.drawn[fault] += 1
            return fault


class FaultyProxy:
    """One proxy, from ``__enter__`` to ``__exit__``."""

    def __init__(self, target: str, faults: Faults) -> None:
        self._target = target
        self._faults = faults

    def __enter__(self) -> Self:
        target, faults = self._target, self._faults

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                fault = faults.next()
                if fault == "500":
                    self._send(500, {}, b'{"error": {"message": "bad luck"}}')
                    return
                headers = {k: v for k, v in self.headers.items() if k.lower() not in HOP_BY_HOP}
                answer = self._asked(body, headers)
                if fault == "cut":
                    self.close_connection = True
                    self.connection.shutdown(2)
                    return
                self._send(answer.status_code, dict(answer.headers), answer.content)

            def do_GET(self) -> None:
                headers = {k: v for k, v in self.headers.items() if k.lower() not in HOP_BY_HOP}
                answer = self._asked(b"", headers)
                self._send(answer.status_code, dict(answer.headers), answer.content)

            def _asked(self, body: bytes, headers: dict[str, str]) -> httpx.Response:
                return httpx.request(
                    self.command, target + self.path, content=body, headers=headers, timeout=ANSWER_WITHIN_S
                )

            def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    if name.lower() not in HOP_BY_HOP | {"content-encoding"}:
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
