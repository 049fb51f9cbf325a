"""Agents and tasks that are deleted and restored over HTTP, with the twin's schedules and its clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually

pytestmark = pytest.mark.e2e

MORNING = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
NINE_DAILY = {"cron": "0 9 * * *", "time_zone": "UTC"}
BRIEF = 'Look at our numbers, "as they are", and tell me which rose.'


@dataclass
class User:
    """Somebody with a token of this moment."""

    twin: Twin
    name: str

    def send(self, method: str, path: str, body: object = None) -> Any:
        response = self.twin.request(method, f"/v1/{path}", token=self.twin.token(user=self.name), json=body)
        assert response.is_success, response.text
        return response.json() if response.content else None

    def refused(self, method: str, path: str) -> str:
        response = self.twin.request(method, f"/v1/{path}", token=self.twin.token(user=self.name))
        assert response.headers["content-type"] == "application/problem+json", response.text
        assert response.status_code == 404
        return str(response.json()["code"])

    def listed(self, path: str) -> list[str]:
        return [item["id"] for item in self.send("GET", path)["items"]]


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[Twin]:
    with Twin(tmp_path, clock=MORNING) as twin:
        yield twin


def test_a_restored_agent_is_what_it_was_and_works_on_its_schedule_again(twin: Twin) -> None:
    maya, noah = User(twin, "maya"), User(twin, "noah")
    made = {"name": "numbers", "what": "numbers", "brief": BRIEF, "schedule": NINE_DAILY, "shared": True}
    agent = maya.send("POST", "agents", made)
    path = f"agents/{agent['id']}"
    assert (agent["brief"], noah.send("GET", path)["brief"]) == (BRIEF, BRIEF)

    for _ in range(2):
        maya.send("DELETE", path)
    assert (maya.listed("agents"), noah.listed("agents")) == ([], [])
    assert (maya.listed("agents?deleted=true"), noah.listed("agents?deleted=true")) == ([agent["id"]], [])
    for method, other in (("GET", path), ("POST", f"{path}/restore"), ("DELETE", path)):
        assert noah.refused(method, other) == "agent_not_found"
    twin.set_clock(MORNING + timedelta(days=1, hours=2))
    assert maya.listed("runs") == []

    restored = maya.send("POST", f"{path}/restore")
    same = {name: value for name, value in agent.items() if name not in {"version", "updated_at"}}
    assert {name: restored[name] for name in same} == same
    assert maya.send("POST", f"{path}/restore") == restored
    assert noah.listed("agents") == maya.listed("agents") == [agent["id"]]
    assert maya.listed("agents?deleted=true") == []
    twin.set_clock(MORNING + timedelta(days=2, hours=2))
    [run] = eventually(lambda: maya.send("GET", "runs")["items"])
    assert (run["agent_id"], run["scheduled_at"]) == (agent["id"], "2026-03-04T09:00:00.000Z")


def test_the_lists_of_what_was_deleted_come_in_pages_the_last_deleted_first(twin: Twin) -> None:
    maya = User(twin, "maya")
    for folder, title in (("agents", "what"), ("tasks", "title")):
        ids = [maya.send("POST", folder, {title: f"thing {number}"})["id"] for number in range(3)]
        for place, one in enumerate(ids):
            twin.set_clock(twin_time(place))
            maya.send("DELETE", f"{folder}/{one}")
        first = maya.send("GET", f"{folder}?deleted=true&limit=2")
        rest = maya.send("GET", f"{folder}?deleted=true&limit=2&cursor={first['next_cursor']}")
        items = [*first["items"], *rest["items"]]
        assert [item["id"] for item in items] == ids[::-1]
        assert all(item["deleted_at"] for item in items)
        assert rest["next_cursor"] is None


def twin_time(place: int) -> datetime:
    return MORNING + timedelta(minutes=1 + place)


def test_a_task_deleted_by_talking_is_restored_over_rest(twin: Twin) -> None:
    maya, noah = User(twin, "maya"), User(twin, "noah")
    task = maya.send("POST", "tasks", {"title": "call the dentist", "due_date": "2026-03-09"})
    twin.chat("delete the task call the dentist", token=twin.token())
    path = f"tasks/{task['id']}"
    assert maya.refused("GET", path) == noah.refused("POST", f"{path}/restore") == "task_not_found"
    assert maya.listed("tasks?deleted=true") == [task["id"]]

    restored = maya.send("POST", f"{path}/restore")
    assert restored == {**task, "updated_at": restored["updated_at"]}
    assert maya.listed("tasks") == [task["id"]]


def test_thirty_days_later_nothing_is_restored(twin: Twin) -> None:
    maya = User(twin, "maya")
    paths = [f"agents/{maya.send('POST', 'agents', {'what': 'numbers'})['id']}"]
    paths += [f"tasks/{maya.send('POST', 'tasks', {'title': 'call mom'})['id']}"]
    for path in paths:
        maya.send("DELETE", path)
    twin.set_clock(MORNING + timedelta(days=30, hours=1))
    assert maya.listed("agents?deleted=true") == maya.listed("tasks?deleted=true") == []
    codes = [
        maya.refused(*call) for path in paths for call in (("POST", f"{path}/restore"), ("DELETE", path))
    ]
    assert codes == ["agent_not_found"] * 2 + ["task_not_found"] * 2
