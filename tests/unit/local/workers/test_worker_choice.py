"""Which of the twin's worker processes gets a call."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any, cast

import pytest

from local.workers import frames
from local.workers.pool import ForkServer, WorkerFunctions

REQUEST: Mapping[str, Any] = {"httpMethod": "POST", "path": "/v1/chat"}
FOLLOWED: Mapping[str, Any] = {"Records": [{"eventSource": "aws:dynamodb"}]}


class IdleForkServer:
    """A fork server of two workers, which do nothing of their own accord."""

    def __init__(self) -> None:
        pairs = [socket.socketpair() for _ in range(2)]
        self.calls = [ours for ours, _ in pairs]
        self.workers = [theirs for _, theirs in pairs]

    def load(self, *_: object) -> None:
        """Nothing is loaded."""

    def close(self) -> None:
        """Close all sockets."""
        for each in (*self.calls, *self.workers):
            each.close()


@pytest.fixture
def server() -> Iterator[IdleForkServer]:
    started = IdleForkServer()
    yield started
    started.close()


@contextmanager
def calls_taken(server: IdleForkServer, events: Sequence[Mapping[str, Any]]) -> Iterator[list[int]]:
    """The place of the worker that each event reaches while all earlier ones are being answered."""
    functions = WorkerFunctions({}, {}, cast("ForkServer", server))
    places, open_calls = [], []
    with ThreadPoolExecutor(len(events)) as callers, ExitStack() as until_told:
        for event in events:
            callers.submit(functions.invoke, "chat", dict(event))
            place, call = _taken(server)
            places.append(place)
            open_calls.append(until_told.enter_context(call))
        yield places
        for call in open_calls:
            frames.send_json(call, frames.RESULT, {})


def _taken(server: IdleForkServer) -> tuple[int, socket.socket]:
    while True:
        for place, worker in enumerate(server.workers):
            worker.settimeout(0.05)
            try:
                _, [descriptor], _, _ = socket.recv_fds(worker, 1, 1)
            except TimeoutError:
                continue
            return place, socket.socket(fileno=descriptor)


@pytest.mark.parametrize(
    ("events", "places"),
    [
        ([REQUEST], [0]),
        ([FOLLOWED], [1]),
        ([REQUEST, FOLLOWED], [0, 1]),
        ([FOLLOWED, REQUEST], [1, 0]),
        ([REQUEST, REQUEST], [0, 1]),
        ([FOLLOWED, FOLLOWED], [1, 0]),
    ],
)
def test_what_follows_a_turn_keeps_out_of_the_way_of_requests_while_nobody_is_busier(
    server: IdleForkServer, events: Sequence[Mapping[str, Any]], places: list[int]
) -> None:
    with calls_taken(server, events) as taken:
        assert taken == places
