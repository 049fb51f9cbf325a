"""The stream of one call whose client wants to know how far it is: its progress, then its answer.

Source: MCP's specification, "Transports" (a POST that is answered with server-sent events) and "Progress".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextvars import copy_context
from queue import SimpleQueue
from threading import Thread
from typing import Any

from edge.http.server_sent_events import EventStream, Frame

Answer = Callable[[Callable[[str], None]], str]
"""Makes the answer; it calls its argument with each message that is to be sent before."""


def call_stream(call_id: Any, answer: Answer) -> EventStream:
    """The stream of the call: each message that ``answer`` sends, and the message that it returns."""
    return EventStream(_frames(answer), encode=lambda frame: _encode(frame, call_id))


def _frames(answer: Answer) -> Iterator[Frame]:
    sent: SimpleQueue[str | None] = SimpleQueue()
    ended: list[str | Exception] = []

    def work() -> None:
        try:
            ended.append(answer(sent.put))
        except Exception as error:  # noqa: BLE001 - raised again where the frames are taken
            ended.append(error)
        finally:
            sent.put(None)

    Thread(target=copy_context().run, args=(work,), name="call", daemon=True).start()
    number = 0
    while (message := sent.get()) is not None:
        number += 1
        yield Frame(number, "chunk", message)
    last = ended[0]
    if isinstance(last, Exception):
        raise last
    yield Frame(number + 1, "done", last)


def _encode(frame: Frame, call_id: Any) -> bytes:
    """A message; what ends the stream early, a problem, becomes an error of the protocol.

    No frame has an id: nothing can be resumed, and an id would say that it can.
    """
    data = frame.data
    if frame.name == "error":
        problem = json.loads(data)
        error = {"code": -32603, "message": problem["title"], "data": {"code": problem["code"]}}
        data = json.dumps({"jsonrpc": "2.0", "id": call_id, "error": error})
    return f"event: message\ndata: {data}\n\n".encode()
