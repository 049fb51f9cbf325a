"""A tenant that keeps conversations shorter: from the write of its policy to the sweep that finds them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conversation.clock import Deadline
from conversation.retention.jobs import (
    ContinueSweepJob,
    RetentionUpdate,
    RetentionUpdater,
    UpdateRetentionJob,
    parse_job,
    retention_update_for,
)
from conversation.retention.sweep import Sweep, SweepReport
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import TenantStore
from local.events.table_stream import StreamEntry
from local.template.resources import StreamConsumer
from storage import keys
from storage.keys import TenantId
from storage.sqlite.json_items import to_json
from storage.sqlite.table import SqliteTable
from storage.table import Item, Put, Table
from storage.tenant_table import Tables
from tests.fakes.aws.proxy_events import Context
from tests.fakes.aws.queues import queue_bodies
from tests.fakes.aws.tables import ObservedTable
from tests.fakes.data.old_conversations import write_conversation
from tests.fakes.data.scripted_turns import MAYA
from tests.fakes.deployment import functions
from tests.fakes.run.clocks import ManualClock

LATER = 1e9
AFTER_GRACE = timedelta(days=8)
"""The sweep's day of what a shorter retention takes."""


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def table(clock: ManualClock) -> Iterator[SqliteTable]:
    with closing(SqliteTable(":memory:")) as table:
        swept_before(table, clock.now().date())
        yield table


def swept_before(table: Table, day: date) -> None:
    table.put(Put({"pk": keys.SWEEP.partition, "sk": keys.SWEEP.sort, "day": day.isoformat()}))


def decide(table: Table, clock: ManualClock, **policy: object) -> Item | None:
    TenantStore(tables=Tables(table), clock=clock).save(MAYA.tenant, TenantPolicy.model_validate({**policy}))
    return table.get(keys.policy(MAYA.tenant))


def due_of(table: Table, conversation_id: str) -> date:
    item = table.get(keys.head(MAYA.tenant, conversation_id))
    assert item is not None
    return keys.due_day_of(str(item["due"]))


def redate(table: Table, clock: ManualClock, seconds: float = LATER) -> RetentionUpdate | None:
    redater = RetentionUpdater(tables=Tables(table), clock=clock)
    return redater.run(RetentionUpdate(MAYA.tenant), Deadline.after(clock, seconds))


def test_a_shorter_policy_asks_for_earlier_days_and_a_longer_one_does_not(
    table: SqliteTable, clock: ManualClock
) -> None:
    key = keys.policy(MAYA.tenant)
    long, short = decide(table, clock, retention_days=365), decide(table, clock, retention_days=7)
    assert retention_update_for(key, long, short) == RetentionUpdate(MAYA.tenant)
    assert retention_update_for(key, short, long) is None
    assert retention_update_for(key, None, short) == RetentionUpdate(MAYA.tenant)
    assert retention_update_for(key, None, long) is None
    assert retention_update_for(keys.head(MAYA.tenant, "c"), long, short) is None


def test_conversations_get_their_earlier_days_and_the_sweep_finds_them(
    table: SqliteTable, clock: ManualClock
) -> None:
    now = clock.now()
    decide(table, clock, retention_days=365)
    old = write_conversation(table, MAYA, "old", begun=now - timedelta(days=20), days=365)
    fresh = write_conversation(table, MAYA, "fresh", begun=now - timedelta(days=1), days=365)
    decide(table, clock, retention_days=9)
    assert redate(table, clock) is None
    assert due_of(table, old) == (now + AFTER_GRACE).date()
    assert due_of(table, fresh) == (now + timedelta(days=9)).date()
    clock.advance(AFTER_GRACE.total_seconds())
    swept = Sweep(tables=Tables(table), clock=clock).run(Deadline.after(clock, LATER))
    assert swept == SweepReport(looked_at=1, removed=1, messages=2)


def test_no_conversation_gets_a_later_day(table: SqliteTable, clock: ManualClock) -> None:
    conversation = write_conversation(table, MAYA, "old", begun=clock.now(), days=7)
    before = due_of(table, conversation)
    redate(table, clock)
    assert due_of(table, conversation) == before


def test_a_conversation_that_is_moved_meanwhile_gets_its_earlier_day_all_the_same(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = write_conversation(table, MAYA, "moving", begun=clock.now() - timedelta(days=20), days=365)
    decide(table, clock, retention_days=7)
    moved: list[bool] = []

    def move_once(name: str, when: str) -> None:
        if (name, when) == ("update", "before") and not moved:
            moved.append(True)
            head = table.get(keys.head(MAYA.tenant, conversation))
            assert head is not None
            table.put(Put({**head, "due": keys.due(clock.now().date() + timedelta(99), conversation)}))

    redate(ObservedTable(table, move_once), clock)
    assert due_of(table, conversation) == (clock.now() + AFTER_GRACE).date()


def test_a_run_without_time_says_where_to_go_on(table: SqliteTable, clock: ManualClock) -> None:
    begun, due = clock.now() - timedelta(days=20), (clock.now() + AFTER_GRACE).date()
    made = [write_conversation(table, MAYA, str(n), begun=begun, days=365, exchanges=0) for n in range(250)]
    decide(table, clock, retention_days=7)

    def take_time(name: str, when: str) -> None:
        clock.advance(0.6 if (name, when) == ("query", "before") else 0.0)

    observed, runs = ObservedTable(table, take_time), 0
    left: RetentionUpdate | None = RetentionUpdate(MAYA.tenant)
    while left is not None:
        request = parse_job(UpdateRetentionJob(left).to_body())
        assert isinstance(request, UpdateRetentionJob)
        redater = RetentionUpdater(tables=Tables(observed), clock=clock)
        left, runs = redater.run(request.retention_update, Deadline.after(clock, 1.0)), runs + 1
    assert runs == 2
    assert {due_of(table, each) for each in made} == {due}


@pytest.mark.parametrize("body", ["{}", "[]", '{"do": "nothing"}', '{"do": "redate", "tenant": "a#b"}', ""])
def test_what_nobody_asked_for_is_refused(body: str) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        parse_job(body)


def test_a_request_to_go_on_is_understood() -> None:
    assert parse_job(ContinueSweepJob().to_body()) == ContinueSweepJob()


def load(folder: Path, name: str) -> ModuleType:
    queues = {
        "OMNIFORGE_RETENTION_QUEUE": f"sqlite:///{folder}/retention.db",
        "OMNIFORGE_RUN_QUEUE": f"sqlite:///{folder}/runs.db",
        "OMNIFORGE_SCHEDULES": f"sqlite:///{folder}/schedules.db",
    }
    return functions.load(name, functions.settings(folder, **queues))


def stored(folder: Path) -> SqliteTable:
    return SqliteTable(folder / "omniforge.db")


def entry(body: str) -> dict[str, Any]:
    return {"Records": [{"messageId": "1", "body": body}]}


def test_the_function_sweeps_on_its_schedule_and_only_counts_in_a_dry_run(tmp_path: Path) -> None:
    app = load(tmp_path, "retention")
    with closing(stored(tmp_path)) as table:
        now = app.clock.now()
        swept_before(table, now.date() - timedelta(days=2))
        write_conversation(table, MAYA, "old", begun=now - timedelta(days=31))
    for event in ({"dry_run": True}, {"detail-type": "Scheduled Event"}):
        assert app.handler(event, Context())["removed"] == 1
    assert app.handler({"detail-type": "Scheduled Event"}, Context())["looked_at"] == 0


def test_a_sweep_that_runs_out_of_time_asks_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = load(tmp_path, "retention")
    monkeypatch.setattr(app, "MARGIN_S", 1e9)
    assert app.handler({}, Context())["finished"] is False
    assert [json.loads(body) for body in queue_bodies(tmp_path / "retention.db")] == [{"do": "sweep"}]


def test_an_entry_of_the_queue_that_means_nothing_is_left_to_the_dead_letters(tmp_path: Path) -> None:
    app = load(tmp_path, "retention")
    answer = app.handler(entry('{"do": "nothing"}'), Context())
    assert answer == {"batchItemFailures": [{"itemIdentifier": "1"}]}


def test_a_policy_written_to_the_table_is_followed_to_the_queue(tmp_path: Path) -> None:
    app = load(tmp_path, "consequences")
    with closing(stored(tmp_path)) as table:
        clock = ManualClock()
        long, short = decide(table, clock), decide(table, clock, retention_days=7)
    assert long is not None
    assert short is not None
    consumer = StreamConsumer("Table", "", "ConsequencesFunction", 25, (), 60.0)
    record = StreamEntry(1, 0.0, to_json(long), to_json(short)).to_record(consumer)
    assert app.handler({"Records": [record]}, Context()) == {"batchItemFailures": []}
    [body] = queue_bodies(tmp_path / "retention.db")
    assert parse_job(body) == UpdateRetentionJob(RetentionUpdate(TenantId("acme")))
