"""A turn takes as many requests to the table over a wire as over our own routes."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from storage.tenant_table import Tables
from tests.fakes.aws.proxy_events import Context, request
from tests.fakes.aws.tables import ObservedTable, Requests
from tests.fakes.deployment import functions
from tests.fakes.run.wire_turns import WIRE_TURNS, own_body

TENANTS = ("acme", "globex")


@pytest.fixture
def app(tmp_path: Path) -> ModuleType:
    return functions.load("chat", functions.settings(tmp_path))


def observed(app: ModuleType) -> Requests:
    """The requests to the function's table from now on."""
    requests = Requests()
    app.tables._table = ObservedTable(app.tables._table, requests)
    assert isinstance(app.tables, Tables)
    return requests


def answered(app: ModuleType, path: str, body: object, tenant: str = "acme") -> Any:
    """The answer of a route, in one piece; None: it was a stream."""
    response = app.stream_handler(request("POST", path, body=body, tenant=tenant), Context())
    written = b"".join(response.chunks)
    assert response.status == 200, written
    return json.loads(written) if written.startswith(b"{") else None


@pytest.mark.parametrize("wire", WIRE_TURNS)
def test_a_turn_takes_the_same_requests_on_a_wire_as_on_our_own(app: ModuleType, wire: str) -> None:
    turn = WIRE_TURNS[wire]
    # Of two tenants, because one warms what is kept of it in memory.
    mine, theirs = (
        answered(app, "/v1/chat", {"message": "Hello"}, tenant)["conversation_id"] for tenant in TENANTS
    )
    requests, counts = observed(app), []
    for number, text in enumerate(("Hello", "Add a task to call mom", "Delete my agent", "Thanks")):
        own, other = own_body(mine, text, number), turn.body(theirs, text, number)
        for tenant, path, body in zip(TENANTS, (turn.own_path, turn.path), (own, other), strict=True):
            requests.names.clear()
            answered(app, path, body, tenant)
            counts.append(sorted(requests.names))
    assert counts[::2] == counts[1::2]
    assert max(map(len, counts[:2])) <= 3


@pytest.mark.parametrize("wire", [name for name in WIRE_TURNS if not name.startswith("OpenAI")])
def test_the_first_turn_under_a_clients_id_takes_three_requests(app: ModuleType, wire: str) -> None:
    answered(app, "/v1/chat", {"message": "Hello"})
    turn, requests = WIRE_TURNS[wire], observed(app)
    answered(app, turn.path, turn.body("made-up", "Hello", 1))
    assert len(requests.names) <= 3


def mcp_chat(mcp: ModuleType, message: str, conversation_id: str | None, **authorizer: str) -> Any:
    """The result of the tool `chat`."""
    arguments = {"message": message, "conversation_id": conversation_id}
    call = {"name": "chat", "arguments": arguments}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    event = request(
        "POST", "/mcp", body=body, headers={"Accept": "application/json, text/event-stream"}, tenant="globex"
    )
    event["requestContext"]["authorizer"] |= authorizer
    answer = functions.invoke(mcp, event)
    assert answer.status == 200, answer.body
    return answer.json["result"]


def test_a_turn_takes_the_same_requests_over_mcp_as_on_our_own(app: ModuleType, tmp_path: Path) -> None:
    mcp = functions.load("mcp", functions.settings(tmp_path))
    mine = answered(app, "/v1/chat", {"message": "Hello"})["conversation_id"]
    theirs = mcp_chat(mcp, "Hello", None)["structuredContent"]["conversation_id"]
    own, others, counts = observed(app), observed(mcp), []
    # After a write, what is known of the tenant has to be read again: beside the history.
    for text in ("Hello", "Add a task to call mom", "Delete my agent", "Thanks"):
        own.names.clear()
        others.names.clear()
        answered(app, "/v1/chat", own_body(mine, text, 0))
        mcp_chat(mcp, text, theirs)
        counts.append((sorted(own.names), sorted(others.names)))
    assert [mine for mine, _ in counts] == [theirs for _, theirs in counts]


def test_over_mcp_nobody_chats_where_no_history_is_kept(app: ModuleType, tmp_path: Path) -> None:
    mcp = functions.load("mcp", functions.settings(tmp_path))
    requests = observed(mcp)
    refused = mcp_chat(mcp, "Hello", None, history="off")
    assert refused["isError"]
    assert "No conversations are kept here" in refused["content"][0]["text"]
    assert requests.names == []
