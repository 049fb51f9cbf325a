"""A language model's answers over MCP's official client: long ones, stopped ones, broken calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import anyio
import pytest
from anyio import to_thread

from tests.clients.handbook import ASKED, STRONG, answered
from tests.e2e.test_mcp_clients import KEY, Bearer, connected
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.model_script import Gate, Reply
from tests.fakes.models.model_server import ModelServer

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("forgetful")]

PIECES = [f"{place}. Satz — ü 日本\r\n\n{'y' * (place % 5)}" for place in range(40)]


@pytest.fixture
def token(twin: Twin, request: pytest.FixtureRequest) -> str:
    return twin.token("acme", request.node.name)


def said(twin: Twin, token: str, *, key: str | None = None, until: Callable[[], bool] | None = None) -> Any:
    """What the tool `chat` returns for the question; None: its client gave up, at what ``until`` tells."""
    told = []

    async def call(client: Any) -> None:
        arguments = {"message": ASKED, "client_id": "main"}
        async with anyio.create_task_group() as tasks:
            if until is not None:
                tasks.start_soon(cancelled, tasks.cancel_scope, until)
            result = await client.call_tool("chat", arguments, meta={KEY: key} if key else None)
            assert not result.is_error, result
            told.append(result.structured_content)

    connected(twin, Bearer(token), call)
    return told[0] if told else None


async def cancelled(scope: anyio.CancelScope, until: Callable[[], bool]) -> None:
    """Cancels when something has happened."""
    await to_thread.run_sync(partial(eventually, until, within_s=60))
    scope.cancel()


def conversations(twin: Twin, token: str) -> list[Any]:
    found: list[Any] = twin.get("/v1/conversations", token=token)["items"]
    return found


def test_a_long_answer_arrives_whole(twin: Twin, token: str, server: ModelServer) -> None:
    server.use(answered(Reply(pieces=PIECES)))
    assert said(twin, token)["reply"] == "".join(PIECES)


def test_an_answer_is_stopped_on_another_wire_and_the_call_gets_what_was_said(
    twin: Twin, token: str, server: ModelServer, opened: Gate
) -> None:
    server.use(answered(Reply(pieces=PIECES, gate=opened)))
    with ThreadPoolExecutor(1) as caller:
        call = caller.submit(said, twin, token)
        eventually(lambda: asked(server) == 1, within_s=60)
        [conversation] = conversations(twin, token)
        stop = f"/ai-sdk/chat/{conversation['id']}/stop"
        assert twin.request("POST", stop, token=token).status_code == 204
        told = call.result()["reply"]
    assert told
    assert "".join(PIECES).startswith(told)
    assert len(told) < len("".join(PIECES))


def test_a_call_that_its_client_cancels_stops_nothing_and_is_answered_under_its_key(
    twin: Twin, token: str, server: ModelServer, opened: Gate
) -> None:
    server.use(answered(Reply(pieces=PIECES, gate=opened)))
    assert said(twin, token, key="once", until=lambda: asked(server) == 1) is None
    opened.release(len(PIECES))
    eventually(lambda: conversations(twin, token)[0]["message_count"] == 2, within_s=60)
    assert said(twin, token, key="once")["reply"] == "".join(PIECES)
    assert asked(server) == 1


@pytest.fixture
def opened() -> Iterator[Gate]:
    """A gate that lets three pieces through, and all of them after the test."""
    gate = Gate(let=3)
    yield gate
    gate.release(len(PIECES))


def asked(server: ModelServer) -> int:
    """How often the model that answers was asked."""
    strong = STRONG.partition("/")[2]
    return sum(request.body["model"] == strong for request in server.log().requests)
