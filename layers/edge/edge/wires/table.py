"""The wires and their routes. It names modules as texts: a wire is imported by the first request for it."""

from __future__ import annotations

from typing import NamedTuple


class WireRoute(NamedTuple):
    """A route of a wire."""

    method: str
    path: str
    """With ``<name>`` for a parameter."""
    operation: str
    """``module:function`` of what answers it: see `edge.wires.wire`."""
    is_public: bool = False
    """It needs no token: the operation takes our address and nothing of the request."""


class Wire(NamedTuple):
    """A wire: all paths that begin with ``prefix`` are its own."""

    prefix: str
    problem_writer: str
    """``module:function`` that writes its errors: an `edge.http.resolver.ProblemWriter`."""
    routes: tuple[WireRoute, ...]


_A2A = "edge.wires.a2a.operations"
_AG_UI = "edge.wires.ag_ui.operations"
_AI_SDK = "edge.wires.ai_sdk.operations"
_CHATKIT = "edge.wires.chatkit.operations"
_OPENAI = "edge.wires.openai.operations"
WIRES = (
    Wire(
        "/a2a",
        f"{_A2A}:write_problem",
        (
            WireRoute("GET", "/.well-known/agent-card.json", f"{_A2A}:agent_card", is_public=True),
            WireRoute("POST", "/a2a", f"{_A2A}:call"),
        ),
    ),
    Wire(
        "/ag-ui",
        f"{_AG_UI}:write_problem",
        (
            WireRoute("POST", "/ag-ui", f"{_AG_UI}:run_agent"),
            WireRoute("POST", "/ag-ui/threads/<thread_id>/stop", f"{_AG_UI}:stop"),
        ),
    ),
    Wire(
        "/ai-sdk/",
        f"{_AI_SDK}:write_problem",
        (
            WireRoute("POST", "/ai-sdk/chat", f"{_AI_SDK}:chat"),
            WireRoute("GET", "/ai-sdk/chat/<chat_id>/stream", f"{_AI_SDK}:resume"),
            WireRoute("POST", "/ai-sdk/chat/<chat_id>/stop", f"{_AI_SDK}:stop"),
            WireRoute("GET", "/ai-sdk/chat/<chat_id>/messages", f"{_AI_SDK}:list_messages"),
        ),
    ),
    Wire(
        "/chatkit",
        f"{_CHATKIT}:write_problem",
        (WireRoute("POST", "/chatkit", f"{_CHATKIT}:process"),),
    ),
    Wire(
        "/openai/",
        f"{_OPENAI}:write_problem",
        (
            WireRoute("GET", "/openai/v1/models", f"{_OPENAI}:list_models"),
            WireRoute("GET", "/openai/v1/models/<model>", f"{_OPENAI}:get_model"),
            WireRoute("POST", "/openai/v1/chat/completions", f"{_OPENAI}:create_completion"),
            WireRoute("POST", "/openai/v1/responses", f"{_OPENAI}:create_response"),
            WireRoute("GET", "/openai/v1/responses/<response_id>", f"{_OPENAI}:get_response"),
            WireRoute("POST", "/openai/v1/conversations", f"{_OPENAI}:create_conversation"),
            WireRoute("GET", "/openai/v1/conversations/<conversation_id>", f"{_OPENAI}:get_conversation"),
            WireRoute("GET", "/openai/v1/conversations/<conversation_id>/items", f"{_OPENAI}:list_items"),
        ),
    ),
)
