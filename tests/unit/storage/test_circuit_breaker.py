from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from storage.circuit_breaker import FIRST_PAUSE_S, MAX_PAUSE_S, CircuitBreakerTable
from storage.errors import ConditionRefused, StorageUnavailable, StorageUnreachable
from storage.sqlite.table import SqliteTable
from storage.table import Add, Equals, Key, Update
from tests.fakes.aws.tables import ObservedTable
from tests.fakes.run.clocks import ManualClock

KEY = Key("T#acme#C#1", "HEAD")


class Outage:
    """Raises what it is told to at every request, and counts them."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.asked = 0

    def __call__(self, name: str, when: str) -> None:
        if when == "before":
            self.asked += 1
            if self.error is not None:
                raise self.error


@pytest.fixture
def outage() -> Outage:
    return Outage()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def table(outage: Outage, clock: ManualClock) -> Iterator[CircuitBreakerTable]:
    with closing(SqliteTable(":memory:")) as stored:
        yield CircuitBreakerTable(ObservedTable(stored, outage), monotonic=clock.monotonic)


def fails(table: CircuitBreakerTable, error: type[Exception] = StorageUnreachable) -> None:
    with pytest.raises(error):
        table.get(KEY)


def test_after_nobody_answered_nobody_is_asked_for_a_moment(
    table: CircuitBreakerTable, outage: Outage, clock: ManualClock
) -> None:
    outage.error = StorageUnreachable()
    fails(table)
    outage.error = None
    fails(table)
    assert outage.asked == 1
    clock.advance(FIRST_PAUSE_S)
    assert table.get(KEY) is None
    assert table.get(KEY) is None
    assert outage.asked == 3


def test_each_try_that_finds_nobody_makes_the_next_rest_twice_as_long_up_to_a_limit(
    table: CircuitBreakerTable, outage: Outage, clock: ManualClock
) -> None:
    outage.error, rests = StorageUnreachable(), []
    fails(table)
    for _ in range(5):
        began = clock.monotonic()
        asked = outage.asked
        while outage.asked == asked:
            clock.advance(0.5)
            fails(table)
        rests.append(clock.monotonic() - began)
    assert rests == [1.0, 2.0, 4.0, MAX_PAUSE_S, MAX_PAUSE_S]


def test_one_at_a_time_tries(outage: Outage, clock: ManualClock) -> None:
    with closing(SqliteTable(":memory:")) as stored:

        def observe(name: str, when: str) -> None:
            outage(name, when)
            if when == "after":
                fails(guarded)

        guarded = CircuitBreakerTable(ObservedTable(stored, observe), monotonic=clock.monotonic)
        outage.error = StorageUnreachable()
        fails(guarded)
        outage.error = None
        clock.advance(FIRST_PAUSE_S)
        guarded.get(KEY)
    assert outage.asked == 2


@pytest.mark.parametrize("error", [StorageUnavailable(), TypeError()], ids=["throttled", "a-bug"])
def test_throttling_and_faults_of_ours_keep_nobody_from_asking(
    table: CircuitBreakerTable, outage: Outage, error: Exception
) -> None:
    outage.error = error
    for _ in range(9):
        fails(table, type(error))
    assert outage.asked == 9


def test_a_refused_condition_is_an_answer(
    table: CircuitBreakerTable, outage: Outage, clock: ManualClock
) -> None:
    outage.error = StorageUnreachable()
    fails(table)
    outage.error = None
    clock.advance(FIRST_PAUSE_S)
    with pytest.raises(ConditionRefused):
        table.update(Update(KEY, (Add("n", 1),), (Equals("n", 1),)))
    assert table.get(KEY) is None


def test_a_try_that_ends_undecided_lets_the_next_one_try(
    table: CircuitBreakerTable, outage: Outage, clock: ManualClock
) -> None:
    outage.error = StorageUnreachable()
    fails(table)
    clock.advance(FIRST_PAUSE_S)
    outage.error = StorageUnavailable()
    fails(table, StorageUnavailable)
    outage.error = None
    assert table.get(KEY) is None
