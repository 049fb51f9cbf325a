"""The responses that the gateway generates itself, as the template's gateway responses word them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from local.template.resources import GatewayResponse

_VARIABLE = re.compile(r"\$(context|stageVariables)\.([A-Za-z0-9_.]+)")
_STATUSES = {
    "ACCESS_DENIED": 403,
    "AUTHORIZER_CONFIGURATION_ERROR": 500,
    "AUTHORIZER_FAILURE": 500,
    "INTEGRATION_FAILURE": 502,
    "INTEGRATION_TIMEOUT": 504,
    "MISSING_AUTHENTICATION_TOKEN": 403,
    "QUOTA_EXCEEDED": 429,
    "REQUEST_TOO_LARGE": 413,
    "THROTTLED": 429,
    "UNAUTHORIZED": 401,
    "UNSUPPORTED_MEDIA_TYPE": 415,
    "WAF_FILTERED": 403,
}
_MESSAGES = {
    "ACCESS_DENIED": "User is not authorized to access this resource",
    "INTEGRATION_TIMEOUT": "Endpoint request timed out",
    "MISSING_AUTHENTICATION_TOKEN": "Missing Authentication Token",
    "QUOTA_EXCEEDED": "Limit Exceeded",
    "REQUEST_TOO_LARGE": "Request Too Long",
    "THROTTLED": "Too Many Requests",
    "UNAUTHORIZED": "Unauthorized",
    "UNSUPPORTED_MEDIA_TYPE": "Unsupported Media Type",
    "WAF_FILTERED": "Forbidden",
}
_PLAIN = GatewayResponse(None, {}, {"application/json": '{"message":$context.error.messageString}'})


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """An HTTP response to send; header names may repeat."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class GatewayResponses:
    """Renders gateway responses. Kinds that the template leaves out use DEFAULT_4XX or DEFAULT_5XX."""

    def __init__(self, responses: Mapping[str, GatewayResponse]) -> None:
        self._responses = responses

    def render(self, kind: str, context: Mapping[str, str], headers: Mapping[str, str]) -> HttpResponse:
        """Render the response of a kind for a request with these context variables and lower-case headers."""
        status = _STATUSES[kind]
        default = "DEFAULT_4XX" if status < 500 else "DEFAULT_5XX"
        response = self._responses.get(kind) or self._responses.get(default) or _PLAIN
        message = _MESSAGES.get(kind, "Internal server error")
        variables = {
            **context,
            "error.message": message,
            "error.messageString": json.dumps(message),
            "error.responseType": kind,
        }
        media_type, template = _choose(response.templates or _PLAIN.templates, headers.get("accept", ""))
        own = {"content-type": media_type}
        for name, expression in response.headers.items():
            own[name.lower()] = _mapped(expression, variables, headers)
        return HttpResponse(
            status if response.status is None else response.status,
            tuple(own.items()),
            _VARIABLE.sub(lambda found: variables.get(found[2], ""), template).encode(),
        )


def _choose(templates: Mapping[str, str], accept: str) -> tuple[str, str]:
    accepted = [part.split(";")[0].strip() for part in accept.split(",")]
    for media_type in (*accepted, "application/json", *templates):
        if media_type in templates:
            return media_type, templates[media_type]
    return "application/json", ""


def _mapped(expression: str, variables: Mapping[str, str], headers: Mapping[str, str]) -> str:
    if expression.startswith("'"):
        return expression.strip("'")
    if expression.startswith("method.request.header."):
        return headers.get(expression.removeprefix("method.request.header.").lower(), "")
    return variables.get(expression.removeprefix("context."), "")
