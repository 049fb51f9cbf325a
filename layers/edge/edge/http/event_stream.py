"""Types of a streamed answer: frames, what a route returns, the response. `edge.http.sse` encodes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from pydantic_core.core_schema import AnySchema

FrameName = Literal["turn", "thinking", "decision", "tool", "chunk", "done", "accepted", "error"]


class Frame(NamedTuple):
    """One event for the client."""

    id: int
    """Counts from 1 within a turn."""
    name: FrameName
    data: str
    """A JSON document."""


class EventStream(NamedTuple):
    """The return value of a route that streams its answer; see `edge.http.resolver.HttpApi.stream`.

    An error that ``events`` raises becomes the client's last frame, ``error``. Where a refusal should still
    have a status of its own, the route takes the first event before it returns.
    """

    events: Iterator[Frame]

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> AnySchema:
        """A schema of anything: pydantic describes return types, but a route describes its frames itself."""
        from pydantic_core.core_schema import any_schema

        return any_schema()


class StreamedResponse(NamedTuple):
    """A response whose body is made while it is sent.

    The consumer has to run ``chunks`` to its end even after the client has disconnected: that does not stop
    the turn.
    """

    status: int
    headers: Mapping[str, Sequence[str]]
    chunks: Iterator[bytes]
