"""A client for the tools of MCP servers, built on the official SDK over streamable HTTP.

Every request goes through `tools.outbound.client`: the SDK gets an HTTP client whose transport uses it.
Servers are not trusted: names, schemas and results are checked and truncated. Only the packages of
`agent_runs` and `mcp` contain the SDK, so other modules import this one lazily.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress

import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from anyio.to_thread import run_sync
from jsonschema import SchemaError
from jsonschema.validators import validator_for
from mcp import Client, MCPError, types
from mcp.client.streamable_http import streamable_http_client
from pydantic import JsonValue, ValidationError

from tools.errors import ToolError
from tools.outbound.client import OutboundClient
from tools.outbound.connection import OutboundResponse
from tools.outbound.urls import OutboundError
from tools.remote.remote_server import CALL_TIMEOUT_S, MAX_RESULT_BYTES, RemoteServer, silence_sdk_logs
from tools.tool import Tool, ToolContext

MAX_TOOLS = 50
MAX_PAGES = 5
MAX_DESCRIPTION_CHARACTERS = 1_000
MAX_SCHEMA_BYTES = 8_192
MAX_MESSAGE_CHARACTERS = 300
SESSION_CLOSE_TIMEOUT_S = 2.0
CLIENT_INFO = types.Implementation(name="omniforge", version="1")

_KEPT = frozenset({"accept", "authorization", "content-type"})
_OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection"})

silence_sdk_logs()


@contextmanager
def connect_tools(
    remote: RemoteServer, outbound: OutboundClient, *, timeout_s: float = CALL_TIMEOUT_S
) -> Iterator[tuple[Tool, ...]]:
    """Connects to the server and yields its allowed tools, which work until the context is closed.

    A failed call leaves the connection usable. Each call may take ``timeout_s``.

    Raises:
        ToolError: the server can't be reached or doesn't speak MCP.
    """
    transport = _OutboundTransport(outbound, timeout_s)
    with start_blocking_portal() as portal:
        connection = portal.wrap_async_context_manager(_session(remote, transport, timeout_s))
        with _peer_faults(transport):
            client = connection.__enter__()
        try:
            with _peer_faults(transport):
                offered = portal.call(_offered, client)
            server = _Server(remote, client, portal, transport, timeout_s)
            yield tuple(server.tools(offered))
        finally:
            with suppress(ToolError), _peer_faults(transport):
                connection.__exit__(None, None, None)


class _OutboundTransport(httpx2.AsyncBaseTransport):
    """The SDK's HTTP transport: sends its requests through `OutboundClient`, in a thread.

    It never raises `OutboundError`, since that would end the whole connection: it stores the error in
    ``refusal`` and gives the SDK a 502. A response is read completely before the SDK sees it; servers close
    it after each request. The stream of unsolicited server messages (GET) is not opened: it gets a 405.
    """

    def __init__(self, outbound: OutboundClient, timeout_s: float) -> None:
        self._outbound = outbound
        self._timeout_s = timeout_s
        self.refusal: OutboundError | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.method not in ("POST", "DELETE"):
            return httpx2.Response(405)
        body = await request.aread()
        try:
            answer = await run_sync(self._sent, request, body, abandon_on_cancel=True)
        except OutboundError as refusal:
            self.refusal = refusal
            return httpx2.Response(502)
        passed = {name: value for name, value in answer.headers.items() if name not in _OF_THE_WIRE}
        return httpx2.Response(answer.status, headers=passed, content=answer.body)

    def _sent(self, request: httpx2.Request, body: bytes) -> OutboundResponse:
        url = str(request.url)
        headers = {name: value for name, value in request.headers.items() if _is_kept(name)}
        if request.method == "DELETE":
            return self._outbound.delete(url, headers, timeout_s=SESSION_CLOSE_TIMEOUT_S)
        return self._outbound.post(url, body, headers, timeout_s=self._timeout_s)


class _Server:
    """A connected server. Its tools may be called from any thread."""

    def __init__(
        self,
        remote: RemoteServer,
        client: Client,
        portal: BlockingPortal,
        transport: _OutboundTransport,
        timeout_s: float,
    ) -> None:
        self._remote = remote
        self._client = client
        self._portal = portal
        self._transport = transport
        self._timeout_s = timeout_s

    def tools(self, offered: list[types.Tool]) -> Iterator[Tool]:
        """Yields the allowed tools with a valid schema; of tools with the same name, only the first."""
        taken = set[str]()
        for tool in offered:
            name = self._remote.tool_name(tool.name)
            if self._remote.allows(tool.name) and name not in taken and _is_sound(tool.input_schema):
                taken.add(name)
                yield self._tool(name, tool)

    def _tool(self, name: str, offered: types.Tool) -> Tool:
        def invoke(arguments: Mapping[str, JsonValue], context: ToolContext) -> JsonValue:
            return self._call(offered.name, arguments, context)

        return Tool(
            name=name,
            description=(offered.description or offered.name)[:MAX_DESCRIPTION_CHARACTERS],
            parameters=offered.input_schema,
            invoke=invoke,
            # The SDK's own timeout must come first: it ends the request as well.
            timeout_s=self._timeout_s + 1.0,
            max_result_bytes=MAX_RESULT_BYTES,
        )

    def _call(self, name: str, arguments: Mapping[str, JsonValue], context: ToolContext) -> JsonValue:
        timeout_s = max(0.1, min(self._timeout_s, context.deadline.remaining()))
        self._transport.refusal = None
        with _peer_faults(self._transport):
            result = self._portal.call(self._client.call_tool, name, dict(arguments), timeout_s)
        return _data_of(result)


@asynccontextmanager
async def _session(
    remote: RemoteServer, transport: _OutboundTransport, timeout_s: float
) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {remote.secret}"} if remote.secret else {}
    async with httpx2.AsyncClient(transport=transport, headers=headers, trust_env=False) as http:
        streams = streamable_http_client(remote.url, http_client=http)
        async with Client(
            streams, read_timeout_seconds=timeout_s, client_info=CLIENT_INFO, cache=None
        ) as client:
            yield client


async def _offered(client: Client) -> list[types.Tool]:
    """Returns the first `MAX_TOOLS` tools of the server's list, from at most `MAX_PAGES` pages."""
    offered: list[types.Tool] = []
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await client.list_tools(cursor=cursor)
        offered += page.tools
        cursor = page.next_cursor
        if cursor is None or len(offered) >= MAX_TOOLS:
            break
    return offered[:MAX_TOOLS]


@contextmanager
def _peer_faults(transport: _OutboundTransport) -> Iterator[None]:
    """Converts the exceptions of a faulty server or connection to a `ToolError`."""
    try:
        yield
    except (MCPError, ValidationError, RuntimeError, ValueError, ExceptionGroup) as error:
        raise transport.refusal or _as_tool_error(error) from None


def _as_tool_error(error: Exception) -> ToolError:
    """Converts an exception to the error a model sees. Only on invalid arguments does it quote the server."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    if not isinstance(error, MCPError):
        return ToolError("result_invalid", "The skill's server sent something other than it promises.")
    match error.code:
        case types.REQUEST_TIMEOUT:
            return ToolError("timeout", "The skill's server took too long.")
        case types.INVALID_PARAMS:
            return ToolError("invalid_arguments", error.message[:MAX_MESSAGE_CHARACTERS])
        case types.CONNECTION_CLOSED | types.INTERNAL_ERROR:
            return ToolError("unavailable", "The skill's server broke off or failed.")
        case _:
            return ToolError("failed", "The skill's server refused the request.")


def _data_of(result: types.CallToolResult) -> JsonValue:
    texts = [text for block in result.content if (text := _text_of(block)) is not None]
    if result.is_error:
        words = " ".join(texts)[:MAX_MESSAGE_CHARACTERS]
        raise ToolError("failed", words or "The skill's server reports an error.")
    if result.structured_content is not None:
        structured: JsonValue = result.structured_content
        return structured
    others = len(result.content) - len(texts)
    left_out = [f"[{others} parts that are not text were left out]"] if others else []
    return "\n".join([*texts, *left_out])


def _text_of(block: types.ContentBlock) -> str | None:
    """Returns the text of one block of a result; None for images, audio and links."""
    if isinstance(block, types.EmbeddedResource) and isinstance(block.resource, types.TextResourceContents):
        return block.resource.text
    return block.text if isinstance(block, types.TextContent) else None


def _is_sound(schema: Mapping[str, JsonValue]) -> bool:
    """Whether the schema suits a model: valid JSON Schema of an object, self-contained and not too large."""
    text = json.dumps(schema)
    is_own = '"$ref": "' not in text.replace('"$ref": "#', "")
    if schema.get("type") != "object" or len(text) > MAX_SCHEMA_BYTES or not is_own:
        return False
    try:
        validator_for(schema).check_schema(schema)
    except SchemaError:
        return False
    return True


def _is_kept(header: str) -> bool:
    return header in _KEPT or header.startswith("mcp-")
