"""Checks of web addresses and what agents lack, over REST."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.fakes.aws.proxy_events import request
from tests.fakes.deployment import functions

URL = "http://127.0.0.1:8080/"


@pytest.fixture
def workspace(tmp_path: Path) -> ModuleType:
    return functions.load("workspace", functions.settings(tmp_path))


def call(workspace: ModuleType, method: str, path: str, **fields: Any) -> Any:
    return functions.invoke(workspace, request(method, path, **fields))


def test_an_agent_gets_a_check_keeps_it_and_loses_it(workspace: ModuleType) -> None:
    check = {"url": URL, "expect": "contains", "text": "in stock"}
    made = call(workspace, "POST", "/v1/agents", body={"what": "the shop", "check": check}).json
    path = f"/v1/agents/{made['id']}"
    renamed = call(workspace, "PATCH", path, body={"name": "shop"}).json
    dropped = call(workspace, "PATCH", path, body={"check": None}).json

    full = {"url": URL, "expect": "contains", "status": None, "text": "in stock", "days": None}
    assert made["check"] == renamed["check"] == full
    assert dropped["check"] is None


@pytest.mark.parametrize(
    "check",
    [
        {},
        {"url": "ftp://acme.com/"},
        {"url": "acme.com"},
        {"url": URL, "expect": "contains"},
        {"url": URL, "expect": "status"},
        {"url": URL, "expect": "status", "status": 99},
        {"url": URL, "text": "in stock"},
        {"url": URL, "expect": "certificate"},
        {"url": "https://acme.com", "days": 3},
        {"url": "https://acme.com", "expect": "certificate", "days": 0},
        {"url": URL, "expect": "working"},
        {"url": URL, "more": 1},
    ],
)
def test_a_check_that_makes_no_sense_is_refused(workspace: ModuleType, check: dict[str, Any]) -> None:
    answer = call(workspace, "POST", "/v1/agents", body={"what": "the shop", "check": check})

    assert answer.status == 400, answer.json


def test_an_address_that_nothing_is_requested_from_is_refused(workspace: ModuleType) -> None:
    for url in ("https://10.0.0.1/", "http://127.0.0.1:22/", "https://user:word@acme.com/"):
        answer = call(workspace, "POST", "/v1/agents", body={"what": "the shop", "check": {"url": url}})
        assert (answer.status, answer.json["code"]) == (400, "check_address_blocked")


def test_an_agent_says_what_it_lacks_and_a_check_lacks_nothing(workspace: ModuleType) -> None:
    fields = {"what": "updates", "sources": ["notion"], "delivery": {"channels": ["email"]}}
    made = call(workspace, "POST", "/v1/agents", body=fields).json
    read = call(workspace, "GET", f"/v1/agents/{made['id']}").json
    watch = call(workspace, "POST", "/v1/agents", body={"what": "the shop", "check": {"url": URL}}).json

    assert read["missing"] == made["missing"]
    assert [(each["kind"], each["name"]) for each in read["missing"]] == [
        ("connection", "notion"),
        ("model", ""),
        ("address", "email"),
    ]
    assert watch["missing"] == []


def test_what_an_agent_lacks_can_not_be_set(workspace: ModuleType) -> None:
    answer = call(workspace, "POST", "/v1/agents", body={"what": "updates", "missing": []})

    assert (answer.status, answer.json["code"]) == (400, "field_unknown")


def test_a_connection_that_was_made_is_no_longer_missing(workspace: ModuleType) -> None:
    made = call(workspace, "POST", "/v1/agents", body={"what": "updates", "sources": ["notion"]}).json
    skill = {"name": "notes", "kind": "mcp", "url": URL, "description": "notes", "serves": ["notion"]}
    registered = call(workspace, "POST", "/v1/skills", body=skill)
    assert registered.status == 201, registered.json

    read = call(workspace, "GET", f"/v1/agents/{made['id']}").json

    assert [each["kind"] for each in read["missing"]] == ["model"]
