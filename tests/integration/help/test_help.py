"""The help over REST: listed, searched, and written by administrators with a record of it."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.deployment import functions

OFFICE = {"title": "When is the office open?", "questions": ["office hours"], "text": "Nine to five."}
ROUTE = "/v1/tenant/answers/office-hours"


@pytest.fixture
def workspace(tmp_path: Path) -> ModuleType:
    return functions.load("workspace", functions.settings(tmp_path))


def ask(workspace: ModuleType, method: str, path: str, **options: Any) -> Answer:
    return functions.invoke(workspace, request(method, path, **options))


def titles(answer: Answer) -> list[str]:
    assert answer.status == 200
    return [each["title"] for each in answer.json["items"]]


def test_help_lists_all_answers_with_what_holds_in_the_workspace(workspace: ModuleType) -> None:
    answer = ask(workspace, "GET", "/v1/help")
    assert len(titles(answer)) > 100
    [kept] = [each["text"] for each in answer.json["items"] if each["id"] == "retention"]
    assert "30 days after their last activity" in kept


def test_help_is_searched_by_words(workspace: ModuleType) -> None:
    found = titles(ask(workspace, "GET", "/v1/help?q=is+it+encrypted"))
    assert found[0] == "Is my data safe and encrypted?"
    assert titles(ask(workspace, "GET", "/v1/help?q=xyzzy")) == []


def test_an_answer_of_the_tenants_comes_first_for_the_tenant_alone(workspace: ModuleType) -> None:
    written = ask(workspace, "PUT", ROUTE, body=OFFICE, roles="admin")
    assert (written.status, written.json["id"]) == (200, "office-hours")
    assert titles(ask(workspace, "GET", "/v1/help"))[0] == OFFICE["title"]
    assert titles(ask(workspace, "GET", "/v1/help?q=office+hours"))[0] == OFFICE["title"]
    assert OFFICE["title"] not in titles(ask(workspace, "GET", "/v1/help", tenant="globex"))

    assert ask(workspace, "DELETE", ROUTE, roles="admin").status == 204
    assert OFFICE["title"] not in titles(ask(workspace, "GET", "/v1/help"))


def test_what_administrators_write_is_in_the_audit_log(workspace: ModuleType, tmp_path: Path) -> None:
    ask(workspace, "PUT", ROUTE, body=OFFICE, roles="admin")
    ask(workspace, "DELETE", ROUTE, roles="admin")
    tenants = functions.load("tenants", functions.settings(tmp_path))
    records = functions.invoke(tenants, request("GET", "/v1/audit", roles="admin")).json["items"]
    assert [(each["act"], each["subject"]) for each in records] == [
        ("answer_removed", "office-hours"),
        ("answer_written", "office-hours"),
    ]


@pytest.mark.parametrize(
    ("method", "path", "body", "roles", "status", "code"),
    [
        ("PUT", ROUTE, OFFICE, "", 403, "role_required"),
        ("GET", ROUTE, None, "", 403, "role_required"),
        ("DELETE", ROUTE, None, "admin", 404, "answer_not_found"),
        ("GET", ROUTE, None, "admin", 404, "answer_not_found"),
        ("PUT", "/v1/tenant/answers/Office%20Hours", OFFICE, "admin", 400, "answer_id_invalid"),
        ("PUT", ROUTE, {**OFFICE, "questions": []}, "admin", 400, None),
        ("PUT", ROUTE, {**OFFICE, "text": "x" * 601}, "admin", 400, None),
        ("PUT", ROUTE, {**OFFICE, "title": " "}, "admin", 400, None),
    ],
)
def test_what_may_not_be_is_refused(
    workspace: ModuleType, method: str, path: str, body: object, roles: str, status: int, code: str | None
) -> None:
    answer = ask(workspace, method, path, body=body, roles=roles)
    assert answer.status == status
    assert code is None or answer.json["code"] == code
