"""How much a tenant and its users may send, over the real functions and both tables."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from unittest.mock import patch
from uuid import uuid4

import pytest

from conversation.clock import FileClock
from conversation.errors import TooManyTurns
from conversation.identity import Caller
from conversation.limits.rates import RateLimits
from storage import keys
from storage.dynamodb.table import DynamoTable, create_table
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Table
from tests.fakes.aws.dynamodb import REGION, dynamo_client, ministack
from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.deployment import functions
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.sse_client import stream
from tests.fakes.run.clocks import ManualClock
from tests.fakes.run.rate_limited_processes import retry_seconds, turn_limiter

NOON = datetime(2026, 1, 30, 12, 0, tzinfo=UTC)
MAYA = Caller(TenantId("acme"), "maya")
FAR_AWAY = datetime(2100, 1, 1, tzinfo=UTC).timestamp()
"""A `FileClock` adds the time since its file was written, and nothing before that."""
BURST = 3
SLOW = {"OMNIFORGE_TURNS_PER_MINUTE": "1", "OMNIFORGE_TURNS_BURST": str(BURST)}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with ministack() as endpoint:
        yield endpoint


@dataclass
class Deployment:
    """The chat and workspace functions under one clock, and the table they share."""

    settings: dict[str, str]
    table: Table
    clock: Path

    def function(self, name: str = "chat") -> ModuleType:
        return functions.load(name, self.settings)

    def wait(self, answer: Answer) -> None:
        """Let exactly as much time pass as a refusal says."""
        self.pass_time(int(answer.headers["retry-after"]))

    def pass_time(self, seconds: float) -> None:
        """Set the clock, which then stands still: no token comes back because the machine is slow."""
        self.clock.write_text((FileClock(self.clock).now() + timedelta(seconds=seconds)).isoformat())
        os.utime(self.clock, (FAR_AWAY, FAR_AWAY))


@pytest.fixture(params=["sqlite", "dynamo"])
def deployment(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Deployment]:
    clock = tmp_path / "clock"
    clock.write_text(NOON.isoformat())
    settings = functions.settings(tmp_path, OMNIFORGE_CLOCK_FILE=str(clock), **SLOW)
    if request.param == "sqlite":
        yield Deployment(settings, SqliteTable(tmp_path / "omniforge.db"), clock)
        return
    endpoint, name = request.getfixturevalue("endpoint"), f"limits-{uuid4().hex[:8]}"
    client = dynamo_client(endpoint)
    create_table(client, name)
    environ = {"AWS_ENDPOINT_URL_DYNAMODB": endpoint, "AWS_DEFAULT_REGION": REGION}
    with patch.dict(os.environ, environ):
        changed = {**settings, **functions.LONG_STORAGE_DEADLINE, "OMNIFORGE_TABLE": name}
        yield Deployment(changed, DynamoTable(client, name), clock)


@pytest.fixture
def local(tmp_path: Path) -> Deployment:
    """Over a file, where the table makes no difference."""
    clock = tmp_path / "clock"
    clock.write_text(NOON.isoformat())
    settings = functions.settings(tmp_path, OMNIFORGE_CLOCK_FILE=str(clock), **SLOW)
    return Deployment(settings, SqliteTable(tmp_path / "omniforge.db"), clock)


def say(
    chat: ModuleType,
    message: str = "hi",
    *,
    tenant: str = "acme",
    user: str = "maya",
    key: str | None = None,
    **body: str,
) -> Answer:
    headers = {"Idempotency-Key": key} if key else {}
    sent = {"message": message, **body}
    return functions.invoke(
        chat, request("POST", "/v1/chat", body=sent, headers=headers, tenant=tenant, user=user)
    )


def exhaust(chat: ModuleType, tenant: str = "acme") -> Answer:
    """Send until a message is refused; that refusal."""
    for _ in range(20):
        answer = say(chat, tenant=tenant)
        if answer.status != 200:
            return answer
    raise AssertionError("nothing was refused")


def conversations(deployment: Deployment) -> int:
    listed = functions.invoke(deployment.function("conversations"), request("GET", "/v1/conversations"))
    return len(listed.json["items"])


def test_a_burst_is_refused_until_the_seconds_it_is_told_have_passed(deployment: Deployment) -> None:
    chat = deployment.function()
    assert [say(chat).status for _ in range(BURST)] == [200] * BURST
    refused = say(chat)
    assert (refused.status, refused.code) == (429, "rate_limited")
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert say(chat, tenant="acme-eu").status == 200
    deployment.wait(refused)
    assert say(chat).status == 200
    assert say(chat).status == 429


def test_a_user_who_floods_has_no_colleague_and_no_neighbour_refused(deployment: Deployment) -> None:
    usual, rounds, every_s = RateLimits(), 4, 2
    deployment.settings |= {
        "OMNIFORGE_TURNS_PER_MINUTE": str(usual.turns_per_minute),
        "OMNIFORGE_TURNS_BURST": str(usual.burst),
    }
    one, other = deployment.function(), deployment.function()
    deployment.pass_time(0)
    colleagues, neighbours = list[int](), list[int]()
    for n in range(rounds):
        for each in (one, other):
            while say(each, user="loud").status == 200:
                pass
        colleagues += [say((one, other)[c % 2], user=f"colleague-{c}").status for c in range(20)]
        neighbours.append(say((one, other)[n % 2], user="loud", tenant="acme-eu").status)
        deployment.pass_time(every_s)

    assert colleagues == [200] * 20 * rounds
    assert neighbours == [200] * rounds


def test_another_process_knows_what_the_first_let_begin(deployment: Deployment) -> None:
    exhaust(deployment.function())
    assert say(deployment.function()).status == 429


def test_operators_may_grant_one_tenant_more_than_all_others_have(local: Deployment) -> None:
    more = {"name": "Acme", "limits": {"burst": 2 * BURST}}
    granted = request("PUT", "/v1/tenants/acme", body=more, tenant="omniforge", roles="operator")
    told = functions.invoke(local.function("tenants"), granted).json["limits"]
    assert told["burst"] == 2 * BURST
    most = request("PUT", "/v1/tenant/policy", body={"limits": {"burst": 100}}, roles="admin")
    assert functions.invoke(local.function("workspace"), most).status == 200
    chat = local.function()
    sent = {
        tenant: [say(chat, tenant=tenant).status for _ in range(3 * BURST)] for tenant in ("acme", "acme-eu")
    }
    assert {tenant: answers.count(200) for tenant, answers in sent.items()} == {
        "acme": 2 * BURST,
        "acme-eu": BURST,
    }


def test_operators_change_one_limit_of_a_tenant_and_keep_all_others(local: Deployment) -> None:
    tenants = local.function("tenants")

    def asked(method: str, body: dict[str, object]) -> Answer:
        sent = request(method, "/v1/tenants/acme", body=body, tenant="omniforge", roles="operator")
        return functions.invoke(tenants, sent)

    asked("PUT", {"name": "Acme", "limits": {"burst": 9, "usd_per_day": 50, "per_day": {"runs": 7}}})
    changed = asked("PATCH", {"limits": {"usd_per_day": None, "per_day": {"checks": 8}}}).json
    assert changed["name"] == "Acme"
    assert (changed["limits"]["burst"], changed["limits"]["usd_per_day"]) == (9, None)
    assert (changed["limits"]["per_day"]["runs"], changed["limits"]["per_day"]["checks"]) == (7, 8)
    assert asked("PATCH", {"name": "Acme Ltd"}).json["limits"] == changed["limits"]


def test_a_tenant_that_nobody_registered_is_not_changed(local: Deployment) -> None:
    sent = request("PATCH", "/v1/tenants/initech", body={"name": "X"}, tenant="omniforge", roles="operator")
    assert functions.invoke(local.function("tenants"), sent).code == "tenant_not_found"


def test_what_is_refused_is_not_stored(local: Deployment) -> None:
    chat = local.function()
    exhaust(chat)
    before = conversations(local)
    assert [say(chat, "not to be kept").status for _ in range(5)] == [429] * 5
    assert conversations(local) == before == BURST


def test_a_stream_is_refused_with_a_status_of_its_own(local: Deployment) -> None:
    chat = local.function()
    exhaust(chat)
    refused = stream(chat, request("POST", "/v1/chat/stream", body={"message": "hi"})).refusal()
    assert (refused.status, refused.code) == (429, "rate_limited")
    assert int(refused.headers["retry-after"]) >= 1


def test_editing_and_answering_anew_are_turns_as_well(local: Deployment) -> None:
    chat = local.function()
    said = say(chat).json

    def anew(what: str, body: dict[str, str]) -> Answer:
        path = f"/v1/conversations/{said['conversation_id']}/messages/{asked(local, said['conversation_id'])}"
        return functions.invoke(chat, request("POST", f"{path}/{what}", body=body))

    assert anew("edit", {"message": "hello"}).status == 200
    assert anew("edit", {"message": "good morning"}).status == 200
    for answer in (anew("edit", {"message": "good evening"}), anew("regenerate", {}), say(chat)):
        assert (answer.status, answer.code) == (429, "rate_limited")


def asked(deployment: Deployment, conversation_id: str) -> str:
    """The id of the message that was asked, as it stands."""
    listed = functions.invoke(
        deployment.function("conversations"), request("GET", f"/v1/conversations/{conversation_id}/messages")
    )
    return str(listed.json["items"][0]["id"])


def test_a_turn_that_is_over_makes_room_however_it_ended(local: Deployment) -> None:
    local.settings |= {"OMNIFORGE_TURNS_BURST": "100", "OMNIFORGE_TURNS_AT_ONCE": "1"}
    chat = local.function()
    unknown = "0" * 32
    for _ in range(3):
        eventually(lambda: say(chat).status == 200)
        assert say(chat, conversation_id=unknown).status == 404
        left = stream(chat, request("POST", "/v1/chat/stream", body={"message": "hi"}))
        assert next(left.frames()).name == "turn"
        left.chunks.close()  # type: ignore[attr-defined]


def test_turns_without_history_are_counted_as_well(local: Deployment) -> None:
    local.settings["OMNIFORGE_HISTORY"] = "off"
    assert exhaust(local.function()).code == "rate_limited"


def test_a_user_with_a_turn_under_way_too_many_is_told_to_come_back(local: Deployment) -> None:
    local.settings |= {"OMNIFORGE_TURNS_BURST": "100", "OMNIFORGE_TURNS_AT_ONCE": "2"}
    chat = local.function()
    begun = [stream(chat, request("POST", "/v1/chat/stream", body={"message": "hi"})) for _ in range(2)]
    refused = say(chat)
    assert (refused.status, refused.code) == (429, "too_many_turns")
    assert int(refused.headers["retry-after"]) >= 1
    assert (
        functions.invoke(chat, request("POST", "/v1/chat", body={"message": "hi"}, user="jo")).status == 200
    )
    for each in begun:
        assert [frame.name for frame in each.frames()][-1] == "done"
    assert say(chat).status == 200


def test_tools_called_over_mcp_draw_from_the_same_bucket(local: Deployment) -> None:
    chat, mcp = local.function(), local.function("mcp")

    def ask(method: str, **parameters: object) -> Answer:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        accepted = {"Accept": "application/json, text/event-stream"}
        return functions.invoke(mcp, request("POST", "/mcp", body=body, headers=accepted))

    exhaust(chat)
    refused = ask("tools/call", name="calculator", arguments={"expression": "1+1"})
    assert (refused.status, refused.code) == (429, "rate_limited")
    assert ask("tools/list").status == 200
    local.wait(refused)
    assert "2" in ask("tools/call", name="calculator", arguments={"expression": "1+1"}).body


def test_a_repeated_request_counts_and_gets_its_reply_later(local: Deployment) -> None:
    chat = local.function()
    first = say(chat, "Only once", key="key-1")
    refused = exhaust(chat)
    assert say(chat, "Only once", key="key-1").code == "rate_limited"
    local.wait(refused)
    replayed = say(chat, "Only once", key="key-1")
    assert replayed.headers["idempotency-replayed"] == "true"
    assert replayed.json["message"] == first.json["message"]


def test_a_request_that_can_not_be_read_takes_no_token(local: Deployment) -> None:
    chat = local.function()
    for _ in range(10):
        assert functions.invoke(chat, request("POST", "/v1/chat", body={"massage": "hi"})).status == 400
    assert [say(chat).status for _ in range(BURST)] == [200] * BURST


def test_a_tenants_own_limit_counts_from_the_next_minute_on(local: Deployment) -> None:
    local.settings |= {"OMNIFORGE_TURNS_PER_MINUTE": "600", "OMNIFORGE_TURNS_BURST": "100"}
    chat, workspace = local.function(), local.function("workspace")
    limits = {"turns_per_minute": 1, "burst": 1, "turns_at_once": 5, "bytes_per_day": 10**6}
    sent = request("PUT", "/v1/tenant/policy", body={"limits": limits}, roles="admin")
    told = functions.invoke(workspace, sent).json["limits"]
    assert told == {**told, "agents_per_user": 50, **limits}
    assert exhaust(chat).code == "rate_limited"
    assert say(chat, tenant="acme-eu").status == 200


def test_a_day_that_is_full_goes_on_after_midnight_utc(local: Deployment) -> None:
    local.settings |= {"OMNIFORGE_TURNS_BURST": "100", "OMNIFORGE_BYTES_PER_DAY": "20000"}
    chat = local.function()
    answers = [say(chat, "a" * 7_000) for _ in range(5)]
    refused = answers[-1]
    assert (refused.status, refused.code) == (429, "daily_bytes_reached")
    assert 12 * 3600 - 60 <= int(refused.headers["retry-after"]) <= 12 * 3600
    assert conversations(local) == [answer.status for answer in answers].count(200) <= 3
    local.wait(refused)
    assert say(chat, "a" * 7_000).status == 200


def test_turns_that_come_at_the_same_moment_share_one_bucket(deployment: Deployment) -> None:
    pace, doors = RateLimits(turns_per_minute=1, burst=20), 4
    processes = [turn_limiter(deployment.table, ManualClock(), pace) for _ in range(doors)]
    with ThreadPoolExecutor(8) as pool:
        waits = list(pool.map(lambda n: retry_seconds(processes[n % doors], MAYA), range(80)))
    assert pace.burst <= waits.count(0) <= pace.burst + doors * pace.max_unreported


def test_the_turns_of_a_user_are_counted_over_all_processes(deployment: Deployment) -> None:
    pace, clock = RateLimits(turns_at_once=8), ManualClock()
    one, other = (turn_limiter(deployment.table, clock, pace) for _ in range(2))
    begun = [one.acquire(MAYA, content_bytes=0) for _ in range(8)]
    begun += [other.acquire(MAYA, content_bytes=0) for _ in range(2)]  # each process's first has no seat
    with pytest.raises(TooManyTurns):
        other.acquire(MAYA, content_bytes=0)
    for passage in begun:
        passage.release()
    other.acquire(MAYA, content_bytes=0).release()
    seats = deployment.table.get(keys.concurrency_slots(MAYA.tenant, MAYA.user))
    assert seats is not None
    assert (seats["taken"], seats.get("seats")) == (0, None)
