"""Webhooks as skills, against a real receiver: signed, idempotent, and held to what they answer."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import JsonValue

from conversation.clock import Deadline, SystemClock
from conversation.identity import Caller
from storage.keys import TenantId
from tests.fakes.http.servers import Site, answers_in_turn, fixed_answer
from tools.errors import ToolError
from tools.outbound.client import OutboundClient
from tools.remote.remote_server import RemoteServer
from tools.remote.webhook import ping, webhook_tool
from tools.tool import ToolContext, ToolResult

LOCAL = OutboundClient(allow_loopback=True)
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
CLOCK = SystemClock()


def crm(receiver: Site, secret: str | None = "k3y") -> RemoteServer:
    return RemoteServer("crm", receiver.url("/hook"), secret=secret)


def call(remote: RemoteServer, **arguments: JsonValue) -> ToolResult:
    caller = Caller(TenantId("acme"), "maya")
    context = ToolContext(caller, NOON, "UTC", "run.3", Deadline.after(CLOCK, 5.0))
    return webhook_tool(remote, LOCAL).call(arguments, context)


def test_a_call_is_signed_stamped_and_named_after_its_step() -> None:
    with Site(fixed_answer(b'{"found": 2}')) as receiver:
        result = call(crm(receiver), request="open deals", data={"quarter": "Q1"})

    (got,) = receiver.requests
    assert result.data == {"found": 2}
    assert got.json == {
        "type": "call",
        "skill": "crm",
        "arguments": {"request": "open deals", "data": {"quarter": "Q1"}},
    }
    assert got.is_signed_with("k3y")
    assert not got.is_signed_with("other")
    assert got.headers["x-omniforge-timestamp"] == str(int(NOON.timestamp()))
    assert got.headers["idempotency-key"] == "run.3"
    assert b"k3y" not in got.body


@pytest.mark.parametrize(
    ("status", "answer", "code"),
    [
        (500, b"{}", "unavailable"),
        (429, b"{}", "unavailable"),
        (404, b"{}", "failed"),
        (200, b"not json", "result_invalid"),
        (200, b'{"x":' * 100 + b"1" + b"}" * 100, "result_invalid"),
        (200, b"[" * 100_000, "result_invalid"),
        (200, b'{"x": NaN}', "result_invalid"),
        (200, b'"\\ud800"', "result_invalid"),
        (200, b"9" * 5_000, "result_invalid"),
        (200, b'"' + b"x" * 2_000_000 + b'"', "too_large"),
        (200, b'"' + b"x" * 70_000 + b'"', "too_large"),
    ],
)
def test_what_it_answers_is_held_to_its_promise(status: int, answer: bytes, code: str) -> None:
    with Site(fixed_answer(answer, status=status)) as receiver:
        assert call(crm(receiver), request="x").error_code == code


def test_a_redirect_that_drops_the_request_is_no_success() -> None:
    with Site(answers_in_turn(302, location="/login")) as receiver:
        remote = crm(receiver)

        assert call(remote, request="x").error_code == "unreachable"


def test_a_redirect_to_a_private_address_is_not_followed() -> None:
    with Site(fixed_answer(b"{}", status=307, Location="http://169.254.169.254/latest")) as receiver:
        assert call(crm(receiver), request="x").error_code in {"url_blocked", "scheme_blocked"}


def test_without_its_secret_nothing_is_sent() -> None:
    with Site(fixed_answer(b"{}")) as receiver:
        assert call(crm(receiver, secret=None), request="x").error_code == "unavailable"

    assert receiver.requests == []


def test_a_ping_is_signed_too_and_must_be_answered() -> None:
    with Site(fixed_answer(b"{}")) as receiver:
        ping(crm(receiver), LOCAL, now=NOON)
    assert receiver.requests[0].json == {"type": "ping", "skill": "crm"}
    assert receiver.requests[0].is_signed_with("k3y")

    with pytest.raises(ToolError):
        ping(crm(receiver), LOCAL, now=NOON)
