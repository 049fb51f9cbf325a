"""One worker process: it runs each call of a function in a thread.

A call comes as a connection of its own, which the server passes through the worker's socket.
"""

from __future__ import annotations

import os
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import NoReturn

from edge.http.server_sent_events import StreamedResponse
from edge.settings import Settings
from local import supervision
from local.proxy import logs
from local.proxy.events import MalformedResponse
from local.proxy.functions import FunctionFailed, Functions
from local.workers import frames
from local.workers.frames import ConnectionEnded, ProcessFrame
from local.workers.measures import MeasureBuffer

CONCURRENCY = 256
STREAMED = "stream"


def run_worker(calls: socket.socket, functions: Functions) -> NoReturn:
    """Run the calls that come through the socket, until the process ends."""
    measures = MeasureBuffer()
    logs.configure_logging(Settings.load(os.environ).log_level, measures)
    supervision.end_when_stuck()
    executor = ThreadPoolExecutor(CONCURRENCY, thread_name_prefix="invocation")
    while True:
        _, descriptors, _, _ = socket.recv_fds(calls, 1, 1)
        if not descriptors:  # the server is gone
            os._exit(0)
        executor.submit(_answer, socket.socket(fileno=descriptors[0]), functions, measures)


def _answer(connection: socket.socket, functions: Functions, measures: MeasureBuffer) -> None:
    with connection, suppress(ConnectionEnded):
        call = frames.receive_frame(connection)
        try:
            _run(connection, call, functions, measures)
        except FunctionFailed as failure:
            frames.send_json(connection, frames.FAILED, {"kind": failure.kind, "message": failure.message})
        except MalformedResponse:
            frames.send_frame(connection, frames.MALFORMED)
        except (TypeError, ValueError) as error:
            # What Lambda reports of a result that isn't JSON.
            failed = {"kind": "Runtime.MarshalError", "message": type(error).__name__}
            frames.send_json(connection, frames.FAILED, failed)


def _run(
    connection: socket.socket, call: ProcessFrame, functions: Functions, measures: MeasureBuffer
) -> None:
    name, event, how = call.to_json()
    if how != STREAMED:
        result = functions.invoke(name, event)
        frames.send_json(connection, frames.MEASURED, measures.taken())
        frames.send_json(connection, frames.RESULT, result)
        return

    def open_response(response: StreamedResponse) -> None:
        head = [response.status, {name: list(values) for name, values in response.headers.items()}]
        frames.send_json(connection, frames.OPENED, head)

    def send_chunk(chunk: bytes) -> None:
        frames.send_frame(connection, frames.CHUNK, chunk)

    functions.stream(name, event, on_response=open_response, on_chunk=send_chunk)
    frames.send_json(connection, frames.MEASURED, measures.taken())
    frames.send_frame(connection, frames.END)
