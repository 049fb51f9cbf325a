"""One request, followed by its id: access log, function log, metrics, reply, stored turn, model."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from local.gateway.application import Gateway
from local.gateway.chat_page import Page
from local.proxy.functions import Functions
from local.sign_in.provider import Provider
from local.template.interpreter import interpret
from local.template.sam_translation import read_template
from storage import keys
from storage.dynamodb.table import DynamoTable
from storage.keys import TenantId
from storage.table import Query
from tests.built.build import ROOT
from tests.built.conftest import TABLE, Services
from tests.built.emulator import EmulatedFunction
from tests.fakes.aws.dynamodb import dynamo_client
from tests.fakes.aws.proxy_events import FAR_FUTURE
from tests.fakes.deployment.gateways import URL, shared_issuer
from tests.fakes.models.model_script import Reply, Script
from tests.fakes.models.model_server import ModelServer
from tests.fakes.run.clocks import ManualClock

pytestmark = pytest.mark.built

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SAID = "What do I have to do this week, apart from hunter2?"
STACK = interpret(read_template(ROOT / "template.yaml"), {})


class BuiltChat:
    """The functions of a gateway: the built chat function, and an authorizer that lets maya of acme in."""

    def __init__(self, chat: EmulatedFunction) -> None:
        self._chat = chat

    def invoke(self, name: str, event: Mapping[str, Any]) -> Any:
        if name != "AuthorizerFunction":
            return self._chat.invoke(event)
        statement = {"Action": "execute-api:Invoke", "Effect": "Allow", "Resource": "*"}
        return {
            "principalId": "acme",
            "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
            "context": {"tenant": "acme", "user": "maya", "roles": "", "exp": str(FAR_FUTURE)},
        }

    @staticmethod
    def timeout_s(_: str) -> float:
        return 60.0


@pytest.fixture
def model() -> Iterator[ModelServer]:
    decision = {"action_type": "query_info", "confidence": 0.9, "entities": {}}
    with ModelServer(Script(default=Reply(decision=decision))) as server:
        yield server


@pytest.fixture
def function(start: Callable[..., EmulatedFunction], model: ModelServer) -> EmulatedFunction:
    return start(
        "ChatFunction",
        OMNIFORGE_STAGE="dev",
        OMNIFORGE_INTENT_MODEL="gpt-4o-mini",
        OMNIFORGE_STRONG_MODELS="",
        OMNIFORGE_INTENT_DEADLINE_MS="10000",
        OPENAI_BASE_URL=model.base_url,
        OPENAI_API_KEY="sk-test",
    )


def send(function: EmulatedFunction, headers: Mapping[str, str]) -> httpx.Response:
    """Send a message through a gateway with the template's routes and access log."""
    clock = ManualClock()
    gateway = Gateway(
        STACK,
        cast("Functions", BuiltChat(function)),
        provider=Provider(shared_issuer(), origins=[URL], allowed=[], now=clock.now),
        page=Page(Path("not built"), STACK.page, lambda _: {}),
        now=clock.now,
        monotonic=clock.monotonic,
        executor=ThreadPoolExecutor(4),
    )

    async def sent() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(gateway), base_url=URL) as client:
            body = {"message": SAID}
            return await client.post(
                "/v1/chat", json=body, headers={"Authorization": "Bearer a.b.c", **headers}
            )

    return asyncio.run(sent())


def lines_of(function: EmulatedFunction, request_id: str) -> list[dict[str, Any]]:
    text = function.log.read_text(errors="replace")
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return [line for line in lines if line.get("request_id") == request_id]


def stored_traces(services: Services, conversation_id: str) -> list[object]:
    table = DynamoTable(dynamo_client(services.endpoint), TABLE)
    partition = keys.head(TenantId("acme"), conversation_id).partition
    items = table.query(Query(partition, 10, prefix="M#")).items
    return [found for item in items for found in re.findall(r"trace_id\W+([0-9a-f-]{36})", str(item))]


def test_one_id_leads_from_the_access_log_to_the_stored_turn(
    function: EmulatedFunction, services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "local.access"):
        answer = send(function, {})
    reply, request_id = answer.json(), answer.headers["x-request-id"]

    (served,) = (vars(record) for record in caplog.records if record.name == "local.access")
    assert (served["request_id"], served["tenant_id"]) == (request_id, "acme")
    assert (served["route"], served["status"]) == ("/v1/chat", "200")

    events = [line for line in lines_of(function, request_id) if "message" in line]
    metrics = [line for line in lines_of(function, request_id) if "turn_latency_ms" in line]
    assert "request answered" in {line["message"] for line in events}
    assert len(metrics) == 1
    # X-Ray's id, as its console shows it, and the same in the words of W3C.
    trace_id = served["xray_trace_id"].removeprefix("1-").replace("-", "")
    assert {line["trace_id"] for line in (*events, *metrics)} == {trace_id}
    assert answer.headers["traceparent"].split("-")[1] == trace_id

    assert reply["metadata"]["trace_id"] == request_id
    assert stored_traces(services, reply["conversation_id"]) == [request_id]
    assert "hunter2" not in function.log.read_text(errors="replace") + str(served)


def test_a_clients_trace_goes_on_to_the_model_and_comes_back(
    function: EmulatedFunction, model: ModelServer
) -> None:
    answer = send(function, {"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"})
    returned = answer.headers["traceparent"]
    assert re.fullmatch(f"00-{TRACE}-[0-9a-f]{{16}}-01", returned)
    asked = [request.traceparent for request in model.log().requests]
    assert asked
    assert set(asked) == {returned}
    assert {line["trace_id"] for line in lines_of(function, answer.headers["x-request-id"])} == {TRACE}
