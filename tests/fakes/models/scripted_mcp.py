"""A small MCP server in threads of the test's process, whose tools and misbehaviour a test decides.

It answers in the words of the revision of 2025, except where a test's function answers first::

    with ScriptedMcpServer() as server:
        server.tools = [...]  # server.url

`tests.fakes.models.hostile_mcp` has many hostile functions. A connection that is to hang does so until the
server is closed.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from types import TracebackType
from typing import Any, Self

from tests.fakes.http.servers import Site

VERSION = "2025-06-18"
ME = {"name": "fake", "version": "1"}
SEARCH: dict[str, Any] = {
    "name": "search",
    "description": "Searches the wiki.",
    "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}},
}

Message = dict[str, Any]


class Exchange:
    """One request of a client, and the ways to answer it."""

    def __init__(self, handler: BaseHTTPRequestHandler, message: Message, closing: threading.Event) -> None:
        self.handler = handler
        self.message = message
        self.closing = closing
        self.method = str(message.get("method"))

    def body(self, body: bytes, *, status: int = 200, kind: str = "application/json", **headers: str) -> bool:
        """Answer with this body."""
        self.handler.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.handler.send_header(name.replace("_", "-"), value)
        self.handler.end_headers()
        self.handler.wfile.write(body)
        return True

    def json(self, value: object, **options: Any) -> bool:
        """Answer with this value."""
        return self.body(json.dumps(value).encode(), **options)

    def result(self, result: object, **options: Any) -> bool:
        """Answer with this result."""
        return self.json({"jsonrpc": "2.0", "id": self.message.get("id"), "result": result}, **options)

    def error(self, code: int, message: str, *, data: object = None, status: int = 200) -> bool:
        """Answer with this error."""
        error = {"code": code, "message": message, "data": data}
        answer = {"jsonrpc": "2.0", "id": self.message.get("id"), "error": error}
        return self.json(answer, status=status)

    def events(self, *messages: object) -> bool:
        """Answer with a stream of these messages."""
        data = "".join(f"event: message\ndata: {json.dumps(message)}\n\n" for message in messages)
        return self.body(data.encode(), kind="text/event-stream")

    def response(self, result: object) -> Message:
        """The response to this request, as a message."""
        return {"jsonrpc": "2.0", "id": self.message.get("id"), "result": result}

    def hang(self, *, sent: bytes = b"", kind: str = "application/json", drip: bytes = b"") -> bool:
        """Answer with headers and these bytes, and nothing more; or with one more byte now and then."""
        self.handler.send_response(200)
        self.handler.send_header("Content-Type", kind)
        self.handler.end_headers()
        self.handler.wfile.write(sent)
        while not self.closing.wait(0.02 if drip else 1.0):
            self.handler.wfile.write(drip)
        return True

    def reset(self) -> bool:
        """End the connection with a reset."""
        linger = struct.pack("ii", 1, 0)
        self.handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.handler.connection.close()
        return True


Kind = Callable[[Exchange], bool]
"""Answers one request, or returns False to have it answered politely."""


def politely(_exchange: Exchange) -> bool:
    """Leave every request to the polite answers."""
    return False


class ScriptedMcpServer:
    """The server, from ``__enter__`` to ``__exit__``; ``requests`` counts what it got, by method."""

    def __init__(self, kind: Kind = politely) -> None:
        self.requests: dict[str, int] = {}
        self.tools: list[Any] = [SEARCH]
        self._misbehave = kind
        self._closing = threading.Event()
        self._site = Site(self._answer)
        self.url = self._site.url("/mcp")

    def __enter__(self) -> Self:
        self._site.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._site.__exit__(kind, error, trace)

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        request = self._site.requests[-1]
        message = json.loads(request.body) if request.body else {}
        exchange = Exchange(handler, message, self._closing)
        self.requests[exchange.method] = self.requests.get(exchange.method, 0) + 1
        if not self._misbehave(exchange):
            self._polite(exchange)

    def _polite(self, exchange: Exchange) -> None:
        match exchange.method:
            case "initialize":
                exchange.result({"protocolVersion": VERSION, "capabilities": {"tools": {}}, "serverInfo": ME})
            case "tools/list":
                exchange.result({"tools": self.tools})
            case "tools/call":
                exchange.result({"content": [{"type": "text", "text": "two pages"}]})
            case "server/discover":
                exchange.error(-32601, "no such method", status=404)
            case _:
                exchange.body(b"", status=202)
