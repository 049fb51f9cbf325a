"""The HTTP transport under the MCP SDK: for each request one response, checked before the SDK sees it.

A server's answer may be a stream of events, hold requests and notifications of the server's own, or be
anything else. The SDK gets only the JSON-RPC response to what it asked, as plain JSON: we offer servers
nothing to ask us for, and a flood of events costs nothing beyond its bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from time import monotonic

import httpx2
from anyio.to_thread import run_sync
from pydantic import JsonValue

from tools.errors import ToolError
from tools.outbound.client import OutboundClient
from tools.outbound.connection import OutboundResponse
from tools.remote.foreign_text import clean_text
from tools.remote.json_body import parse_json

SESSION_CLOSE_TIMEOUT_S = 2.0
MAX_EVENTS = 1_000
MAX_SESSION_CHARACTERS = 1_024
MAX_MESSAGE_CHARACTERS = 300

_KEPT = frozenset({"accept", "authorization", "content-type"})
_JSON, _EVENTS = "application/json", "text/event-stream"
_SESSION = "mcp-session-id"
_INTERNAL_ERROR = -32603

ResultFilter = Callable[[str, dict[str, JsonValue]], None]
"""Changes the result of a method in place before the SDK sees it."""


class McpTransport(httpx2.AsyncBaseTransport):
    """Sends the SDK's requests through `OutboundClient`, each in a thread.

    It never raises what went wrong, since that would end the whole connection: it stores the error in
    ``refusal`` and gives the SDK a 502. The stream of unsolicited messages (GET) is not opened: it gets a
    405. ``open_until`` (`time.monotonic`) limits all requests together; None: each has ``timeout_s``.
    """

    def __init__(self, outbound: OutboundClient, timeout_s: float, filter_result: ResultFilter) -> None:
        self._outbound = outbound
        self._timeout_s = timeout_s
        self._filter_result = filter_result
        self.open_until: float | None = None
        self.refusal: ToolError | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.method not in ("POST", "DELETE"):
            return httpx2.Response(405)
        body = await request.aread()
        return await run_sync(self._exchanged, request, body, abandon_on_cancel=True)

    def _exchanged(self, request: httpx2.Request, body: bytes) -> httpx2.Response:
        asked = json.loads(body) if request.method == "POST" else {}
        if "id" in asked:
            self.refusal = None
        try:
            answer = self._sent(request, body)
            return self._checked(asked, answer) if "id" in asked else httpx2.Response(202)
        except ToolError as refusal:
            if "id" in asked:
                self.refusal = refusal
            return httpx2.Response(502)

    def _sent(self, request: httpx2.Request, body: bytes) -> OutboundResponse:
        url = str(request.url)
        headers = {name: value for name, value in request.headers.items() if _is_kept(name)}
        if request.method == "DELETE":
            return self._outbound.delete(url, headers, timeout_s=SESSION_CLOSE_TIMEOUT_S)
        seconds = self._timeout_s if self.open_until is None else self.open_until - monotonic()
        if seconds <= 0:
            raise ToolError("timeout", "The skill's server took too long.")
        return self._outbound.post(url, body, headers, timeout_s=seconds)

    def _checked(self, asked: Mapping[str, JsonValue], answer: OutboundResponse) -> httpx2.Response:
        """Returns the response to a request in the form the SDK expects.

        Raises:
            ToolError: not_allowed, result_invalid.
        """
        if answer.method != "POST":
            raise ToolError("unreachable", "The skill's server leads to another address.")
        if answer.status in (401, 403):
            raise ToolError("not_allowed", "The skill's server refuses our key, or wants one.")
        if answer.status >= 400:
            return httpx2.Response(answer.status, headers={"content-type": _JSON}, content=_error(answer))
        response = next(_responses(answer, asked["id"]), None)
        if response is None:
            raise ToolError("result_invalid", "The skill's server sent no answer to what it was asked.")
        if isinstance(result := response.get("result"), dict):
            self._filter_result(str(asked.get("method")), result)
        content = {"jsonrpc": "2.0", "id": asked["id"], **response}
        return httpx2.Response(200, headers=_headers(answer), content=json.dumps(content).encode())


def _headers(answer: OutboundResponse) -> dict[str, str]:
    session = answer.headers.get(_SESSION, "")
    is_usable = 0 < len(session) <= MAX_SESSION_CHARACTERS and session.isascii() and session.isprintable()
    return {"content-type": _JSON, **({_SESSION: session} if is_usable else {})}


def _responses(answer: OutboundResponse, request_id: JsonValue) -> Iterator[dict[str, JsonValue]]:
    """Yields the results and errors in the answer that belong to the request."""
    for message in _messages(answer):
        if not isinstance(message, dict) or str(message.get("id")) != str(request_id):
            continue
        if isinstance(result := message.get("result"), dict):
            yield {"result": result}
        elif isinstance(error := message.get("error"), dict):
            yield {"error": _clean_error(error)}


def _messages(answer: OutboundResponse) -> Iterator[JsonValue]:
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == _EVENTS:
        for number, event in enumerate(_events(answer.body)):
            if number >= MAX_EVENTS:
                raise ToolError("too_large", "The skill's server sent too many messages.")
            yield parse_json(event)
    elif kind == _JSON:
        yield parse_json(answer.body)
    else:
        raise ToolError("result_invalid", "The skill's server doesn't speak MCP at this address.")


def _events(body: bytes) -> Iterator[str]:
    """Yields the data of the events of a stream that is over.

    Source: HTML, "Server-sent events", interpreting an event stream; an unfinished event counts as none.
    """
    try:
        lines = body.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    except UnicodeDecodeError:
        raise ToolError("result_invalid", "The skill's server sent something that is no text.") from None
    data: list[str] = []
    for line in lines:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and any(data):
            yield "\n".join(data)
        if not line:
            data = []


def _error(answer: OutboundResponse) -> bytes:
    """Returns the JSON-RPC error in an answer with an error status; empty when it holds none."""
    try:
        message = parse_json(answer.body)
    except ToolError:
        return b""
    error = message.get("error") if isinstance(message, dict) else None
    if not isinstance(error, dict):
        return b""
    return json.dumps({"jsonrpc": "2.0", "id": None, "error": _clean_error(error)}).encode()


def _clean_error(error: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Returns an error with a code and a short message; ``data`` names the versions a server speaks."""
    code, message = error.get("code"), error.get("message")
    is_code = isinstance(code, int) and not isinstance(code, bool) and abs(code) < 2**31
    return {
        "code": code if is_code else _INTERNAL_ERROR,
        "message": clean_text(message, MAX_MESSAGE_CHARACTERS) if isinstance(message, str) else "",
        **({"data": error["data"]} if "data" in error else {}),
    }


def _is_kept(header: str) -> bool:
    return header in _KEPT or header.startswith("mcp-")
