"""Sends the SDK's OAuth requests through `OutboundClient`: guarded, bounded, never redirected away."""

from __future__ import annotations

import httpx2

from tools.errors import ToolError
from tools.outbound.client import OutboundClient
from tools.outbound.urls import parse_url

TIMEOUT_S = 8.0
MAX_BYTES = 100_000


def send(outbound: OutboundClient, request: httpx2.Request) -> httpx2.Response:
    """Sends the request, and returns the answer with any status.

    A redirect to another host is not followed: what is sent here is meant for one server alone.

    Raises:
        ToolError: the address is not allowed, or the server gave no usable answer.
    """
    url, body = str(request.url), request.read()
    bounds = {"timeout_s": TIMEOUT_S, "max_bytes": MAX_BYTES, "hosts": {parse_url(url).host}}
    headers = {name: value for name, value in request.headers.items() if name not in _OURS}
    if request.method == "POST":
        answer = outbound.post(url, body, headers, **bounds)  # type: ignore[arg-type]
        if answer.method != "POST":
            raise ToolError("unreachable", "The server leads to another address.")
    else:
        answer = outbound.get(url, headers, **bounds)  # type: ignore[arg-type]
    kept = {name: value for name, value in answer.headers.items() if name in _READ}
    return httpx2.Response(answer.status, headers=kept, content=answer.body, request=request)


_OURS = frozenset({"host", "content-length", "accept-encoding", "connection"})
_READ = frozenset({"content-type", "www-authenticate"})
