"""Server-sent events as a client reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

from tests.fakes.aws.proxy_events import Answer, Context


class Told(NamedTuple):
    """A frame, its data parsed."""

    id: int
    name: str
    data: Any


@dataclass(frozen=True)
class Stream:
    """What a streaming function answered; its frames are read as they come."""

    status: int
    headers: Mapping[str, str]
    chunks: Iterator[bytes]

    def frames(self) -> Iterator[Told]:
        """The frames that follow; comments are none."""
        return frames_in(self.chunks)

    def refusal(self) -> Answer:
        """The answer, where it is no stream."""
        return Answer(self.status, self.headers, b"".join(self.chunks).decode())


def stream(module: ModuleType, event: Mapping[str, object]) -> Stream:
    """What the function answers to an event of the gateway, bit by bit."""
    response = module.stream_handler(event, Context())
    headers = {name.lower(): ", ".join(values) for name, values in response.headers.items()}
    return Stream(response.status, headers, response.chunks)


def frames_in(chunks: Iterable[bytes]) -> Iterator[Told]:
    """The frames of a stream, wherever it is cut into chunks."""
    waiting = b""
    for chunk in chunks:
        *blocks, waiting = (waiting + chunk).split(b"\n\n")
        yield from (_frame(block.decode()) for block in blocks if not block.startswith(b":"))
    assert waiting == b""


def text_of(frames: Iterable[Told]) -> str:
    """The reply as the frames tell it."""
    text = ""
    for frame in frames:
        if frame.name == "chunk":
            text += frame.data["text"]
        elif frame.data == {"stage": "restarting"}:
            text = ""
    return text


def _frame(block: str) -> Told:
    fields = [line.split(": ", 1) for line in block.split("\n")]
    data = "\n".join(value for name, value in fields if name == "data")
    only = {name: value for name, value in fields if name != "data"}
    assert only.keys() == {"id", "event"}
    return Told(int(only["id"]), only["event"], json.loads(data))
