"""How many things of each kind a user and a tenant may make or start in a UTC day."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from conversation.errors import DailyQuotaExceeded, QuotaExceeded
from conversation.identity import Caller
from conversation.limits.quotas import DAILY, QuotaKind, Quotas, StockLimits, limits_of
from conversation.limits.rates import RateLimits
from conversation.limits.stored_bytes import StoredBytes
from conversation.tenants.policy import Caps, DailyCaps, Grant, Limits, TenantPolicy
from conversation.tenants.store import TenantRecord, TenantStore
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Table
from storage.tenant_table import Tables
from tests.fakes.aws.tables import ObservedTable, Requests
from tests.fakes.run.clocks import ManualClock
from tests.fakes.run.rate_limited_processes import turn_limiter

ACME = TenantId("acme")
MAYA, NOAH, NEIGHBOUR = Caller(ACME, "maya"), Caller(ACME, "noah"), Caller(TenantId("acme-eu"), "maya")
FEW = Grant(per_day=DailyCaps(runs=5), per_user_per_day=DailyCaps(runs=3))
EVENING = datetime(2026, 1, 30, 23, 59, 30, tzinfo=UTC)


def quotas(table: Table, *, grant: Grant | None = None, clock: ManualClock | None = None) -> Quotas:
    clock, tables = clock or ManualClock(), Tables(table)
    if grant is not None:
        TenantStore(tables=tables, clock=clock).register(ACME, grant=grant)
    return Quotas(tables=tables, clock=clock)


def taken(kept: Quotas, caller: Caller, times: int, kind: QuotaKind = QuotaKind.RUNS) -> int:
    """How many of so many attempts were admitted."""
    return sum(is_taken(kept, caller, kind) for _ in range(times))


def is_taken(kept: Quotas, caller: Caller, kind: QuotaKind = QuotaKind.RUNS) -> bool:
    try:
        kept.take(caller, kind)
    except QuotaExceeded:
        return False
    return True


def test_a_user_is_held_to_their_own_limit_and_all_users_to_the_tenants() -> None:
    kept = quotas(SqliteTable(":memory:"), grant=FEW)
    assert taken(kept, MAYA, 10) == 3
    assert taken(kept, NOAH, 10) == 2
    assert taken(kept, Caller(ACME, "zoe"), 10) == 0
    assert taken(kept, NEIGHBOUR, 10) == 10


def test_a_refusal_says_whose_limit_it_is_and_when_it_goes_on() -> None:
    kept = quotas(SqliteTable(":memory:"), grant=FEW, clock=ManualClock(EVENING))
    taken(kept, MAYA, 3)
    with pytest.raises(QuotaExceeded, match="You have reached the limit of 3 runs a day") as own:
        kept.take(MAYA, QuotaKind.RUNS)
    taken(kept, NOAH, 2)
    with pytest.raises(QuotaExceeded, match="Your workspace has reached the limit of 5 runs a day") as of_all:
        kept.take(NOAH, QuotaKind.RUNS)
    assert own.value.retry_after_s == of_all.value.retry_after_s == 30


def test_what_was_used_today_is_told_without_counting() -> None:
    clock = ManualClock(EVENING)
    kept = quotas(SqliteTable(":memory:"), grant=FEW, clock=clock)
    taken(kept, MAYA, 2)
    taken(kept, NOAH, 1)
    assert kept.used_today(MAYA, QuotaKind.RUNS) == kept.used_today(MAYA, QuotaKind.RUNS) == (2, 3)
    assert kept.used_today(NEIGHBOUR, QuotaKind.RUNS) == (0, 0)
    clock.advance(30)
    assert kept.used_today(MAYA, QuotaKind.RUNS) == (0, 0)


def test_it_goes_on_when_the_next_utc_day_has_begun() -> None:
    clock = ManualClock(EVENING)
    kept = quotas(SqliteTable(":memory:"), grant=FEW, clock=clock)
    assert taken(kept, MAYA, 5) == 3
    clock.advance(30)
    assert taken(kept, MAYA, 5) == 3


def test_kinds_are_counted_apart() -> None:
    kept = quotas(SqliteTable(":memory:"), grant=FEW)
    assert taken(kept, MAYA, 5) == 3
    assert taken(kept, MAYA, 5, QuotaKind.FORKS) == 5


def test_several_things_are_taken_together_or_not_at_all() -> None:
    kept = quotas(SqliteTable(":memory:"), grant=FEW)
    with pytest.raises(QuotaExceeded):
        kept.take(MAYA, QuotaKind.RUNS, 4)
    kept.take(MAYA, QuotaKind.RUNS, 3)


def test_processes_together_let_no_more_through_than_the_limit() -> None:
    table = SqliteTable(":memory:")
    processes = [quotas(table, grant=FEW) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        admitted = pool.map(lambda kept: taken(kept, MAYA, 5), processes)
    assert sum(admitted) == 3


def test_what_is_known_to_be_refused_takes_no_request() -> None:
    requests, table = Requests(), SqliteTable(":memory:")
    taken(quotas(table, grant=FEW), MAYA, 3)
    kept = quotas(ObservedTable(table, requests))
    assert not is_taken(kept, MAYA)
    assert requests.names == ["get", "update"]  # the policy, and the user's counter
    assert taken(kept, MAYA, 100) == 0
    assert requests.names == ["get", "update"]


def test_a_raised_limit_holds_within_seconds() -> None:
    table, clock = SqliteTable(":memory:"), ManualClock()
    kept = quotas(table, grant=FEW, clock=clock)
    assert taken(kept, MAYA, 5) == 3
    more = Grant(per_day=DailyCaps(runs=5), per_user_per_day=DailyCaps(runs=4))
    TenantStore(tables=Tables(table), clock=clock).register(ACME, grant=more)
    clock.advance(6)
    assert taken(kept, MAYA, 5) == 1


def test_nobody_is_refused_for_what_is_not_known() -> None:
    class Unreachable:
        def __getattr__(self, name: str) -> object:
            raise StorageUnavailable

    kept = quotas(Unreachable())  # type: ignore[arg-type]
    kept.take(MAYA, QuotaKind.RUNS)


@pytest.mark.parametrize("kind", QuotaKind)
def test_every_kind_is_limited_where_nothing_is_granted(kind: QuotaKind) -> None:
    found = limits_of(TenantRecord(ACME), kind)
    assert 0 < found.per_user <= found.per_tenant <= 100_000
    assert kind.value in DailyCaps.model_fields
    assert kind in DAILY


def test_admins_may_lower_a_limit_but_not_raise_it() -> None:
    def effective(grant: int | None, own: int | None) -> int:
        limits = Limits(per_day=DailyCaps(forks=own))
        record = TenantRecord(
            ACME, policy=TenantPolicy(limits=limits), grant=Grant(per_day=DailyCaps(forks=grant))
        )
        return limits_of(record, QuotaKind.FORKS).per_tenant

    assert [effective(None, None), effective(None, 10), effective(None, 9_999)] == [1_000, 10, 1_000]
    assert [effective(7, None), effective(7, 10), effective(2_000, 1_500)] == [7, 7, 1_500]


def test_what_a_tenant_may_have_follows_the_same_rule() -> None:
    policy = TenantPolicy(limits=Limits(agents=900, skills=500, runs_at_once=3))
    record = TenantRecord(ACME, policy=policy, grant=Grant(skills=40))
    assert StockLimits.of(record) == StockLimits(agents=900, skills=40, runs_at_once=3)


def test_a_policy_of_before_has_no_limits_of_its_own() -> None:
    stored = '{"limits": {"agents_per_user": 7, "burst": 5}}'
    assert TenantPolicy.model_validate_json(stored).limits == Limits(agents_per_user=7, burst=5)
    assert Grant.model_validate_json('{"turns_per_minute": 9}').usd_per_day is None
    assert set(Caps.model_fields) < set(Grant.model_fields)


RATES = RateLimits(turns_per_minute=60_000, burst=10_000, bytes_per_day=10**9, bytes_per_user_per_day=100_000)


def test_a_user_stores_no_more_in_a_day_than_they_may() -> None:
    door = turn_limiter(SqliteTable(":memory:"), ManualClock(), RATES)

    def stores(caller: Caller) -> bool:
        try:
            passage = door.acquire(caller, content_bytes=10_000)
        except DailyQuotaExceeded:
            return False
        passage.record_stored()
        passage.release()
        return True

    assert [stores(MAYA) for _ in range(12)] == [True] * 10 + [False] * 2
    assert stores(NOAH)


def test_the_bytes_of_a_user_take_a_request_only_now_and_then() -> None:
    requests = Requests()
    stored = StoredBytes(tables=Tables(ObservedTable(SqliteTable(":memory:"), requests)), clock=ManualClock())
    for _ in range(200):
        stored.record_turn(MAYA, 10_000, RateLimits())
    assert requests.names == ["update", "update"]


def test_copies_count_as_stored_at_once_for_every_process() -> None:
    table, clock = SqliteTable(":memory:"), ManualClock()
    here, there = (StoredBytes(tables=Tables(table), clock=clock, rates=RATES) for _ in range(2))
    here.require_for_copy(MAYA, TenantRecord(ACME))
    here.record_copy(MAYA, 100_000)
    with pytest.raises(DailyQuotaExceeded, match="You have stored"):
        there.require_for_copy(MAYA, TenantRecord(ACME))
    there.require_for_copy(NOAH, TenantRecord(ACME))
    little = TenantPolicy(limits=Limits(bytes_per_day=1_000))
    with pytest.raises(DailyQuotaExceeded, match="Your workspace has stored"):
        there.require_for_copy(NOAH, TenantRecord(ACME, policy=little))


def test_bytes_of_copies_leave_the_token_bucket_as_it_was() -> None:
    table, clock = SqliteTable(":memory:"), ManualClock()
    StoredBytes(tables=Tables(table), clock=clock).record_copy(MAYA, 5_000)
    slow = RateLimits(turns_per_minute=60, burst=2)
    door = turn_limiter(table, clock, slow)
    for _ in range(2):
        door.acquire(MAYA, content_bytes=1).release()
