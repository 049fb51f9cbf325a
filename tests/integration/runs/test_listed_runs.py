"""The list of runs, filtered by agent, status and time, over the real function and both tables."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest

from agent.workspace import run_store
from storage.dynamodb.table import create_table
from tests.fakes.aws.dynamodb import REGION, dynamo_client, ministack
from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.deployment import functions

NOON = datetime(2026, 1, 30, 12, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with ministack() as endpoint:
        yield endpoint


class Office:
    """Maya's agents and runs under a clock."""

    def __init__(self, workspace: ModuleType, clock: Path) -> None:
        self.workspace = workspace
        self.clock = clock
        self.asked: dict[str, list[str]] = {}

    def call(self, method: str, path: str, body: object = None, user: str = "maya") -> Answer:
        return functions.invoke(self.workspace, request(method, path, body=body, user=user))

    def agent(self, name: str) -> str:
        return str(self.call("POST", "/v1/agents", {"name": name, "what": "numbers"}).json["id"])

    def run(self, agent_id: str, moment: datetime) -> str:
        self.clock.write_text(moment.isoformat())
        run = self.call("POST", f"/v1/agents/{agent_id}/runs", {}).json
        return str(run["id"])

    def listed(self, query: str = "", user: str = "maya") -> list[str]:
        """The ids of all pages, as they come."""
        ids, cursor = list[str](), ""
        while True:
            page: Any = self.call("GET", f"/v1/runs?{query}{cursor}", user=user).json
            ids += [run["id"] for run in page["items"]]
            if page["next_cursor"] is None:
                return ids
            cursor = f"&cursor={page['next_cursor']}"


@pytest.fixture(params=["sqlite", "dynamo"])
def office(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Office]:
    clock = tmp_path / "clock"
    clock.write_text(NOON.isoformat())
    settings = functions.settings(tmp_path, OMNIFORGE_CLOCK_FILE=str(clock))
    if request.param == "sqlite":
        yield Office(functions.load("workspace", settings), clock)
        return
    endpoint, name = request.getfixturevalue("endpoint"), f"runs-{uuid4().hex[:8]}"
    create_table(dynamo_client(endpoint), name)
    environ = {"AWS_ENDPOINT_URL_DYNAMODB": endpoint, "AWS_DEFAULT_REGION": REGION}
    with patch.dict(os.environ, environ):
        changed = {**settings, **functions.LONG_STORAGE_DEADLINE, "OMNIFORGE_TABLE": name}
        yield Office(functions.load("workspace", changed), clock)


def test_runs_are_listed_by_agent_status_and_time(office: Office) -> None:
    radar, rota = office.agent("radar"), office.agent("rota")
    days = [NOON + timedelta(days=n) for n in range(6)]
    of_radar = [office.run(radar, day) for day in days]
    of_rota = [office.run(rota, day + timedelta(hours=1)) for day in days]
    for run in (of_radar[1], of_rota[2]):
        assert office.call("POST", f"/v1/runs/{run}/cancel").json["status"] == "cancelled"
    everything = [run for pair in zip(of_rota[::-1], of_radar[::-1], strict=True) for run in pair]

    assert office.listed() == everything
    assert office.listed(f"agent_id={radar}&limit=2&") == of_radar[::-1]
    assert office.listed("status=cancelled&") == [of_rota[2], of_radar[1]]
    assert office.listed(f"status=cancelled&agent_id={rota}&limit=1&") == [of_rota[2]]
    assert office.listed("from=2026-02-01&to=2026-02-02&limit=3&") == everything[4:8]
    assert office.listed("from=2026-02-02T12:30:00Z&") == everything[:5]
    assert office.listed("to=2026-01-30T14:00:00%2B01:00&") == [of_radar[0]]
    assert office.listed("from=2026-02-01&to=2026-01-31&") == []
    assert office.listed(f"agent_id={radar}&", user="noah") == []


def test_a_page_of_few_among_many_is_continued(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_store, "CHUNK", 2)
    monkeypatch.setattr(run_store, "MAX_EXAMINED", 4)
    radar, rota = office.agent("radar"), office.agent("rota")
    wanted = office.run(radar, NOON)
    for minute in range(1, 8):
        office.run(rota, NOON + timedelta(minutes=minute))
    first = office.call("GET", f"/v1/runs?agent_id={radar}").json
    assert (first["items"], first["next_cursor"] is None) == ([], False)
    assert office.listed(f"agent_id={radar}&") == [wanted]


@pytest.mark.parametrize(
    "query",
    ["status=done", "from=yesterday", "to=2026-02-30", "from=2026-01-30T09:00:00", "agent_id=" + "a" * 65],
)
def test_a_filter_that_can_not_be_read_is_refused(tmp_path: Path, query: str) -> None:
    workspace = functions.load("workspace", functions.settings(tmp_path))
    refused = functions.invoke(workspace, request("GET", f"/v1/runs?{query}"))
    assert refused.status == 400


def test_a_cursor_belongs_to_its_filter(tmp_path: Path) -> None:
    office = Office(functions.load("workspace", functions.settings(tmp_path)), tmp_path / "clock")
    radar = office.agent("radar")
    for _ in range(2):
        office.call("POST", f"/v1/agents/{radar}/runs", {})
    cursor = office.call("GET", "/v1/runs?limit=1&status=queued").json["next_cursor"]
    refused = office.call("GET", f"/v1/runs?limit=1&status=failed&cursor={cursor}")
    assert (refused.status, refused.code) == (400, "cursor_invalid")
