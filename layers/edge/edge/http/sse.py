"""Server-sent events: the encoding of frames, and keep-alive comments.

`edge.streaming.frame_writer` decides what the frames say.

Source: the event stream format of the HTML standard, https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextvars import Context

from edge.http.event_stream import Frame
from resilience.deadlines import SILENCE, iterate_in_background

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
