"""Runs start behind the commit that asks for them, and when a schedule says so, whatever process dies."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from agent.starting import RunRequest
from conversation.clock import FileClock
from edge.queues import SqliteRequests
from storage.keys import TenantId
from tests.fakes.mortal import MortalTwin
from tests.fakes.twin import Twin
from tests.fakes.waiting import eventually

pytestmark = pytest.mark.e2e

EIGHT = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
NINE = EIGHT + timedelta(hours=1)
DAY = timedelta(days=1)
DAILY = {"cron": "0 9 * * *", "time_zone": "UTC"}


class Office:
    """Maya's agents in a twin."""

    def __init__(self, twin: Twin) -> None:
        self.twin = twin

    def agent(self, name: str, **fields: Any) -> str:
        spec = {"name": name, "what": "new tickets", **fields}
        made = self.twin.request("POST", "/v1/agents", token=self.twin.token(), json=spec)
        return str(made.json()["id"])

    def change(self, agent_id: str, **fields: Any) -> None:
        changed = self.twin.request("PATCH", f"/v1/agents/{agent_id}", token=self.twin.token(), json=fields)
        assert changed.status_code == 200

    def runs(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self.twin.get("/v1/runs", token=self.twin.token())["items"]
        return items

    def ended(self, *, count: int) -> list[dict[str, Any]]:
        """The runs, oldest first, once so many have ended."""
        found = eventually(lambda: self._ended_of(count))
        return sorted(found, key=lambda run: str(run["id"]))

    def moments(self, *, count: int) -> list[str]:
        return [str(run["scheduled_at"]) for run in self.ended(count=count)]

    def settled(self) -> None:
        """Wait until every write was followed and every queue is empty."""
        # A request that came twice at once is looked at again half a minute later.
        eventually(
            lambda: not (waiting(self.twin.data, "changes") or waiting(self.twin.data, "queue")), within_s=60
        )

    def _ended_of(self, count: int) -> list[dict[str, Any]]:
        ended = [run for run in self.runs() if run["finished_at"]]
        return ended if len(ended) >= count else []


FILES = {"changes": "omniforge.db", "queue": "runs.db", "appointments": "schedules.db"}


def waiting(data: Path, table: str) -> int:
    with closing(sqlite3.connect(data / FILES[table], timeout=10)) as connection:
        return int(connection.execute(f"select count(*) from {table}").fetchone()[0])


def posted(office: Office, run: dict[str, Any]) -> list[str]:
    """What was posted of the run, wherever that is."""
    token = office.twin.token()
    found: list[str] = []
    for conversation in office.twin.get("/v1/conversations", token=token)["items"]:
        page = office.twin.get(f"/v1/conversations/{conversation['id']}/messages", token=token)
        about = (message for message in page["items"] if run_id_of(message) == run["id"])
        found += [str(message["content"]) for message in about]
    return found


def run_id_of(message: dict[str, Any]) -> str | None:
    run = (message.get("metadata") or {}).get("run") or {}
    return str(run["id"]) if "id" in run else None


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with Twin(tmp_path, clock=EIGHT) as twin:
        yield Office(twin)


def test_a_schedule_fires_when_the_clock_says_so_and_once_for_each_day(office: Office) -> None:
    office.agent("tickets", schedule=DAILY)
    for day in range(2):
        office.twin.set_clock(NINE + day * DAY)
        office.ended(count=day + 1)
    assert office.moments(count=2) == ["2026-03-02T09:00:00.000Z", "2026-03-03T09:00:00.000Z"]
    office.settled()
    assert len(office.runs()) == 2


def test_an_agent_that_is_paused_rests_until_it_is_resumed_and_is_gone_when_deleted(office: Office) -> None:
    agent_id = office.agent("tickets", schedule=DAILY)
    office.agent("witness", schedule={"cron": "30 9 * * *", "time_zone": "UTC"})
    office.change(agent_id, status="paused")
    office.twin.set_clock(NINE + timedelta(minutes=30))
    assert [run["agent_name"] for run in office.ended(count=1)] == ["witness"]
    office.change(agent_id, status="active")
    office.twin.set_clock(NINE + DAY)
    assert [run["agent_name"] for run in office.ended(count=2)] == ["witness", "tickets"]
    office.twin.request("DELETE", f"/v1/agents/{agent_id}", token=office.twin.token())
    office.twin.set_clock(NINE + 2 * DAY + timedelta(minutes=30))
    assert [run["agent_name"] for run in office.ended(count=3)] == ["witness", "tickets", "witness"]


def test_a_changed_schedule_fires_at_its_new_time_only(office: Office) -> None:
    agent_id = office.agent("tickets", schedule=DAILY)
    office.change(agent_id, schedule={"cron": "0 12 * * *", "time_zone": "Europe/Berlin"})
    eventually(lambda: not waiting(office.twin.data, "changes"))
    office.twin.set_clock(NINE + timedelta(hours=2))
    assert office.moments(count=1) == ["2026-03-02T11:00:00.000Z"]


@pytest.mark.parametrize("cron", ["* * * * *", "*/4 * * * *"])
def test_a_schedule_that_comes_true_too_often_is_refused_with_its_own_code(office: Office, cron: str) -> None:
    spec = {"what": "new tickets", "schedule": {"cron": cron}}
    refused = office.twin.request("POST", "/v1/agents", token=office.twin.token(), json=spec)
    assert (refused.status_code, refused.json()["code"]) == (400, "schedule_too_frequent")


def test_days_that_were_missed_are_made_up_for_once(office: Office) -> None:
    office.agent("tickets", schedule=DAILY)
    eventually(lambda: waiting(office.twin.data, "appointments"))
    office.twin.stop()
    office.twin.set_clock(NINE + 30 * DAY)
    office.twin.start()
    assert office.moments(count=1) == ["2026-04-01T09:00:00.000Z"]


def test_a_schedule_that_fires_twice_for_one_moment_makes_one_run(office: Office) -> None:
    agent_id = office.agent("tickets", schedule=DAILY)
    office.twin.set_clock(NINE)
    office.ended(count=1)
    request = RunRequest(TenantId("acme"), "maya", agent_id, scheduled_at=NINE)
    for _ in range(2):
        SqliteRequests(str(office.twin.data / "runs.db")).send(request)
    office.settled()
    [run] = office.ended(count=1)
    assert len(posted(office, run)) == 1


def test_a_run_asked_for_by_talking_is_executed_and_its_result_posted(office: Office) -> None:
    office.agent("tickets")
    office.twin.chat("run tickets", token=office.twin.token())
    [run] = office.ended(count=1)
    assert run["trigger"] == "chat"
    assert len(eventually(lambda: posted(office, run))) == 1


def test_of_two_twins_that_share_a_folder_one_starts_a_run(tmp_path: Path) -> None:
    with Twin(tmp_path, clock=EIGHT) as one, Twin(tmp_path, clock=EIGHT):
        office = Office(one)
        office.agent("tickets", schedule=DAILY)
        one.chat("run tickets", token=one.token())
        one.set_clock(NINE)
        runs = office.ended(count=2)
        office.settled()
        assert [(run["trigger"], run["attempt"]) for run in runs] == [("chat", 1), ("schedule", 1)]


COMMITTED = ("after transact", "before send", "after send", "before update R", "after update R")


@pytest.mark.parametrize("point", COMMITTED)
def test_a_run_that_was_promised_is_executed_once_whenever_the_process_dies(
    tmp_path: Path, point: str
) -> None:
    with MortalTwin(tmp_path, clock=EIGHT) as twin:
        office = Office(twin)
        office.agent("tickets")
        office.settled()
        twin.arm(point)
        try:
            assert twin.chat("run tickets", token=twin.token()).status_code == 200
        except httpx.TransportError:
            assert point == "after transact"
        revive(twin)
        [run] = office.ended(count=1)
        assert len(eventually(lambda: posted(office, run))) == 1
        office.settled()
        assert len(office.runs()) == 1


FIRED = ("before send", "after send", "before put", "after put")


@pytest.mark.parametrize("point", FIRED)
def test_a_schedule_makes_one_run_for_a_moment_whenever_the_process_dies(tmp_path: Path, point: str) -> None:
    with MortalTwin(tmp_path, clock=EIGHT) as twin:
        office = Office(twin)
        office.agent("tickets", schedule=DAILY)
        eventually(lambda: waiting(tmp_path, "appointments"))
        twin.arm(point)
        twin.set_clock(NINE)
        revive(twin)
        [run] = office.ended(count=1)
        assert run["scheduled_at"] == "2026-03-02T09:00:00.000Z"
        assert len(eventually(lambda: posted(office, run))) == 1
        office.settled()
        assert len(office.runs()) == 1


@pytest.mark.parametrize("point", ["after transact", "before keep", "after keep"])
def test_a_new_schedule_counts_whenever_the_process_dies_behind_its_commit(
    tmp_path: Path, point: str
) -> None:
    with MortalTwin(tmp_path, clock=EIGHT) as twin:
        office = Office(twin)
        token = twin.token()
        twin.arm(point)
        spec = {"name": "tickets", "what": "new tickets", "schedule": DAILY}
        try:
            twin.request("POST", "/v1/agents", token=token, json=spec)
        except httpx.TransportError:
            assert point == "after transact"
        revive(twin)
        twin.set_clock(NINE)
        assert office.moments(count=1) == ["2026-03-02T09:00:00.000Z"]


def revive(twin: MortalTwin) -> None:
    """Start the process that died again, a minute later: what it had claimed is free by then."""
    twin.await_death()
    twin.set_clock(FileClock(twin.data / "clock").now() + timedelta(minutes=1))
    twin.restart()
