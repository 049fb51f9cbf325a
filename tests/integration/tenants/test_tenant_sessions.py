"""What is a tenant's is asked for with credentials of that tenant, and with no others."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from botocore.credentials import ReadOnlyCredentials
from botocore.exceptions import ClientError, ConnectTimeoutError

from storage import keys
from storage.circuit_breaker import CircuitBreakerTable
from storage.dynamodb.table import DynamoTable
from storage.dynamodb.tenant_sessions import (
    LIFETIME_S,
    SessionTables,
    TenantSession,
    TenantSessions,
    assume_tenant_role,
    make_session_client,
)
from storage.dynamodb.timeouts import BACKGROUND_TIMEOUTS
from storage.errors import StorageMisconfigured, StorageUnavailable, StorageUnreachable
from storage.factory import open_tables
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Put
from tests.fakes.aws.dynamodb import json_answer
from tests.fakes.run.clocks import ManualClock

ROLE = "arn:aws:iam::123456789012:role/omniforge-TenantRole-1A2B"
ACME, EU = TenantId("acme"), TenantId("acme-eu")
LONGEST = TenantId("t" * 128)
_SIGNED = re.compile(r"Credential=(.+?/\d+)/")


class Sts:
    """STS, which gives each session a key of its own and remembers what it was asked; or refuses."""

    def __init__(self, refusal: Exception | None = None) -> None:
        self.asked: list[dict[str, Any]] = []
        self.refusal = refusal

    class meta:  # noqa: N801 - as boto3 has it
        region_name = "eu-west-1"

    def assume_role(self, **arguments: Any) -> dict[str, Any]:
        self.asked.append(arguments)
        if self.refusal is not None:
            raise self.refusal
        raise AssertionError("nothing was to be begun")


class Begun:
    """Sessions as they were begun, by a clock; each key is its tenant's and counts how many there were."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.tenants: list[TenantId] = []
        self.fails = False

    def now(self) -> float:
        return self.clock.now().timestamp()

    def __call__(self, tenant: TenantId) -> TenantSession:
        if self.fails:
            raise StorageUnavailable("STS is out of reach")
        self.tenants.append(tenant)
        key = f"{tenant}/{self.tenants.count(tenant)}"
        return TenantSession(ReadOnlyCredentials(key, "secret", "token"), self.now() + LIFETIME_S)

    def sessions(self, most: int = 10) -> TenantSessions:
        return TenantSessions(self, now=self.now, most=most)


def refused(code: str, status: int) -> ClientError:
    answered: Any = {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(answered, "AssumeRole")


def answering(sessions: TenantSessions, seen: list[tuple[str, str]]) -> SessionTables:
    """Tables whose requests find nothing; ``seen`` gets the key each is signed with and its partition."""
    client = make_session_client(sessions, BACKGROUND_TIMEOUTS)

    def respond(request: Any, **_: Any) -> Any:
        [key] = _SIGNED.findall(_text(request.headers["Authorization"]))
        body = json.loads(request.body)
        seen.append((key, (body.get("Key") or body["Item"])["pk"]["S"]))
        return json_answer({})(request)

    client.meta.events.register_first("before-send.dynamodb.*", respond)
    return SessionTables(DynamoTable(client, "omniforge"), own=lambda: SqliteTable(":memory:"))


def _text(sent: object) -> str:
    return sent.decode() if isinstance(sent, bytes) else str(sent)


def test_each_tenants_requests_are_signed_with_a_session_of_its_own() -> None:
    seen: list[tuple[str, str]] = []
    tables = answering(Begun().sessions(), seen)
    for tenant in (ACME, EU, ACME):
        table = tables.for_tenant(tenant)
        table.put(Put({"pk": keys.workspace(tenant), "sk": "POLICY"}))
        assert table.get(keys.policy(tenant)) is None
    acme, eu = ("acme/1", "T#acme#W"), ("acme-eu/1", "T#acme-eu#W")
    assert seen == [acme, acme, eu, eu, acme, acme]


def test_what_belongs_to_no_tenant_is_asked_for_in_no_session() -> None:
    seen: list[tuple[str, str]] = []
    tables = answering(Begun().sessions(), seen)
    tables.across_tenants.put(Put({"pk": keys.SWEEP.partition, "sk": keys.SWEEP.sort}))
    assert tables.across_tenants.get(keys.SWEEP) is not None
    assert seen == []


def test_a_session_is_begun_for_the_shortest_time_and_for_the_tenants_keys_alone() -> None:
    sts = Sts()
    with pytest.raises(AssertionError):
        assume_tenant_role(sts, ROLE, "omniforge", ACME)
    [asked] = sts.asked
    policy = json.loads(asked.pop("Policy"))
    assert asked == {"RoleArn": ROLE, "RoleSessionName": "t-acme", "DurationSeconds": 900}
    items, lists, _ = policy["Statement"]
    assert items["Resource"] == "arn:aws:dynamodb:eu-west-1:123456789012:table/omniforge"
    assert items["Condition"]["ForAllValues:StringLike"] == {"dynamodb:LeadingKeys": "T#acme#*"}
    assert lists["Condition"] == items["Condition"]


def test_no_tenants_name_makes_a_policy_or_a_session_name_too_long_for_sts() -> None:
    sts = Sts()
    with pytest.raises(AssertionError):
        assume_tenant_role(sts, ROLE, "n" * 255, LONGEST)
    [asked] = sts.asked
    assert len(asked["Policy"]) <= 2048
    assert len(asked["RoleSessionName"]) <= 64


@pytest.mark.parametrize(
    "refusal",
    [ConnectTimeoutError(endpoint_url="https://sts"), refused("Throttling", 400), refused("Internal", 500)],
    ids=["out of reach", "throttled", "broken"],
)
def test_while_sts_is_down_storage_is_unavailable(refusal: Exception) -> None:
    with pytest.raises(StorageUnavailable):
        assume_tenant_role(Sts(refusal), ROLE, "omniforge", ACME)


def test_a_role_that_may_not_be_assumed_is_a_fault_of_the_deployment() -> None:
    with pytest.raises(StorageMisconfigured):
        assume_tenant_role(Sts(refused("AccessDenied", 403)), ROLE, "omniforge", ACME)


def test_a_session_serves_until_two_minutes_before_its_end() -> None:
    begun = Begun()
    sessions = begun.sessions()
    assert sessions.credentials_for(ACME).access_key == "acme/1"
    begun.clock.advance(779)
    assert sessions.credentials_for(ACME).access_key == "acme/1"
    begun.clock.advance(1)
    assert sessions.credentials_for(ACME).access_key == "acme/2"
    assert begun.tenants == [ACME, ACME]


def test_a_session_that_cant_be_renewed_serves_to_its_end_and_not_beyond() -> None:
    begun = Begun()
    sessions = begun.sessions()
    sessions.credentials_for(ACME)
    begun.fails = True
    begun.clock.advance(LIFETIME_S - 1)
    assert sessions.credentials_for(ACME).access_key == "acme/1"
    begun.clock.advance(1)
    with pytest.raises(StorageUnavailable):
        sessions.credentials_for(ACME)
    begun.fails = False
    assert sessions.credentials_for(ACME).access_key == "acme/2"


def test_of_too_many_tenants_the_one_that_asked_longest_ago_is_forgotten() -> None:
    begun = Begun()
    sessions = begun.sessions(most=2)
    for tenant in (ACME, EU, ACME, LONGEST, ACME, EU):
        sessions.credentials_for(tenant)
    assert begun.tenants == [ACME, EU, LONGEST, EU]


def test_of_many_threads_that_need_a_session_one_begins_it() -> None:
    begun, second = Begun(), threading.Event()

    def begin(tenant: TenantId) -> TenantSession:
        if begun.tenants:
            second.set()
        session = begun(tenant)
        second.wait(0.2)  # time enough for the others to come along
        return session

    sessions = TenantSessions(begin, now=begun.now)
    with ThreadPoolExecutor(8) as threads:
        given = set(threads.map(lambda _: sessions.credentials_for(ACME).access_key, range(8)))
    assert (given, begun.tenants) == ({"acme/1"}, [ACME])


def test_a_tenant_whose_session_takes_its_time_keeps_no_other_waiting() -> None:
    begun, others_are_done = Begun(), threading.Event()

    def begin(tenant: TenantId) -> TenantSession:
        if tenant == ACME:
            assert others_are_done.wait(10)
        return begun(tenant)

    sessions = TenantSessions(begin, now=begun.now)
    with ThreadPoolExecutor(1) as threads:
        slow = threads.submit(sessions.credentials_for, ACME)
        assert sessions.credentials_for(EU).access_key == "acme-eu/1"
        others_are_done.set()
        assert slow.result().access_key == "acme/1"


def test_threads_that_act_for_different_tenants_through_one_client_sign_as_their_own() -> None:
    tenants = [TenantId(f"tenant-{number}") for number in range(8)]
    seen: list[tuple[str, str]] = []
    tables = answering(Begun().sessions(), seen)
    together = threading.Barrier(len(tenants))

    def ask(tenant: TenantId) -> None:
        together.wait(10)
        for _ in range(25):
            tables.for_tenant(tenant).get(keys.policy(tenant))

    with ThreadPoolExecutor(len(tenants)) as threads:
        list(threads.map(ask, tenants))
    assert len(seen) == 200
    assert strangers(seen) == []


def strangers(seen: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Partitions that were asked for with the key of somebody else's session."""
    return [each for each in seen if each[1] != keys.workspace(TenantId(each[0].partition("/")[0]))]


def test_while_sts_is_out_of_reach_nobody_waits_for_it_twice() -> None:
    asked: list[TenantId] = []

    def begin(tenant: TenantId) -> TenantSession:
        asked.append(tenant)
        raise StorageUnreachable("STS is out of reach")

    table = DynamoTable(make_session_client(TenantSessions(begin), BACKGROUND_TIMEOUTS), "omniforge")
    guarded = CircuitBreakerTable(table, monotonic=ManualClock().monotonic)
    tables = SessionTables(guarded, own=lambda: SqliteTable(":memory:"))
    for tenant in (ACME, EU, ACME):
        with pytest.raises(StorageUnreachable):
            tables.for_tenant(tenant).get(keys.policy(tenant))
    assert asked == [ACME]


def test_a_request_for_nobody_is_not_sent() -> None:
    client = make_session_client(Begun().sessions(), BACKGROUND_TIMEOUTS)
    with pytest.raises(LookupError):
        client.get_item(TableName="omniforge", Key={"pk": {"S": "T#acme#W"}, "sk": {"S": "POLICY"}})


def test_a_role_changes_nothing_for_a_table_in_a_file() -> None:
    tables = open_tables("sqlite:///:memory:", tenant_role_arn=ROLE)
    assert tables.for_tenant(ACME).get(keys.policy(ACME)) is None
