"""Registration of the routes of all wires. A wire is imported by the first request for it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple
from urllib.parse import unquote

from aws_lambda_powertools.event_handler import Request
from aws_lambda_powertools.event_handler.depends import Depends

from conversation.clock import Clock, Deadline
from conversation.identity import Caller
from conversation.messages.attached_files import AttachedFile
from conversation.running_turns.frames import FrameStore
from conversation.threads.repository import ConversationRepository
from edge.http import json_body
from edge.http.caller import request_caller
from edge.http.parameters import IDEMPOTENCY_KEY_FORM, WholeQueryParam, is_idempotency_key, require_json
from edge.http.problems import Problem
from edge.http.resolver import HttpApi, path_prefix_of
from edge.http.server_sent_events import Frame
from edge.routes.turns import RequestContext, request_context
from edge.wires.table import WIRES, Wire, WireRoute
from storage.tenant_table import Tables

if TYPE_CHECKING:
    from edge.wires.turns import Runs
    from edge.wires.wire import TurnRequest, Turns, WireRequest

MAX_BODY_BYTES = 4 * 1024 * 1024
"""Clients send all that was said again with every message; Lambda takes 6 MB, as base64."""


class WireBackend(NamedTuple):
    """What the function that registers the routes brings along."""

    begin: Callable[[Caller, TurnRequest, RequestContext], Iterator[Frame]]
    """Begins a turn; what refuses it is raised before the first frame is returned."""
    check_rate: Callable[[Caller], None]
    """Refuses a caller who sends too much."""
    conversations: ConversationRepository
    frames: FrameStore
    tables: Tables
    runs: Callable[[], Runs]
    clock: Clock
    file_link: Callable[[Caller, AttachedFile], str | None]
    """The address of a file of one of the caller's messages; None: there is none now."""
    public_url: str | None
    """Where clients reach us; None: where they sent the request."""


def register_routes(api: HttpApi, backend: WireBackend) -> None:
    """Add the routes of all wires, and have their problems written as each wire writes them."""
    for wire in WIRES:
        api.write_problems(wire.prefix, _problem_writer(wire))
        for route in wire.routes:
            add = api.get if route.method == "GET" else api.post
            function = _public_function if route.is_public else _function
            add(route.path, include_in_schema=False)(function(route, backend))


def _problem_writer(wire: Wire) -> Callable[[Problem, str], tuple[str, str]]:
    def write(problem: Problem, request_id: str) -> tuple[str, str]:
        written: tuple[str, str] = _target(wire.problem_writer)(problem, request_id)
        return written

    return write


@cache
def _target(name: str) -> Any:
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)


def _whole(request: Request) -> Request:
    return request


def _function(route: WireRoute, backend: WireBackend) -> Callable[..., Any]:
    """A route function with the parameters of the route's path."""

    def answer(request: Request, query: Mapping[str, str], **_path: str) -> Any:
        caller, context = request_caller(request), request_context(request)
        wire_request = _wire_request(route, request, query, caller, context, backend.clock)
        return _target(route.operation)(wire_request, _turns(backend, caller, context))

    names = (part[1:-1] for part in route.path.split("/") if part.startswith("<"))
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter(name, keyword, annotation=str) for name in names]
    whole = inspect.Parameter("request", keyword, annotation=Annotated[Request, Depends(_whole)])
    query = inspect.Parameter("query", keyword, annotation=WholeQueryParam)
    # Powertools reads the parameters off the signature.
    answer.__signature__ = inspect.Signature([whole, query, *parameters])  # type: ignore[attr-defined]
    return answer


def _public_function(route: WireRoute, backend: WireBackend) -> Callable[..., Any]:
    """A route function that says the same to everybody."""

    def answer(request: Annotated[Request, Depends(_whole)]) -> Any:
        event = request.resolved_event.raw_event
        sent_to = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
        asked = f"https://{sent_to.get('host', '')}{path_prefix_of(event)}"
        return _target(route.operation)(backend.public_url or asked)

    return answer


def _wire_request(
    route: WireRoute,
    request: Request,
    query: Mapping[str, str],
    caller: Caller,
    context: RequestContext,
    clock: Clock,
) -> WireRequest:
    from edge.wires.wire import WireRequest

    event = request.resolved_event
    body = {}
    if route.method == "POST" and event.body:
        require_json(event)
        body = json_body.parse_object(
            event.body, is_base64=bool(event.is_base64_encoded), max_bytes=MAX_BODY_BYTES
        )
    headers = {name.lower(): value for name, value in event.headers.items()}
    key = headers.get("idempotency-key")
    if key is not None and not is_idempotency_key(key):
        raise Problem("idempotency_key_invalid", IDEMPOTENCY_KEY_FORM)
    path = {name: unquote(value) for name, value in request.path_parameters.items()}
    return WireRequest(caller, path, query, headers, body, key, clock.now(), context.keeps_history)


def _turns(backend: WireBackend, caller: Caller, context: RequestContext) -> Turns:
    from conversation.running_turns.cancellation import TurnCancellation
    from edge.streaming.turn_replay import TurnReplay
    from edge.wires.turns import CallersTurns

    def begin(turn: TurnRequest) -> Iterator[Frame]:
        return backend.begin(caller, turn, context)

    return CallersTurns(
        caller,
        Deadline.after(backend.clock, context.seconds_left),
        begin,
        backend.check_rate,
        backend.conversations,
        TurnReplay(conversations=backend.conversations, frames=backend.frames, clock=backend.clock),
        TurnCancellation(tables=backend.tables, conversations=backend.conversations),
        backend.runs,
        backend.tables,
        backend.clock,
        backend.file_link,
    )
