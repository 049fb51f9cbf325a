"""Reminders over the twin: at their minute, once although processes die, and late after a pause."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from tasks.reminders import CLAIM_LIFETIME
from tests.fakes.deployment.faulty_twins import MortalTwin
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually, is_idle

pytestmark = pytest.mark.e2e

MORNING = datetime(2026, 3, 6, 8, 0, tzinfo=UTC)
USER = "maya@acme.example"
NOON = {"title": "call the bank", "due_at": "2026-03-06T13:00", "time_zone": "Europe/Berlin"}
AT_NOON = MORNING.replace(hour=12)


class Maya:
    """A user of a twin, and what reaches her."""

    def __init__(self, twin: Twin, tenant: str) -> None:
        self.twin = twin
        self.tenant = tenant

    def send(self, method: str, path: str, body: object = None) -> Any:
        token = self.twin.token(self.tenant, USER)
        response = self.twin.request(method, path, token=token, json=body)
        assert response.is_success, response.text
        return response.json() if response.content else None

    def add(self, **fields: object) -> str:
        """Add a task, and wait until its reminder is scheduled."""
        before = self.scheduled()
        task = str(self.send("POST", "/v1/tasks", {**NOON, **fields})["id"])
        eventually(lambda: self.scheduled() > before)
        return task

    def scheduled(self) -> int:
        """The number of the tenant's messages that wait for their moment."""
        with closing(sqlite3.connect(self.twin.data / "schedules.db")) as connection:
            bodies = [json.loads(body) for (body,) in connection.execute("select body from once")]
        return sum(body["tenant"] == self.tenant for body in bodies)

    def posted(self) -> list[str]:
        found = self.send("GET", "/v1/conversations")["items"]
        return [
            f"{each['title']}: {message['content']}"
            for each in found
            for message in self.send("GET", f"/v1/conversations/{each['id']}/messages?limit=100")["items"]
        ]

    def mails(self) -> list[str]:
        files = sorted(self.twin.data.rglob("*.eml"))
        return [str(message_from_bytes(file.read_bytes(), policy=default)["Subject"]) for file in files]


@pytest.fixture(scope="module")
def _twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    folder = tmp_path_factory.mktemp("reminders")
    with Twin(folder, clock=MORNING, clock_runs=False) as twin:
        yield twin


@pytest.fixture
def twin(_twin: Twin) -> Twin:
    """Shared by the tests, each with a tenant of its own, at eight o'clock."""
    _twin.set_clock(MORNING)
    return _twin


def test_a_reminder_comes_at_its_minute_and_not_before(twin: Twin) -> None:
    maya = Maya(twin, "minute")
    maya.add()
    twin.set_clock(AT_NOON - timedelta(seconds=1))
    assert maya.posted() == []
    twin.set_clock(AT_NOON)
    eventually(maya.posted)
    assert maya.posted() == ["Reminders: Reminder: call the bank."]
    assert "Reminder: call the bank" in eventually(maya.mails)


def test_a_task_that_is_moved_completed_or_deleted_keeps_no_reminder(twin: Twin) -> None:
    maya = Maya(twin, "changed")
    moved, done, deleted = (maya.add(title=title) for title in ("move", "complete", "delete"))
    maya.send("PATCH", f"/v1/tasks/{moved}", {"due_date": "2026-03-07"})
    maya.send("PATCH", f"/v1/tasks/{done}", {"completed": True})
    maya.send("DELETE", f"/v1/tasks/{deleted}")
    eventually(lambda: maya.scheduled() == 1)
    twin.set_clock(AT_NOON + timedelta(days=1))
    eventually(maya.posted)
    eventually(lambda: is_idle(twin.data))
    assert maya.posted() == ["Reminders: Reminder: move."]


def test_a_repeating_task_reminds_each_time_and_moves_on_when_it_is_done(twin: Twin) -> None:
    maya = Maya(twin, "repeating")
    task = maya.add(title="send the report", due_at=None, repeat="0 13 * * 5")
    twin.set_clock(AT_NOON)
    eventually(maya.posted)
    eventually(lambda: maya.scheduled() == 1)
    twin.set_clock(AT_NOON + timedelta(weeks=1))
    eventually(lambda: len(maya.posted()) == 2)
    done = maya.send("PATCH", f"/v1/tasks/{task}", {"completed": True})
    assert (done["completed"], done["due_at"]) == (False, "2026-03-20T13:00")
    maya.send("DELETE", f"/v1/tasks/{task}")
    eventually(lambda: maya.scheduled() == 0)


def test_an_erased_users_reminders_are_gone(twin: Twin) -> None:
    maya = Maya(twin, "erased")
    maya.add()
    token = twin.token("erased", "root", ["admin"])
    erased = twin.request("POST", f"/v1/users/{USER}/erasures", token=token)
    assert erased.is_success, erased.text
    eventually(lambda: maya.scheduled() == 0)


def test_what_was_missed_while_nothing_ran_comes_late_once_and_says_so(tmp_path: Path) -> None:
    with Twin(tmp_path, clock=MORNING, clock_runs=False) as twin:
        maya = Maya(twin, "late")
        maya.add()
        twin.stop()
        twin.set_clock(AT_NOON + timedelta(days=2))
        twin.restart()
        eventually(maya.posted)
        eventually(lambda: is_idle(twin.data))
        twin.stop()
        twin.restart()
        eventually(lambda: is_idle(twin.data))
        [text] = maya.posted()
        late = "It is late: it was to come on 6 March 2026, 1:00 PM (Europe/Berlin)."
        assert text == f"Reminders: Reminder: call the bank. {late}"
        assert len(maya.mails()) == 1


def test_two_twins_on_one_folder_remind_once(tmp_path: Path) -> None:
    with (
        Twin(tmp_path, clock=MORNING, clock_runs=False) as twin,
        Twin(tmp_path, clock=MORNING, clock_runs=False),
    ):
        maya = Maya(twin, "two")
        for number in range(5):
            maya.add(title=f"task {number}")
        twin.set_clock(AT_NOON)
        eventually(lambda: len(maya.mails()) == 5)
        eventually(lambda: is_idle(tmp_path))
        assert sorted(maya.posted()) == [f"Reminders: Reminder: task {number}." for number in range(5)]


@pytest.mark.parametrize("point", ["before transact", "after transact", "before update T", "after update T"])
def test_a_process_that_is_killed_while_it_reminds_has_reminded_once(tmp_path: Path, point: str) -> None:
    with MortalTwin(tmp_path, clock=MORNING, clock_runs=False) as mortal:
        maya = Maya(mortal, "killed")
        task = maya.add()
        eventually(lambda: is_idle(tmp_path))
        mortal.arm(point)
        mortal.set_clock(AT_NOON)
        mortal.await_death()
        mortal.set_clock(AT_NOON + CLAIM_LIFETIME)
        mortal.restart()
        eventually(maya.mails)
        eventually(lambda: is_idle(tmp_path), within_s=90)
        assert maya.posted() == ["Reminders: Reminder: call the bank."]
        assert len(maya.mails()) == 1
        maya.send("DELETE", f"/v1/tasks/{task}")


def test_a_reminder_comes_into_the_conversation_in_which_it_was_asked_for(twin: Twin) -> None:
    maya = Maya(twin, "talking")
    reply = maya.send("POST", "/v1/chat", {"message": "add a task to call the bank"})
    [task] = maya.send("GET", "/v1/tasks")["items"]
    due = {"due_at": "2026-03-06T13:00", "time_zone": "Europe/Berlin"}
    before = maya.scheduled()
    maya.send("PATCH", f"/v1/tasks/{task['id']}", due)
    eventually(lambda: maya.scheduled() > before)
    twin.set_clock(AT_NOON)
    path = f"/v1/conversations/{reply['conversation_id']}/messages"
    eventually(lambda: len(maya.send("GET", path)["items"]) == 3)
    message = maya.send("GET", path)["items"][-1]
    assert (message["role"], message["content"]) == ("assistant", "Reminder: call the bank.")
    assert message["metadata"]["task"]["id"] == task["id"]
    done = {"message": "done", "conversation_id": reply["conversation_id"]}
    maya.send("POST", "/v1/chat", done)
    assert maya.send("GET", f"/v1/tasks/{task['id']}")["completed"]


def test_what_is_asked_for_again_and_again_in_the_chat_reminds_each_time(twin: Twin) -> None:
    maya = Maya(twin, "told")
    message = "remind me every friday at 1pm to send the timesheet"
    said = maya.send("POST", "/v1/chat", {"message": message, "time_zone": "Europe/Berlin"})
    assert "then Fridays at 1:00 PM" in said["message"]["content"]
    [task] = maya.send("GET", "/v1/tasks")["items"]
    assert (task["title"], task["repeat"]) == ("send the timesheet", "0 13 * * 5")
    eventually(lambda: maya.scheduled() == 1)
    twin.set_clock(AT_NOON)
    eventually(lambda: any("Reminder: send the timesheet" in one for one in maya.posted()))


def test_a_time_that_no_task_can_have_is_asked_about_and_the_task_kept(twin: Twin) -> None:
    maya = Maya(twin, "asked")
    say = {"message": "remind me every other friday to water the cactus", "time_zone": "Europe/Berlin"}
    said = maya.send("POST", "/v1/chat", say)
    assert "can't come again" in said["message"]["content"]
    answer = {"message": "fridays at 10am", "conversation_id": said["conversation_id"]}
    maya.send("POST", "/v1/chat", {**answer, "time_zone": "Europe/Berlin"})
    [task] = maya.send("GET", "/v1/tasks")["items"]
    assert (task["title"], task["repeat"]) == ("water the cactus", "0 10 * * 5")
