"""Functions that have little time left and hang on something: each ends with an answer of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from types import ModuleType
from typing import Any

import pytest

from tests.fakes.aws.outages import Deployment
from tests.fakes.aws.proxy_events import ExpiringContext, answer, request
from tests.fakes.deployment import functions

SETTINGS = {
    "OMNIFORGE_RUN_QUEUE": "sqlite:///{}/runs.db",
    "OMNIFORGE_RETENTION_QUEUE": "sqlite:///{}/retention.db",
    "OMNIFORGE_SCHEDULES": "sqlite:///{}/schedules.db",
}


@pytest.fixture
def hang() -> Iterator[Callable[..., Any]]:
    """Hangs until the test is over."""
    over = Event()

    def hanging(*_: object, **__: object) -> None:
        over.wait()

    yield hanging
    over.set()


@pytest.fixture
def load(tmp_path: Path) -> Callable[[str], ModuleType]:
    more = {name: value.format(tmp_path) for name, value in SETTINGS.items()}
    return lambda name: functions.load(name, functions.settings(tmp_path, **more))


@pytest.fixture
def deployment(tmp_path: Path) -> Deployment:
    return Deployment(tmp_path)


def sent(deployment: Deployment, millis: int, *, path: str = "/v1/chat") -> dict[str, Any]:
    event = request("POST", path, body={"message": "Good morning!"})
    return dict(deployment.chat.handler(event, ExpiringContext(millis)))


def test_a_turn_that_hangs_in_a_model_is_promised_and_finished_later(
    deployment: Deployment, hang: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as hung:
        hung.setattr("intent.analysis.analyzer.IntentAnalyzer.analyze", hang)
        promised = answer(sent(deployment, 3_500))
    assert promised.status == 202
    deployment.clock.advance(60)
    deployment.drain()
    turn = deployment.read(promised.headers["location"]).json
    assert (turn["state"], bool(turn["message"]["content"])) == ("done", True)


def test_a_stream_that_hangs_ends_with_a_promise(
    deployment: Deployment, hang: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intent.analysis.analyzer.IntentAnalyzer.analyze", hang)
    event = request("POST", "/v1/chat/stream", body={"message": "Good morning!"})
    response = deployment.chat.stream_handler(event, ExpiringContext(3_500))
    last = b"".join(response.chunks).decode().strip().split("\n\n")[-1]
    assert "event: accepted" in last


def test_a_commit_that_hangs_is_promised_and_stored_once(
    deployment: Deployment, hang: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as hung:
        hung.setattr("storage.sqlite.table.SqliteTable.transact", hang)
        promised = answer(sent(deployment, 3_500))
    assert promised.status == 202
    deployment.clock.advance(60)
    deployment.drain()
    texts = [message.content for message in deployment.stored(promised.json["conversation_id"])]
    assert texts[::2] == ["Good morning!"]


def test_a_turn_that_hangs_before_it_is_admitted_is_refused(
    deployment: Deployment, hang: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.sqlite.table.SqliteTable.update", hang)
    refused = answer(sent(deployment, 3_500))
    assert (refused.status, refused.code) == (504, "timeout")


def test_a_turn_there_is_no_time_for_is_not_begun(deployment: Deployment) -> None:
    refused = answer(sent(deployment, 700))
    assert (refused.status, refused.code) == (504, "timeout")
    assert deployment.read("/v1/conversations").json["items"] == []


@pytest.mark.parametrize(
    ("name", "path"),
    [("conversations", "/v1/conversations"), ("workspace", "/v1/agents"), ("tenants", "/v1/audit")],
)
def test_a_reader_that_hangs_in_the_table_is_refused(
    load: Callable[[str], ModuleType],
    hang: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    path: str,
) -> None:
    function = load(name)
    monkeypatch.setattr("storage.sqlite.table.SqliteTable.query", hang)
    monkeypatch.setattr("storage.sqlite.table.SqliteTable.get", hang)
    refused = answer(function.handler(request("GET", path, roles="admin"), ExpiringContext()))
    assert (refused.status, refused.code) == (504, "timeout")


def test_a_tool_that_hangs_is_refused(
    load: Callable[[str], ModuleType], hang: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    mcp, reached = load("mcp"), Event()

    def call_tool(*_: object) -> None:
        reached.set()
        hang()

    monkeypatch.setattr("tools.tool.Toolbox.call", call_tool)
    call = {"name": "calculator", "arguments": {"expression": "1 + 1"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    headers = {"Accept": "application/json, text/event-stream"}
    refused = answer(mcp.handler(request("POST", "/mcp", body=body, headers=headers), ExpiringContext(3_500)))
    assert (refused.status, refused.code) == (504, "timeout")
    assert reached.is_set()


def entry(number: int, body: dict[str, Any], group: str | None = None) -> dict[str, Any]:
    attributes = {"MessageGroupId": group} if group else {}
    return {
        "messageId": str(number),
        "body": json.dumps(body),
        "attributes": attributes,
        "eventSource": "aws:sqs",
    }


def left(result: dict[str, Any]) -> list[str]:
    return [each["itemIdentifier"] for each in result["batchItemFailures"]]


def test_finish_leaves_in_the_queue_what_it_hangs_on_and_what_there_is_no_time_for(
    deployment: Deployment, hang: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deployment.finish.turns, "drain", hang)
    waiting = [{"tenant": "acme", "conversation": name * 32} for name in "ab"]
    records = [entry(number, body, body["conversation"]) for number, body in enumerate(waiting)]
    assert left(deployment.finish.handler({"Records": records}, ExpiringContext())) == ["0", "1"]


def test_a_run_that_hangs_is_asked_for_again(
    load: Callable[[str], ModuleType], hang: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = load("agent_runs")
    monkeypatch.setattr(runs, "parse_request", hang)
    assert left(runs.handler({"Records": [entry(0, {})]}, ExpiringContext())) == ["0"]


def test_retention_leaves_in_the_queue_what_it_hangs_on(
    load: Callable[[str], ModuleType], hang: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    retention = load("retention")
    monkeypatch.setattr(retention, "work", hang)
    assert left(retention.handler({"Records": [entry(0, {})]}, ExpiringContext())) == ["0"]


def test_what_follows_the_table_begins_again_where_it_hung(
    load: Callable[[str], ModuleType], hang: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    consequences = load("consequences")
    monkeypatch.setattr(consequences, "handle_write", hang)
    key = {"pk": {"S": "T#acme#X"}, "sk": {"S": "A"}}
    records = [{"dynamodb": {"Keys": key, "SequenceNumber": "0"}}]
    assert left(consequences.handler({"Records": records}, ExpiringContext())) == ["0"]
