"""Server-sent events as a client reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

from tests.fakes.aws.proxy_events import Answer, Context


class StreamFrame(NamedTuple):
    """A frame with parsed data."""

    id: int
    name: str
    data: Any


@dataclass(frozen=True)
class StreamedReply:
    """A streaming function's answer, with frames that are read as they arrive."""

    status: int
    headers: Mapping[str, str]
    chunks: Iterator[bytes]

    def frames(self) -> Iterator[StreamFrame]:
        """Yield the remaining frames, without comments."""
        return frames_in(self.chunks)

    def refusal(self) -> Answer:
        """Return the whole answer when it is not a stream, such as an error."""
        return Answer(self.status, self.headers, b"".join(self.chunks).decode())


def stream(module: ModuleType, event: Mapping[str, object]) -> StreamedReply:
    """Invoke the function with an event of the gateway and return its streamed answer."""
    response = module.stream_handler(event, Context())
    headers = {name.lower(): ", ".join(values) for name, values in response.headers.items()}
    return StreamedReply(response.status, headers, response.chunks)


def frames_in(chunks: Iterable[bytes]) -> Iterator[StreamFrame]:
    """Yield the frames of a stream, however it is split into chunks."""
    waiting = b""
    for chunk in chunks:
        *blocks, waiting = (waiting + chunk).split(b"\n\n")
        yield from (_frame(block.decode()) for block in blocks if not block.startswith(b":"))
    assert waiting == b""


def text_of(frames: Iterable[StreamFrame]) -> str:
    """Return the reply's text from the frames."""
    text = ""
    for frame in frames:
        if frame.name == "chunk":
            text += frame.data["text"]
        elif frame.data == {"stage": "restarting"}:
            text = ""
    return text


def _frame(block: str) -> StreamFrame:
    fields = [line.split(": ", 1) for line in block.split("\n")]
    data = "\n".join(value for name, value in fields if name == "data")
    only = {name: value for name, value in fields if name != "data"}
    assert only.keys() == {"id", "event"}
    return StreamFrame(int(only["id"]), only["event"], json.loads(data))
