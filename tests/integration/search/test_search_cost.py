"""What the search index costs in DynamoDB, amortised: flushes and merges counted, deletions too.

The workload is that of `tests.integration.test_turn_cost`: questions of 500 characters, answers of 1,000.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conversation.clock import SystemClock
from conversation.identity import Caller
from conversation.search.index import INDEX_AFTER_REPLIES, SearchIndex
from conversation.search.index_items import FAN_OUT
from conversation.search.service import ConversationSearch, SearchRequest
from conversation.threads.repository import ConversationRepository
from storage import keys
from storage.dynamodb.table import DynamoTable, create_table
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Query, Table
from storage.tenant_table import Tables
from tests.benchmarks.workload import exchange
from tests.fakes.aws.dynamodb import dynamo_client, ministack
from tests.fakes.aws.dynamodb_meter import Meter
from tests.fakes.aws.tables import ReadMeter, WriteMeter
from tests.fakes.data.stored_conversations import ConversationWriter

pytestmark = pytest.mark.slow

MAYA = Caller(TenantId("0f8fad5b-d9cb-469f-a165-70867728950e"), "7c9e6679-7425-40de-944b-e07fc1f90ae7")
UNITS_PER_MESSAGE = 4.0
TURNS_PER_CONVERSATION = 20
READ_UNITS = 250.0
"""For two words among 6,200 messages, with ten hits read."""
UNTIL_ALL_IS_MERGED_TWICE = 3_100
"""Turns, two messages each: sixteen times sixteen segments of a dozen turns."""


def talk(table: Table, index: SearchIndex, turns: int) -> None:
    """So many turns; ``table`` is not charged for them, only the index for what it makes of them."""
    spoken, conversation_id = ConversationWriter(table, SystemClock()), ""
    for place in range(turns):
        if place % TURNS_PER_CONVERSATION == 0:
            conversation_id = spoken.begin(MAYA)
        said = exchange(place)
        reply = spoken.write_turn(MAYA, conversation_id, said.question, said.answer)
        index.enqueue(MAYA.tenant, conversation_id, reply.sequence)


@pytest.fixture(scope="module")
def full() -> Iterator[tuple[SqliteTable, float]]:
    """A table whose index was merged up to its highest level, and what a message cost."""
    table = SqliteTable(":memory:")
    meter = WriteMeter(table)
    talk(table, SearchIndex(tables=Tables(meter), clock=SystemClock()), UNTIL_ALL_IS_MERGED_TWICE)
    yield table, meter.units / (2 * UNTIL_ALL_IS_MERGED_TWICE)
    table.close()


def test_a_message_costs_at_most_four_write_units_merges_included(full: tuple[SqliteTable, float]) -> None:
    table, units = full
    query = Query(keys.search(MAYA.tenant, MAYA.user), limit=1, prefix="2#")
    assert table.query(query).items, "nothing was merged up to the highest level"
    assert units <= UNITS_PER_MESSAGE


def test_a_search_reads_what_its_words_share_their_beginnings_with(full: tuple[SqliteTable, float]) -> None:
    meter = ReadMeter(full[0])
    conversations = ConversationRepository(tables=Tables(meter), clock=SystemClock())
    search = ConversationSearch(tables=Tables(meter), conversations=conversations)
    hits, _ = search.search(MAYA, SearchRequest("assignment expression"), limit=10)
    assert len(hits) == 10
    assert meter.units <= READ_UNITS


def test_searches_one_after_the_other_read_the_index_once(full: tuple[SqliteTable, float]) -> None:
    meter = ReadMeter(full[0])
    conversations = ConversationRepository(tables=Tables(meter), clock=SystemClock())
    own = ConversationSearch(tables=Tables(meter), conversations=conversations).of(MAYA)
    request = SearchRequest("assignment expression")
    own.search(request, limit=0)
    first = meter.units
    own.search(request, limit=0)
    assert first > 0
    assert meter.units == first


def test_dynamodb_counts_the_same() -> None:
    turns = FAN_OUT * INDEX_AFTER_REPLIES + INDEX_AFTER_REPLIES
    quiet = SqliteTable(":memory:")
    local = WriteMeter(quiet)
    talk(quiet, SearchIndex(tables=Tables(local), clock=SystemClock()), turns)
    with ministack() as endpoint:
        client, meter = dynamo_client(endpoint), Meter()
        create_table(client, "search")
        with meter.watch_new_clients():
            index = SearchIndex(
                tables=Tables(DynamoTable(dynamo_client(endpoint), "search")), clock=SystemClock()
            )
        talk(DynamoTable(client, "search"), index, turns)
    assert {"UpdateItem", "PutItem", "BatchWriteItem"} <= set(meter.totals.requests)
    assert meter.totals.write_units == pytest.approx(local.units, rel=0.02)
    assert meter.totals.write_units <= UNITS_PER_MESSAGE * 2 * turns
