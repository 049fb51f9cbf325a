"""What is made under an Idempotency-Key is made once, whoever asks again, and in whichever process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.deployment import functions
from tests.fakes.deployment.creating_functions import AGENT, SKILL, CreatingFunctions


@dataclass(frozen=True)
class Kind:
    """How a thing of one kind is made, another one, listed and deleted."""

    function: str
    path: str
    body: dict[str, Any]
    other: dict[str, Any]
    status: int = 201


KINDS = {
    "task": Kind("workspace", "/v1/tasks", {"title": "call the bank"}, {"title": "call the dentist"}),
    "agent": Kind("workspace", "/v1/agents", {**AGENT, "name": "watch"}, {"what": "tickets"}),
    "unnamed agent": Kind("workspace", "/v1/agents", AGENT, {"what": "tickets"}),
    "skill": Kind("workspace", "/v1/skills", SKILL, {**SKILL, "name": "crm"}),
    "conversation": Kind("conversations", "/v1/conversations", {"title": "Fair"}, {"title": "Travel"}),
}


@dataclass
class Service:
    """Two processes of each function over one file, and a clock that can be set."""

    folder: Path

    def __post_init__(self) -> None:
        settings = functions.settings(self.folder, OMNIFORGE_CLOCK_FILE=str(self.folder / "clock"))
        self.processes = [CreatingFunctions(settings), CreatingFunctions(settings)]

    def make(self, kind: Kind, key: str, body: dict[str, Any] | None = None, *, process: int = 0) -> Answer:
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        return self.processes[process].ask(
            kind.function, "POST", kind.path, body=body or kind.body, headers=headers
        )

    def made(self, kind: Kind) -> list[str]:
        listed = self.processes[0].ask(kind.function, "GET", kind.path)
        return [each["id"] for each in listed.json["items"]]

    @contextmanager
    def later(self, **by: float) -> Iterator[None]:
        clock = self.folder / "clock"
        clock.write_text((datetime.now(UTC) + timedelta(**by)).isoformat())
        try:
            yield
        finally:
            clock.unlink()


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service(tmp_path)


def test_a_repeated_request_gets_what_the_first_one_made(service: Service, kind: Kind) -> None:
    first = service.make(kind, "once")
    again = service.make(kind, "once", process=1)

    assert (first.status, again.status) == (201, 201)
    assert again.json == first.json
    assert again.headers["location"] == first.headers["location"]
    assert again.headers["idempotency-replayed"] == "true"
    assert "idempotency-replayed" not in first.headers
    assert service.made(kind) == [first.json["id"]]


def test_the_key_with_another_body_is_refused(service: Service, kind: Kind) -> None:
    first = service.make(kind, "once")
    other = service.make(kind, "once", kind.other)

    assert (other.status, other.code) == (422, "idempotency_key_reused")
    assert service.made(kind) == [first.json["id"]]


def test_of_requests_at_once_in_two_processes_one_makes_it(service: Service, kind: Kind) -> None:
    for process in (0, 1):
        service.processes[process].load(kind.function)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: service.make(kind, "once", process=n % 2), range(8)))

    assert {answer.status for answer in answers} == {201}
    assert len({answer.json["id"] for answer in answers}) == 1
    assert sum("idempotency-replayed" not in answer.headers for answer in answers) == 1
    assert len(service.made(kind)) == 1


def test_a_key_is_free_again_after_a_day(service: Service, kind: Kind) -> None:
    first = service.make(kind, "once")
    with service.later(days=1, minutes=1):
        later = service.make(kind, "once", kind.other)

    assert later.status == 201
    assert "idempotency-replayed" not in later.headers
    assert later.json["id"] != first.json["id"]


def test_a_key_is_one_users_own(service: Service, kind: Kind) -> None:
    headers = {"Content-Type": "application/json", "Idempotency-Key": "once"}
    function = service.processes[0].load(kind.function)
    callers = [("acme", "maya"), ("acme", "noah"), ("globex", "maya")]
    # Skills have names that a tenant gives once.
    bodies = [{**kind.body, "name": f"own-{n}"} if "name" in kind.body else kind.body for n in range(3)]
    made = [
        functions.invoke(
            function, request("POST", kind.path, body=body, headers=headers, tenant=tenant, user=user)
        )
        for (tenant, user), body in zip(callers, bodies, strict=True)
    ]

    assert [answer.status for answer in made] == [201, 201, 201]
    assert len({answer.json["id"] for answer in made}) == 3


def test_a_refused_request_leaves_its_key_free(service: Service) -> None:
    kind = KINDS["agent"]
    service.make(kind, "first")
    refused = service.make(kind, "second")
    accepted = service.make(kind, "second", kind.other)

    assert (refused.status, refused.code) == (409, "agent_name_taken")
    assert accepted.status == 201


def test_what_was_deleted_since_is_gone_and_not_made_again(service: Service, kind: Kind) -> None:
    first = service.make(kind, "once")
    service.processes[0].ask(kind.function, "DELETE", f"{kind.path}/{first.json['id']}")

    again = service.make(kind, "once")

    assert again.status == 404
    assert service.made(kind) == []


def test_a_repeated_request_is_answered_when_the_quota_is_used_up(service: Service) -> None:
    kind = KINDS["task"]
    service.processes[0].grant(per_user_per_day={"tasks": 1})
    first = service.make(kind, "once")

    assert service.make(kind, "other").code == "daily_limit_reached"
    assert service.make(kind, "once").json == first.json


@pytest.fixture
def repeatable(service: Service) -> Callable[[str], tuple[Kind, Kind]]:
    """What is made of something else: the request, and the same with another body."""

    def prepare(name: str) -> tuple[Kind, Kind]:
        made_by = service.processes[0]
        if name == "run":
            path = f"/v1/agents/{made_by.agent()}/runs"
            return (
                Kind("workspace", path, {"parameters": {"period": "Q1"}}, {"parameters": {"period": "Q2"}}),
                Kind("workspace", "/v1/runs", {}, {}),
            )
        source = made_by.conversation()
        listed = made_by.ask("conversations", "GET", f"/v1/conversations/{source}/messages")
        message = {"message_id": listed.json["items"][0]["id"]}
        return (
            Kind("conversations", f"/v1/conversations/{source}/fork", message, {"message_id": None}),
            Kind("conversations", "/v1/conversations", {}, {}),
        )

    return prepare


@pytest.mark.parametrize(("name", "status"), [("run", 202), ("fork", 201)])
def test_runs_and_forks_say_what_they_repeat(
    service: Service, repeatable: Callable[[str], tuple[Kind, Kind]], name: str, status: int
) -> None:
    kind, listed = repeatable(name)
    before = set(service.made(listed))

    first, again = service.make(kind, "once"), service.make(kind, "once", process=1)
    other = service.make(kind, "once", kind.other)

    assert (first.status, again.status) == (status, status)
    assert again.json["id"] == first.json["id"]
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    assert (other.status, other.code) == (422, "idempotency_key_reused")
    assert set(service.made(listed)) - before == {first.json["id"]}


def call_tool(service: Service, key: object, *, process: int = 0, title: str = "call the bank") -> Answer:
    parameters = {
        "name": "create_task",
        "arguments": {"title": title},
        "_meta": {"omniforge/idempotency-key": key},
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    return service.processes[process].ask("mcp", "POST", "/mcp", body=body, headers=headers)


def test_an_mcp_client_makes_a_task_once_under_its_key(service: Service) -> None:
    first, again = (call_tool(service, "once", process=n).json["result"] for n in (0, 1))
    other = call_tool(service, "once", title="call the dentist").json["result"]

    assert again["structuredContent"]["id"] == first["structuredContent"]["id"]
    assert again["_meta"]["omniforge/idempotency-replayed"] is True
    assert "omniforge/idempotency-replayed" not in first.get("_meta", {})
    assert other["isError"] is True
    assert "used with a different request" in other["content"][0]["text"]
    assert service.made(KINDS["task"]) == [first["structuredContent"]["id"]]


@pytest.mark.parametrize("key", ["", "k" * 256, "schlüssel", 7, {"a": 1}])
def test_an_mcp_clients_key_that_is_none_is_refused(service: Service, key: object) -> None:
    refused = call_tool(service, key)

    assert "1 to 255 visible characters" in refused.json["error"]["message"]
    assert service.made(KINDS["task"]) == []
