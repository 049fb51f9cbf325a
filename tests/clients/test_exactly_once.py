"""Through a proxy that fails and cuts, a turn that a client tries again is carried out once, without a key.

`CHATS=167 .venv/bin/pytest -n0 tests/clients/test_exactly_once.py` makes it a thousand turns of each client.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.clients.faulty_proxy import Faults, FaultyProxy
from tests.clients.node_process import NodeClient
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
    faults = Faults(seed=4)
    with FaultyProxy(twin.url, faults) as proxy, NodeClient(script) as node:

        def talk(number: int) -> tuple[list[str], list[str]]:
            token = twin.token(f"tenant-{number % 20}", f"{client.__name__}-{number}")
            say = client(node, url=proxy.url, token=token, id="main")
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
    print(client.__name__, CHATS * TURNS, "turns", dict(faults.drawn))
