"""Finds the authorization server of an MCP server, by the protocol's steps (RFC 9728, RFC 8414).

Every address comes from a server that is not trusted: each request goes through `OutboundClient`, the
metadata must name the issuer it was asked of, and the resource must be the MCP server itself.
"""

from __future__ import annotations

import anyio
import httpx2
import mcp  # noqa: F401 - whole first: two threads that import parts of it at once can meet one half done
from mcp.client.auth import OAuthFlowError
from mcp.client.auth.utils import (
    build_oauth_authorization_server_metadata_discovery_urls,
    build_protected_resource_metadata_discovery_urls,
    create_oauth_metadata_request,
    extract_resource_metadata_from_www_auth,
    extract_scope_from_www_auth,
    get_client_metadata_scopes,
    handle_auth_metadata_response,
    handle_protected_resource_response,
    issuers_match,
    validate_metadata_issuer,
)
from mcp.shared.auth import DEFAULT_GRANT_TYPES, OAuthMetadata, ProtectedResourceMetadata
from mcp.shared.auth_utils import check_resource_allowed, resource_url_from_server_url
from mcp_types.version import LATEST_HANDSHAKE_VERSION

from tools.errors import ToolError
from tools.outbound.client import OutboundClient
from tools.outbound.urls import OutboundError, parse_url
from tools.remote.remote_server import silence_sdk_logs
from tools.sign_in.exchange import send
from tools.sign_in.grant import SignInServer

NOT_OFFERED = "This server offers no sign-in that can be used from here."
_INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": LATEST_HANDSHAKE_VERSION,
        "capabilities": {},
        "clientInfo": {"name": "omniforge", "version": "1"},
    },
}

silence_sdk_logs()


def discover(url: str, outbound: OutboundClient, *, scope: str | None = None) -> SignInServer:
    """Returns where to sign in for the MCP server at the URL; ``scope`` None: what the server asks for.

    Raises:
        ToolError: not_allowed when it offers no sign-in with PKCE, or its metadata can't be trusted; as its
        code
            says when it can't be reached.
    """
    try:
        return anyio.run(_discovered, url, outbound, scope)
    except OAuthFlowError:
        raise ToolError("not_allowed", NOT_OFFERED) from None


async def _discovered(url: str, outbound: OutboundClient, scope: str | None) -> SignInServer:
    # Blocking calls are fine: this event loop serves only this discovery.
    challenge = _challenge(url, outbound)
    resource = await _protected_resource(url, challenge, outbound)
    metadata = await _metadata(url, resource, outbound)
    if "S256" not in (metadata.code_challenge_methods_supported or ()):
        raise ToolError("not_allowed", NOT_OFFERED)
    _check_endpoints(metadata, outbound)
    asked = scope or get_client_metadata_scopes(
        extract_scope_from_www_auth(challenge), resource, metadata, DEFAULT_GRANT_TYPES
    )
    named = str(resource.resource) if resource else resource_url_from_server_url(url)
    return SignInServer(metadata=metadata, resource=named, scope=asked)


def _challenge(url: str, outbound: OutboundClient) -> httpx2.Response:
    """Returns the server's answer to somebody who is not signed in."""
    headers = {"Accept": "application/json, text/event-stream"}
    answer = send(outbound, httpx2.Request("POST", url, json=_INITIALIZE, headers=headers))
    if answer.status_code < 400:
        raise ToolError("not_allowed", "This server can be used without a sign-in.")
    return answer


async def _protected_resource(
    url: str, challenge: httpx2.Response, outbound: OutboundClient
) -> ProtectedResourceMetadata | None:
    """Returns what the server says of itself as a resource; None: nothing, as before that was specified."""
    is_challenge = challenge.status_code in (401, 403)
    told = extract_resource_metadata_from_www_auth(challenge) if is_challenge else None
    for place in build_protected_resource_metadata_discovery_urls(told, url):
        found = await handle_protected_resource_response(_got(place, outbound))
        if found is None:
            continue
        mine = resource_url_from_server_url(url)
        if not check_resource_allowed(requested_resource=mine, configured_resource=str(found.resource)):
            raise ToolError("not_allowed", "This server names another one as the owner of its tokens.")
        return found
    return None


async def _metadata(
    url: str, resource: ProtectedResourceMetadata | None, outbound: OutboundClient
) -> OAuthMetadata:
    issuer = str(resource.authorization_servers[0]) if resource else None
    expected = issuer or "{0.scheme}://{0.authority}".format(parse_url(url))
    for place in build_oauth_authorization_server_metadata_discovery_urls(issuer, url):
        is_served, metadata = await handle_auth_metadata_response(_got(place, outbound))
        if metadata is not None:
            if issuer is None and issuers_match(str(metadata.issuer), expected):
                expected = str(metadata.issuer)
            validate_metadata_issuer(metadata, expected)
            return metadata
        if not is_served:
            break
    raise ToolError("not_allowed", NOT_OFFERED)


def _got(url: str, outbound: OutboundClient) -> httpx2.Response:
    """Returns the answer at a place where metadata may be; an unusable one counts as an absent one."""
    request = create_oauth_metadata_request(url)
    try:
        return send(outbound, request)
    except OutboundError as refused:
        if refused.code in ("url_blocked", "scheme_blocked"):
            raise
        return httpx2.Response(404, request=request)


def _check_endpoints(metadata: OAuthMetadata, outbound: OutboundClient) -> None:
    """Checks that everything that will be requested, or opened in the user's browser, is public https."""
    endpoints = (
        metadata.authorization_endpoint,
        metadata.token_endpoint,
        metadata.registration_endpoint,
        metadata.revocation_endpoint,
    )
    for endpoint in filter(None, endpoints):
        outbound.check_url(str(endpoint))
