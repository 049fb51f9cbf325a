"""A stateless MCP server for tools, resources and prompts, built on the official SDK.

Each HTTP request gets one JSON response. It speaks streamable HTTP without sessions or streams, for protocol
revisions with and without an initial handshake. The function behind `/mcp` authenticates the caller and
chooses what is offered.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import anyio
from mcp import MCPError, types
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from pydantic import JsonValue

from llm.request_types import ToolCall
from tools.errors import ToolError
from tools.remote.mcp_messages import IDEMPOTENCY_KEY, McpRequest, McpResponse
from tools.remote.mcp_offers import OfferedPrompt, Offers
from tools.remote.remote_server import silence_sdk_logs
from tools.tool import Tool, Toolbox, ToolContext, ToolResult

NAME, VERSION = "omniforge", "1"
IDEMPOTENCY_REPLAYED = "omniforge/idempotency-replayed"
"""The field of a result's ``_meta`` that is true when an earlier call with the key made what is returned."""
MAX_COMPLETIONS = 100
"""What the protocol allows in one answer."""
ContextFor: TypeAlias = Callable[[object], ToolContext]
"""Makes the context of a call from its key as the client sent it, None without one; raises a `ToolError` for
what is no key.
"""
_MARKDOWN = "text/markdown"

silence_sdk_logs()


def handle_message(
    posted: McpRequest, toolbox: Toolbox, offers: Offers, context_for: ContextFor
) -> McpResponse:
    """Answers one message of a client; each tool call gets a new context from ``context_for``.

    Never raises for anything a client sends.
    """
    server = _server(toolbox, offers, context_for)
    return anyio.run(_exchanged, server, posted)


# Blocking calls are fine in these handlers: their event loop serves only this request.


def _server(toolbox: Toolbox, offers: Offers, context_for: ContextFor) -> Server[Any]:
    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=list(map(_listed_tool, toolbox.tools)))

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in toolbox.names:
            raise MCPError(types.INVALID_PARAMS, "There is no tool of this name.")
        call = ToolCall("", params.name, json.dumps(params.arguments or {}))
        try:
            context = context_for((params.meta or {}).get(IDEMPOTENCY_KEY))
        except ToolError as refused:
            raise MCPError(types.INVALID_PARAMS, refused.message) from None
        result = toolbox.call(call, context)
        return _called(result, replayed=context.call_key is not None and context.call_key.replayed)

    server = Server[Any](
        NAME,
        version=VERSION,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=_ResourceHandlers(offers).list,
        on_list_resource_templates=_ResourceHandlers(offers).templates,
        on_read_resource=_ResourceHandlers(offers).read,
        on_list_prompts=_PromptHandlers(offers.prompts).list,
        on_get_prompt=_PromptHandlers(offers.prompts).get,
        on_completion=_CompletionHandler(offers).complete,
    )
    # Clients of earlier revisions set a level at once. Any is fine: nothing is logged to a client.
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, _set_level)
    return server


async def _set_level(_context: Any, _params: types.SetLevelRequestParams) -> types.EmptyResult:
    return types.EmptyResult()


def _listed_tool(tool: Tool) -> types.Tool:
    result = tool.describe_result() if tool.describe_result else {}
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=dict(tool.parameters),
        # The protocol knows objects only.
        output_schema=dict(result) if result.get("type") == "object" else None,
        annotations=_annotations(tool),
    )


def _annotations(tool: Tool) -> types.ToolAnnotations:
    access, effect = tool.access, tool.effect
    is_open = effect.is_open or access.leaves or access.reads_outside
    if not access.writes:
        return types.ToolAnnotations(
            read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=is_open
        )
    return types.ToolAnnotations(
        read_only_hint=False,
        destructive_hint=effect.destroys,
        idempotent_hint=effect.repeats_safely,
        open_world_hint=is_open,
    )


@dataclass(frozen=True, slots=True)
class _ResourceHandlers:
    """Answers what clients ask of resources."""

    offers: Offers

    async def list(
        self, _context: Any, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        try:
            page = self.offers.resources(params.cursor if params else None)
        except ToolError as refused:
            raise MCPError(types.INVALID_PARAMS, refused.message) from None
        listed = [
            types.Resource(uri=one.uri, name=one.name, description=one.description, mime_type=_MARKDOWN)
            for one in page.resources
        ]
        return types.ListResourcesResult(resources=listed, next_cursor=page.next_cursor)

    async def templates(self, _context: Any, _params: Any) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=one.uri, name=one.name, description=one.description, mime_type=_MARKDOWN
                )
                for one in self.offers.templates
            ]
        )

    async def read(self, _context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        text = self.offers.read(str(params.uri))
        if text is None:
            raise MCPError(types.INVALID_PARAMS, "There is no such resource.")
        part = types.TextResourceContents(uri=params.uri, mime_type=_MARKDOWN, text=text)
        return types.ReadResourceResult(contents=[part])


@dataclass(frozen=True, slots=True)
class _PromptHandlers:
    """Answers what clients ask of prompts."""

    prompts: Sequence[OfferedPrompt]

    async def list(self, _context: Any, _params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=list(map(_listed_prompt, self.prompts)))

    async def get(self, _context: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        prompt = next((one for one in self.prompts if one.name == params.name), None)
        if prompt is None:
            raise MCPError(types.INVALID_PARAMS, "There is no prompt of this name.")
        text = prompt.filled(params.arguments or {})
        if text is None:
            raise MCPError(types.INVALID_PARAMS, "The prompt takes exactly the arguments that it lists.")
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=prompt.description, messages=[message])


@dataclass(frozen=True, slots=True)
class _CompletionHandler:
    """Completes what a user begins to type for an argument of a prompt or of a resource's address."""

    offers: Offers

    async def complete(self, _context: Any, params: types.CompleteRequestParams) -> types.CompleteResult:
        begun = params.argument.value.casefold()
        known = self.offers.values_of(params.argument.name)
        values = [value for value in known if value.casefold().startswith(begun)]
        shown = values[:MAX_COMPLETIONS]
        return types.CompleteResult(
            completion=types.Completion(values=shown, total=len(values), has_more=len(values) > len(shown))
        )


def _listed_prompt(prompt: OfferedPrompt) -> types.Prompt:
    arguments = [
        types.PromptArgument(name=name, description=words, required=True)
        for name, words in prompt.arguments.items()
    ]
    return types.Prompt(name=prompt.name, description=prompt.description, arguments=arguments)


async def _exchanged(server: Server[Any], posted: McpRequest) -> McpResponse:
    manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)
    answered = McpResponse()
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


def _scope(posted: McpRequest) -> dict[str, Any]:
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


def _called(result: ToolResult, *, replayed: bool) -> types.CallToolResult:
    """Converts a result to text, and an object also to structured content; an error to text and a code."""
    if not result.ok:
        text = types.TextContent(text=result.message)
        return types.CallToolResult(content=[text], is_error=True, _meta={"code": result.error_code})
    data: JsonValue = result.data
    text = types.TextContent(text=data if isinstance(data, str) else json.dumps(data, ensure_ascii=False))
    structured = data if isinstance(data, dict) else None
    meta: dict[str, Any] | None = {IDEMPOTENCY_REPLAYED: True} if replayed else None
    return types.CallToolResult(content=[text], structured_content=structured, _meta=meta)
