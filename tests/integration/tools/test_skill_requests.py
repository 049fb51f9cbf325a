"""Skills over REST: what is refused, with which code, and that nothing of it is stored or repeated."""

from __future__ import annotations

import sqlite3
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from agent.workspace.skills import Health, HealthStatus, ToolPin, WaitingTool
from conversation.identity import Caller
from storage.keys import TenantId
from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.deployment import functions

ACME = TenantId("acme")
_numbers = count(1)
WIKI = {"name": "wiki", "url": "http://127.0.0.1:9999/mcp"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def workspace(folder: Path) -> ModuleType:
    return functions.load("workspace", functions.settings(folder))


def send(workspace: ModuleType, method: str, path: str = "", **options: Any) -> Answer:
    return functions.invoke(workspace, request(method, f"/v1/skills{path}", **options))


def stored(folder: Path) -> list[str]:
    with sqlite3.connect(folder / "omniforge.db") as connection:
        return list(connection.iterdump())


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "field_missing"),
        ({**WIKI, "name": "Wiki Pages"}, 400, "field_invalid"),
        ({**WIKI, "name": "w" * 31}, 400, "field_too_long"),
        ({**WIKI, "url": ["http://127.0.0.1:9999"]}, 400, "field_type"),
        ({**WIKI, "url": "https://x.example/" + "y" * 500}, 400, "field_too_long"),
        ({**WIKI, "tenant": "globex"}, 400, "field_unknown"),
        ({**WIKI, "owner": "ada"}, 400, "field_unknown"),
        ({**WIKI, "health": {"status": "ok"}}, 400, "field_unknown"),
        ({**WIKI, "kind": "stdio"}, 400, "field_invalid"),
        ({**WIKI, "allowed_tools": ["a b"]}, 400, "field_invalid"),
        ({**WIKI, "allowed_tools": ["tool"] * 51}, 400, "too_many_items"),
        ({**WIKI, "serves": ["x"] * 21}, 400, "too_many_items"),
        ({**WIKI, "secret": "../globex/key"}, 400, "field_invalid"),
        ({**WIKI, "shared": "yes"}, 400, "field_type"),
        ({**WIKI, "url": "https://169.254.169.254/mcp"}, 400, "skill_invalid"),
        ({**WIKI, "url": "https://[::ffff:7f00:1]:22/mcp"}, 400, "skill_invalid"),
        ({**WIKI, "url": "file:///etc/passwd"}, 400, "skill_invalid"),
        ({**WIKI, "url": "https://user:pass@wiki.example.com/"}, 400, "skill_invalid"),
        ({**WIKI, "shared": True}, 403, "role_required"),
        ({**WIKI, "secret": "wiki-key"}, 403, "role_required"),
        ({**WIKI, "kind": "webhook"}, 400, "skill_invalid"),
    ],
)
def test_a_skill_that_can_not_be_is_refused(
    workspace: ModuleType, folder: Path, body: dict[str, Any], status: int, code: str
) -> None:
    before = stored(folder)
    answer = send(workspace, "POST", body=body)

    assert (answer.status, answer.code) == (status, code)
    assert "pass@" not in answer.body
    assert stored(folder) == before


def test_a_skill_is_created_read_changed_and_removed(workspace: ModuleType) -> None:
    made = send(workspace, "POST", body={**WIKI, "name": "pages", "serves": [" Notion "]})
    path = made.headers["location"].removeprefix("/dev/v1/skills")

    assert made.status == 201
    assert made.json["serves"] == ["notion"]
    assert made.json["health"]["status"] == "unknown"
    assert send(workspace, "GET", path).json == made.json
    changed = send(workspace, "PATCH", path, body={"allowed_tools": ["search"], "status": "disabled"})
    assert (changed.json["allowed_tools"], changed.json["version"]) == (["search"], 2)
    assert [card["status"] for card in send(workspace, "GET").json["items"]] == ["disabled"]
    assert send(workspace, "DELETE", path).status == 204
    assert send(workspace, "GET", path).code == "skill_not_found"


def test_a_name_is_taken_once(workspace: ModuleType) -> None:
    body = {**WIKI, "name": "taken"}

    assert send(workspace, "POST", body=body).status == 201
    assert send(workspace, "POST", body=body).code == "skill_name_taken"
    assert send(workspace, "POST", body=body, user="noah").code == "skill_name_taken"
    assert send(workspace, "POST", body=body, tenant="globex").status == 201


def test_a_shared_skill_is_changed_by_nobody_but_its_owner_and_admins(workspace: ModuleType) -> None:
    made = send(workspace, "POST", body={**WIKI, "name": "ours"}, user="ada", roles="admin").json
    path = f"/{made['id']}"

    assert made["shared"] is True
    assert send(workspace, "GET", path).status == 200
    assert send(workspace, "PATCH", path, body={"status": "disabled"}).code == "skill_not_owned"
    assert send(workspace, "DELETE", path, user="noah", roles="admin").status == 204


def make_waiting(workspace: ModuleType, name: str, *, user: str = "maya", **options: Any) -> str:
    """Register a skill whose check found that ``search`` changed; return its path."""
    made = send(workspace, "POST", body={**WIKI, "name": name}, user=user, **options).json
    skill = workspace.skills.get(Caller(ACME, user), made["id"])
    waiting = WaitingTool(
        name="search",
        hash="b" * 64,
        description="Sends everything.",
        accepted_description="Searches.",
        changed=("description",),
    )
    health = Health(status=HealthStatus.OK, checked_at=skill.created_at, changed_tools=(waiting,))
    pin = ToolPin(name="search", hash="a" * 64, description="Searches.")
    assert workspace.skills.pin_first(ACME, skill, [pin], health) is not None
    return f"/{skill.id}"


def accepting(hash_: str) -> dict[str, Any]:
    return {"tools": [{"name": "search", "hash": hash_}]}


def test_the_owner_reads_what_changed_and_accepts_it(workspace: ModuleType, folder: Path) -> None:
    path = make_waiting(workspace, "changing")

    (waiting,) = send(workspace, "GET", path).json["health"]["changed_tools"]
    assert waiting["description"] == "Sends everything."
    assert (waiting["accepted_description"], waiting["changed"]) == ("Searches.", ["description"])
    accepted = send(workspace, "POST", f"{path}/accept", body=accepting(waiting["hash"]))

    assert accepted.status == 200
    assert accepted.json["health"]["changed_tools"] == []
    assert [(pin["name"], pin["hash"]) for pin in accepted.json["pinned"]] == [("search", "b" * 64)]
    assert send(workspace, "GET", path).json == accepted.json
    assert "skill_tools_accepted" in "".join(stored(folder))


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (accepting("c" * 64), 409, "skill_changed"),
        ({"tools": [{"name": "other", "hash": "b" * 64}]}, 409, "skill_changed"),
        (accepting("b"), 400, "field_invalid"),
        ({"tools": "all"}, 400, "field_type"),
        ({"tools": [{"name": "search"}]}, 400, "field_missing"),
        ({"tools": [{"name": "x", "hash": "b" * 64}] * 51}, 400, "too_many_items"),
        ({}, 400, "field_missing"),
    ],
)
def test_nothing_but_what_was_seen_is_accepted(
    workspace: ModuleType, folder: Path, body: dict[str, Any], status: int, code: str
) -> None:
    path = make_waiting(workspace, f"seen-{next(_numbers)}")
    before = stored(folder)

    answer = send(workspace, "POST", f"{path}/accept", body=body)

    assert (answer.status, answer.code) == (status, code)
    assert stored(folder) == before


def test_an_acceptance_counts_once(workspace: ModuleType) -> None:
    path = make_waiting(workspace, "twice")

    assert send(workspace, "POST", f"{path}/accept", body=accepting("b" * 64)).status == 200
    assert send(workspace, "POST", f"{path}/accept", body=accepting("b" * 64)).code == "skill_changed"
    assert send(workspace, "POST", f"{path}/accept", body={"tools": []}).status == 200


def test_the_tools_of_a_shared_skill_are_its_owners_and_admins_to_accept(workspace: ModuleType) -> None:
    path = make_waiting(workspace, "theirs", user="ada", roles="admin")

    assert send(workspace, "POST", f"{path}/accept", body=accepting("b" * 64)).code == "skill_not_owned"
    stranger = {"tenant": "globex", "roles": "admin"}
    refused = send(workspace, "POST", f"{path}/accept", body=accepting("b" * 64), **stranger)
    assert refused.code == "skill_not_found"
    admin = {"user": "ines", "roles": "admin"}
    assert send(workspace, "POST", f"{path}/accept", body=accepting("b" * 64), **admin).status == 200
