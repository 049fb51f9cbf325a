"""Webhooks as tools: each call is one signed POST of JSON, answered with JSON.

The signature is the hexadecimal HMAC-SHA256, with the skill's secret as key, of the timestamp, a dot and the
body. The signature and the timestamp (Unix seconds) have a header each. A receiver should refuse requests
older than five minutes, and those it handled before under the same ``Idempotency-Key``.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import datetime

from pydantic import JsonValue

from resilience.trace_context import trace_headers
from tools.errors import ToolError
from tools.outbound.client import OutboundClient
from tools.outbound.connection import OutboundResponse
from tools.remote.json_body import parse_json
from tools.remote.remote_server import CALL_TIMEOUT_S, MAX_RESULT_BYTES, RemoteServer
from tools.tool import Tool, ToolContext

SIGNATURE_HEADER = "X-OmniForge-Signature"
TIMESTAMP_HEADER = "X-OmniForge-Timestamp"
CALL, PING = "call", "ping"

_PARAMETERS: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "request": {"type": "string", "description": "what is wanted, in words"},
        "data": {"type": "object", "description": "values the request is about"},
    },
    "required": ["request"],
    "additionalProperties": False,
}


def signed_headers(secret: str, body: bytes, now: datetime) -> dict[str, str]:
    """Returns the signature and timestamp headers, which prove the origin and the time of a body."""
    timestamp = str(int(now.timestamp()))
    digest = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256)
    return {TIMESTAMP_HEADER: timestamp, SIGNATURE_HEADER: f"v1={digest.hexdigest()}"}


def webhook_tool(remote: RemoteServer, outbound: OutboundClient) -> Tool:
    """Returns the one tool of a webhook."""

    def invoke(arguments: Mapping[str, JsonValue], context: ToolContext) -> JsonValue:
        body: dict[str, JsonValue] = {"type": CALL, "skill": remote.name, "arguments": dict(arguments)}
        timeout_s = min(CALL_TIMEOUT_S, context.deadline.remaining())
        answer = _sent(remote, outbound, body, key=context.step_id, now=context.now, timeout_s=timeout_s)
        return _result(answer)

    return Tool(
        name=remote.tool_name(CALL),
        description=remote.description or f"Asks the webhook {remote.name}.",
        parameters=_PARAMETERS,
        invoke=invoke,
        timeout_s=CALL_TIMEOUT_S,
        max_result_bytes=MAX_RESULT_BYTES,
        access=remote.access,
    )


def ping(remote: RemoteServer, outbound: OutboundClient, *, now: datetime) -> None:
    """Sends a signed ping; any 2xx status counts as success.

    Raises:
        ToolError: as its codes say.
    """
    body: dict[str, JsonValue] = {"type": PING, "skill": remote.name}
    _require_success(
        _sent(remote, outbound, body, key=f"{PING}-{now.timestamp():.0f}", now=now, timeout_s=5.0)
    )


def _sent(
    remote: RemoteServer,
    outbound: OutboundClient,
    content: Mapping[str, JsonValue],
    *,
    key: str,
    now: datetime,
    timeout_s: float,
) -> OutboundResponse:
    if remote.secret is None:
        raise ToolError("unavailable", "The secret this webhook's requests are signed with is not there.")
    body = json.dumps(content, ensure_ascii=False).encode()
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "Idempotency-Key": key,
        **trace_headers(),
        **signed_headers(remote.secret, body, now),
    }
    return outbound.post(remote.url, body, headers, timeout_s=timeout_s)


def _result(answer: OutboundResponse) -> JsonValue:
    _require_success(answer)
    return parse_json(answer.body) if answer.body else None


def _require_success(answer: OutboundResponse) -> None:
    if answer.method != "POST":
        raise ToolError("unreachable", "The webhook leads to another address.")
    if answer.status >= 500 or answer.status == 429:
        raise ToolError("unavailable", f"The webhook answered with status {answer.status}; try again later.")
    if not 200 <= answer.status < 300:
        raise ToolError("failed", f"The webhook answered with status {answer.status}.")
