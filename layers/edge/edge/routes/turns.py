"""Registration of routes that run a turn, each in two forms: answered in one piece, and streamed.

Both forms begin the turn with the same function. What a turn is, is up to the function that registers them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

from aws_lambda_powertools.event_handler import Request, Response
from aws_lambda_powertools.event_handler.depends import Depends
from aws_lambda_powertools.event_handler.openapi.types import OpenAPIResponse

from edge.http.caller import claimed_time_zone, keeps_history
from edge.http.resolver import JSON, HttpApi, request_id, seconds_left
from edge.http.server_sent_events import EventStream
from edge.views.conversations import AcceptedView, ChatReply

TurnT = TypeVar("TurnT")

REPLY_RESPONSES: dict[int, OpenAPIResponse] = {
    200: {"description": "Answered.", "content": {JSON: {"model": ChatReply}}},
    202: {"description": "Stored; it will be answered later.", "content": {JSON: {"model": AcceptedView}}},
}
STREAM_RESPONSES: dict[int, OpenAPIResponse] = {
    200: {
        "description": "What happens until it is answered, as server-sent events.",
        "content": {"text/event-stream": {"schema": {"$ref": "#/components/schemas/TurnEvent"}}},
    },
}


class TurnRoutes(Generic[TurnT]):
    """Registers pairs of routes with one API."""

    def __init__(
        self,
        api: HttpApi,
        *,
        respond: Callable[[TurnT], Response[ChatReply | AcceptedView]],
        stream: Callable[[TurnT], EventStream],
    ) -> None:
        """``respond`` runs a turn to its end and answers in one piece; ``stream`` streams its events."""
        self._api = api
        self._respond = respond
        self._stream = stream

    def post(
        self, path: str, *, summary: str, tags: list[str]
    ) -> Callable[[Callable[..., TurnT]], Callable[..., TurnT]]:
        """Registers a function that begins a turn, for the path and for ``/stream`` below it."""

        def register(begin: Callable[..., TurnT]) -> Callable[..., TurnT]:
            respond = _ending(begin, self._respond, Response[ChatReply | AcceptedView])
            stream = _ending(begin, self._stream, EventStream)
            self._api.post(path, summary=summary, tags=tags, responses=REPLY_RESPONSES)(respond)
            stream_summary = f"{summary}, told while it happens"
            self._api.post(f"{path}/stream", summary=stream_summary, tags=tags, responses=STREAM_RESPONSES)(
                stream
            )
            return begin

        return register


def _ending(begin: Callable[..., TurnT], end: Callable[[TurnT], Any], answer: Any) -> Callable[..., Any]:
    """A route function with the parameters of ``begin``; it returns what ``end`` makes of the turn."""

    @wraps(begin)
    def route(**arguments: Any) -> Any:
        return end(begin(**arguments))

    # Powertools reads the parameters and the type of the answer off the signature.
    route.__signature__ = inspect.signature(begin, eval_str=True).replace(return_annotation=answer)  # type: ignore[attr-defined]
    return route


class RequestContext(NamedTuple):
    """What the request determines about a turn besides its message."""

    time_zone: str | None
    """The user's time zone according to the token."""
    seconds_left: float
    """The seconds left for the answer."""
    trace_id: str
    keeps_history: bool
    """Whether the tenant's policy lets conversations be stored."""


def request_context(request: Request) -> RequestContext:
    """The circumstances of the current request."""
    return RequestContext(
        claimed_time_zone(request), seconds_left(request), request_id(request), keeps_history(request)
    )


RequestContextParam = Annotated[RequestContext, Depends(request_context)]
