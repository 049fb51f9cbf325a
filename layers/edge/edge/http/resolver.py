"""The resolver of every HTTP function: Powertools routes, documents and serialises, the rest is ours.

The order of its steps is fixed: nothing of a request is read before its caller is known, and nothing is sent
but what the route returned, or a problem.
"""

from __future__ import annotations

import copy
import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack, contextmanager
from contextvars import copy_context
from typing import Annotated, Any, TypeAlias

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, CORSConfig, Request, Response
from aws_lambda_powertools.event_handler.api_gateway import ResponseBuilder, Route
from aws_lambda_powertools.event_handler.depends import Depends
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent
from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel

from conversation.clock import Clock
from conversation.errors import DomainError
from edge.http import cursors, parameters, problems
from edge.http.caller import USER_HEADER, authorizer_context, require_one_token, require_unexpired
from edge.http.parameters import bind
from edge.http.problems import Problem
from edge.http.server_sent_events import (
    HEADERS,
    MEDIA_TYPE,
    EventStream,
    Frame,
    StreamedResponse,
    encode_frame,
    with_heartbeats,
)
from edge.observability import LOG, RequestLog, log_internal_error
from resilience.deadlines import DEADLINE_MARGIN_S, DeadlineExceeded, run_with_deadline
from resilience.trace_context import TRACEPARENT, TraceContext, trace_headers
from storage.errors import InvalidPosition, StorageUnavailable

EXPOSED_HEADERS = (
    "Location",
    "Retry-After",
    "Idempotency-Replayed",
    "Next-Cursor",
    "X-Request-Id",
    TRACEPARENT,
    "WWW-Authenticate",
)
ALLOWED_HEADERS = (
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-None-Match",
    TRACEPARENT,
    USER_HEADER,
    # MCP clients send these with every message.
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Protocol-Version",
)
"""The headers that a page of another origin may send; the template's preflights list the same."""
PREFIX_HEADER = "X-Forwarded-Prefix"
"""Sent by the template's CloudFront distribution, with ``/``: behind its address no path has the stage."""
JSON = "application/json"
PUBLIC: dict[str, Any] = {"security": []}
"""The OpenAPI extension of a route that needs no token."""
ANSWER_MARGIN_S = 1.0
"""The time it takes to send an answer before Lambda would stop the function."""
ACCEPTED = frozenset({JSON, "application/*", "*/*", problems.MEDIA_TYPE})
ACCEPTED_STREAMED = ACCEPTED | {"text/event-stream", "text/*"}


ProblemWriter: TypeAlias = Callable[[Problem, str], tuple[str, str]]
"""Returns the media type and the body for a problem and its request's id."""


class HttpApi(APIGatewayRestResolver):
    """The routes of one function.

    A route function returns a pydantic model (sent with the route's status), None (an empty body), a
    `Response` or, if it is only called through `stream`, an `EventStream`.
    """

    def __init__(self, *, origins: Sequence[str], clock: Clock, request_log: RequestLog) -> None:
        super().__init__(cors=_cors(origins), debug=False)
        self._clock = clock
        self._journal = request_log
        self.frames: list[EventStream] | None = None
        """Receives the stream of the current request; None: it has to be answered in one piece."""
        self._refusals: dict[str, ProblemWriter] = {}

    def write_problems(self, prefix: str, write: ProblemWriter) -> None:
        """Have the problems of all paths below the prefix written by ``write``."""
        self._refusals[prefix] = write

    def resolve(self, event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Answers one event of API Gateway. Unlike Powertools' own method it is thread-safe."""
        with self._request(event) as fields:
            answer = self._resolve_in_copy(event, context)
            fields["status"] = answer["statusCode"]
        return answer

    def stream(self, event: Mapping[str, Any], context: LambdaContext) -> StreamedResponse:
        """Answers one event of API Gateway: frame by frame if its route streams, else in one chunk.

        An error from the first frame on becomes a last frame, ``error``; the chunks raise nothing.
        """
        frames: list[EventStream] = []
        # Another thread makes the frames: it needs the context with the ids for the log.
        room = copy_context()
        answer, request = room.run(self._begin_response, event, context, frames)
        status, headers = answer["statusCode"], answer["multiValueHeaders"]
        if not frames:
            room.run(request.close)
            return StreamedResponse(status, headers, iter([_body_of(answer)]))
        told = self._encode_frames(frames.pop(), request_id_of(event), request)
        return StreamedResponse(status, headers, with_heartbeats(told, context=room))

    def _resolve_in_copy(
        self,
        event: Mapping[str, Any],
        context: LambdaContext,
        frames: list[EventStream] | None = None,
    ) -> dict[str, Any]:
        # Powertools keeps the current request on its base class: each request gets a copy of the resolver.
        own = copy.copy(self)
        own.context = {}
        own.processed_stack_frames = []
        own.current_event = APIGatewayProxyEvent(dict(event))
        own.lambda_context = context
        own.frames = frames
        answer = super(HttpApi, own).resolve(event, context)
        _prefix_location(answer, path_prefix_of(event))
        return answer

    def _begin_response(
        self, event: Mapping[str, Any], context: LambdaContext, frames: list[EventStream]
    ) -> tuple[dict[str, Any], ExitStack]:
        """The answer as far as it exists, and the stack to close once the rest of it is sent."""
        with ExitStack() as request:
            fields = request.enter_context(self._request(event))
            answer = self._resolve_in_copy(event, context, frames)
            fields["status"] = answer["statusCode"]
            return answer, request.pop_all()

    @staticmethod
    def _encode_frames(stream: EventStream, request_id: str, request: ExitStack) -> Iterator[bytes]:
        """The encoded frames; the request ends with the last of them."""
        last_id, encode = 0, stream.encode or encode_frame
        with request:
            try:
                for frame in stream.events:
                    last_id = frame.id
                    if encoded := encode(frame):
                        yield encoded
            except Exception as error:  # noqa: BLE001 - the status is out: only a frame can tell of it
                problem = _problem_of(error)
                LOG.info("stream broken off", extra={"code": problem.code})
                yield encode(Frame(last_id + 1, "error", problem.body(request_id)))

    @contextmanager
    def _request(self, event: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Adds the request's ids to the log, and logs its end with the fields that the caller has added."""
        started = self._clock.monotonic()
        tenant = authorizer_context(event).get("tenant")
        with self._journal.for_request(request_id_of(event), tenant, trace=_trace_of(event)):
            fields: dict[str, Any] = {"method": event.get("httpMethod"), "route": event.get("resource")}
            yield fields
            taken_ms = round((self._clock.monotonic() - started) * 1000)
            LOG.info("request answered", extra=fields | {"duration_ms": taken_ms})

    @staticmethod
    def _compile_regex(rule: str, _base_regex: str = "") -> re.Pattern[str]:
        """Matches exact paths: a trailing slash makes another path; a parameter is any text without slash."""
        return re.compile(re.sub(r"<(\w+)>", r"(?P<\1>[^/]+)", rule) + r"\Z")

    def _handle_not_found(self, method: str, path: str) -> ResponseBuilder[Any]:
        if method == "OPTIONS":
            return super()._handle_not_found(method, path)
        allowed = self._methods(self._static_routes, path) or self._methods(self._dynamic_routes, path)
        problem = _method_not_allowed(allowed) if allowed else Problem("route_not_found")
        return self._with_common_headers(self._refusal(problem))

    def _call_route(self, route: Route, route_arguments: dict[str, str]) -> ResponseBuilder[Any]:
        # A path such as /v1/conversations/active is no conversation, whatever the method.
        fixed = self._methods(self._static_routes, self.current_event.path) if route_arguments else set()
        if fixed:
            return self._with_common_headers(self._refusal(_method_not_allowed(fixed)))
        # No middleware: Powertools would add it at a route's first request, and twice when two come at once.
        return self._with_common_headers(self._outcome(route, route_arguments))

    @staticmethod
    def _methods(routes: Sequence[Route], path: str) -> set[str]:
        """The methods that the path has among the routes."""
        return {route.method for route in routes if route.rule.match(path)}

    def _outcome(self, route: Route, path_arguments: dict[str, str]) -> Response[Any]:
        try:
            return self._answer(route, path_arguments)
        except Exception as error:  # noqa: BLE001 - the last one to hear of a fault of ours
            return self._refusal(_problem_of(error))

    def _answer(self, route: Route, path_arguments: dict[str, str]) -> Response[Any]:
        event = self.current_event
        require_one_token(event.raw_event)
        require_unexpired(event.raw_event, self._clock.now())
        accepted = ACCEPTED if self.frames is None else ACCEPTED_STREAMED
        _require_acceptance(event, accepted | parameters.documented_types(route.responses))
        remaining = self.lambda_context.get_remaining_time_in_millis() / 1000
        told = {"seconds_left": remaining - ANSWER_MARGIN_S, "streams": self.frames is not None}
        request = Request(route.openapi_path, path_arguments, event, told)
        result = run_with_deadline(
            lambda: route.func(**path_arguments, **bind(route.dependant, request, event)),
            remaining - DEADLINE_MARGIN_S,
        )
        if isinstance(result, Response):
            return result
        if isinstance(result, BaseModel):
            return json_response(result, status=route.status_code)
        if isinstance(result, EventStream):
            return self._stream_head(result, route.status_code)
        return Response(status_code=route.status_code, body="")

    def _stream_head(self, stream: EventStream, status: int) -> Response[Any]:
        """Status and headers of a streamed answer; its body, the frames, is made from now on."""
        if self.frames is None:
            raise AssertionError("an event stream is only sent by HttpApi.stream")
        self.frames.append(stream)
        headers = {**HEADERS, **stream.headers}
        return Response(status_code=status, content_type=MEDIA_TYPE, headers=headers, body="")

    def _refusal(self, problem: Problem) -> Response[Any]:
        path, request_id = self.current_event.path, request_id_of(self.current_event.raw_event)
        own = next((write for prefix, write in self._refusals.items() if path.startswith(prefix)), None)
        media_type, body = (
            own(problem, request_id) if own else (problems.MEDIA_TYPE, problem.body(request_id))
        )
        return Response(
            status_code=problem.status, content_type=media_type, headers=dict(problem.headers), body=body
        )

    def _with_common_headers(self, response: Response[Any]) -> ResponseBuilder[Any]:
        response.headers["X-Request-Id"] = request_id_of(self.current_event.raw_event)
        response.headers |= trace_headers()
        if self._cors is not None:
            origin = self._cors.allowed_origin(self.current_event.headers.get("origin", ""))
            vary = response.headers.get("Vary")
            response.headers |= self._cors.to_dict(origin)
            response.headers["Vary"] = f"Origin, {vary}" if vary else "Origin"
        return ResponseBuilder(response, self._serializer)


def json_response(
    body: BaseModel, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response[Any]:
    """A model as the answer of a route whose status or headers vary."""
    sent = body.model_dump_json(by_alias=True)
    return Response(status_code=status, content_type=JSON, headers=dict(headers or {}), body=sent)


def creation_response(
    body: BaseModel, location: str, *, replayed: bool = False, status: int = 201
) -> Response[Any]:
    """What was made, and where it is; ``replayed``: an earlier request with the same key has made it."""
    headers = {"Location": location} | ({"Idempotency-Replayed": "true"} if replayed else {})
    return json_response(body, status=status, headers=headers)


def seconds_left(request: Request) -> float:
    """The seconds left for the answer."""
    return float(request.context["seconds_left"])


def may_stream(request: Request) -> bool:
    """Whether the answer may be an `EventStream`."""
    return bool(request.context["streams"])


def request_id_of(event: Mapping[str, Any]) -> str:
    """The gateway's id of a request; an id that the client sends is ignored."""
    return str(event["requestContext"]["requestId"])


def _trace_of(event: Mapping[str, Any]) -> TraceContext | None:
    """The trace that the client or the gateway has begun. A header that came twice says nothing."""
    sent: dict[str, list[str]] = {}
    for name, values in (event.get("multiValueHeaders") or {}).items():
        sent.setdefault(name.lower(), []).extend(values)
    own, gateways = sent.get(TRACEPARENT, []), sent.get("x-amzn-trace-id", [])
    known = TraceContext.from_traceparent(own[0]) if len(own) == 1 else None
    return known or TraceContext.from_xray(gateways[0] if len(gateways) == 1 else None)


def request_id(request: Request) -> str:
    """The id of the current request."""
    return request_id_of(request.resolved_event.raw_event)


def path_prefix_of(event: Mapping[str, Any]) -> str:
    """The prefix of our paths at the address that was asked: the stage, or nothing on a domain or a page's.

    What a client may claim in the header is only that there is none.
    """
    headers = event.get("headers") or {}
    if any(name.lower() == PREFIX_HEADER.lower() and value == "/" for name, value in headers.items()):
        return ""
    return str(event["requestContext"].get("path", "")).removesuffix(event["path"])


def path_prefix(request: Request) -> str:
    """The prefix of the current request's path."""
    return path_prefix_of(request.resolved_event.raw_event)


def _prefix_location(answer: Mapping[str, Any], prefix: str) -> None:
    """Put the prefix before our own path in the header Location, so that it resolves where the API is."""
    headers = answer.get("multiValueHeaders") or {}
    if "Location" in headers:
        headers["Location"] = [prefix + place for place in headers["Location"]]


SecondsLeftParam = Annotated[float, Depends(seconds_left)]
MayStreamParam = Annotated[bool, Depends(may_stream)]
RequestId = Annotated[str, Depends(request_id)]
PathPrefixParam = Annotated[str, Depends(path_prefix)]


def _cors(origins: Sequence[str]) -> CORSConfig | None:
    if not origins:
        return None
    first, *others = origins
    return CORSConfig(
        allow_origin=first,
        extra_origins=others,
        allow_headers=list(ALLOWED_HEADERS),
        expose_headers=list(EXPOSED_HEADERS),
        max_age=7_200,
    )


def _method_not_allowed(allowed: Set[str]) -> Problem:
    return Problem("method_not_allowed", headers={"Allow": ", ".join(sorted(allowed))})


def _problem_of(error: Exception) -> Problem:
    """The problem that a client gets for an error; an unexpected error is logged."""
    match error:
        case Problem():
            return error
        case DomainError():
            return problems.from_error(error)
        case DeadlineExceeded():
            return problems.timed_out()
        case InvalidPosition():
            return cursors.invalid_cursor()
        case StorageUnavailable():
            LOG.warning("storage unavailable")
            return problems.storage_unavailable()
        case _:
            log_internal_error(error)
            return problems.internal_error()


def _body_of(answer: Mapping[str, Any]) -> bytes:
    body = answer["body"] or ""
    return b64decode(body) if answer["isBase64Encoded"] else body.encode()


def _require_acceptance(event: APIGatewayProxyEvent, accepted: Set[str]) -> None:
    """Refuses an API request that accepts none of our media types, before anything is done for it.

    Pages, outside ``/v1/``, are exempt.
    """
    accept = event.headers.get("accept")
    if accept is None or not event.path.startswith("/v1/"):
        return
    if parameters.best_weight(accept, accepted) == 0:
        raise Problem("not_acceptable", "Answers are application/json.")
