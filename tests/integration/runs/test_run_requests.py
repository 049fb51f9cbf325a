"""Runs over REST: what may be asked for, and what is refused with which code."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.fakes.aws.proxy_events import request
from tests.fakes.deployment import functions

MISSING = "a" * 32
NO_RUN = "0" * 26


@pytest.fixture
def workspace(tmp_path: Path) -> ModuleType:
    return functions.load("workspace", functions.settings(tmp_path))


def call(workspace: ModuleType, method: str, path: str, **fields: Any) -> Any:
    return functions.invoke(workspace, request(method, path, **fields))


def made(workspace: ModuleType, **fields: Any) -> str:
    body = {"name": "numbers", "what": "the number of the day", **fields}
    return str(call(workspace, "POST", "/v1/agents", body=body).json["id"])


def test_a_run_is_stored_as_waiting_and_read_listed_and_cancelled(workspace: ModuleType) -> None:
    agent_id = made(workspace)
    asked = call(workspace, "POST", f"/v1/agents/{agent_id}/runs", body={"parameters": {"period": " Q1 "}})
    run = asked.json

    read = call(workspace, "GET", f"/v1/runs/{run['id']}").json
    cancelled = [call(workspace, "POST", f"/v1/runs/{run['id']}/cancel").json for _ in range(2)]
    listed = call(workspace, "GET", "/v1/runs").json["items"]

    assert (asked.status, run["status"], run["trigger"]) == (202, "queued", "rest")
    assert run["parameters"] == {"period": "Q1"}
    assert read == run
    assert cancelled[0] == cancelled[1] == listed[0]
    assert (cancelled[0]["status"], cancelled[0]["outcome"]["code"]) == ("cancelled", "cancelled")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("", 400, "body_missing"),
        ("[]", 400, "body_not_object"),
        ({"parameters": {"Not A Name": "x"}}, 400, "field_invalid"),
        ({"parameters": {"period": ""}}, 400, "field_empty"),
        ({"parameters": {"period": "x" * 301}}, 400, "field_too_long"),
        ({"parameters": {"period": 1}}, 400, "field_type"),
        ({"parameters": {f"p{place}": "x" for place in range(21)}}, 400, "too_many_items"),
        ({"agent_id": "other"}, 400, "field_unknown"),
    ],
)
def test_a_wish_that_is_not_well_formed_is_refused(
    workspace: ModuleType, body: object, status: int, code: str
) -> None:
    refused = call(workspace, "POST", f"/v1/agents/{made(workspace)}/runs", body=body)

    assert (refused.status, refused.code) == (status, code)
    assert call(workspace, "GET", "/v1/runs").json["items"] == []


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("POST", f"/v1/agents/{MISSING}/runs", "agent_not_found"),
        ("POST", "/v1/agents/x/runs", "agent_not_found"),
        ("GET", f"/v1/runs/{NO_RUN}", "run_not_found"),
        ("POST", f"/v1/runs/{NO_RUN}/cancel", "run_not_found"),
        ("POST", "/v1/runs/x/cancel", "run_not_found"),
    ],
)
def test_what_is_not_there_is_not_found(workspace: ModuleType, method: str, path: str, code: str) -> None:
    body: dict[str, str] | None = {} if path.endswith("/runs") else None

    answer = call(workspace, method, path, body=body)

    assert (answer.status, answer.code) == (404, code)


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254/latest", "https://127.0.0.1.evil@10.0.0.8/x", "https://2130706433:1/x"]
)
def test_an_address_results_must_not_go_to_is_refused_when_it_is_given(tmp_path: Path, url: str) -> None:
    strict = functions.load("workspace", {**functions.settings(tmp_path), "OMNIFORGE_STAGE": "dev"})
    delivery = {"channels": ["webhook"], "recipients": [url]}

    created = call(strict, "POST", "/v1/agents", body={"what": "x", "delivery": delivery})
    agent_id = made(strict)
    changed = call(strict, "PATCH", f"/v1/agents/{agent_id}", body={"delivery": delivery})

    assert [(answer.status, answer.code) for answer in (created, changed)] == [(400, "agent_invalid")] * 2
    assert call(strict, "GET", f"/v1/agents/{agent_id}").json["delivery"]["recipients"] == []


def test_an_approval_of_a_call_that_is_not_held_is_refused(workspace: ModuleType) -> None:
    agent_id = made(workspace)
    run = call(workspace, "POST", f"/v1/agents/{agent_id}/runs", body={}).json
    path = f"/v1/runs/{run['id']}/approvals"

    waiting = call(workspace, "POST", path, body={"call": "f" * 32})
    call(workspace, "POST", f"/v1/runs/{run['id']}/cancel")
    ended = call(workspace, "POST", path, body={"call": "f" * 32})
    unclear = call(workspace, "POST", path, body={"call": "f" * 32, "arguments": "{}"})
    unknown = call(workspace, "POST", f"/v1/runs/{NO_RUN}/approvals", body={"call": "f" * 32})

    assert (waiting.status, waiting.code) == (409, "run_not_ended")
    assert (ended.status, ended.code) == (404, "held_call_not_found")
    assert (unclear.status, unclear.code) == (400, "field_unknown")
    assert (unknown.status, unknown.code) == (404, "run_not_found")
