"""The clients that may ask for a sign-in: the page, and those that register (RFC 7591), as MCP clients do.

Nothing is stored of a registration: the client's id is its own description, signed with a key of the twin. So
ids survive a restart, and registering fills nothing.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

CLIENT_ID = "omniforge-web"
MAX_REDIRECTS = 5
MAX_REDIRECT_CHARACTERS = 300
MAX_NAME_CHARACTERS = 80
MAX_REGISTRATION_BYTES = 16_384

# Stricter than URLs: it rejects what browsers might parse differently from us (user info, backslashes).
_REDIRECT = re.compile(r"(https?://[A-Za-z0-9.:-]+)(?:/[!-\"$-\[\]-~]*)?")
_LOOPBACK = re.compile(r"http://(?:127\.0\.0\.1|localhost)(?::[0-9]{1,5})?", re.IGNORECASE)


class RegistrationRefused(Exception):
    """A client can't be registered: the error's code in RFC 7591, and a description of one sentence."""

    def __init__(self, code: str, description: str) -> None:
        super().__init__(description)
        self.code = code
        self.description = description


class Client(NamedTuple):
    """Who asks for a sign-in."""

    id: str
    name: str | None
    """What it calls itself; None: it is the page."""
    redirects: tuple[str, ...] = ()
    """The addresses it registered; none of the page, which returns to any of the allowed origins."""

    @property
    def is_registered(self) -> bool:
        """Whether it registered itself: anybody may, so nothing it says is trusted."""
        return self.name is not None

    def may_return_to(self, uri: str, origins: Collection[str]) -> bool:
        """Whether a sign-in may lead to the address: the page's on an allowed origin; else a registered one.

        The port of a loopback address is free: a program takes any (RFC 8252, 7.3).
        """
        if not self.is_registered:
            return origin_of(uri) in origins
        return any(uri == known or _differ_by_port(uri, known) for known in self.redirects)


PAGE = Client(CLIENT_ID, None)


class Clients:
    """The page, and every client that registered here."""

    def __init__(self, key: bytes) -> None:
        """``key`` signs the ids of registered clients."""
        self._key = key

    def register(self, body: bytes) -> Client:
        """Return the client that a registration describes.

        Raises:
            RegistrationRefused: it names no address to return to, or one that is not allowed.
        """
        said = _described(body)
        redirects = said.get("redirect_uris")
        if not isinstance(redirects, list) or not 1 <= len(redirects) <= MAX_REDIRECTS:
            raise RegistrationRefused("invalid_redirect_uri", f"Name 1 to {MAX_REDIRECTS} redirect_uris.")
        if not all(isinstance(uri, str) and _is_allowed(uri) for uri in redirects):
            raise RegistrationRefused(
                "invalid_redirect_uri", "A redirect_uri is an https address, or a loopback one with http."
            )
        name = said.get("client_name") or "A client without a name"
        if not isinstance(name, str) or not name.isprintable() or len(name) > MAX_NAME_CHARACTERS:
            raise RegistrationRefused(
                "invalid_client_metadata", f"client_name has at most {MAX_NAME_CHARACTERS} characters."
            )
        described = _encode(json.dumps([name, redirects], ensure_ascii=False).encode())
        return Client(f"{described}.{self._signature(described)}", name, tuple(redirects))

    def find(self, client_id: str | None) -> Client | None:
        """Return the client of an id; None when no id of ours reads like that."""
        if client_id == CLIENT_ID:
            return PAGE
        described, _, signature = (client_id or "").partition(".")
        if not hmac.compare_digest(self._signature(described).encode(), signature.encode()):
            return None
        name, redirects = json.loads(_decode(described))
        return Client(client_id or "", name, tuple(redirects))

    def _signature(self, described: str) -> str:
        return _encode(hmac.digest(self._key, described.encode(), hashlib.sha256))


def origin_of(uri: str) -> str | None:
    """Return the origin of an address to return to; None when it is none that we would redirect to."""
    found = _REDIRECT.fullmatch(uri)
    return found[1].lower() if found else None


def _described(body: bytes) -> Mapping[str, Any]:
    try:
        said = json.loads(body) if len(body) <= MAX_REGISTRATION_BYTES else None
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise RegistrationRefused(
            "invalid_client_metadata", "The body must be a JSON object, sent as such, of 16 kB at most."
        )
    return said


def _is_allowed(uri: str) -> bool:
    origin = origin_of(uri)
    if origin is None or len(uri) > MAX_REDIRECT_CHARACTERS:
        return False
    return origin.startswith("https://") or _LOOPBACK.fullmatch(origin) is not None


def _differ_by_port(uri: str, known: str) -> bool:
    origin, registered = origin_of(uri), origin_of(known)
    if origin is None or registered is None:
        return False
    if not (_LOOPBACK.fullmatch(origin) and _LOOPBACK.fullmatch(registered)):
        return False
    return _without_port(uri) == _without_port(known)


def _without_port(uri: str) -> tuple[str | None, str, str]:
    parts = urlsplit(uri)
    return parts.hostname, parts.path, parts.query


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
