"""Types of a streamed answer: frames, what a route returns, the response. `edge.http.server_sent_events`
encodes them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import Context
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from resilience.deadlines import SILENCE, iterate_in_background

if TYPE_CHECKING:
    from pydantic_core.core_schema import AnySchema


FrameName = Literal["turn", "thinking", "decision", "tool", "chunk", "done", "accepted", "error"]


Members: TypeAlias = Mapping[str, Any]


class Frame:
    """One event for the client, made of its JSON, of its members, or of a function that returns them.

    The other form is made when it is asked for: our own streams send the JSON, the other wires read members.
    """

    __slots__ = ("_data", "_members", "id", "name")

    def __init__(self, number: int, name: FrameName, content: str | Members | Callable[[], Members]) -> None:
        """``number`` is its id; it counts from 1 within a turn."""
        self.id = number
        self.name = name
        self._data = content if isinstance(content, str) else None
        self._members = None if isinstance(content, str) else content

    @property
    def data(self) -> str:
        """Its JSON."""
        if self._data is None:
            self._data = json.dumps(self.members, ensure_ascii=False, separators=(",", ":"))
        return self._data

    @property
    def members(self) -> Members:
        """The members of its JSON, which is an object."""
        content = self._members
        if content is None:
            content = json.loads(self.data)
        elif callable(content):
            content = content()
        self._members = content
        return content


class EventStream(NamedTuple):
    """The return value of a route that streams its answer; see `edge.http.resolver.HttpApi.stream`.

    An error that ``events`` raises becomes the client's last frame, ``error``. Where a refusal should still
    have a status of its own, the route takes the first event before it returns.
    """

    events: Iterator[Frame]
    encode: Callable[[Frame], bytes] | None = None
    """Writes each frame as the client gets it; nothing: the frame is left out. None: `encode_frame`."""
    headers: Mapping[str, str] = {}
    """Headers besides those of every stream."""

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


MEDIA_TYPE = "text/event-stream; charset=utf-8"
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Keep proxies between us and the client from holding frames back."""
KEEP_ALIVE = b": keep-alive\n\n"
HEARTBEAT_S = 10.0

_LINE_END = re.compile(r"\r\n|\r|\n")


def encode_frame(frame: Frame) -> bytes:
    """A frame as it is sent; each line of its data gets a data line of its own."""
    data = "\n".join(f"data: {line}" for line in _LINE_END.split(frame.data))
    return f"id: {frame.id}\nevent: {frame.name}\n{data}\n\n".encode()


def with_heartbeats(
    chunks: Iterator[bytes], *, every_s: float = HEARTBEAT_S, context: Context | None = None
) -> Iterator[bytes]:
    """The chunks as they come, and a comment after each ``every_s`` seconds of silence.

    A separate thread starts to make the chunks at once, whether or not they are consumed. It runs in
    ``context`` (default: a copy of the caller's). An error in it is raised here, after the chunks before it.
    """
    produced = iterate_in_background(chunks, lambda: every_s, name="stream", context=context)
    return (KEEP_ALIVE if chunk is SILENCE else chunk for chunk in produced)
