"""Through a proxy that fails and cuts, a turn that a client tries again is carried out once: without a key,
but for MCP, whose clients try nothing again by themselves.

`CHATS=167 .venv/bin/pytest -n0 --timeout 1800 tests/clients/test_exactly_once.py` makes it a thousand turns
of each client.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.clients.faulty_proxy import Faults, FaultyProxy
from tests.clients.node_process import NodeClient
from tests.e2e.test_mcp_clients import KEY, Bearer
from tests.fakes.deployment.twin import Twin

pytestmark = pytest.mark.e2e

CHATS, TURNS = int(os.environ.get("CHATS", "10")), 6
MOST_TRIES = 12


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("exactly-once")) as running:
        yield running


def ag_ui(node: NodeClient, **page: Any) -> Callable[[str], Any]:
    """A page that runs again under the run's own id."""
    node.call(page=page["token"], call="open", **page)

    def say(text: str) -> Any:
        return node.call(page=page["token"], call="run", text=text, tries=MOST_TRIES)["error"]

    return say


def ag_ui_anew(node: NodeClient, **page: Any) -> Callable[[str], Any]:
    """A page whose user presses "try again": each run has an id of its own."""
    node.call(page=page["token"], call="open", **page)

    def say(text: str) -> Any:
        error = node.call(page=page["token"], call="run", text=text)["error"]
        for _ in range(MOST_TRIES):
            if error is None:
                break
            error = node.call(page=page["token"], call="run")["error"]
        return error

    return say


def ai_sdk(node: NodeClient, **page: Any) -> Callable[[str], Any]:
    """A page that submits its messages again (`sendMessage()`)."""
    node.call(chat=page["token"], call="open", **page)

    def say(text: str) -> Any:
        shown = node.call(chat=page["token"], call="send", text=text)
        for _ in range(MOST_TRIES):
            if shown["status"] != "error":
                break
            shown = node.call(chat=page["token"], call="resubmit")
        return shown["error"]

    return say


@pytest.mark.parametrize(
    ("script", "client"),
    [("ag_ui.mjs", ag_ui), ("ag_ui.mjs", ag_ui_anew), ("ai_sdk.mjs", ai_sdk)],
    ids=["ag-ui", "ag-ui, runs anew", "ai-sdk"],
)
def test_through_faults_every_turn_is_carried_out_once(
    twin: Twin, script: str, client: Callable[..., Callable[[str], Any]]
) -> None:
    with NodeClient(script) as node:

        def page(url: str, token: str) -> Callable[[str], Any]:
            return client(node, url=url, token=token, id="main")

        talk_through_faults(twin, client.__name__, page)


def test_through_faults_every_call_of_mcp_under_a_key_is_carried_out_once(twin: Twin) -> None:
    def page(url: str, token: str) -> Callable[[str], Any]:
        said: list[str] = []

        def say(text: str) -> Any:
            said.append(text)
            failed: Any = None
            for _ in range(MOST_TRIES):
                try:
                    return called(url, token, text, key=f"call-{len(said)}")
                except Exception as error:  # noqa: BLE001 - a broken connection, in any form
                    failed = error
            return failed

        return say

    talk_through_faults(twin, "mcp", page)


def called(url: str, token: str, text: str, *, key: str) -> None:
    """Say something by the tool `chat`, over a connection of its own."""

    async def call() -> None:
        arguments = {"message": text, "client_id": "main"}
        meta: Any = {KEY: key}
        async with (
            httpx2.AsyncClient(auth=Bearer(token), trust_env=False, timeout=240) as http,
            Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
        ):
            result = await client.call_tool("chat", arguments, meta=meta)
        assert not result.is_error, result

    anyio.run(call)


def talk_through_faults(twin: Twin, name: str, page: Callable[[str, str], Callable[[str], Any]]) -> None:
    """Let many users talk at once, each at a page that ``page`` makes of an address and a token."""
    faults = Faults(seed=4)
    with FaultyProxy(twin.url, faults) as proxy:

        def talk(number: int) -> tuple[list[str], list[str]]:
            token = twin.token(f"tenant-{number % 20}", f"{name}-{number}")
            say = page(proxy.url, token)
            tasks = [f"paint wall {number}x{turn}" for turn in range(TURNS - 2)]
            said = ["Hello", "Hello", *(f"Add a task to {task}" for task in tasks)]
            assert [say(text) for text in said] == [None] * TURNS
            [conversation] = twin.get("/v1/conversations", token=token)["items"]
            messages = twin.get(f"/v1/conversations/{conversation['id']}/messages", token=token)["items"]
            made = twin.get("/v1/tasks", token=token)["items"]
            assert sorted(task["title"] for task in made) == tasks
            return [each["content"] for each in messages][::2], said

        with ThreadPoolExecutor(8) as clients:
            talks = list(clients.map(talk, range(CHATS)))
    assert [stored for stored, _ in talks] == [said for _, said in talks]
    assert min(faults.drawn[fault] for fault in ("500", "cut")) > 0, faults.drawn
    print(name, CHATS * TURNS, "turns", dict(faults.drawn))
