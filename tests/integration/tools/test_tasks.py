"""Tasks through the real functions: what one of them stores the others show, to its owner only."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.deployment import functions

HIDDEN = "hunter2"


@dataclass
class Service:
    """One deployment, and the conversations its users are in."""

    folder: Path
    chat_function: ModuleType
    workspace_function: ModuleType
    conversations: dict[str, str] = field(default_factory=dict)

    def say(self, message: str, *, user: str = "maya", key: str | None = None) -> dict[str, Any]:
        conversation = self.conversations.get(user)
        body = {"message": message, **({"conversation_id": conversation} if conversation else {})}
        headers = {"Idempotency-Key": key} if key else {}
        event = request("POST", "/v1/chat", body=body, headers=headers, user=user)
        answer = functions.invoke(self.chat_function, event)
        assert answer.status == 200, answer.body
        self.conversations[user] = answer.json["conversation_id"]
        return dict(answer.json)

    def tasks(self, method: str, path: str = "", **options: Any) -> Answer:
        event = request(method, f"/v1/tasks{path}", **options)
        return functions.invoke(self.workspace_function, event)

    def titles(self, path: str = "", **options: Any) -> list[str]:
        return [task["title"] for task in self.tasks("GET", path, **options).json["items"]]

    def written(self) -> list[str]:
        with sqlite3.connect(self.folder / "omniforge.db") as connection:
            return list(connection.iterdump())


@pytest.fixture
def service(tmp_path: Path) -> Service:
    settings = functions.settings(tmp_path, OMNIFORGE_CLOCK_FILE=str(tmp_path / "clock"))
    chat, workspace = (functions.load(name, settings) for name in ("chat", "workspace"))
    return Service(tmp_path, chat, workspace)


def test_a_task_added_by_talking_is_there_over_rest_and_for_nobody_else(service: Service) -> None:
    said = service.say("Add a task to buy groceries")
    assert "buy groceries" in said["message"]["content"]
    assert "create_task" in str(said["metadata"]["tool_calls"])
    assert service.titles() == ["buy groceries"]
    assert service.titles(user="noah") == []
    assert service.titles(tenant="acme-eu") == []
    assert "Nothing is on your list" in service.say("what's on my list?", user="noah")["message"]["content"]


def test_a_task_made_over_rest_is_listed_and_done_by_talking(service: Service) -> None:
    made = service.tasks("POST", body={"title": "pay rent", "due_date": "2026-04-01"})
    assert (made.status, made.headers["location"]) == (201, f"/dev/v1/tasks/{made.json['id']}")
    service.tasks("POST", body={"title": "call the dentist"})
    listed = service.say("what's on my list?")["message"]["content"]
    assert "1. pay rent, due" in listed
    assert "2. call the dentist" in listed
    service.say("mark the second one done")
    assert service.titles("?completed=true") == ["call the dentist"]
    assert service.titles("?completed=false") == ["pay rent"]
    service.say("delete the dentist one")
    assert service.titles() == ["pay rent"]


def test_the_same_request_sent_twice_makes_one_task(service: Service) -> None:
    service.say("hello")
    first = service.say("add a task to buy milk", key="k1")
    again = service.say("add a task to buy milk", key="k1")
    assert first["message"] == again["message"]
    assert service.titles() == ["buy milk"]


def test_a_task_is_read_changed_and_deleted(service: Service) -> None:
    made = service.tasks("POST", body={"title": "pay rent", "description": "by bank\ntransfer"}).json
    path = f"/{made['id']}"
    assert service.tasks("GET", path).json == made
    assert made["completed"] is False
    assert made["completed_at"] is None
    done = service.tasks("PATCH", path, body={"completed": True, "due_date": "2026-04-01"}).json
    assert (done["completed"], done["due_date"], done["title"]) == (True, "2026-04-01", "pay rent")
    assert done["completed_at"] is not None
    opened = service.tasks("PATCH", path, body={"completed": False, "due_date": None}).json
    assert (opened["completed_at"], opened["due_date"]) == (None, None)
    assert service.tasks("DELETE", path).status == 204
    assert service.tasks("GET", path).code == "task_not_found"


def test_the_list_comes_in_pages(service: Service) -> None:
    for number in range(5):
        service.tasks("POST", body={"title": f"task {number}"})
    first = service.tasks("GET", "?limit=3").json
    rest = service.tasks("GET", f"?limit=3&cursor={first['next_cursor']}").json
    # Those of one millisecond come in any order.
    assert {task["title"] for task in (*first["items"], *rest["items"])} == {f"task {n}" for n in range(5)}
    assert rest["next_cursor"] is None
    other = service.tasks("GET", f"?limit=3&completed=true&cursor={first['next_cursor']}")
    assert other.code == "cursor_invalid"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "field_missing"),
        ({"title": ""}, "field_empty"),
        ({"title": "  "}, "field_empty"),
        ({"title": 5}, "field_type"),
        ({"title": HIDDEN * 50}, "field_too_long"),
        ({"title": f"{HIDDEN}\n{HIDDEN}"}, "field_invalid"),
        ({"title": "x", "description": HIDDEN * 1_000}, "field_too_long"),
        ({"title": "x", "description": None}, "field_type"),
        ({"title": "x", "due_date": HIDDEN}, "field_type"),
        ({"title": "x", "due_date": "2026-02-30"}, "field_type"),
        ({"title": "x", "due_date": 20260301}, "field_type"),
        ({"title": "x", "completed": True}, "field_unknown"),
        ({"title": "x", "user": HIDDEN}, "field_unknown"),
        ({"title": "x", "id": HIDDEN}, "field_unknown"),
    ],
)
def test_a_task_that_can_not_be(service: Service, body: dict[str, object], code: str) -> None:
    before = service.written()
    refused = service.tasks("POST", body=body)
    assert (refused.status, refused.code) == (400, code)
    assert HIDDEN not in refused.body
    assert service.written() == before


@pytest.mark.parametrize(
    "query", ["completed=yes", "completed=1", "completed=", "completed=true&completed=true"]
)
def test_a_filter_that_means_nothing(service: Service, query: str) -> None:
    assert service.tasks("GET", f"?{query}").code == "query_invalid"


def test_a_change_of_what_is_not_there_makes_nothing(service: Service) -> None:
    before = service.written()
    for task_id in ("0" * 26, "x", "%2e%2e"):
        for method, body in (("GET", None), ("PATCH", {"title": "x"}), ("DELETE", None)):
            assert service.tasks(method, f"/{task_id}", body=body).code == "task_not_found"
    assert service.written() == before
