"""A real MCP server, built with the official SDK over streamable HTTP, with good and misbehaving tools.

In a test::

    with McpProcess() as server:
        ...  # server.url; server.kill()

As a process (prints ``listening on http://127.0.0.1:PORT/mcp``; ``--sse`` answers with event streams,
``--legacy`` supports only protocol revisions with a handshake, ``--token`` wants this bearer token)::

    python -m tests.fakes.models.mcp_server --port 4020 --token SECRET

Its tools: ``pages`` (what a Notion-like service knows about a topic), ``sessions`` (the number of connected
clients), ``whoami`` (the bearer token it received), ``huge`` (50 MB), ``hang`` (never answers), ``die`` (the
process ends in the middle of the call), ``broken`` (returns an error), ``liar`` (declares a number and
returns a text), ``odd`` (its schema is not JSON Schema).
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

import anyio
import uvicorn
from mcp import types
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Mount
from starlette.types import ASGIApp, Receive, Scope, Send

HUGE_BYTES = 50_000_000
_sessions: list[Mapping[str, object]] = []
_NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
_TOPIC: dict[str, Any] = {
    "type": "object",
    "properties": {"topic": {"type": "string"}},
    "required": ["topic"],
}
_NUMBER: dict[str, Any] = {
    "type": "object",
    "properties": {"number": {"type": "integer"}},
    "required": ["number"],
}
_PLAIN = ("sessions", "whoami", "huge", "hang", "die", "broken")
_ODD: dict[str, Any] = {"type": "object", "properties": {"x": {"type": "no-such-type"}}}


class McpProcess:
    """The server in its own process, from ``__enter__`` to ``__exit__``."""

    def __init__(self, *options: str) -> None:
        self._options = options

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.fakes.models.mcp_server", *self._options]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().removeprefix("listening on ").strip()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


async def _list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
    tools = [
        types.Tool(name="pages", description="Pages about a topic.", input_schema=_TOPIC),
        types.Tool(name="liar", input_schema=_NOTHING, output_schema=_NUMBER),
        types.Tool(name="odd", input_schema=_ODD),
        *(types.Tool(name=name, input_schema=_NOTHING) for name in _PLAIN),
    ]
    return types.ListToolsResult(tools=tools)


async def _call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    match params.name:
        case "pages":
            topic = (params.arguments or {}).get("topic", "")
            return _text(f"Two pages about {topic}: Plan, Budget")
        case "sessions":
            return _text(str(len(_sessions[0])))
        case "whoami":
            return _text(context.request.headers.get("authorization", ""))
        case "huge":
            return _text("x" * HUGE_BYTES)
        case "hang":
            await anyio.sleep_forever()
        case "die":
            os._exit(1)
        case "liar":
            return types.CallToolResult(content=[], structured_content={"number": "seven"})
        case _:
            return types.CallToolResult(content=[types.TextContent(text="not today")], is_error=True)
    raise AssertionError("unreachable")


def _text(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)])


def _without_newer_revisions(app: ASGIApp) -> ASGIApp:
    """Reject what servers from before 2026 reject."""

    async def older(scope: Scope, receive: Receive, send: Send) -> None:
        named = dict(scope["headers"]).get(b"mcp-protocol-version", b"").decode()
        if named in ("", *HANDSHAKE_PROTOCOL_VERSIONS):
            await app(scope, receive, send)
        else:
            await PlainTextResponse("Unsupported protocol version", 400)(scope, receive, send)

    return older


def _with_token(app: ASGIApp, token: str) -> ASGIApp:
    """Reject requests without the bearer token."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if dict(scope["headers"]).get(b"authorization", b"").decode() == f"Bearer {token}":
            await app(scope, receive, send)
        else:
            await PlainTextResponse("Unauthorized", 401)(scope, receive, send)

    return guarded


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--sse", action="store_true")
    parser.add_argument("--legacy", action="store_true")
    parser.add_argument("--token")
    options = parser.parse_args()
    server = Server("fake", on_list_tools=_list_tools, on_call_tool=_call_tool)
    manager = StreamableHTTPSessionManager(server, json_response=not options.sse)
    _sessions.append(manager._server_instances)
    endpoint = _without_newer_revisions(manager.handle_request) if options.legacy else manager.handle_request
    if options.token:
        endpoint = _with_token(endpoint, options.token)
    app = Starlette(routes=[Mount("/mcp", endpoint)], lifespan=lambda _: manager.run())
    listening = socket.create_server(("127.0.0.1", options.port))
    print(f"listening on http://127.0.0.1:{listening.getsockname()[1]}/mcp/", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listening])


if __name__ == "__main__":
    main()
