"""Server-sent events: the encoding of frames, and keep-alive comments.

`edge.streaming.frame_writer` decides what the frames say.

Source: the event stream format of the HTML standard, https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Iterator
from contextvars import Context, copy_context

from edge.http.event_stream import Frame

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
    made: queue.SimpleQueue[bytes | BaseException | None] = queue.SimpleQueue()
    room = context if context is not None else copy_context()
    threading.Thread(target=room.run, args=(_make, chunks, made), name="stream", daemon=True).start()
    return _taken(made, every_s)


def _make(chunks: Iterator[bytes], made: queue.SimpleQueue[bytes | BaseException | None]) -> None:
    try:
        for chunk in chunks:
            made.put(chunk)
    except BaseException as error:  # noqa: BLE001 - belongs to whoever takes the chunks
        made.put(error)
    else:
        made.put(None)


def _taken(made: queue.SimpleQueue[bytes | BaseException | None], every_s: float) -> Iterator[bytes]:
    while True:
        try:
            chunk = made.get(timeout=every_s)
        except queue.Empty:
            chunk = KEEP_ALIVE
        if chunk is None:
            return
        if isinstance(chunk, BaseException):
            raise chunk
        yield chunk
