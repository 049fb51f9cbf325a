"""How fast a tenant may send, on a clock of the test's own: several processes that share a table."""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest

from conversation.identity import Caller
from conversation.limits.limiter import TurnLimiter
from conversation.limits.rates import RateLimits, TenantLimits
from conversation.tenants.policy import Grant, Limits
from storage import keys
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from tests.fakes.aws.tables import ObservedTable, Requests
from tests.fakes.run.clocks import ManualClock
from tests.fakes.run.rate_limited_processes import retry_seconds, turn_limiter

LOUD, QUIET = Caller(TenantId("acme"), "maya"), Caller(TenantId("acme-eu"), "maya")
PACE = RateLimits(turns_per_minute=60, burst=40)
PROCESSES = 4
SLACK = PROCESSES * PACE.max_unreported
"""Turns that began before a process told the table of them."""


def processes(clock: ManualClock, pace: RateLimits = PACE, count: int = PROCESSES) -> list[TurnLimiter]:
    table = SqliteTable(":memory:")
    return [turn_limiter(table, clock, pace) for _ in range(count)]


def test_a_tenant_at_ten_times_its_rate_costs_its_neighbour_nothing() -> None:
    clock, chosen, minutes = ManualClock(), random.Random(7), 10
    doors, refused, admitted = processes(clock), Counter[Caller](), Counter[Caller]()
    for tick in range(minutes * 60 * 10):
        clock.advance(0.1)
        for caller in [LOUD, QUIET] if tick % 10 == 0 else [LOUD]:
            (refused if retry_seconds(chosen.choice(doors), caller) else admitted)[caller] += 1

    assert refused[QUIET] == 0
    assert admitted[QUIET] == minutes * PACE.turns_per_minute
    most = minutes * PACE.turns_per_minute + PACE.burst + SLACK
    assert most - SLACK - PROCESSES <= admitted[LOUD] <= most


def test_what_is_not_used_does_not_add_up_beyond_the_burst() -> None:
    clock = ManualClock()
    (door,) = processes(clock, count=1)
    clock.advance(86_400)
    assert [retry_seconds(door, LOUD) for _ in range(60)].count(0) == PACE.burst
    clock.advance(86_400)
    assert [retry_seconds(door, LOUD) for _ in range(60)].count(0) == PACE.burst


@pytest.mark.parametrize("rate", [7, 60, 300, 1_000, 60_000])
@pytest.mark.parametrize("burst", [1, 3, 4, 40, 100])
def test_after_exactly_the_seconds_it_was_told_a_turn_may_begin(rate: int, burst: int) -> None:
    clock = ManualClock()
    doors = processes(clock, RateLimits(turns_per_minute=rate, burst=burst), count=2)
    for n in range(3 * burst + 40):
        wait = retry_seconds(doors[n % 2], LOUD)
        if wait:
            clock.advance(wait)
            assert retry_seconds(doors[n % 2], LOUD) == 0


def test_a_wait_is_the_least_number_of_whole_seconds() -> None:
    clock = ManualClock()
    (door,) = processes(clock, RateLimits(turns_per_minute=6, burst=1), count=1)
    assert retry_seconds(door, LOUD) == 0
    assert retry_seconds(door, LOUD) == 10
    clock.advance(7.5)
    assert retry_seconds(door, LOUD) == 3
    clock.advance(2.4)
    assert retry_seconds(door, LOUD) == 1
    clock.advance(0.1)
    assert retry_seconds(door, LOUD) == 0


def test_a_quiet_tenant_takes_a_tenth_of_a_request_per_turn() -> None:
    clock, requests = ManualClock(), Requests()
    door = turn_limiter(ObservedTable(SqliteTable(":memory:"), requests), clock, PACE)
    for _ in range(110):
        assert retry_seconds(door, LOUD) == 0
        clock.advance(2)
    assert len(requests.names) == 10


def test_while_it_waits_a_tenant_takes_no_request_at_all() -> None:
    clock, requests = ManualClock(), Requests()
    door = turn_limiter(
        ObservedTable(SqliteTable(":memory:"), requests), clock, RateLimits(turns_per_minute=6, burst=4)
    )
    while not retry_seconds(door, LOUD):
        pass
    requests.names.clear()
    for _ in range(99):
        clock.advance(0.1)
        assert retry_seconds(door, LOUD) > 0
    assert requests.names == []


def test_a_process_that_comes_late_finds_the_bucket_as_the_others_left_it() -> None:
    clock, table = ManualClock(), SqliteTable(":memory:")
    pace = RateLimits(turns_per_minute=6, burst=3)  # too small a burst for turns the table is not asked about
    first, late = turn_limiter(table, clock, pace), turn_limiter(table, clock, pace)
    assert [retry_seconds(first, LOUD) for _ in range(3)] == [0, 0, 0]
    assert retry_seconds(late, LOUD) == 10


def test_what_a_process_let_begin_is_paid_for_though_its_next_turn_is_refused() -> None:
    clock = ManualClock()
    one, other = processes(clock, count=2)
    assert [retry_seconds(one, LOUD) for _ in range(PACE.max_unreported)] == [0] * PACE.max_unreported
    while not retry_seconds(other, LOUD):
        pass
    wait = retry_seconds(one, LOUD)
    assert wait == PACE.max_unreported + 1
    clock.advance(wait - 1)
    assert retry_seconds(other, LOUD) == 1


def test_operators_set_what_a_tenant_may_have_and_its_admins_can_only_ask_for_less() -> None:
    most = RateLimits(turns_per_minute=60, burst=5, turns_at_once=2, bytes_per_day=100)
    more = Grant(burst=50, bytes_per_day=10)
    assert TenantLimits(Limits(), more).effective(most) == RateLimits(60, 50, 2, 10)
    assert TenantLimits(Limits(burst=20, turns_per_minute=600), more).effective(most) == RateLimits(
        60, 20, 2, 10
    )
    assert TenantLimits(Limits(burst=500), more).effective(most) == RateLimits(60, 50, 2, 10)


def test_a_table_out_of_reach_stops_nobody_within_the_rate() -> None:
    clock, is_down = ManualClock(), [True]

    def observe(_request: str, when: str) -> None:
        if is_down[0] and when == "before":
            raise StorageUnavailable("down")

    requests = Requests()
    table = ObservedTable(ObservedTable(SqliteTable(":memory:"), observe), requests)
    door = turn_limiter(table, clock, PACE)
    for _ in range(120):
        assert retry_seconds(door, LOUD) == 0
        clock.advance(1)
    assert len(requests.names) <= 120 / 10 + 1  # it is not asked again at once

    assert [retry_seconds(door, LOUD) for _ in range(200)].count(0) <= PACE.burst + 1
    is_down[0] = False
    clock.advance(120)
    assert [retry_seconds(door, LOUD) for _ in range(200)].count(0) <= PACE.burst + PACE.max_unreported


def test_nobody_waits_while_another_tenants_bucket_is_slow() -> None:
    asked, free = Event(), Event()

    def hang(_request: str, when: str) -> None:
        if when == "before" and not asked.is_set():
            asked.set()
            assert free.wait(timeout=30)

    door = turn_limiter(ObservedTable(SqliteTable(":memory:"), hang), ManualClock(), RateLimits(burst=3))
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(retry_seconds, door, LOUD)
        assert asked.wait(timeout=30)
        assert [retry_seconds(door, QUIET) for _ in range(3)] == [0, 0, 0]
        free.set()
        assert slow.result() == 0


def test_a_tenant_may_limit_itself_and_not_lift_what_the_deployment_sets() -> None:
    clock, table = ManualClock(), SqliteTable(":memory:")
    own = {LOUD.tenant: Limits(burst=2), QUIET.tenant: Limits(burst=10_000, turns_per_minute=60_000)}
    door = turn_limiter(table, clock, RateLimits(turns_per_minute=60, burst=3), own)
    assert [retry_seconds(door, LOUD) for _ in range(4)] == [0, 0, 1, 1]
    assert [retry_seconds(door, QUIET) for _ in range(5)] == [0, 0, 0, 1, 1]


def test_a_clock_that_is_set_back_shuts_nobody_out() -> None:
    clock, table = ManualClock(), SqliteTable(":memory:")
    tomorrow = ManualClock(clock.now() + timedelta(days=1))
    door, same = turn_limiter(table, tomorrow, PACE), turn_limiter(table, clock, PACE)
    assert [retry_seconds(door, LOUD) for _ in range(60)].count(0) == PACE.burst
    assert [retry_seconds(same, LOUD) for _ in range(60)].count(0) >= PACE.burst - 1


def test_the_bucket_is_given_up_two_days_after_the_last_turn() -> None:
    clock, table = ManualClock(datetime(2026, 1, 30, tzinfo=UTC)), SqliteTable(":memory:")
    retry_seconds(turn_limiter(table, clock, RateLimits(burst=1)), LOUD)
    item = table.get(keys.bucket(LOUD.tenant))
    assert item is not None
    assert item["expires_at"] == int(datetime(2026, 2, 1, tzinfo=UTC).timestamp())
