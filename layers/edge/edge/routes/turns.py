"""Routes that take a turn, each of them twice: answered in one piece, and told while it happens.

Both begin the turn with the same function; what a turn is, is the business of whoever registers them.
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
from edge.http.event_stream import EventStream
from edge.http.resolver import JSON, Api, request_id, seconds_left
from edge.views.conversations import AcceptedView, ChatReply

TurnT = TypeVar("TurnT")

ONE_PIECE: dict[int, OpenAPIResponse] = {
    200: {"description": "Answered.", "content": {JSON: {"model": ChatReply}}},
    202: {"description": "Stored; it will be answered later.", "content": {JSON: {"model": AcceptedView}}},
}
STREAMED: dict[int, OpenAPIResponse] = {
    200: {
        "description": "What happens until it is answered, as server-sent events.",
        "content": {"text/event-stream": {"schema": {"$ref": "#/components/schemas/TurnEvent"}}},
    },
}


class TurnRoutes(Generic[TurnT]):
    """Registers pairs of routes at one API."""

    def __init__(
        self,
        api: Api,
        *,
        answered: Callable[[TurnT], Response[ChatReply | AcceptedView]],
        told: Callable[[TurnT], EventStream],
    ) -> None:
        """``answered`` sees a turn through to its end; ``told`` tells what happens in it."""
        self._api = api
        self._answered = answered
        self._told = told

    def post(
        self, path: str, *, summary: str, tags: list[str]
    ) -> Callable[[Callable[..., TurnT]], Callable[..., TurnT]]:
        """Have requests to the path, and those to ``/stream`` below it, begin a turn with the function."""

        def register(begin: Callable[..., TurnT]) -> Callable[..., TurnT]:
            answering = _ending(begin, self._answered, Response[ChatReply | AcceptedView])
            telling = _ending(begin, self._told, EventStream)
            self._api.post(path, summary=summary, tags=tags, responses=ONE_PIECE)(answering)
            streams = f"{summary}, told while it happens"
            self._api.post(f"{path}/stream", summary=streams, tags=tags, responses=STREAMED)(telling)
            return begin

        return register


def _ending(begin: Callable[..., TurnT], end: Callable[[TurnT], Any], answer: Any) -> Callable[..., Any]:
    """A route function that takes what the one takes, and returns what the other makes of it."""

    @wraps(begin)
    def route(**arguments: Any) -> Any:
        return end(begin(**arguments))

    # Powertools reads what is taken and given off the signature.
    route.__signature__ = inspect.signature(begin, eval_str=True).replace(return_annotation=answer)  # type: ignore[attr-defined]
    return route


class Circumstances(NamedTuple):
    """Under which a message is answered."""

    time_zone: str | None
    """Where the token says that the user lives."""
    seconds_left: float
    """How long the answer may take."""
    trace_id: str
    keeps_history: bool
    """Whether the tenant has conversations stored."""


def circumstances(request: Request) -> Circumstances:
    """Those of the request at hand."""
    return Circumstances(
        claimed_time_zone(request), seconds_left(request), request_id(request), keeps_history(request)
    )


Asked = Annotated[Circumstances, Depends(circumstances)]
