"""The MCP function: offers what the caller has over streamable HTTP: tools, resources and prompts."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Annotated

from aws_lambda_powertools.event_handler import Request, Response
from aws_lambda_powertools.event_handler.depends import Depends

from agent.inference.factory import compose_toolboxes
from agent.mcp_resources import PROMPTS, TEMPLATES, McpResources
from agent.workspace.agent_store import AgentStore
from agent.workspace.roster import RosterCache, RosterLimits
from conversation.clock import Deadline
from conversation.identity import Caller, new_ulid
from conversation.limits.limiter import TurnLimiter
from conversation.threads.repository import ConversationRepository
from edge.adapters.provider_keys import ProviderKeys
from edge.function_runtime import FunctionRuntime
from edge.http.caller import CallerParam, ClaimedTimeZoneParam
from edge.http.cursors import CursorCodec
from edge.http.json_body import checked_body
from edge.http.parameters import IDEMPOTENCY_KEY_FORM, is_idempotency_key
from edge.http.problems import Problem
from edge.http.resolver import HttpApi, SecondsLeftParam
from tools.errors import ToolError
from tools.remote.mcp_offers import OfferedPrompt, OfferedResource, ResourcePage
from tools.remote.mcp_server import IDEMPOTENCY_KEY, McpRequest, handle_message
from tools.tool import CallKey, ToolContext

settings, clock, tables, request_log = FunctionRuntime.for_requests("mcp")
provider_keys = ProviderKeys(settings, clock=clock)

rosters = RosterCache(tables=tables, clock=clock)
turn_limiter = TurnLimiter(
    tables=tables, clock=clock, defaults=settings.rate_limits, limits=RosterLimits(rosters)
)
toolboxes = compose_toolboxes(provider_keys.tool_settings(), tables=tables, clock=clock)
resources = McpResources(
    agents=AgentStore(tables=tables, clock=clock),
    conversations=ConversationRepository(tables=tables, clock=clock),
)
cursors = CursorCodec(clock)
api = HttpApi(origins=settings.allowed_origins, clock=clock, request_log=request_log)


@dataclass(frozen=True, slots=True)
class CallersOffers:
    """The resources and prompts of a caller."""

    caller: Caller
    is_masked: bool
    """Whether secrets in the texts are masked."""
    templates: tuple[OfferedResource, ...] = TEMPLATES
    prompts: tuple[OfferedPrompt, ...] = PROMPTS

    def resources(self, cursor: str | None) -> ResourcePage:
        query = ("mcp-resources", self.caller.tenant, self.caller.user)
        try:
            after = cursors.position(cursor, *query)
        except Problem as refused:
            raise ToolError("invalid_arguments", refused.detail or refused.code) from None
        shelf = resources.list(self.caller, after)
        return ResourcePage(shelf.resources, cursors.cursor(shelf.after, *query))

    def read(self, uri: str) -> str | None:
        return resources.read(self.caller, uri, is_masked=self.is_masked)


def checked_message(request: Request) -> McpRequest:
    """The message of a client, checked against our own limits."""
    event = request.resolved_event
    body = checked_body(event.body, is_base64=bool(event.is_base64_encoded))
    return McpRequest(dict(event.headers), body)


@api.post("/mcp", summary="One message of an MCP client", tags=["mcp"])
def mcp(
    caller: CallerParam,
    message: Annotated[McpRequest, Depends(checked_message)],
    claimed_zone: ClaimedTimeZoneParam,
    seconds_left: SecondsLeftParam,
) -> Response[str]:
    roster = rosters.for_tenant(caller.tenant)
    deadline = Deadline.after(clock, seconds_left)

    def context(key: object) -> ToolContext:
        if key is not None and not is_idempotency_key(key):
            raise ToolError("invalid_arguments", f"{IDEMPOTENCY_KEY}: {IDEMPOTENCY_KEY_FORM}")
        now = clock.now()
        time_zone = claimed_zone or roster.record.policy.time_zone
        # Without a key, nothing identifies a repeated call: each call is a new one.
        call_key = None if key is None else CallKey(str(key))
        return ToolContext(caller, now, time_zone, f"mcp-{new_ulid(now)}.0", deadline, call_key=call_key)

    with turn_limiter.permit(caller) if is_tool_call(message) else nullcontext():
        offers = CallersOffers(caller, roster.record.policy.masks_secrets)
        answered = handle_message(message, toolboxes.for_caller(caller, roster), offers, context)
    media_type = answered.headers.get("content-type")
    return Response(status_code=answered.status, content_type=media_type, body=answered.body)


def is_tool_call(message: McpRequest) -> bool:
    """Whether the message, a JSON object, calls a tool."""
    return bool(json.loads(message.body).get("method") == "tools/call")


handler = api.resolve
