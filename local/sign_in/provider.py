"""The twin's identity provider: the code flow with PKCE, for the page (OpenID) and for MCP clients (OAuth).

It asks users who they are and believes them, so only a twin on this machine should ever trust it. It issues
the same access tokens as `python -m local token`; their issuer is a name, not an address. The issuer of its
id tokens is the address in the discovery document, because clients check that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from local.proxy.events import Request
from local.proxy.gateway_responses import HttpResponse
from local.sign_in import html_pages
from local.sign_in.clients import Clients, RegistrationRefused
from local.sign_in.grants import (
    SCOPE,
    AuthorizationCodes,
    AuthorizationError,
    AuthorizationRequest,
    Destination,
    Grant,
    GrantRefused,
    check_redirect,
    check_resource,
    parse_authorization_request,
    parse_destination,
    parse_parameters,
    with_query,
)
from local.sign_in.issuer import LIFETIME, Issuer
from local.sign_in.user_names import parse_typed_user
from storage.keys import InvalidIdentity, parse_tenant

DISCOVERY_PATH = "/.well-known/openid-configuration"
SERVER_METADATA_PATH = "/.well-known/oauth-authorization-server"
"""Where clients that know nothing of OpenID look (RFC 8414)."""
JWKS_PATH = "/.well-known/jwks.json"
AUTHORIZE_PATH = "/.local/authorize"
TOKEN_PATH = "/.local/token"  # noqa: S105
REGISTRATION_PATH = "/.local/register"
END_SESSION_PATH = "/.local/end_session"
_FORM = "application/x-www-form-urlencoded"
_JSON = "application/json"
_ANYBODY = ("access-control-allow-origin", "*")

_Handler = Callable[[Request, str], HttpResponse]


class Provider:
    """Answers requests under `/.well-known` and `/.local`.

    ``origins`` are the twin's own origins, the default one first. Pages on these and on the ``allowed`` ones
    may start a sign-in.
    """

    def __init__(
        self, issuer: Issuer, *, origins: Sequence[str], allowed: Sequence[str], now: Callable[[], datetime]
    ) -> None:
        self._issuer = issuer
        self._own_origins = tuple(origins)
        self._origins = tuple(dict.fromkeys((*origins, *allowed)))
        self._now = now
        self._codes = AuthorizationCodes(now)
        self._clients = Clients(issuer.derived_key("registered clients"))
        self._handlers: dict[str, dict[str, _Handler]] = {
            DISCOVERY_PATH: {"GET": lambda _, origin: _json(200, _metadata(origin), _ANYBODY)},
            SERVER_METADATA_PATH: {"GET": lambda _, origin: _json(200, _metadata(origin), _ANYBODY)},
            REGISTRATION_PATH: {
                "POST": lambda request, _: self._register(request),
                "OPTIONS": lambda request, _: self._preflight(request),
            },
            JWKS_PATH: {"GET": lambda *_: _json(200, issuer.jwks(), _ANYBODY)},
            AUTHORIZE_PATH: {"GET": self._show_form, "POST": self._submit_form},
            TOKEN_PATH: {"POST": self._token, "OPTIONS": lambda request, _: self._preflight(request)},
            END_SESSION_PATH: {"GET": self._end_session, "POST": self._end_session},
            html_pages.STYLE_PATH: {"GET": lambda *_: html_pages.style_sheet()},
        }

    def origin_of(self, request: Request) -> str:
        """The known origin to which the request was sent, or the twin's default one."""
        return self._named(request) or self._origins[0]

    def respond(self, request: Request) -> HttpResponse | None:
        """Return the response, or None when the path is not the provider's."""
        handlers = self._handlers.get(request.path)
        if handlers is None:
            return None
        if request.method not in handlers:
            return HttpResponse(405, (("allow", ", ".join(handlers)),), b"")
        origin = self._named(request)
        # The keys are public, and functions may fetch them under any host name.
        if origin is None and request.path != JWKS_PATH:
            return html_pages.notice_page(421, "Not here", "The twin is not known by this name.")
        try:
            return handlers[request.method](request, origin or "")
        except AuthorizationError as refused:
            return html_pages.notice_page(400, "This sign-in can't go on", str(refused))

    def _named(self, request: Request) -> str | None:
        host = request.single_headers.get("host", "").lower()
        return next((each for each in self._origins if each.partition("//")[2] == host), None)

    def _register(self, request: Request) -> HttpResponse:
        """Register a client (RFC 7591). A page of another origin can't: JSON needs a preflight."""
        cors = self._cors(request)
        body = request.body if _media_type(request) == _JSON else b""
        try:
            client = self._clients.register(body)
        except RegistrationRefused as refused:
            return _json(400, {"error": refused.code, "error_description": refused.description}, *cors)
        registered = {
            "client_id": client.id,
            "client_id_issued_at": int(self._now().timestamp()),
            "client_name": client.name,
            "redirect_uris": list(client.redirects),
            "token_endpoint_auth_method": "none",
            "grant_types": ["authorization_code"],
            "response_types": ["code"],
        }
        return _json(201, registered, *cors)

    def _show_form(self, request: Request, origin: str) -> HttpResponse:
        return self._authorize(request, origin, None)

    def _submit_form(self, request: Request, origin: str) -> HttpResponse:
        if request.single_headers.get("sec-fetch-site", "same-origin") != "same-origin":
            raise AuthorizationError("The form was sent by another page.")
        try:
            return self._authorize(request, origin, _form(request))
        except GrantRefused as refused:
            raise AuthorizationError(refused.description) from None

    def _authorize(self, request: Request, origin: str, submitted: Mapping[str, str] | None) -> HttpResponse:
        try:
            given = parse_parameters(request.query)
        except GrantRefused as refused:
            raise AuthorizationError(refused.description) from None
        to = parse_destination(given, self._clients, self._origins)
        try:
            authorization = parse_authorization_request(given, to, self._own_origins)
        except GrantRefused as refused:
            if to.client.is_registered:
                # Anybody may register any address: no browser is sent to one before its user agrees to it.
                raise AuthorizationError(refused.description) from None
            return _refuse(to, refused, origin)
        action = f"{AUTHORIZE_PATH}?{request.query}"
        if submitted is None:
            return html_pages.sign_in_form(authorization, action)
        if submitted.get("answer") == "cancel":
            return _refuse(to, GrantRefused("access_denied", "Nobody signed in."), origin)
        return self._grant(authorization, action, submitted, origin)

    def _grant(
        self, authorization: AuthorizationRequest, action: str, submitted: Mapping[str, str], origin: str
    ) -> HttpResponse:
        role, typed = submitted.get("role", ""), {}
        for field, parse in (("tenant", parse_tenant), ("user", parse_typed_user)):
            try:
                typed[field] = str(parse(submitted.get(field, "")))
            except InvalidIdentity as error:
                return html_pages.sign_in_form(
                    authorization, action, submitted=submitted, invalid_field=field, problem=_sentence(error)
                )
        if role not in html_pages.ROLES:
            raise AuthorizationError("There is no such role.")
        code = self._codes.issue(authorization, **typed, roles=(role,) if role else ())
        return _redirect(authorization.destination.address_with({"code": code, "iss": origin}))

    def _token(self, request: Request, origin: str) -> HttpResponse:
        cors = self._cors(request)
        try:
            return _json(200, self._exchanged(request, origin), *cors)
        except GrantRefused as refused:
            status = 401 if refused.code == "invalid_client" else 400
            challenge = [("www-authenticate", "Basic")] if status == 401 else []
            error = {"error": refused.code, "error_description": refused.description}
            return _json(status, error, *challenge, *cors)

    def _exchanged(self, request: Request, origin: str) -> dict[str, Any]:
        given = _form(request)
        client = self._clients.find(given.get("client_id"))
        if "authorization" in request.single_headers or client is None:
            raise GrantRefused(
                "invalid_client", "client_id must be one of a client here, which has no secret."
            )
        if "grant_type" not in given:
            raise GrantRefused("invalid_request", "grant_type is missing.")
        if given["grant_type"] != "authorization_code":
            raise GrantRefused("unsupported_grant_type", "grant_type must be authorization_code.")
        for name in ("code", "redirect_uri", "code_verifier"):
            if name not in given:
                raise GrantRefused("invalid_request", f"{name} is missing.")
        grant = self._codes.redeem(
            given["code"],
            client_id=client.id,
            redirect_uri=given["redirect_uri"],
            verifier=given["code_verifier"],
        )
        resource = check_resource(given.get("resource", grant.request.resource), self._own_origins)
        if resource != grant.request.resource:
            raise GrantRefused("invalid_target", "The code was given for another resource.")
        return self._tokens(grant, origin)

    def _tokens(self, grant: Grant, origin: str) -> dict[str, Any]:
        now, asked = self._now(), grant.request
        tokens = {
            "access_token": self._issuer.access_token(
                tenant=grant.tenant, user=grant.user, roles=grant.roles, now=now, resource=asked.resource
            ),
            "token_type": "Bearer",
            "expires_in": int(LIFETIME.total_seconds()),
        }
        if asked.is_openid:
            tokens["scope"] = SCOPE
            tokens["id_token"] = self._issuer.id_token(
                issuer=origin,
                client_id=asked.destination.client.id,
                tenant=grant.tenant,
                user=grant.user,
                roles=grant.roles,
                nonce=asked.nonce,
                now=now,
            )
        return tokens

    def _end_session(self, request: Request, _: str) -> HttpResponse:
        try:
            given = _form(request) if request.method == "POST" else parse_parameters(request.query)
        except GrantRefused as refused:
            raise AuthorizationError(refused.description) from None
        if "post_logout_redirect_uri" not in given:
            return html_pages.notice_page(200, "Signed out", "Nobody is signed in here.")
        uri = check_redirect(given["post_logout_redirect_uri"], self._origins)
        return _redirect(with_query(uri, {"state": given["state"]} if "state" in given else {}))

    def _preflight(self, request: Request) -> HttpResponse:
        allowed = (("access-control-allow-methods", "POST"), ("access-control-allow-headers", "Content-Type"))
        return HttpResponse(204, (*self._cors(request), *allowed), b"")

    def _cors(self, request: Request) -> tuple[tuple[str, str], ...]:
        origin = request.single_headers.get("origin", "")
        known = (("access-control-allow-origin", origin),) if origin in self._origins else ()
        return (("vary", "Origin"), *known)


def _metadata(origin: str) -> dict[str, Any]:
    return {
        "issuer": origin,
        "authorization_endpoint": origin + AUTHORIZE_PATH,
        "token_endpoint": origin + TOKEN_PATH,
        "registration_endpoint": origin + REGISTRATION_PATH,
        "end_session_endpoint": origin + END_SESSION_PATH,
        "jwks_uri": origin + JWKS_PATH,
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "scopes_supported": [SCOPE],
        "claims_supported": ["sub", "tenant", "roles", "login_hint"],
        "authorization_response_iss_parameter_supported": True,
        "request_parameter_supported": False,
        "request_uri_parameter_supported": False,
    }


def _form(request: Request) -> dict[str, str]:
    if _media_type(request) != _FORM:
        raise GrantRefused("invalid_request", f"The body must be {_FORM}.")
    try:
        return parse_parameters(request.body.decode("ascii"))
    except UnicodeDecodeError:
        raise GrantRefused("invalid_request", f"The body must be {_FORM}.") from None


def _media_type(request: Request) -> str:
    return request.single_headers.get("content-type", "").partition(";")[0].strip().lower()


def _sentence(error: InvalidIdentity) -> str:
    text = str(error)
    return f"{text[0].upper()}{text[1:]}."


def _refuse(to: Destination, refused: GrantRefused, origin: str) -> HttpResponse:
    result = {"error": refused.code, "error_description": refused.description, "iss": origin}
    return _redirect(to.address_with(result))


def _redirect(address: str) -> HttpResponse:
    # 303: the browser must not resend the form's data to the new address.
    return HttpResponse(303, (("location", address), ("cache-control", "no-store")), b"")


def _json(status: int, value: Mapping[str, Any], *headers: tuple[str, str]) -> HttpResponse:
    named = (("content-type", "application/json"), ("cache-control", "no-store"), *headers)
    return HttpResponse(status, named, json.dumps(value).encode())
