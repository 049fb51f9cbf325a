"""Under one key one thing is made, on every backend."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from conversation.errors import IdempotencyKeyReused
from conversation.identity import Caller
from conversation.keyed_creation import Created
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from storage.table import Table
from storage.tenant_table import Tables
from tasks.store import TaskStore
from tasks.task import Task, TaskSpec
from tests.fakes.aws.tables import ObservedTable, Requests
from tests.fakes.run.clocks import ManualClock

MAYA = Caller(TenantId("acme"), "maya")
BANK = TaskSpec(title="call the bank")


def store_on(table: Table, clock: ManualClock | None = None) -> TaskStore:
    return TaskStore(tables=Tables(table), clock=clock or ManualClock(datetime(2026, 3, 6, tzinfo=UTC)))


def test_a_key_makes_one_thing(table: Table) -> None:
    first = store_on(table).create_once(MAYA, BANK, key="once")

    assert store_on(table).create_once(MAYA, BANK, key="once") == Created(first.made, replayed=True)
    with pytest.raises(IdempotencyKeyReused):
        store_on(table).create_once(MAYA, TaskSpec(title="call the dentist"), key="once")
    assert store_on(table).list(MAYA) == ((first.made,), None)


def test_a_key_is_free_after_a_day_though_its_record_is_still_there(table: Table) -> None:
    clock = ManualClock(datetime(2026, 3, 6, tzinfo=UTC))
    first = store_on(table, clock).create_once(MAYA, BANK, key="once")
    clock.advance(timedelta(days=1).total_seconds())

    second = store_on(table, clock).create_once(MAYA, BANK, key="once")

    assert not second.replayed
    assert second.made.id != first.made.id


def test_of_many_at_once_one_makes_it(shared_table: Table) -> None:
    def create(_: int) -> Created[Task]:
        while True:
            try:
                return store_on(shared_table).create_once(MAYA, BANK, key="once")
            except StorageUnavailable:  # a conflict with the others: the client tries again
                continue

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(create, range(8)))

    assert len({each.made.id for each in answers}) == 1
    assert sum(not each.replayed for each in answers) == 1


@pytest.mark.parametrize("key", [None, "once"])
def test_a_key_takes_no_further_request(table: Table, key: str | None) -> None:
    requests = Requests()
    store = store_on(ObservedTable(table, requests))
    store.create_once(MAYA, BANK, key=key)

    # Before: the tenant's policy, and the counters of the user and the tenant.
    assert requests.names[-1:] == ["put" if key is None else "transact"]
    assert len(requests.names) == 4
