"""A toolbox served over MCP by the official SDK: one HTTP request in, one JSON answer out, nothing kept
between.

Streamable HTTP without sessions or streams, for the revisions of the protocol that begin with a handshake and
those that don't. Who asks, and with which tools, is decided by whoever calls.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import anyio
from mcp import MCPError, types
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from pydantic import JsonValue

from llm.types import ToolCall
from tools.remote.mcp_logs import quiet
from tools.tool import Toolbox, ToolContext, ToolResult

NAME, VERSION = "omniforge", "1"

quiet()


@dataclass(frozen=True, slots=True)
class Posted:
    """A POST to the endpoint; header names in any case."""

    headers: Mapping[str, str]
    body: bytes


@dataclass(slots=True)
class Answered:
    """What to answer; header names in lower case."""

    status: int = 500
    headers: dict[str, str] = field(default_factory=dict)
    body: str = ""


def answer(posted: Posted, toolbox: Toolbox, context_for: Callable[[], ToolContext]) -> Answered:
    """What the SDK answers to one message of a client; a call is made with a context of its own.

    Never raises for what a client sends.
    """
    server = _server(toolbox, context_for)
    return anyio.run(_exchanged, server, posted)


def _server(toolbox: Toolbox, context_for: Callable[[], ToolContext]) -> Server[Any]:
    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(name=tool.name, description=tool.description, input_schema=dict(tool.parameters))
                for tool in toolbox.tools
            ]
        )

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in toolbox.names:
            raise MCPError(types.INVALID_PARAMS, "There is no tool of this name.")
        call = ToolCall("", params.name, json.dumps(params.arguments or {}))
        # This loop serves one request, so nobody waits for it but whoever called.
        return _called(toolbox.call(call, context_for()))

    return Server(NAME, version=VERSION, on_list_tools=list_tools, on_call_tool=call_tool)


async def _exchanged(server: Server[Any], posted: Posted) -> Answered:
    manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)
    answered = Answered()
    body = [{"type": "http.request", "body": posted.body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if body:
            return body.pop()
        await anyio.sleep_forever()
        raise AssertionError("unreachable")

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            answered.status = message["status"]
            answered.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            answered.body += message.get("body", b"").decode()

    async with manager.run():
        await manager.handle_request(_scope(posted), receive, send)
    return answered


def _scope(posted: Posted) -> dict[str, Any]:
    headers = [
        (name.lower().encode("latin-1", "replace"), value.encode("latin-1", "replace"))
        for name, value in posted.headers.items()
    ]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "https",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "query_string": b"",
        "headers": headers,
    }


def _called(result: ToolResult) -> types.CallToolResult:
    """The result as text for models and, an object, as it is for programs; an error in words and a code."""
    if not result.ok:
        text = types.TextContent(text=result.message)
        return types.CallToolResult(content=[text], is_error=True, _meta={"code": result.error_code})
    data: JsonValue = result.data
    text = types.TextContent(text=data if isinstance(data, str) else json.dumps(data, ensure_ascii=False))
    structured = data if isinstance(data, dict) else None
    return types.CallToolResult(content=[text], structured_content=structured)
