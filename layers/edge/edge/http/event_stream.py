"""What a route that answers bit by bit hands over, and what becomes of it. How frames are written is not its
job: that is `edge.http.sse`.
"""

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
    """The answer of a route that tells what happens while it happens; see `edge.http.resolver.Api.stream`.

    What ``events`` raises becomes the client's last frame, ``error``. Whoever makes them takes the first one
    before returning, where a refusal should still have a status of its own.
    """

    events: Iterator[Frame]

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> AnySchema:
        """Powertools has pydantic describe what routes return; what frames say the route describes itself."""
        from pydantic_core.core_schema import any_schema

        return any_schema()


class StreamedResponse(NamedTuple):
    """An answer whose body is made while it is sent.

    Whoever consumes ``chunks`` runs it to its end, even if nobody listens any more: a client that leaves
    stops nothing.
    """

    status: int
    headers: Mapping[str, Sequence[str]]
    chunks: Iterator[bytes]
