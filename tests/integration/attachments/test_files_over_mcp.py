"""Files over MCP: the tool `chat` takes the ids of what its user uploaded."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.fakes.aws.proxy_events import request
from tests.fakes.aws.tables import ObservedTable, Requests
from tests.fakes.data import sample_files
from tests.fakes.deployment import functions
from tests.integration.attachments.test_attachments import Deployment


@pytest.fixture
def deployment(tmp_path: Path) -> Deployment:
    return Deployment(tmp_path)


@pytest.fixture
def mcp(tmp_path: Path, deployment: Deployment) -> ModuleType:
    return functions.load("mcp", functions.with_attachments(tmp_path))


def said(mcp: ModuleType, ids: list[Any], key: str | None = None, **changes: str) -> Any:
    """The result of the tool `chat` for a message with files."""
    arguments = {"message": "hello", "client_id": "main", "attachments": ids}
    call = {"name": "chat", "arguments": arguments}
    if key is not None:
        call["_meta"] = {"omniforge/idempotency-key": key}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    event = request("POST", "/mcp", body=body, headers={"Accept": "application/json, text/event-stream"})
    event["requestContext"]["authorizer"] |= changes
    answer = functions.invoke(mcp, event)
    assert answer.status == 200, answer.body
    return answer.json["result"]


def files_of_messages(deployment: Deployment) -> list[str]:
    found = deployment.call("GET", "/v1/conversations").json["items"]
    paths = (f"/v1/conversations/{each['id']}/messages" for each in found)
    messages = (message for path in paths for message in deployment.call("GET", path).json["items"])
    return [file["id"] for message in messages for file in message["attachments"]]


def test_a_document_is_sent_by_its_id_once_also_when_the_call_is_repeated(
    deployment: Deployment, mcp: ModuleType
) -> None:
    large = deployment.ready(sample_files.pdf("walrus", padding=20 * 1024 * 1024 - 2_000), "application/pdf")
    first, again = (said(mcp, [large], "key") for _ in range(2))
    assert first["structuredContent"] == again["structuredContent"]
    assert files_of_messages(deployment) == [large]
    assert said(mcp, [large])["isError"]
    assert files_of_messages(deployment) == [large]


def test_nobody_sends_the_file_of_another(deployment: Deployment, mcp: ModuleType) -> None:
    refused = said(mcp, [deployment.ready(sample_files.png(), user="noah")])
    assert (refused["isError"], refused["_meta"]["code"]) == (True, "not_found")
    assert deployment.call("GET", "/v1/conversations").json["items"] == []


def test_what_is_no_file_is_refused_and_nothing_is_stored(deployment: Deployment, mcp: ModuleType) -> None:
    pending = deployment.announced(sample_files.png())["id"]
    image = deployment.ready(sample_files.png())
    for ids in (["made-up"], ["x" * 10_000], [7], [image, image], [pending], [image] * 11):
        assert said(mcp, ids)["isError"], ids
    assert deployment.call("GET", "/v1/conversations").json["items"] == []
    assert said(mcp, [image])["isError"] is False


def test_files_take_a_message_one_request_more(deployment: Deployment, mcp: ModuleType) -> None:
    said(mcp, [])
    requests, counts = Requests(), []
    mcp.tables._table = ObservedTable(mcp.tables._table, requests)
    for many in (0, 1, 5):
        ids = [deployment.ready(sample_files.png()) for _ in range(many)]
        requests.names.clear()
        assert not said(mcp, ids)["isError"]
        counts.append(len(requests.names))
    assert counts == [3, 4, 4]


def test_no_file_is_read_where_no_history_is_kept(deployment: Deployment, mcp: ModuleType) -> None:
    image = deployment.ready(sample_files.png())
    requests = Requests()
    mcp.tables._table = ObservedTable(mcp.tables._table, requests)
    refused = said(mcp, [image], history="off")
    assert (refused["isError"], refused["_meta"]["code"]) == (True, "not_allowed")
    assert requests.names == []
