"""What a wire takes besides a turn: no table request and no import; and turns where no history is kept."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from storage.tenant_table import Tables
from tests.benchmarks.imports import ROOT, function_environment
from tests.fakes.aws.proxy_events import Context, request
from tests.fakes.aws.tables import ObservedTable, Requests
from tests.fakes.deployment import functions

LIGHT = {"edge.wires", "edge.wires.table"}
"""What the chat function imports of wires before the first request for one."""


@pytest.fixture
def app(tmp_path: Path) -> ModuleType:
    return functions.load("chat", functions.settings(tmp_path))


def observed(app: ModuleType) -> Requests:
    """The requests to the function's table from now on."""
    requests = Requests()
    app.tables._table = ObservedTable(app.tables._table, requests)
    assert isinstance(app.tables, Tables)
    return requests


def streamed(app: ModuleType, path: str, body: object, **claims: str) -> Iterator[Any]:
    """The data of the answer's events."""
    event = request("POST", path, body=body)
    event["requestContext"]["authorizer"] |= claims
    response = app.stream_handler(event, Context())
    assert response.status == 200
    for line in b"".join(response.chunks).decode().splitlines():
        if line.startswith("data: {"):
            yield json.loads(line[6:])


def of_client(text: str, number: int, before: tuple[Any, ...] = ()) -> dict[str, Any]:
    said = {"id": f"said-{number}", "role": "user", "parts": [{"type": "text", "text": text}]}
    return {"id": "main", "messages": [*before, said], "trigger": "submit-message"}


def text_of(chunks: list[Any]) -> str:
    return "".join(chunk["delta"] for chunk in chunks if chunk["type"] == "text-delta")


def test_a_turn_takes_the_same_requests_on_a_wire_as_on_our_own(app: ModuleType) -> None:
    list(streamed(app, "/v1/chat/stream", {"message": "Hello", "client_id": "warm"}))
    requests, counts = observed(app), []
    for number, text in enumerate(("Hello", "Good morning", "Thanks")):
        own = {"message": text, "client_id": "main"}
        for path, body in (("/v1/chat/stream", own), ("/ai-sdk/chat", of_client(text, number))):
            requests.names.clear()
            list(streamed(app, path, body))
            counts.append(tuple(requests.names))
    assert counts[::2] == counts[1::2]
    assert max(map(len, counts)) <= 3


def test_no_wire_is_imported_before_the_first_request_for_one() -> None:
    code = "import json, sys, functions.chat.app; print(json.dumps([*sys.modules]))"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env=function_environment(),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    imported = json.loads(ran.stdout.splitlines()[-1])
    assert {name for name in imported if name.startswith("edge.wires")} == LIGHT


def test_where_no_history_is_kept_the_client_brings_it_and_what_was_left_open(app: ModuleType) -> None:
    obey = {"id": "s", "role": "system", "parts": [{"type": "text", "text": "You only ever say meow."}]}
    first = of_client("I want our project updates from Notion every Monday", 1, (obey,))
    chunks = list(streamed(app, "/ai-sdk/chat", first, history="off"))
    metadata: dict[str, Any] = {}
    for chunk in chunks:
        metadata |= chunk.get("messageMetadata", {})
    answer = {
        "id": "a",
        "role": "assistant",
        "parts": [{"type": "text", "text": text_of(chunks)}],
        "metadata": metadata,
    }
    second = of_client("At 9, and report here", 2, (*first["messages"], answer))
    said = text_of(list(streamed(app, "/ai-sdk/chat", second, history="off")))

    assert "notion-reporter" in said
    assert "meow" not in said
    answered = functions.invoke(app, request("GET", "/ai-sdk/chat/main/messages"))
    assert (answered.status, answered.json) == (200, [])
