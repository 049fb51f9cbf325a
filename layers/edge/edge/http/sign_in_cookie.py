"""The cookie that binds a sign-in at another service to the browser in which it was begun.

The service sends the browser back without a token of ours: the cookie says whose sign-in it is, and its
secret proves it. One cookie per sign-in, sent to the callback alone, for ten minutes. A value that was
tampered with finds nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, NamedTuple

from edge.http.base64url import decode_base64url, encode_base64url
from storage.keys import InvalidIdentity, TenantId, parse_tenant, parse_user

LIFETIME_S = 600
_NAME = "omniforge_sign_in_"
_SUFFIX_CHARACTERS = 16


class SignInCookie(NamedTuple):
    """Whose sign-in it is, and the browser's secret."""

    tenant: TenantId
    user: str
    browser: str

    def header(self, state_hash: str, path: str, *, is_secure: bool) -> str:
        """The value of ``Set-Cookie``. ``is_secure`` is False in the twin only, which has no https."""
        value = encode_base64url(json.dumps([self.tenant, self.user, self.browser]).encode())
        return f"{_begin(state_hash, value, path, is_secure=is_secure)}; Max-Age={LIFETIME_S}"

    @classmethod
    def read(cls, headers: Mapping[str, Any], state_hash: str) -> SignInCookie | None:
        """The cookie of this sign-in among a request's headers; None: it has none that can be used."""
        sent = next((value for name, value in headers.items() if name.lower() == "cookie"), "")
        try:
            morsel = SimpleCookie(str(sent)).get(_name(state_hash))
            tenant, user, browser = json.loads(decode_base64url(morsel.value if morsel else ""))
            return cls(parse_tenant(tenant), parse_user(user), str(browser))
        except (CookieError, InvalidIdentity, ValueError, TypeError):
            return None


def expired_cookie(state_hash: str, path: str, *, is_secure: bool) -> str:
    """The value of ``Set-Cookie`` that removes the cookie of a sign-in that is over."""
    return f"{_begin(state_hash, '', path, is_secure=is_secure)}; Max-Age=0"


def _begin(state_hash: str, value: str, path: str, *, is_secure: bool) -> str:
    # Lax: the service sends the browser back by a link or a redirect, from another site.
    flags = "; HttpOnly; SameSite=Lax" + ("; Secure" if is_secure else "")
    return f"{_name(state_hash)}={value}; Path={path}{flags}"


def _name(state_hash: str) -> str:
    return _NAME + state_hash[:_SUFFIX_CHARACTERS]
