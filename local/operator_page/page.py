"""The page at ``/operator`` and the figures it asks for, which the role operator alone gets.

The page signs in at the twin's provider, as the chat page does. Its files hold no figures: anybody may load
them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conversation.identity import OPERATOR
from local.operator_page.figures import Figures
from local.proxy.functions import FunctionFailed
from local.proxy.gateway_responses import HttpResponse

FIGURES_PATH = "/operator/figures"
_FILES = {
    "/operator": ("operator.html", "text/html; charset=utf-8"),
    "/operator/operator.js": ("operator.js", "text/javascript; charset=utf-8"),
    "/operator/operator.css": ("operator.css", "text/css; charset=utf-8"),
}
_HTML = Path(__file__).parent / "html"
_POLICY = (
    "default-src 'self'; img-src data:; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = (
    ("cache-control", "no-store"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("content-security-policy", _POLICY),
)

Authorize = Callable[[str], dict[str, Any]]
"""Takes a header Authorization; returns the authorizer's answer or raises `FunctionFailed`."""


class OperatorPage:
    """Answers the paths of the page; safe to use from several threads."""

    def __init__(self, figures: Figures, authorize: Authorize) -> None:
        self._figures = figures
        self._authorize = authorize

    def is_responsible(self, path: str) -> bool:
        """Whether a path is one of the page's."""
        return path in _FILES or path == FIGURES_PATH

    def respond(self, method: str, path: str, authorization: str) -> HttpResponse:
        """Return the file or the figures; 401 without a token, 403 without the role."""
        if method != "GET":
            return HttpResponse(405, (("allow", "GET"),), b"")
        if path in _FILES:
            name, media_type = _FILES[path]
            return HttpResponse(200, (("content-type", media_type), *_HEADERS), (_HTML / name).read_bytes())
        try:
            answer = self._authorize(authorization)
        except FunctionFailed:
            return _json(401, {"code": "auth_invalid"})
        if OPERATOR not in str(answer.get("context", {}).get("roles", "")).split():
            return _json(403, {"code": "role_required"})
        return _json(200, self._figures.as_json())


def _json(status: int, body: object) -> HttpResponse:
    return HttpResponse(status, (("content-type", "application/json"), *_HEADERS), json.dumps(body).encode())
