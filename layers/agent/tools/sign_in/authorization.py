"""The steps of OAuth 2.1 with a discovered server: register, authorize, get, renew and revoke tokens.

No token, code, verifier or client secret is logged or part of an error. Built on the official SDK's
requests and checks; `tools.sign_in.discovery` finds the server, and who calls this keeps what is returned.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

import anyio
import httpx2
import mcp  # noqa: F401 - whole first: two threads that import parts of it at once can meet one half done
from mcp.client.auth import OAuthFlowError, PKCEParameters
from mcp.client.auth.oauth2 import OAuthContext, check_registration_usable
from mcp.client.auth.utils import (
    create_client_registration_request,
    handle_registration_response,
    validate_authorization_response_iss,
)
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl, BaseModel, ConfigDict, ValidationError

from tools.errors import ToolError
from tools.outbound.client import OutboundClient
from tools.outbound.urls import parse_url
from tools.sign_in.exchange import send
from tools.sign_in.grant import Grant, PendingSignIn, SignInServer

Client = OAuthClientInformationFull

CLIENT_NAME = "OmniForge"
MAX_TOKEN_CHARACTERS = 16_384
MAX_LIFETIME_S = 400 * 86_400


class ClientNeeded(Exception):
    """The server registers no clients by itself: somebody has to do it by hand."""


class SignInRefused(Exception):
    """The server does not accept the code or the refresh token: the user has to sign in again."""


class RegisteredClient(BaseModel):
    """A client that was registered by hand, as the tenant's secret holds it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    client_id: str
    client_secret: str | None = None


class Begun(NamedTuple):
    """A sign-in that has begun: where to send the user, and what is needed when they come back."""

    authorization_url: str
    pending: PendingSignIn


def register(server: SignInServer, redirect_uri: str, outbound: OutboundClient) -> OAuthClientInformationFull:
    """Registers us with the server (RFC 7591) and returns the client it made.

    Raises:
        ClientNeeded: the server registers nobody.
        ToolError: it refused, or made a client that can't be used.
    """
    if server.metadata.registration_endpoint is None:
        raise ClientNeeded
    wanted = OAuthClientMetadata(
        redirect_uris=[AnyUrl(redirect_uri)],
        client_name=CLIENT_NAME,
        token_endpoint_auth_method=_auth_method(server, has_secret=False),
        scope=server.scope,
        application_type="web" if redirect_uri.startswith("https:") else "native",
    )
    request = create_client_registration_request(server.metadata, wanted, server.resource)
    try:
        client = anyio.run(handle_registration_response, send(outbound, request))
        check_registration_usable(client)
    except OAuthFlowError:
        raise ToolError("not_allowed", "The server did not register OmniForge as a client.") from None
    return client.model_copy(update={"issuer": str(server.metadata.issuer)})


def own_client(server: SignInServer, stored: str) -> OAuthClientInformationFull | None:
    """Returns the client in a tenant's secret; None when it holds none."""
    try:
        given = RegisteredClient.model_validate_json(stored)
    except ValidationError:
        return None
    return OAuthClientInformationFull(
        client_id=given.client_id,
        client_secret=given.client_secret,
        token_endpoint_auth_method=_auth_method(server, has_secret=given.client_secret is not None),
        issuer=str(server.metadata.issuer),
    )


def begin(
    server: SignInServer,
    client: OAuthClientInformationFull,
    *,
    redirect_uri: str,
    state: str,
    parameters: Mapping[str, str],
) -> Begun:
    """Returns where to send the user; ``parameters`` are further ones that this server wants."""
    pkce = PKCEParameters.generate()
    asked = {
        **parameters,
        "response_type": "code",
        "client_id": client.client_id,
        "redirect_uri": redirect_uri,
        "state": state,
        "code_challenge": pkce.code_challenge,
        "code_challenge_method": "S256",
        "resource": server.resource,
        **({"scope": server.scope} if server.scope else {}),
    }
    if server.scope and "offline_access" in server.scope.split():
        asked["prompt"] = "consent"
    endpoint = str(server.metadata.authorization_endpoint)
    joint = "&" if urlsplit(endpoint).query else "?"
    pending = PendingSignIn(
        server=server, client=client, verifier=pkce.code_verifier, redirect_uri=redirect_uri
    )
    return Begun(f"{endpoint}{joint}{urlencode(asked)}", pending)


def finish(
    pending: PendingSignIn, code: str, issuer: str | None, outbound: OutboundClient, *, now: datetime
) -> Grant:
    """Exchanges the code that the user came back with; ``issuer`` is who sent them (RFC 9207), if told.

    Raises:
        SignInRefused: the code, or who sent it, is not accepted.
        ToolError: the server can't be reached, or sent no token.
    """
    try:
        validate_authorization_response_iss(issuer, pending.server.metadata)
    except OAuthFlowError:
        raise SignInRefused from None
    asked = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": pending.redirect_uri,
        "code_verifier": pending.verifier,
    }
    token = _token(pending.server, pending.client, asked, outbound)
    return _grant(pending.server, pending.client, token, None, now)


def renew(grant: Grant, outbound: OutboundClient, *, now: datetime) -> Grant:
    """Returns new tokens for a refresh token; the old ones may stop working at once.

    Raises:
        SignInRefused: there is no refresh token, or the server does not accept it any more.
        ToolError: the server can't be reached, or sent no token.
    """
    if grant.refresh_token is None:
        raise SignInRefused
    asked = {"grant_type": "refresh_token", "refresh_token": grant.refresh_token}
    token = _token(grant.server, grant.client, asked, outbound)
    return _grant(grant.server, grant.client, token, grant, now)


def revoke(grant: Grant, outbound: OutboundClient) -> bool:
    """Revokes the tokens at their server (RFC 7009); returns whether it confirmed that. Never raises."""
    endpoint = grant.server.metadata.revocation_endpoint
    if endpoint is None:
        return False
    tokens = {"refresh_token": grant.refresh_token, "access_token": grant.access_token}
    done = True
    for kind, token in tokens.items():
        if token is not None:
            try:
                asked = {"token": token, "token_type_hint": kind}
                done &= _posted(str(endpoint), grant.client, asked, outbound).status_code == 200
            except (ToolError, OAuthFlowError):
                done = False
    return done


def _auth_method(server: SignInServer, *, has_secret: bool) -> str:
    """Returns how the client identifies itself, of what the server takes (RFC 8414: Basic unless told)."""
    supported = server.metadata.token_endpoint_auth_methods_supported or ["client_secret_basic"]
    preferred = ["client_secret_basic", "client_secret_post"] if has_secret else ["none"]
    fallback = ["client_secret_post", "client_secret_basic", "none"]
    return next(method for method in (*preferred, *fallback, "none") if method in (*supported, "none"))


def _token(
    server: SignInServer, client: OAuthClientInformationFull, asked: dict[str, str], outbound: OutboundClient
) -> OAuthToken:
    asked = {**asked, "client_id": client.client_id, "resource": server.resource}
    answer = _posted(str(server.metadata.token_endpoint), client, asked, outbound)
    if answer.status_code in (400, 401, 403):
        raise SignInRefused
    if answer.status_code != 200:
        raise ToolError("unavailable", "The server that issues the tokens failed.")
    try:
        token = OAuthToken.model_validate_json(answer.content)
    except ValidationError:
        raise ToolError("result_invalid", "The server that issues the tokens sent none.") from None
    if not _is_sendable(token.access_token) or not _is_sendable(token.refresh_token or "x"):
        raise ToolError("result_invalid", "The server that issues the tokens sent none that can be used.")
    return token


def _is_sendable(token: str) -> bool:
    return 0 < len(token) <= MAX_TOKEN_CHARACTERS and token.isascii() and token.isprintable()


def _posted(
    url: str, client: OAuthClientInformationFull, asked: dict[str, str], outbound: OutboundClient
) -> httpx2.Response:
    parse_url(url)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    context = OAuthContext(
        server_url=url,
        client_metadata=OAuthClientMetadata(redirect_uris=[AnyUrl(url)]),
        storage=_NoStorage(),
        redirect_handler=None,
        callback_handler=None,
        client_info=client,
    )
    form, headers = context.prepare_token_auth({"client_id": client.client_id, **asked}, headers)
    return send(outbound, httpx2.Request("POST", url, data=form, headers=headers))


class _NoStorage:
    """Nothing: what is kept is decided by who calls this module."""

    async def get_tokens(self) -> None: ...

    async def set_tokens(self, tokens: OAuthToken) -> None: ...

    async def get_client_info(self) -> None: ...

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None: ...


def _grant(
    server: SignInServer,
    client: OAuthClientInformationFull,
    token: OAuthToken,
    before: Grant | None,
    now: datetime,
) -> Grant:
    """What a server leaves out of a renewal stays as it was (RFC 6749, 6)."""
    told = token.expires_in
    lifetime = None if told is None else timedelta(seconds=min(max(0, told), MAX_LIFETIME_S))
    return Grant(
        server=server,
        client=client,
        access_token=token.access_token,
        refresh_token=token.refresh_token or (before.refresh_token if before else None),
        expires_at=None if lifetime is None else now + lifetime,
        scope=token.scope or (before.scope if before else server.scope),
    )
