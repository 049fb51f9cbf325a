"""How much is stored for a tenant in a UTC day."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from conversation.errors import DailyQuotaExceeded
from conversation.identity import Caller
from conversation.limits.limiter import TurnLimiter
from conversation.limits.rates import RateLimits, TenantLimits
from conversation.tenants.policy import Limits
from storage import keys
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.run.clocks import ManualClock
from tests.fakes.run.rate_limited_processes import KnownLimits, turn_limiter

MAYA, NEIGHBOUR = Caller(TenantId("acme"), "maya"), Caller(TenantId("acme-eu"), "maya")
PACE = RateLimits(turns_per_minute=60_000, burst=10_000, bytes_per_day=100_000)
EVENING = datetime(2026, 1, 30, 23, 59, 30, 500_000, tzinfo=UTC)


class OutdatedLimits(KnownLimits):
    """Limits that are at hand only until they are changed."""

    def cached(self, tenant: TenantId) -> TenantLimits | None:
        return self.load(tenant) if self.known[tenant].bytes_per_day else None


def stores(door: TurnLimiter, content_bytes: int, caller: Caller = MAYA) -> bool:
    """A turn whose message and answer have so many bytes together."""
    try:
        passage = door.acquire(caller, content_bytes=content_bytes - 1_000)
    except DailyQuotaExceeded:
        return False
    passage.record_stored("a" * 1_000)
    passage.release()
    return True


def test_no_more_is_stored_in_a_day_than_may_be() -> None:
    door = turn_limiter(SqliteTable(":memory:"), ManualClock(), PACE)
    assert [stores(door, 10_000) for _ in range(12)] == [True] * 10 + [False] * 2
    assert stores(door, 10_000, NEIGHBOUR)


def test_it_goes_on_when_the_next_utc_day_has_begun() -> None:
    clock = ManualClock(EVENING)
    door = turn_limiter(SqliteTable(":memory:"), clock, PACE)
    while stores(door, 10_000):
        pass
    with pytest.raises(DailyQuotaExceeded) as refused:
        door.acquire(MAYA, content_bytes=10_000)
    assert refused.value.retry_after_s == 30
    clock.advance(29)
    assert not stores(door, 10_000)
    clock.advance(1)
    assert stores(door, 10_000)


def test_several_processes_share_the_day() -> None:
    table, clock, count = SqliteTable(":memory:"), ManualClock(), 4
    doors = [turn_limiter(table, clock, PACE) for _ in range(count)]
    stored = sum(stores(doors[n % count], 2_000) for n in range(200)) * 2_000
    untold = PACE.bytes_per_day // 20 + 2_000  # what each may not have told the table yet, and one message
    assert PACE.bytes_per_day <= stored <= PACE.bytes_per_day + count * untold


def test_an_answer_that_does_not_fit_any_more_is_stored_all_the_same() -> None:
    door = turn_limiter(SqliteTable(":memory:"), ManualClock(), PACE)
    passage = door.acquire(MAYA, content_bytes=10)
    passage.record_stored("a" * 200_000)
    passage.release()
    assert not stores(door, 2_000)


def test_where_nothing_is_stored_nothing_is_refused_for_it() -> None:
    door = turn_limiter(SqliteTable(":memory:"), ManualClock(), PACE)
    while stores(door, 50_000):
        pass
    door.acquire(MAYA, content_bytes=0).release()


def test_a_limit_that_is_raised_counts_though_every_turn_is_refused() -> None:
    limits = OutdatedLimits({MAYA.tenant: Limits(bytes_per_day=20_000)})
    door = TurnLimiter(
        tables=Tables(SqliteTable(":memory:")), clock=ManualClock(), defaults=PACE, limits=limits
    )
    while stores(door, 10_000):
        pass
    limits.known = {MAYA.tenant: Limits()}
    assert stores(door, 10_000)


def test_a_full_day_stays_full_while_nobody_can_look_whether_it_was_raised() -> None:
    class Unreachable(KnownLimits):
        def read(self, _tenant: TenantId) -> TenantLimits:
            raise StorageUnavailable("down")

    door = TurnLimiter(
        tables=Tables(SqliteTable(":memory:")), clock=ManualClock(), defaults=PACE, limits=Unreachable()
    )
    assert [stores(door, 50_000) for _ in range(3)] == [True, True, False]


def test_the_table_keeps_the_bytes_of_one_day_only() -> None:
    clock, table = ManualClock(EVENING), SqliteTable(":memory:")
    door = turn_limiter(table, clock, PACE)
    for _ in range(3):
        for _ in range(12):
            stores(door, 2_000)
        clock.advance(86_400)
    for _ in range(12):
        stores(door, 2_000)
    item = table.get(keys.bucket(MAYA.tenant))
    assert item is not None
    assert [name for name in item if name.startswith("bytes_")] == ["bytes_2026-02-02"]
