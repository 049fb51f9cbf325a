"""How many turns of one user may be under way at once: exactly in a process, and across them where it
matters."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from conversation.errors import TooManyTurns
from conversation.identity import Caller
from conversation.limits.concurrency import LONG_TURN, SLOT_LIFETIME, WATCH_PERIOD
from conversation.limits.limiter import TurnLimiter, TurnPermit
from conversation.limits.rates import RateLimits
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Table
from tests.fakes.aws.tables import ObservedTable, Requests
from tests.fakes.run.clocks import ManualClock
from tests.fakes.run.rate_limited_processes import turn_limiter

MAYA, JO = Caller(TenantId("acme"), "maya"), Caller(TenantId("acme"), "jo")
NAMESAKE = Caller(TenantId("acme-eu"), "maya")
PACE = RateLimits(turns_per_minute=60_000, burst=10_000, turns_at_once=8)


def begin(door: TurnLimiter, caller: Caller = MAYA) -> TurnPermit | None:
    """A turn that goes on; None: too many do."""
    try:
        return door.acquire(caller, content_bytes=0)
    except TooManyTurns:
        return None


def begun(door: TurnLimiter, count: int) -> list[TurnPermit]:
    return [passage for passage in (begin(door) for _ in range(count)) if passage]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def test_no_more_turns_of_a_user_begin_than_may_be_under_way(clock: ManualClock) -> None:
    door = turn_limiter(SqliteTable(":memory:"), clock, PACE)
    under_way = begun(door, 12)
    assert len(under_way) == PACE.turns_at_once
    assert begin(door, JO)
    assert begin(door, NAMESAKE)
    under_way.pop().release()
    assert begin(door)
    assert begin(door) is None


def test_of_many_at_the_same_moment_exactly_as_many_begin_as_may() -> None:
    door, ready = turn_limiter(SqliteTable(":memory:"), ManualClock(), PACE), Barrier(32)

    def ask(_: int) -> bool:
        ready.wait()
        return begin(door) is not None

    with ThreadPoolExecutor(32) as pool:
        assert sum(pool.map(ask, range(32))) == PACE.turns_at_once


def test_a_refused_turn_leaves_nothing_behind(clock: ManualClock) -> None:
    door = turn_limiter(SqliteTable(":memory:"), clock, PACE)
    under_way = begun(door, 8)
    assert [begin(door) for _ in range(20)] == [None] * 20
    for passage in under_way:
        passage.release()
    assert len(begun(door, 12)) == PACE.turns_at_once


def test_a_few_turns_take_no_request(clock: ManualClock) -> None:
    requests = Requests()
    pace = PACE._replace(turns_at_once=40)
    door = turn_limiter(ObservedTable(SqliteTable(":memory:"), requests), clock, pace)
    under_way = begun(door, 4)
    for passage in under_way:
        clock.advance(1)
        passage.keep_alive()
        passage.release()
    assert requests.names == []


def test_several_processes_together_let_few_more_begin_than_one(clock: ManualClock) -> None:
    table, processes = SqliteTable(":memory:"), 3
    doors = [turn_limiter(table, clock, PACE) for _ in range(processes)]
    under_way = [passage for door in doors for passage in begun(door, 12)]
    unseated = 1  # of every process: the second turn of a user in a process is the first to take a seat
    assert PACE.turns_at_once <= len(under_way) <= PACE.turns_at_once + processes * unseated


def test_long_turns_of_processes_that_answer_one_at_a_time_are_counted(clock: ManualClock) -> None:
    """As on Lambda: every turn under way is in a process of its own."""
    table = SqliteTable(":memory:")
    doors = [turn_limiter(table, clock, PACE) for _ in range(12)]
    first = [door.acquire(MAYA, content_bytes=0) for door in doors]  # nobody could know yet
    clock.advance(LONG_TURN.total_seconds())
    for passage in first:
        passage.keep_alive()
    first[-1].release()
    assert begin(doors[-1]) is None
    for passage in first[:6]:
        passage.release()
    assert begin(doors[-1])


def test_the_seats_of_a_process_that_died_are_free_again(clock: ManualClock) -> None:
    table = SqliteTable(":memory:")
    assert len(begun(turn_limiter(table, clock, PACE), 8)) == 8  # and never left
    survivor = turn_limiter(table, clock, PACE)
    few = begun(survivor, 8)
    assert len(few) < 8
    for passage in few:
        passage.release()
    clock.advance(SLOT_LIFETIME.total_seconds() + WATCH_PERIOD.total_seconds())
    assert len(begun(survivor, 8)) == 8


def test_a_table_out_of_reach_leaves_the_count_of_the_process() -> None:
    def down(_request: str, _when: str) -> None:
        raise StorageUnavailable("down")

    table: Table = ObservedTable(SqliteTable(":memory:"), down)
    door = turn_limiter(table, ManualClock(), PACE)
    under_way = begun(door, 12)
    assert len(under_way) == PACE.turns_at_once
    for passage in under_way:
        passage.release()
    assert begin(door)
