"""A client for the tools of MCP servers, built on the official SDK over streamable HTTP.

Every request goes through `tools.remote.mcp_transport`. Servers are not trusted: names, schemas and results
are checked and truncated, and no schema of theirs is handed to a validator (`tools.remote.tool_schema`).
Only the packages of `agent_runs` and `mcp` contain the SDK, so other modules import this one lazily.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from time import monotonic

import anyio
import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, MCPError, types
from mcp.client.streamable_http import streamable_http_client
from pydantic import JsonValue

from tools.argument_schema import check_size
from tools.errors import ToolError
from tools.outbound.client import OutboundClient
from tools.remote.foreign_text import clean_text
from tools.remote.mcp_transport import MAX_MESSAGE_CHARACTERS, McpTransport
from tools.remote.remote_server import CALL_TIMEOUT_S, MAX_RESULT_BYTES, RemoteServer, silence_sdk_logs
from tools.remote.tool_definition import ToolDefinition
from tools.remote.tool_schema import Schema, fits
from tools.tool import Tool, ToolContext

LOG = logging.getLogger(__name__)

MAX_LISTED = 500
MAX_PAGES = 5
MAX_DESCRIPTION_CHARACTERS = 1_000
CLIENT_INFO = types.Implementation(name="omniforge", version="1")

silence_sdk_logs()


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool of a connected server. ``tool`` None: the skill's owner or its own schema rules it out."""

    definition: ToolDefinition
    tool: Tool | None


@contextmanager
def connect_tools(
    remote: RemoteServer, outbound: OutboundClient, *, timeout_s: float = CALL_TIMEOUT_S
) -> Iterator[tuple[OfferedTool, ...]]:
    """Connects to the server and yields the tools it offers, which work until the context is closed.

    At most `MAX_LISTED` come, in the order of the server's list; of tools with the same name, only the first.
    A failed call leaves the connection usable. Connecting and listing, and each call, may take ``timeout_s``.

    Raises:
        ToolError: the server can't be reached or doesn't speak MCP.
    """
    listing = _Listing()
    transport = McpTransport(outbound, timeout_s, listing.take)
    transport.open_until = monotonic() + timeout_s
    with start_blocking_portal() as portal:
        connection = portal.wrap_async_context_manager(_session(remote, transport, timeout_s))
        with _peer_faults(transport):
            client = connection.__enter__()
        try:
            with _peer_faults(transport):
                portal.call(_list_tools, client, transport.open_until - monotonic())
            transport.open_until = None
            server = _Server(remote, client, portal, transport, timeout_s)
            yield tuple(server.offered(listing))
        finally:
            with suppress(ToolError), _peer_faults(transport):
                connection.__exit__(None, None, None)


class _Listing:
    """The tools as the server lists them, taken before the SDK reads them.

    The SDK would validate results with the output schemas, and follow whatever pattern is in them. One tool
    that it can't read would also cost us all the others.
    """

    def __init__(self) -> None:
        self.tools: dict[str, tuple[ToolDefinition, Schema | None]] = {}

    def take(self, method: str, result: dict[str, JsonValue]) -> None:
        """Keeps the tools in a page of the list; the SDK gets names and arguments of those it can read."""
        listed = result.get("tools")
        if method != "tools/list" or not isinstance(listed, list):
            return
        readable: list[JsonValue] = []
        for definition in filter(None, map(ToolDefinition.of, listed[: MAX_LISTED - len(self.tools)])):
            if definition.name not in self.tools:
                parameters = definition.parameters()
                self.tools[definition.name] = definition, parameters
                if parameters is not None:
                    readable.append({"name": definition.name, "inputSchema": definition.input_schema})
        result["tools"] = readable


class _Server:
    """A connected server. Its tools may be called from any thread."""

    def __init__(
        self,
        remote: RemoteServer,
        client: Client,
        portal: BlockingPortal,
        transport: McpTransport,
        timeout_s: float,
    ) -> None:
        self._remote = remote
        self._client = client
        self._portal = portal
        self._transport = transport
        self._timeout_s = timeout_s

    def offered(self, listing: _Listing) -> Iterator[OfferedTool]:
        """Yields the listed tools; two never get the same name."""
        taken = set[str]()
        for definition, parameters in listing.tools.values():
            name = self._remote.tool_name(definition.name)
            if parameters is None or name in taken or not self._remote.allows(definition.name):
                yield OfferedTool(definition, None)
            else:
                taken.add(name)
                yield OfferedTool(definition, self._tool(name, definition, parameters))

    def _tool(self, name: str, offered: ToolDefinition, parameters: Schema) -> Tool:
        promised = offered.result_schema()

        def invoke(arguments: Mapping[str, JsonValue], context: ToolContext) -> JsonValue:
            return self._call(offered.name, promised, arguments, context)

        return Tool(
            name=name,
            description=clean_text(offered.description or offered.name, MAX_DESCRIPTION_CHARACTERS),
            parameters=parameters,
            invoke=invoke,
            # The timeout of `_call` must come first: it ends the request as well.
            timeout_s=self._timeout_s + 1.0,
            max_result_bytes=MAX_RESULT_BYTES,
            access=self._remote.access,
        )

    def _call(
        self, name: str, promised: Schema | None, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> JsonValue:
        timeout_s = max(0.1, min(self._timeout_s, context.deadline.remaining()))
        self._transport.refusal = None
        with _peer_faults(self._transport):
            result = self._portal.call(_call_tool, self._client, name, dict(arguments), timeout_s)
        return _data_of(result, promised)


@asynccontextmanager
async def _session(remote: RemoteServer, transport: McpTransport, timeout_s: float) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {remote.secret}"} if remote.secret else {}
    async with httpx2.AsyncClient(transport=transport, headers=headers, trust_env=False) as http:
        streams = streamable_http_client(remote.url, http_client=http)
        async with Client(
            streams, read_timeout_seconds=timeout_s, client_info=CLIENT_INFO, cache=None
        ) as client:
            yield client


async def _list_tools(client: Client, timeout_s: float) -> None:
    """Reads the server's list, at most `MAX_PAGES` pages of it; `_Listing` keeps what it holds."""
    cursor: str | None = None
    with anyio.fail_after(timeout_s):
        for _ in range(MAX_PAGES):
            cursor = (await client.list_tools(cursor=cursor)).next_cursor
            if not cursor:
                break


async def _call_tool(
    client: Client, name: str, arguments: dict[str, JsonValue], timeout_s: float
) -> types.CallToolResult:
    # A server may ask for more again and again before it answers: the time is for all of it.
    with anyio.fail_after(timeout_s):
        return await client.call_tool(name, arguments, timeout_s)


@contextmanager
def _peer_faults(transport: McpTransport) -> Iterator[None]:
    """Converts everything that a faulty server or connection makes the SDK raise to a `ToolError`."""
    try:
        yield
    except ToolError:
        raise
    except Exception as error:  # noqa: BLE001 - the SDK doesn't say what it raises for what a server may send
        raise transport.refusal or _as_tool_error(error) from None


def _as_tool_error(error: Exception) -> ToolError:
    """Converts an exception to the error a model sees. Only on invalid arguments does it quote the server."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TimeoutError):
        return ToolError("timeout", "The skill's server took too long.")
    if not isinstance(error, MCPError):
        LOG.info("an MCP server failed", extra={"error_type": type(error).__name__})
        return ToolError("result_invalid", "The skill's server sent something other than it promises.")
    match error.code:
        case types.REQUEST_TIMEOUT:
            return ToolError("timeout", "The skill's server took too long.")
        case types.INVALID_PARAMS:
            return ToolError("invalid_arguments", clean_text(error.message, MAX_MESSAGE_CHARACTERS))
        case types.CONNECTION_CLOSED | types.INTERNAL_ERROR:
            return ToolError("unavailable", "The skill's server broke off or failed.")
        case _:
            return ToolError("failed", "The skill's server refused the request.")


def _data_of(result: types.CallToolResult, promised: Schema | None) -> JsonValue:
    texts = [text for block in result.content if (text := _text_of(block)) is not None]
    if result.is_error:
        words = clean_text(" ".join(texts), MAX_MESSAGE_CHARACTERS)
        raise ToolError("failed", words or "The skill's server reports an error.")
    if result.structured_content is not None:
        structured: JsonValue = result.structured_content
        check_size(structured, MAX_RESULT_BYTES)
        if promised is not None and not fits(structured, promised):
            raise ToolError("result_invalid", "The skill's server sent something other than it promises.")
        return structured
    others = len(result.content) - len(texts)
    left_out = [f"[{others} parts that are not text were left out]"] if others else []
    return "\n".join([*texts, *left_out])


def _text_of(block: types.ContentBlock) -> str | None:
    """Returns the text of one block of a result; None for images, audio and links."""
    if isinstance(block, types.EmbeddedResource) and isinstance(block.resource, types.TextResourceContents):
        return block.resource.text
    return block.text if isinstance(block, types.TextContent) else None
