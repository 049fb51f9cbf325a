"""Erasures over HTTP, with the stream and the functions that carry them out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from conversation.clock import Deadline
from conversation.erasure.eraser import Eraser
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.run.clocks import ManualClock

pytestmark = pytest.mark.e2e

MORNING = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[Twin]:
    with Twin(tmp_path, clock=MORNING) as twin:
        yield twin


def state(twin: Twin, location: str, token: str, wanted: str) -> Any:
    """The erasure once it is so far."""

    def look() -> Any:
        erasure = twin.get(location, token=token)
        return erasure if erasure["state"] == wanted else None

    return eventually(look)


ACTS: list[tuple[str, str, dict[str, Any] | None]] = [
    ("POST", "/v1/chat", {"message": "Hello"}),
    ("POST", "/v1/chat/stream", {"message": "Hello"}),
    ("POST", "/v1/users/maya/chat", {"message": "Hello"}),
    ("POST", "/v1/users/maya/erasures", None),
    ("POST", "/v1/tasks", {"title": "Buy groceries"}),
    ("POST", "/v1/agents", {"what": "overdue tickets"}),
    ("GET", "/v1/conversations", None),
    ("GET", "/v1/export", None),
    ("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
]
"""What a service may do for a user."""


def look_once_more(twin: Twin, erasure_id: str) -> None:
    """What the queue asks for when its three minutes are over, by the machine's clock."""
    clock = ManualClock(MORNING + timedelta(minutes=4))
    with closing(SqliteTable(str(twin.data / "omniforge.db"))) as table:
        eraser = Eraser(tables=Tables(table), clock=clock)
        assert eraser.run(TenantId("acme"), erasure_id, Deadline.after(clock, 60.0)) is None


def test_a_user_is_erased_kept_out_meanwhile_and_may_begin_anew(twin: Twin) -> None:
    maya, noah, admin = twin.token(), twin.token(user="noah"), twin.token(user="ana", roles=["admin"])
    for token in (maya, noah):
        twin.chat("Remember that the launch is on Friday", token=token)
        twin.request("POST", "/v1/tasks", token=token, json={"title": "Buy groceries"})
        twin.request("POST", "/v1/agents", token=token, json={"what": "overdue tickets"})
    asked = twin.request("POST", "/v1/users/maya/erasures", token=admin)
    assert asked.status_code == 202
    location = asked.headers["Location"]
    receipt = state(twin, location, admin, "settling")
    assert receipt["removed"].items() >= {"conversations": 1, "messages": 2, "tasks": 1, "agents": 1}.items()

    twin.set_clock(MORNING + timedelta(minutes=2))
    again = twin.token()
    refused = twin.request("GET", "/v1/conversations", token=again)
    assert (refused.status_code, refused.json()["code"]) == (403, "user_being_erased")
    assert len(twin.get("/v1/conversations", token=noah)["items"]) == 1
    assert len(twin.get("/v1/tasks", token=noah)["items"]) == 1
    backend = twin.token(user="backend", roles=["service"])
    for method, path, body in ACTS:
        acting = {"Authorization": f"Bearer {backend}", "X-OmniForge-User": "maya"}
        refused = twin.http.request(method, path, headers=acting, json=body)
        assert (refused.status_code, refused.json()["code"]) == (403, "user_being_erased"), path

    look_once_more(twin, receipt["id"])
    twin.set_clock(MORNING + timedelta(minutes=4))
    again = twin.token()
    for folder in ("conversations", "tasks", "agents", "runs"):
        assert [
            each for each in twin.get(f"/v1/{folder}", token=again)["items"] if not each.get("shared")
        ] == []
    assert twin.chat("Hello", token=again).status_code == 200


def test_an_erased_conversation_is_gone_from_every_route_and_from_search(twin: Twin) -> None:
    token = twin.token()
    said = twin.chat("Where is the aardvark?", token=token).json()
    conversation = f"/v1/conversations/{said['conversation_id']}"
    asked = twin.request("POST", f"{conversation}/erasures", token=token)
    state(twin, asked.headers["Location"], token, "settling")
    for path in (conversation, f"{conversation}/messages", f"/v1/turns/{said['metadata']['turn_id']}"):
        assert twin.request("GET", path, token=token).status_code == 404
    assert twin.request("POST", f"{conversation}/restore", token=token).status_code == 404
    assert twin.chat("still there?", token=token, conversation_id=said["conversation_id"]).status_code == 404
    assert twin.get("/v1/search?q=aardvark", token=token)["items"] == []


def test_a_killed_twin_goes_on_with_an_erasure(twin: Twin) -> None:
    token = twin.token()
    said = twin.chat("Forget this", token=token).json()
    path = f"/v1/conversations/{said['conversation_id']}/erasures"
    location = twin.request("POST", path, token=token).headers["Location"]
    twin.kill9()
    twin.restart()
    assert state(twin, location, token, "settling")["removed"]["messages"] == 2
