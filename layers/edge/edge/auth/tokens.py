"""Verification of bearer tokens: turns a valid token into trusted claims.

The cheap checks come before a key is looked up, and no token can choose an address we connect to. Only the
authorizer imports this module: its package contains PyJWT.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import jwt
from pydantic import JsonValue

from conversation.clock import Clock
from edge.auth.jwks import KeySet
from edge.http.base64url import decode_base64url
from edge.http.json_body import parse_json
from edge.http.problems import Problem

MAX_TOKEN_CHARACTERS = 8_192
MAX_LIFETIME = timedelta(hours=24)
SKEW = timedelta(seconds=60)
LOG = logging.getLogger("omniforge.edge")

_REQUIRED = ["exp", "iss", "sub"]
_FORBIDDEN_HEADERS = frozenset({"b64", "crit", "cty", "enc", "jku", "jwk", "x5c", "x5u", "zip"})
"""Headers that let a token choose how it is verified, or announce other content; no issuer of access tokens
needs them. Source: RFC 8725, section 3.
"""
_TYPES = frozenset({"jwt", "at+jwt", "application/at+jwt"})
"""The accepted types, in lower case. Issuers sign other things with the same keys, such as logout tokens, and
give them other types. Source: RFC 8725, section 3.11.
"""

Claims = Mapping[str, JsonValue]


class TokenRejected(Exception):
    """The token is not valid. The reason is for the log only: the client does not learn it."""


@dataclass(frozen=True, slots=True)
class _Parts:
    header: dict[str, JsonValue]
    payload: dict[str, JsonValue]


class TokenVerifier:
    """Verifies the tokens of some issuers. Thread-safe."""

    def __init__(
        self,
        *,
        issuers: Mapping[str, KeySet],
        audience: str,
        audience_claim: str = "aud",
        algorithms: Sequence[str],
        clock: Clock,
    ) -> None:
        self._issuers = issuers
        self._audience = audience
        self._audience_claim = audience_claim
        self._algorithms = tuple(algorithms)
        self._clock = clock

    def verify(self, token: str) -> Claims:
        """The claims of a token that one of the issuers made for this audience and that is valid now.

        Raises:
            TokenRejected: for any other token.
            KeysUnavailable: the token can't be checked, because there are no keys of its issuer.
        """
        parts = _take_apart(token)
        algorithm, key_id = self._header(parts.header)
        issuer = parts.payload.get("iss")
        if not isinstance(issuer, str) or issuer not in self._issuers:
            raise TokenRejected("issuer")
        key = self._issuers[issuer].find(key_id, algorithm)
        if key is None:
            raise TokenRejected("key")
        self._check_signature(token, key, algorithm, issuer)
        if not self._names_audience(parts.payload.get(self._audience_claim)):
            raise TokenRejected("audience")
        _check_times(parts.payload, self._clock.now())
        return parts.payload

    def _header(self, header: Mapping[str, JsonValue]) -> tuple[str, str]:
        algorithm, key_id = header.get("alg"), header.get("kid")
        if not isinstance(algorithm, str) or algorithm not in self._algorithms:
            raise TokenRejected("algorithm")
        if not isinstance(key_id, str) or header.keys() & _FORBIDDEN_HEADERS:
            raise TokenRejected("header")
        if str(header.get("typ", "JWT")).lower() not in _TYPES:
            raise TokenRejected("type")
        return algorithm, key_id

    def _names_audience(self, value: JsonValue) -> bool:
        """Whether the claim is our audience or lists it. Only scopes are a list in one text.

        Source: RFC 7519, section 4.1.3; RFC 8693, section 4.2.
        """
        if isinstance(value, str):
            return self._audience in (value.split(" ") if self._audience_claim == "scope" else [value])
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            return False
        return self._audience in value

    def _check_signature(self, token: str, key: jwt.PyJWK, algorithm: str, issuer: str) -> None:
        # `_check_times` checks the times: by our own clock, and more strictly.
        try:
            jwt.decode(
                token,
                key,
                algorithms=[algorithm],
                issuer=issuer,
                options={
                    "require": _REQUIRED,
                    "verify_aud": False,
                    "verify_exp": False,
                    "verify_nbf": False,
                    "verify_iat": False,
                },
            )
        except (jwt.InvalidTokenError, jwt.InvalidKeyError) as error:
            raise TokenRejected(type(error).__name__) from None


def parse_bearer(header: str) -> str:
    """The token of an Authorization header.

    Raises:
        TokenRejected: for another scheme, no token, or one that is too long.
    """
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token or len(token) > MAX_TOKEN_CHARACTERS:
        raise TokenRejected("scheme")
    return token


def _take_apart(token: str) -> _Parts:
    segments = token.split(".")
    if len(segments) != 3 or not all(segments):
        raise TokenRejected("form")
    header, payload, _signature = map(_decoded, segments)
    return _Parts(_object(header), _object(payload))


def _decoded(segment: str) -> bytes:
    """The bytes of a segment in its one canonical encoding; PyJWT also accepts other spellings of a token."""
    try:
        return decode_base64url(segment)
    except ValueError:
        raise TokenRejected("form") from None


def _object(raw: bytes) -> dict[str, JsonValue]:
    """Parsed as strictly as a request body: PyJWT could understand a duplicate key in another way."""
    try:
        value = parse_json(raw.decode())
    except (ValueError, Problem):
        raise TokenRejected("form") from None
    if not isinstance(value, dict):
        raise TokenRejected("form")
    return value


def _check_times(payload: Claims, now: datetime) -> None:
    present, soon = now.timestamp(), (now + SKEW).timestamp()
    expires = _moment(payload, "exp")
    issued, begins = _moment(payload, "iat"), _moment(payload, "nbf")
    if expires is None or not present < expires:
        raise TokenRejected("expired")
    if any(moment is not None and moment > soon for moment in (issued, begins)):
        raise TokenRejected("not yet valid")
    if expires - (present if issued is None else issued) > MAX_LIFETIME.total_seconds():
        raise TokenRejected("lives too long")


def _moment(payload: Claims, name: str) -> int | None:
    """A time claim in whole seconds; None without one.

    RFC 7519 also allows fractions, which no issuer in use sends for these claims and which are refused.
    """
    value = payload.get(name)
    if value is not None and type(value) is not int:
        raise TokenRejected(name)
    return value
