"""The routing of an API Gateway REST API: it finds a request's route and path parameters."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl

from local.proxy.gateway_responses import HttpResponse
from local.template.intrinsics import ACCOUNT
from local.template.resources import Route


@dataclass(frozen=True, slots=True)
class Match:
    """A route and its path parameters, which stay percent-encoded, as in a REST API."""

    route: Route
    parameters: Mapping[str, str]


class Router:
    """The routes of one API. Fixed segments take precedence over ``{name}``, and those over ``{name+}``."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._resources: dict[tuple[str, ...], dict[str, Route]] = {}
        for route in routes:
            self._resources.setdefault(_segments(route.path), {})[route.method] = route
        self._order = sorted(self._resources, key=_specificity)

    def find(self, method: str, path: str) -> Match | None:
        """Return the route for the path, or None. A trailing slash is ignored here, but kept in the event."""
        segments = _segments(path.removesuffix("/")) if path != "/" else ()
        for resource in self._order:
            parameters = _matched(resource, segments)
            if parameters is not None:
                methods = self._resources[resource]
                route = methods.get(method) or methods.get("ANY")
                return Match(route, parameters) if route else None
        return None


def _segments(path: str) -> tuple[str, ...]:
    return tuple(path[1:].split("/")) if path != "/" else ()


def _specificity(resource: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(2 if part.endswith("+}") else 1 if part.startswith("{") else 0 for part in resource)


def _matched(resource: tuple[str, ...], segments: tuple[str, ...]) -> dict[str, str] | None:
    greedy = bool(resource) and resource[-1].endswith("+}")
    if len(segments) != len(resource) and not (greedy and len(segments) > len(resource)):
        return None
    parameters = {}
    for place, part in enumerate(resource):
        if part.endswith("+}"):
            parameters[part[1:-2]] = "/".join(segments[place:])
        elif part.startswith("{") and segments[place]:
            parameters[part[1:-1]] = segments[place]
        elif part != segments[place]:
            return None
    return parameters


API_ID = "local"
MAX_REQUEST_BYTES = 10 * 1024 * 1024
MAX_LAMBDA_BYTES = 6 * 1024 * 1024
# A REST API renames these headers of an integration, with the prefix ``x-amzn-remapped-``.
_REMAPPED = frozenset({"authorization", "date", "host", "server", "via", "www-authenticate"})
_DROPPED = frozenset({"connection", "content-length", "keep-alive", "transfer-encoding", "upgrade"})

Event = dict[str, Any]


class MalformedResponse(Exception):
    """A function returned something that API Gateway can't turn into an HTTP response."""


@dataclass(frozen=True, slots=True)
class Request:
    """An HTTP request. ``path`` and ``query`` are as sent; header names are lower-case and may repeat.

    ``single_headers`` maps each header name to its last value.
    """

    id: str
    method: str
    path: str
    query: str
    headers: Sequence[tuple[str, str]]
    body: bytes
    source_ip: str
    received_at: datetime
    single_headers: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "single_headers", dict(self.headers))


def method_arn(request: Request, stage: str) -> str:
    """The ARN that an authorizer's policy must allow for this request."""
    path = request.path.strip("/")
    return f"arn:aws:execute-api:local:{ACCOUNT}:{API_ID}/{stage}/{request.method}/{path}"


def context_variables(request: Request, stage: str, match: Match | None) -> dict[str, str]:
    """The ``$context`` variables that a gateway response may use."""
    return {
        "apiId": API_ID,
        "extendedRequestId": request.id,
        "httpMethod": request.method,
        "identity.sourceIp": request.source_ip,
        "path": request.path,
        "protocol": "HTTP/1.1",
        "requestId": request.id,
        "requestTime": _common_log_time(request.received_at),
        "requestTimeEpoch": str(_millis(request.received_at)),
        "resourcePath": match.route.path if match else "",
        "stage": stage,
        "xrayTraceId": request.single_headers.get("X-Amzn-Trace-Id", "").removeprefix("Root="),
    }


def proxy_event(
    request: Request,
    match: Match,
    *,
    stage: str,
    authorizer: Mapping[str, Any] | None,
    binary_types: Sequence[str],
) -> Event:
    """The event for a function, as API Gateway sends it."""
    encoded = _is_binary(request.single_headers.get("content-type", ""), binary_types)
    return {
        **_request_parts(request, match),
        "requestContext": _request_context(request, match, stage, authorizer),
        "body": _body(request.body, encoded=encoded),
        "isBase64Encoded": encoded and bool(request.body),
    }


def authorizer_event(request: Request, match: Match, *, stage: str, token: str | None) -> Event:
    """The event for an authorizer, of type TOKEN when a token is given and REQUEST otherwise."""
    arn = method_arn(request, stage)
    if token is not None:
        return {"type": "TOKEN", "methodArn": arn, "authorizationToken": token}
    return {
        "type": "REQUEST",
        "methodArn": arn,
        **_request_parts(request, match),
        "requestContext": _request_context(request, match, stage, None),
    }


def _request_parts(request: Request, match: Match) -> Event:
    query = parse_qsl(request.query, keep_blank_values=True)
    return {
        "resource": match.route.path,
        "path": request.path,
        "httpMethod": request.method,
        "headers": dict(request.headers) or None,
        "multiValueHeaders": _grouped(request.headers) or None,
        "queryStringParameters": dict(query) or None,
        "multiValueQueryStringParameters": _grouped(query) or None,
        "pathParameters": dict(match.parameters) or None,
        "stageVariables": None,
    }


def _request_context(
    request: Request, match: Match, stage: str, authorizer: Mapping[str, Any] | None
) -> Event:
    host = request.single_headers.get("host", "localhost")
    context = {
        "accountId": ACCOUNT,
        "apiId": API_ID,
        "domainName": host,
        "domainPrefix": host.split(".")[0],
        "extendedRequestId": request.id,
        "httpMethod": request.method,
        "identity": {"sourceIp": request.source_ip, "userAgent": request.single_headers.get("user-agent")},
        "path": request.path,
        "protocol": "HTTP/1.1",
        "requestId": request.id,
        "requestTime": _common_log_time(request.received_at),
        "requestTimeEpoch": _millis(request.received_at),
        "resourceId": "local",
        "resourcePath": match.route.path,
        "stage": stage,
    }
    return context if authorizer is None else {**context, "authorizer": dict(authorizer)}


def to_http_response(returned: Any, request: Request, binary_types: Sequence[str]) -> HttpResponse:
    """Return a function's result as an HTTP response.

    Raises:
        MalformedResponse: the result does not have the shape of a proxy response.
    """
    if not isinstance(returned, dict) or not isinstance(returned.get("body") or "", str):
        raise MalformedResponse
    try:
        status = int(returned.get("statusCode", 200))
    except (TypeError, ValueError):
        raise MalformedResponse from None
    body = (returned.get("body") or "").encode()
    accepted = request.single_headers.get("accept", "").split(",")[0]
    if returned.get("isBase64Encoded") and _is_binary(accepted or "*/*", binary_types):
        try:
            body = base64.b64decode(body, validate=True)
        except binascii.Error:
            raise MalformedResponse from None
    return HttpResponse(status, tuple(response_headers(returned)), body)


def response_headers(returned: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The headers of a function's result, as the gateway passes them on."""
    many: Mapping[str, Sequence[Any]] = returned.get("multiValueHeaders") or {}
    repeated = {name.lower() for name in many}
    pairs = [(name, value) for name, values in many.items() for value in values]
    pairs += [
        (name, value)
        for name, value in (returned.get("headers") or {}).items()
        if name.lower() not in repeated
    ]
    named = [(name.lower(), str(value)) for name, value in pairs if name.lower() not in _DROPPED]
    if all(name != "content-type" for name, _ in named):
        named.append(("content-type", "application/json"))
    return [(f"x-amzn-remapped-{name}" if name in _REMAPPED else name, value) for name, value in named]


def _body(body: bytes, *, encoded: bool) -> str | None:
    if not body:
        return None
    # A body that is not declared binary is sent as text: bytes that are not UTF-8 are lost, as on AWS.
    return base64.b64encode(body).decode() if encoded else body.decode("utf-8", "replace")


def _is_binary(media_type: str, binary_types: Sequence[str]) -> bool:
    name = media_type.split(";", maxsplit=1)[0].strip().lower()
    main = name.split("/")[0]
    return any(kind in ("*/*", name, f"{main}/*") for kind in binary_types)


def _grouped(pairs: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for name, value in pairs:
        grouped.setdefault(name, []).append(value)
    return grouped


def _common_log_time(moment: datetime) -> str:
    return moment.strftime("%d/%b/%Y:%H:%M:%S +0000")


def _millis(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
