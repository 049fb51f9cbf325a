"""OpenID authorization requests, and the authorization codes issued for them.

Source: RFC 6749 (4.1), RFC 7636 (PKCE, S256 only), RFC 8707 (resources), OpenID Connect Core (3.1).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import parse_qsl, urlencode

from local.sign_in.clients import CLIENT_ID, Client, Clients, origin_of

SCOPE = "openid"
CODE_LIFETIME = timedelta(seconds=60)
MAX_CODES = 1_000
MAX_QUERY_CHARACTERS = 8_192

_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")
_RESOURCE_PATHS = ("", "/", "/mcp")
"""What the twin is to a client that asks for a token: all of it, or its MCP server."""


class AuthorizationError(Exception):
    """The request is invalid and must not be redirected; the message is one sentence for the user."""


class GrantRefused(Exception):
    """An error for the client: its code in RFC 6749 or OpenID Connect, and a description of one sentence."""

    def __init__(self, code: str, description: str) -> None:
        super().__init__(description)
        self.code = code
        self.description = description


@dataclass(frozen=True, slots=True)
class Destination:
    """The client that asked for a sign-in, the address to which the browser returns after signing in or
    failing to, and the client's ``state``.
    """

    client: Client
    redirect_uri: str
    state: str | None

    @property
    def origin(self) -> str:
        """The origin of the page that asked for the sign-in."""
        return origin_of(self.redirect_uri) or ""

    def address_with(self, result: Mapping[str, str]) -> str:
        """The redirect address with the result and the state in its query."""
        return with_query(self.redirect_uri, {**result, **({"state": self.state} if self.state else {})})


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """A valid request for an authorization code. ``hint`` is the expected user as ``<tenant>/<user>``.

    ``resource`` is what the token is for, None where the client names nothing. ``is_openid``: it also gets an
    id token.
    """

    destination: Destination
    challenge: str
    nonce: str | None
    hint: str | None
    resource: str | None = None
    is_openid: bool = True


@dataclass(frozen=True, slots=True)
class Grant:
    """The user and the request for which a code was issued."""

    request: AuthorizationRequest
    tenant: str
    user: str
    roles: tuple[str, ...]
    granted_at: datetime


class AuthorizationCodes:
    """The authorization codes of the last minute. Each is good for one attempt to redeem it."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._grants: dict[str, Grant] = {}
        self._lock = threading.Lock()

    def issue(self, request: AuthorizationRequest, *, tenant: str, user: str, roles: tuple[str, ...]) -> str:
        """Issue a code. At `MAX_CODES` unredeemed codes, the oldest are dropped."""
        code = secrets.token_urlsafe(32)
        with self._lock:
            while len(self._grants) >= MAX_CODES:
                del self._grants[next(iter(self._grants))]
            self._grants[code] = Grant(request, tenant, user, roles, self._now())
        return code

    def redeem(self, code: str, *, client_id: str, redirect_uri: str, verifier: str) -> Grant:
        """Return the code's grant and invalidate the code, even when this fails.

        Raises:
            GrantRefused: the code is unknown, used or expired, or belongs to another client, address or
                verifier.
        """
        with self._lock:
            grant = self._grants.pop(code, None)
        if grant is None or not timedelta(0) <= self._now() - grant.granted_at < CODE_LIFETIME:
            raise GrantRefused("invalid_grant", "The code is unknown, used or expired.")
        if grant.request.destination.client.id != client_id:
            raise GrantRefused("invalid_grant", "The code was given to another client.")
        if grant.request.destination.redirect_uri != redirect_uri:
            raise GrantRefused("invalid_grant", "The code was given to another redirect_uri.")
        if not _proves(verifier, grant.request.challenge):
            raise GrantRefused("invalid_grant", "The code_verifier does not match the code_challenge.")
        return grant


def parse_parameters(encoded: str) -> dict[str, str]:
    """Parse the parameters of a query or form. Empty ones are left out.

    Raises:
        GrantRefused: a parameter is repeated, or they are too many, too long or not UTF-8.
    """
    if len(encoded) > MAX_QUERY_CHARACTERS:
        raise GrantRefused("invalid_request", "The request is too long.")
    try:
        pairs = parse_qsl(encoded, keep_blank_values=True, errors="strict", max_num_fields=50)
    except ValueError:
        raise GrantRefused("invalid_request", "The parameters can't be read.") from None
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise GrantRefused("invalid_request", "A parameter is repeated.")
    return {name: value for name, value in pairs if value}


def parse_destination(given: Mapping[str, str], clients: Clients, origins: Collection[str]) -> Destination:
    """Return who asks, and the address to which the result of the request is sent.

    Raises:
        AuthorizationError: the client is unknown, or it may not have users sent to the address.
    """
    client = clients.find(given.get("client_id"))
    if client is None:
        raise AuthorizationError(f"client_id must be {CLIENT_ID}, or one that was registered here.")
    uri = given.get("redirect_uri")
    if uri is None or not client.may_return_to(uri, origins):
        where = "registered" if client.is_registered else "on this twin or one of its allowed origins"
        raise AuthorizationError(f"The address to return to is not {where}.")
    return Destination(client, uri, given.get("state"))


def check_redirect(uri: str, origins: Collection[str]) -> str:
    """Return the address when it is on one of the origins.

    Raises:
        AuthorizationError: it is not.
    """
    if origin_of(uri) not in origins:
        raise AuthorizationError(
            "The address to return to is not on this twin or one of its allowed origins."
        )
    return uri


def check_resource(resource: str | None, origins: Collection[str]) -> str | None:
    """Return what a token is asked for; None: the client does not say.

    Raises:
        GrantRefused: it is something else than the twin, on one of its own origins.
    """
    if resource is not None and resource not in {
        f"{origin}{path}" for origin in origins for path in _RESOURCE_PATHS
    }:
        raise GrantRefused("invalid_target", "The resource is not this twin.")
    return resource


def with_query(uri: str, parameters: Mapping[str, str]) -> str:
    """Return the address with the parameters appended to its query."""
    if not parameters:
        return uri
    return f"{uri}{'&' if '?' in uri else '?'}{urlencode(parameters)}"


def parse_authorization_request(
    given: Mapping[str, str], to: Destination, own_origins: Collection[str]
) -> AuthorizationRequest:
    """Validate an authorization request. Only the page has to ask for an id token.

    Raises:
        GrantRefused: the request is invalid; the error is for the client at the destination.
    """
    if given.get("response_type") != "code":
        raise GrantRefused("unsupported_response_type", "response_type must be code.")
    if given.get("response_mode", "query") != "query":
        raise GrantRefused("invalid_request", "response_mode must be query.")
    is_openid = SCOPE in given.get("scope", "").split(" ")
    if not (is_openid or to.client.is_registered):
        raise GrantRefused("invalid_scope", f"scope must contain {SCOPE}.")
    for name in ("request", "request_uri"):
        if name in given:
            raise GrantRefused(f"{name}_not_supported", f"{name} is not supported.")
    if given.get("code_challenge_method") != "S256":
        raise GrantRefused("invalid_request", "code_challenge_method must be S256.")
    if not _CHALLENGE.fullmatch(given.get("code_challenge", "")):
        raise GrantRefused("invalid_request", "code_challenge must be 43 characters of base64url.")
    if "none" in given.get("prompt", "").split(" "):
        raise GrantRefused("login_required", "Nobody is signed in without being asked.")
    return AuthorizationRequest(
        to,
        given["code_challenge"],
        given.get("nonce"),
        given.get("login_hint"),
        check_resource(given.get("resource"), own_origins),
        is_openid,
    )


def _proves(verifier: str, challenge: str) -> bool:
    if not _VERIFIER.fullmatch(verifier):
        return False
    digest = hashlib.sha256(verifier.encode("ascii")).digest()
    return hmac.compare_digest(base64.urlsafe_b64encode(digest).rstrip(b"=").decode(), challenge)
