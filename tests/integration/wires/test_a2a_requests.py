"""What the A2A wire takes besides a turn: no table request for a message, and two reads for a task's."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.fakes.aws.proxy_events import Context, request
from tests.fakes.aws.tables import ObservedTable, Requests
from tests.fakes.deployment import functions


@pytest.fixture
def app(tmp_path: Path) -> ModuleType:
    return functions.load("chat", functions.settings(tmp_path))


def posted(app: ModuleType, path: str, body: object) -> str:
    response = app.stream_handler(request("POST", path, body=body), Context())
    assert response.status == 200
    return b"".join(response.chunks).decode()


def called(app: ModuleType, method: str, **params: Any) -> Any:
    answer = json.loads(posted(app, "/a2a", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
    return answer["result"]


def sent(app: ModuleType, text: str, number: int, **fields: str) -> Any:
    message = {
        "messageId": f"said-{number}",
        "contextId": "main",
        "role": "ROLE_USER",
        "parts": [{"text": text}],
        **fields,
    }
    return called(app, "SendMessage", message=message)["task"]


def test_a_message_takes_the_same_requests_as_on_our_own_wire_and_a_tasks_two_more(app: ModuleType) -> None:
    posted(app, "/v1/chat", {"message": "Hello", "client_id": "main"})
    sent(app, "Hello", 0)
    requests, counts = Requests(), []
    app.tables._table = ObservedTable(app.tables._table, requests)
    for number, text in enumerate(("Hello", "I want our project updates from Notion every Monday"), 1):
        requests.names.clear()
        posted(app, "/v1/chat", {"message": text, "client_id": "main"})
        own = list(requests.names)
        requests.names.clear()
        task = sent(app, text, number)
        counts.append((list(requests.names), own))
    assert [wire for wire, _ in counts] == [own for _, own in counts]
    requests.names.clear()
    posted(app, "/v1/chat", {"message": "Never mind", "client_id": "main"})
    own = list(requests.names)
    requests.names.clear()
    again = sent(app, "Never mind", 9, taskId=task["id"])
    # The policy is read again every few seconds.
    assert requests.names in (["get", "query", *own], ["get", "get", "query", *own])
    assert again["id"] == task["id"]


def test_tasks_are_listed_page_by_page_by_state_and_by_what_changed_since(app: ModuleType) -> None:
    made = [sent(app, text, number) for number, text in enumerate(("Hello", "Thanks", "Good morning"))]
    sent(app, "I want our project updates from Notion every Monday", 3, contextId="other")
    first = called(app, "ListTasks", pageSize=3)
    assert (len(first["tasks"]), first["totalSize"], first["pageSize"]) == (3, 4, 3)
    rest = called(app, "ListTasks", pageSize=3, pageToken=first["nextPageToken"])
    assert ([each["id"] for each in rest["tasks"]], rest["nextPageToken"]) == ([made[0]["id"]], "")
    waiting = called(app, "ListTasks", status="TASK_STATE_INPUT_REQUIRED")["tasks"]
    assert [each["contextId"] for each in waiting] == ["other"]
    of_main = called(app, "ListTasks", contextId="main", statusTimestampAfter=made[0]["status"]["timestamp"])
    assert [each["contextId"] for each in of_main["tasks"]] == ["main"] * len(of_main["tasks"])
    assert "artifacts" not in of_main["tasks"][0]


def test_what_is_asked_is_answered_by_any_message_of_its_context(app: ModuleType) -> None:
    asked = sent(app, "I want our project updates from Notion every Monday", 1)
    assert asked["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
    done = sent(app, "At 9, and report here", 2)
    assert done["status"]["state"] == "TASK_STATE_COMPLETED"
    assert called(app, "GetTask", id=asked["id"])["status"]["state"] == "TASK_STATE_COMPLETED"
