"""Runs start behind the commit that asks for them, and when a schedule says so, whatever process dies."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, time, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from agent.runs.run_queue import RunRequest
from conversation.clock import FileClock, to_text
from edge.adapters.queues import SqliteRequestQueue
from storage.keys import TenantId
from tests.fakes.deployment.faulty_twins import MortalTwin
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually

pytestmark = pytest.mark.e2e

BEGINNING = datetime(2026, 3, 1, 8, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
DAILY = {"cron": "0 9 * * *", "time_zone": "UTC"}
_numbers = count(1)


class Office:
    """Maya's agents in a tenant of her own. She begins at eight, on a day nobody has lived yet."""

    def __init__(self, twin: Twin) -> None:
        self.twin = twin
        self.tenant = f"office-{next(_numbers)}"
        self.eight = datetime.combine(FileClock(twin.data / "clock").now() + DAY, time(8), UTC)
        self.nine = self.eight + HOUR
        twin.set_clock(self.eight)

    def token(self) -> str:
        return self.twin.token(self.tenant)

    def say(self, message: str) -> httpx.Response:
        return self.twin.chat(message, token=self.token())

    def agent(self, name: str, **fields: Any) -> str:
        spec = {"name": name, "what": "new tickets", **fields}
        made = self.twin.request("POST", "/v1/agents", token=self.token(), json=spec)
        return str(made.json()["id"])

    def change(self, agent_id: str, **fields: Any) -> None:
        changed = self.twin.request("PATCH", f"/v1/agents/{agent_id}", token=self.token(), json=fields)
        assert changed.status_code == 200

    def dismiss(self, agent_id: str) -> None:
        self.twin.request("DELETE", f"/v1/agents/{agent_id}", token=self.token())

    def close(self) -> None:
        """Leave nothing that would happen in the next test."""
        for agent in self.twin.get("/v1/agents", token=self.token())["items"]:
            self.dismiss(agent["id"])
        self.settled()

    def runs(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self.twin.get("/v1/runs", token=self.token())["items"]
        return items

    def ended(self, *, count: int) -> list[dict[str, Any]]:
        """The runs, oldest first, once so many have ended."""
        found = eventually(lambda: self._ended_of(count))
        return sorted(found, key=lambda run: str(run["id"]))

    def moments(self, *, count: int) -> list[str]:
        return [str(run["scheduled_at"]) for run in self.ended(count=count)]

    def settled(self) -> None:
        """Wait until every write was followed and every queue is empty."""
        eventually(self._is_quiet)

    def _is_quiet(self) -> bool:
        # A request that came twice at once would be looked at again half a minute later.
        hurry(self.twin.data)
        return not (waiting(self.twin.data, "writes") or waiting(self.twin.data, "queue"))

    def _ended_of(self, count: int) -> list[dict[str, Any]]:
        ended = [run for run in self.runs() if run["finished_at"]]
        return ended if len(ended) >= count else []


FILES = {"writes": "omniforge.db", "queue": "runs.db", "appointments": "schedules.db"}


def waiting(data: Path, table: str) -> int:
    with closing(sqlite3.connect(data / FILES[table], timeout=10)) as connection:
        return int(connection.execute(f"select count(*) from {table}").fetchone()[0])


def hurry(data: Path) -> None:
    """Let the time be over that entries of the queue wait for; those that are worked on stay as they are."""
    with closing(sqlite3.connect(data / FILES["queue"], timeout=10)) as connection, connection:
        connection.execute("update queue set delay_s = 0")
        connection.execute("update deliveries set visible_at = 0 where receives = 0")


def posted(office: Office, run: dict[str, Any]) -> list[str]:
    """What was posted of the run, wherever that is."""
    token = office.token()
    found: list[str] = []
    for conversation in office.twin.get("/v1/conversations", token=token)["items"]:
        page = office.twin.get(f"/v1/conversations/{conversation['id']}/messages", token=token)
        about = (message for message in page["items"] if run_id_of(message) == run["id"])
        found += [str(message["content"]) for message in about]
    return found


def run_id_of(message: dict[str, Any]) -> str | None:
    run = (message.get("metadata") or {}).get("run") or {}
    return str(run["id"]) if "id" in run else None


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("starting"), clock=BEGINNING) as running:
        yield running


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MortalTwin]:
    with MortalTwin(tmp_path_factory.mktemp("mortal"), clock=BEGINNING) as running:
        yield running


@pytest.fixture
def office(twin: Twin) -> Iterator[Office]:
    office = Office(twin)
    yield office
    office.close()


@pytest.fixture
def doomed(mortal: MortalTwin) -> Iterator[Office]:
    """An office whose twin is about to die."""
    office = Office(mortal)
    yield office
    office.close()


def test_a_schedule_fires_when_the_clock_says_so_and_once_for_each_day(office: Office) -> None:
    office.agent("tickets", schedule=DAILY)
    mornings = [office.nine, office.nine + DAY]
    for day, morning in enumerate(mornings):
        office.twin.set_clock(morning)
        office.ended(count=day + 1)
    assert office.moments(count=2) == [to_text(morning) for morning in mornings]
    office.settled()
    assert len(office.runs()) == 2


def test_an_agent_that_is_paused_rests_until_it_is_resumed_and_is_gone_when_deleted(office: Office) -> None:
    agent_id = office.agent("tickets", schedule=DAILY)
    office.agent("witness", schedule={"cron": "30 9 * * *", "time_zone": "UTC"})
    office.change(agent_id, status="paused")
    office.twin.set_clock(office.nine + timedelta(minutes=30))
    assert [run["agent_name"] for run in office.ended(count=1)] == ["witness"]
    office.change(agent_id, status="active")
    office.twin.set_clock(office.nine + DAY)
    assert [run["agent_name"] for run in office.ended(count=2)] == ["witness", "tickets"]
    office.dismiss(agent_id)
    office.twin.set_clock(office.nine + 2 * DAY + timedelta(minutes=30))
    assert [run["agent_name"] for run in office.ended(count=3)] == ["witness", "tickets", "witness"]


def test_a_changed_schedule_fires_at_its_new_time_only(office: Office) -> None:
    agent_id = office.agent("tickets", schedule=DAILY)
    office.change(agent_id, schedule={"cron": "0 20 * * *", "time_zone": "Asia/Tokyo"})
    office.settled()
    office.twin.set_clock(office.nine + 2 * HOUR)
    assert office.moments(count=1) == [to_text(office.nine + 2 * HOUR)]


@pytest.mark.parametrize("cron", ["* * * * *", "*/4 * * * *"])
def test_a_schedule_that_comes_true_too_often_is_refused_with_its_own_code(office: Office, cron: str) -> None:
    spec = {"what": "new tickets", "schedule": {"cron": cron}}
    refused = office.twin.request("POST", "/v1/agents", token=office.token(), json=spec)
    assert (refused.status_code, refused.json()["code"]) == (400, "schedule_too_frequent")


def test_days_that_were_missed_are_made_up_for_once(office: Office) -> None:
    office.agent("tickets", schedule=DAILY)
    office.settled()
    office.twin.stop()
    office.twin.set_clock(office.nine + 30 * DAY)
    office.twin.start()
    assert office.moments(count=1) == [to_text(office.nine + 30 * DAY)]


def test_a_schedule_that_fires_twice_for_one_moment_makes_one_run(office: Office) -> None:
    agent_id = office.agent("tickets", schedule=DAILY)
    office.twin.set_clock(office.nine)
    office.ended(count=1)
    request = RunRequest(TenantId(office.tenant), "maya", agent_id, scheduled_at=office.nine)
    for _ in range(2):
        SqliteRequestQueue(str(office.twin.data / "runs.db")).send(request)
    office.settled()
    [run] = office.ended(count=1)
    assert len(posted(office, run)) == 1


def test_a_run_asked_for_by_talking_is_executed_and_its_result_posted(office: Office) -> None:
    office.agent("tickets")
    office.say("run tickets")
    [run] = office.ended(count=1)
    assert run["trigger"] == "chat"
    assert len(eventually(lambda: posted(office, run))) == 1


def test_of_two_twins_that_share_a_folder_one_starts_a_run(office: Office) -> None:
    with Twin(office.twin.data, clock=office.eight):
        office.agent("tickets", schedule=DAILY)
        office.say("run tickets")
        office.twin.set_clock(office.nine)
        runs = office.ended(count=2)
        office.settled()
        assert [(run["trigger"], run["attempt"]) for run in runs] == [("chat", 1), ("schedule", 1)]


COMMITTED = ("after transact", "before send", "after send", "before update R", "after update R")


@pytest.mark.parametrize("point", COMMITTED)
def test_a_run_that_was_promised_is_executed_once_whenever_the_process_dies(
    mortal: MortalTwin, doomed: Office, point: str
) -> None:
    doomed.agent("tickets")
    doomed.settled()
    mortal.arm(point)
    try:
        assert doomed.say("run tickets").status_code == 200
    except httpx.TransportError:
        assert point == "after transact"
    revive(mortal)
    [run] = doomed.ended(count=1)
    assert len(eventually(lambda: posted(doomed, run))) == 1
    doomed.settled()
    assert len(doomed.runs()) == 1


FIRED = ("before send", "after send", "before put", "after put")


@pytest.mark.parametrize("point", FIRED)
def test_a_schedule_makes_one_run_for_a_moment_whenever_the_process_dies(
    mortal: MortalTwin, doomed: Office, point: str
) -> None:
    doomed.agent("tickets", schedule=DAILY)
    doomed.settled()
    mortal.arm(point)
    mortal.set_clock(doomed.nine)
    revive(mortal)
    [run] = doomed.ended(count=1)
    assert run["scheduled_at"] == to_text(doomed.nine)
    assert len(eventually(lambda: posted(doomed, run))) == 1
    doomed.settled()
    assert len(doomed.runs()) == 1


@pytest.mark.parametrize("point", ["after transact", "before keep", "after keep"])
def test_a_new_schedule_counts_whenever_the_process_dies_behind_its_commit(
    mortal: MortalTwin, doomed: Office, point: str
) -> None:
    doomed.settled()
    mortal.arm(point)
    try:
        doomed.agent("tickets", schedule=DAILY)
    except httpx.TransportError:
        assert point == "after transact"
    revive(mortal)
    mortal.set_clock(doomed.nine)
    assert doomed.moments(count=1) == [to_text(doomed.nine)]


def revive(twin: MortalTwin) -> None:
    """Start the process that died again, a minute later: what it had claimed is free by then."""
    twin.await_death()
    twin.set_clock(FileClock(twin.data / "clock").now() + timedelta(minutes=1))
    twin.restart()
