"""The counting of requests and units, against prices worked out by hand from the developer guide."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

from storage.dynamodb.table import DynamoTable, create_table
from storage.errors import ConditionRefused, TransactionRefused
from storage.table import Delete, Item, Key, NotExists, Put, Query, Set, Table, Update
from tests.fakes.aws.dynamodb import Faults, error_answer, moto_client, without_retry_delays
from tests.fakes.aws.dynamodb_meter import Meter

KEY = Key("T#acme#X", "1")
LISTED = {"by_user": "T#acme#U#maya", "updated_at": "2026-01-30T09:00:00Z"}


@pytest.fixture
def meter() -> Meter:
    return Meter()


@pytest.fixture
def watched(meter: Meter) -> Iterator[tuple[Table, Faults]]:
    with meter.watch_new_clients(), moto_client() as client:
        create_table(client, "watched")
        yield DynamoTable(client, "watched", sleep=lambda _: None), Faults(client)


@pytest.fixture
def table(watched: tuple[Table, Faults], meter: Meter) -> Table:
    meter.reset()
    return watched[0]


def item(length: int, **more: str) -> Item:
    """An item of a little more than so many bytes."""
    return {"pk": KEY.partition, "sk": KEY.sort, "text": "x" * length, **more}


def test_a_write_costs_a_unit_per_started_kilobyte_of_the_larger_image(table: Table, meter: Meter) -> None:
    table.put(Put(item(2_500)))
    assert (meter.totals.requests, meter.totals.write_units) == (["PutItem"], 3)
    meter.reset()
    table.update(Update(KEY, (Set("text", "short"),)))
    assert (meter.totals.write_units, meter.totals.read_units) == (3, 0)


def test_a_transaction_costs_twice_for_items_and_once_for_indexes(table: Table, meter: Meter) -> None:
    table.transact([Put(item(1_500, **LISTED))])
    assert meter.totals.write_units == 2 * 2 + 1
    assert [charge.what for charge in meter.totals.charges] == ["1", "by_user"]


def test_an_index_is_paid_when_what_it_holds_changes_and_twice_when_it_sorts_anew(
    table: Table, meter: Meter
) -> None:
    table.put(Put(item(100, **LISTED)))
    for changes, index_units in (
        ((Set("text", "not projected"),), 0),
        ((Set("title", "projected"),), 1),
        ((Set("updated_at", "2026-01-30T09:00:01Z"),), 2),
    ):
        meter.reset()
        table.update(Update(KEY, changes))
        assert meter.totals.write_units == 1 + index_units


def test_a_read_costs_a_unit_per_started_four_kilobytes_of_all_its_items(table: Table, meter: Meter) -> None:
    for sort in ("1", "2", "3"):
        table.put(Put(item(3_000) | {"sk": sort}))
    meter.reset()
    table.query(Query(KEY.partition, limit=10))
    assert meter.totals.read_units == 3
    meter.reset()
    table.get(KEY, consistent=False)
    table.get(Key("T#acme#X", "absent"))
    assert meter.totals.read_units == 0.5 + 1


def test_a_refused_write_is_paid_for_the_item_that_stood_there(table: Table, meter: Meter) -> None:
    table.put(Put(item(2_500)))
    meter.reset()
    with pytest.raises(ConditionRefused):
        table.put(Put(item(10), (NotExists(),)))
    assert meter.totals.write_units == 3
    meter.reset()
    with pytest.raises(TransactionRefused):
        table.transact([Delete(KEY, (NotExists(),))])
    assert meter.totals.write_units == 6


def test_every_try_counts_as_a_request_and_what_took_effect_is_paid_once(
    watched: tuple[Table, Faults], meter: Meter
) -> None:
    table, faults = watched
    meter.reset()
    faults.inject(error_answer("ProvisionedThroughputExceededException"))
    with without_retry_delays(), suppress(ConditionRefused):
        table.put(Put(item(100)))
    assert meter.totals.requests == ["PutItem", "PutItem"]
    assert meter.totals.write_units == 1
