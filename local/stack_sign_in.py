"""Signing in to a deployed stack from a shell: the page's client, in the user's own browser.

It is OpenID Connect's code flow with PKCE. The browser returns to a port of this machine, which the client
has to allow (`http://localhost:8788/`). Nothing is kept: the token is for the caller.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import sys
import webbrowser
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx

_TIMEOUT_S = 10.0
_SIGN_IN_WITHIN_S = 300.0
_DONE = b"<!doctype html><title>OmniForge</title><p>You can close this window."


class SignInFailed(Exception):
    """Nobody signed in; the message is one line."""


class _Return(HTTPServer):
    """Waits for the browser to come back with the provider's answer."""

    answer: dict[str, str] | None = None


class _Handler(BaseHTTPRequestHandler):
    server: _Return

    def do_GET(self) -> None:
        given = dict(parse_qsl(urlsplit(self.path).query))
        if "state" in given:
            self.server.answer = given
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        # Browsers also ask for an icon.
        self.wfile.write(_DONE if "state" in given else b"")

    def log_message(self, *_: object) -> None:
        """Nothing: the code would stand in the log."""


def sign_in(
    outputs: Mapping[str, str], *, port: int, open_browser: Callable[[str], object] = webbrowser.open
) -> str:
    """The token for the API of the user who signs in, as the stack's outputs describe the sign-in.

    Raises:
        SignInFailed: the stack has no sign-in, or the provider refused.
    """
    if "PageConfig" not in outputs:
        raise SignInFailed("The stack describes no sign-in: deploy with Identity=cognito or Page=yes.")
    config = json.loads(outputs["PageConfig"])
    verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(16)
    try:
        provider = _get_json(f"{config['authority'].rstrip('/')}/.well-known/openid-configuration")
        with _Return(("127.0.0.1", port), _Handler) as server:
            # The browser is told "localhost", the one name that providers allow without TLS.
            redirect = f"http://localhost:{server.server_port}/"
            url = _authorization_url(provider, config, redirect, verifier, state)
            print(f"Sign in here, if no browser opens: {url}", file=sys.stderr)
            open_browser(url)
            code = _wait_for_code(server, state)
        tokens = _redeem(provider, config, redirect, verifier, code)
    except (httpx.HTTPError, OSError, ValueError, KeyError) as error:
        raise SignInFailed(f"Signing in at {config['authority']} failed: {error}") from None
    token: str = tokens[config["token"]]
    return token


def _get_json(url: str) -> Any:
    return httpx.get(url, timeout=_TIMEOUT_S).raise_for_status().json()


def _authorization_url(
    provider: Any, config: Mapping[str, str], redirect: str, verifier: str, state: str
) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    query = {
        "response_type": "code",
        "client_id": config["client_id"],
        "scope": config["scope"],
        "redirect_uri": redirect,
        "state": state,
        # Else the provider would take whoever signed in last.
        "prompt": "login",
        "code_challenge_method": "S256",
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
    }
    return f"{provider['authorization_endpoint']}?{urlencode(query)}"


def _wait_for_code(server: _Return, state: str) -> str:
    server.timeout = _SIGN_IN_WITHIN_S
    # More requests than one, because browsers ask for an icon first; not more than a few.
    for _ in range(8):
        server.handle_request()
        if server.answer is not None:
            break
    answer = server.answer or {}
    if answer.get("state") != state or "code" not in answer:
        raise SignInFailed(f"Nobody signed in: {answer.get('error', 'no answer of the provider')}")
    return answer["code"]


def _redeem(
    provider: Any, config: Mapping[str, str], redirect: str, verifier: str, code: str
) -> dict[str, Any]:
    form = {
        "grant_type": "authorization_code",
        "client_id": config["client_id"],
        "code": code,
        "redirect_uri": redirect,
        "code_verifier": verifier,
    }
    answer = httpx.post(provider["token_endpoint"], data=form, timeout=_TIMEOUT_S)
    tokens: dict[str, Any] = answer.raise_for_status().json()
    return tokens
