"""A real MCP server that wants a sign-in, together with its authorization server, on one loopback address.

    with SignInServer() as server:
        ...  # server.url is the MCP server's; server.approve(authorization_url) is a user who says yes

It registers clients (RFC 7591), wants PKCE with S256 and the resource (RFC 8707), hands out a code once,
rotates refresh tokens, and revokes (RFC 7009). ``wrong`` replaces members of its metadata, by document.
Everything it did is in ``seen``; what its tools were called with is in ``callers``.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import threading
from collections import Counter
from collections.abc import Mapping
from typing import Any, Self
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import uvicorn
from mcp import types
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from tests.fakes.http.servers import free_port

_TOPIC = {"type": "object", "properties": {"topic": {"type": "string"}}, "required": ["topic"]}


class SignInServer:
    """The two servers, from ``__enter__`` to ``__exit__``, in a thread."""

    def __init__(
        self,
        *,
        expires_in: int | None = 3600,
        registers: bool = True,
        wrong: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self.origin = f"http://127.0.0.1:{free_port()}"
        self.url = f"{self.origin}/mcp"
        self.expires_in = expires_in
        self.seen = Counter[str]()
        self.callers: list[str] = []
        self.clients: dict[str, dict[str, Any]] = {}
        self.asked: dict[str, str] = {}
        """The parameters of the last authorization request."""
        self.codes: dict[str, dict[str, str]] = {}
        self.access: dict[str, str] = {}
        """Access tokens that are accepted, and whose they are."""
        self.refresh: dict[str, str] = {}
        self.revoked: list[str] = []
        self.account = "maya@notes.example"
        self._registers = registers
        self._wrong = wrong or {}
        self._manager = StreamableHTTPSessionManager(
            Server("notes", on_list_tools=self._list_tools, on_call_tool=self._call_tool), json_response=True
        )
        port = int(self.origin.rpartition(":")[2])
        config = uvicorn.Config(self._app(), host="127.0.0.1", port=port, log_level="critical")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        while not self._server.started:
            self._thread.join(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(20)

    def approve(self, authorization_url: str) -> str:
        """Returns where a browser is sent whose user says yes at this address."""
        query = urlsplit(authorization_url).query
        answer = httpx.get(f"{self.origin}/allow?{query}", trust_env=False)
        assert answer.status_code == 302, answer.text
        return str(answer.headers["location"])

    def expire(self) -> None:
        """Ends all access tokens, as time does."""
        self.access.clear()

    def _app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/.well-known/oauth-protected-resource/mcp", self._resource),
                Route("/.well-known/oauth-authorization-server", self._metadata),
                Route("/register", self._register, methods=["POST"]),
                Route("/authorize", self._authorize),
                Route("/allow", self._allow),
                Route("/token", self._token, methods=["POST"]),
                Route("/revoke", self._revoke, methods=["POST"]),
                Mount("/mcp", self._mcp),
            ],
            lifespan=lambda _: self._manager.run(),
        )

    async def _resource(self, _request: Request) -> Response:
        told = {"resource": self.url, "authorization_servers": [self.origin], "scopes_supported": ["read"]}
        return JSONResponse({**told, **self._wrong.get("resource", {})})

    async def _metadata(self, _request: Request) -> Response:
        told = {
            "issuer": self.origin,
            "authorization_endpoint": f"{self.origin}/authorize",
            "token_endpoint": f"{self.origin}/token",
            "revocation_endpoint": f"{self.origin}/revoke",
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none", "client_secret_post"],
            "authorization_response_iss_parameter_supported": True,
        }
        if self._registers:
            told["registration_endpoint"] = f"{self.origin}/register"
        return JSONResponse({**told, **self._wrong.get("metadata", {})})

    async def _register(self, request: Request) -> Response:
        self.seen["register"] += 1
        client = {**await request.json(), "client_id": secrets.token_hex(8)}
        self.clients[client["client_id"]] = client
        return JSONResponse(client, 201)

    async def _authorize(self, request: Request) -> Response:
        return HTMLResponse(
            f"<!doctype html><title>Notes</title><h1>Let {self.account}'s notes be read?</h1>"
            f'<p><a href="/allow?{request.url.query.replace("&", "&amp;")}">Allow</a></p>'
        )

    async def _allow(self, request: Request) -> Response:
        asked = dict(request.query_params)
        self.asked = asked
        client = self.clients.get(asked["client_id"])
        if client is None or asked["redirect_uri"] not in client["redirect_uris"]:
            return Response("unknown client", 400)
        if asked.get("code_challenge_method") != "S256" or asked.get("resource") != self.url:
            return Response("wants PKCE and the resource", 400)
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        back = {"code": code, "state": asked["state"], "iss": self.origin}
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(back)}", 302)

    async def _token(self, request: Request) -> Response:
        form = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
        self.seen[form.get("grant_type", "")] += 1
        if form.get("grant_type") == "authorization_code":
            asked = self.codes.pop(form.get("code", ""), None)
            hashed = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
            challenge = base64.urlsafe_b64encode(hashed).decode().rstrip("=")
            is_right = asked is not None and challenge == asked["code_challenge"]
            if not is_right or asked is None or form.get("redirect_uri") != asked["redirect_uri"]:
                return JSONResponse({"error": "invalid_grant"}, 400)
            account = self.account
        else:
            account = self.refresh.pop(form.get("refresh_token", ""), "")
        if not account or form.get("resource") != self.url or form.get("client_id") not in self.clients:
            return JSONResponse({"error": "invalid_grant"}, 400)
        access, refresh = f"at-{secrets.token_hex(12)}", f"rt-{secrets.token_hex(12)}"
        self.access[access] = self.refresh[refresh] = account
        told = {"access_token": access, "token_type": "bearer", "refresh_token": refresh, "scope": "read"}
        return JSONResponse(told | ({} if self.expires_in is None else {"expires_in": self.expires_in}))

    async def _revoke(self, request: Request) -> Response:
        form = parse_qs((await request.body()).decode())
        self.revoked.append(form["token"][0])
        self.access.pop(form["token"][0], None)
        self.refresh.pop(form["token"][0], None)
        return Response(status_code=200)

    async def _mcp(self, scope: Scope, receive: Receive, send: Send) -> None:
        sent = dict(scope["headers"]).get(b"authorization", b"").decode().removeprefix("Bearer ")
        if sent in self.access:
            await self._manager.handle_request(scope, receive, send)
            return
        self.seen["401"] += 1
        place = f"{self.origin}/.well-known/oauth-protected-resource/mcp"
        told = {"WWW-Authenticate": f'Bearer resource_metadata="{place}", scope="read"'}
        await Response("sign in", 401, headers=told)(scope, receive, send)

    async def _list_tools(self, _context: Any, _params: Any) -> types.ListToolsResult:
        tool = types.Tool(name="pages", description="Pages about a topic.", input_schema=_TOPIC)
        return types.ListToolsResult(tools=[tool])

    async def _call_tool(self, context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        token = context.request.headers["authorization"].removeprefix("Bearer ")
        account = self.access[token]
        self.callers.append(account)
        topic = (params.arguments or {}).get("topic", "")
        return types.CallToolResult(content=[types.TextContent(text=f"{account} has a page about {topic}")])
