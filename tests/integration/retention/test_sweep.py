"""The retention sweep over a real table: what it removes, moves and leaves, and what that reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import date, datetime, timedelta

import pytest

from conversation.clock import Deadline, to_millis, to_text
from conversation.errors import ConversationNotFound
from conversation.identity import Caller
from conversation.retention.holds import LegalHolds
from conversation.retention.removal_writes import TOMBSTONE_KEPT, is_tombstone
from conversation.retention.sweep import Sweep, SweepReport, SweepState
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import TenantStore
from conversation.threads.repository import ConversationRepository
from conversation.turns.admission import LEASE_DURATION
from storage import keys
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Item, Put, Query, Set, Table, Update
from storage.tenant_table import Tables
from tests.fakes.aws.tables import Crash, CrashAt, ObservedTable, ReadMeter
from tests.fakes.data.old_conversations import write_conversation
from tests.fakes.data.scripted_turns import MAYA, scripted_service
from tests.fakes.run.clocks import ManualClock

GLOBEX = Caller(TenantId("globex"), "noah")
DAY = 86_400.0


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def table(clock: ManualClock) -> Iterator[SqliteTable]:
    """A table that was swept today."""
    with closing(SqliteTable(":memory:")) as table:
        swept_before(table, clock.now().date())
        yield table


def swept_before(table: Table, day: date) -> None:
    table.put(Put({"pk": keys.SWEEP.partition, "sk": keys.SWEEP.sort, "day": day.isoformat()}))


def sweep(table: Table, clock: ManualClock, *, dry_run: bool = False, seconds: float = 1e9) -> SweepReport:
    return Sweep(tables=Tables(table), clock=clock).run(Deadline.after(clock, seconds), dry_run=dry_run)


def state(table: Table, clock: ManualClock) -> SweepState:
    return Sweep(tables=Tables(table), clock=clock).state()


def decide(table: Table, clock: ManualClock, caller: Caller, **policy: object) -> None:
    TenantStore(tables=Tables(table), clock=clock).save(
        caller.tenant, TenantPolicy.model_validate({**policy})
    )


def partition(table: Table, caller: Caller, conversation_id: str) -> tuple[Item, ...]:
    return table.query(Query(keys.conversation(caller.tenant, conversation_id), limit=1_000)).items


def everything(table: SqliteTable) -> list[tuple[str, str]]:
    with table._connections.read_connection() as connection:
        return list(connection.execute("select pk || sk, body from items order by pk, sk"))


def days_later(clock: ManualClock, days: float) -> datetime:
    clock.advance(days * DAY)
    return clock.now()


def test_what_expired_is_removed_and_only_a_tombstone_is_left(table: SqliteTable, clock: ManualClock) -> None:
    conversation = write_conversation(table, MAYA, "old", begun=clock.now(), exchanges=40)
    now = days_later(clock, 31)
    assert sweep(table, clock) == SweepReport(looked_at=1, removed=1, messages=80)
    [left] = partition(table, MAYA, conversation)
    assert is_tombstone(left)
    assert left["expires_at"] == int((now + TOMBSTONE_KEPT).timestamp())
    assert not {"title", "by_user", "by_tenant", "due", "inbox"} & set(left)


def test_a_second_sweep_finds_nothing_to_do(table: SqliteTable, clock: ManualClock) -> None:
    write_conversation(table, MAYA, "old", begun=clock.now())
    days_later(clock, 31)
    sweep(table, clock)
    assert sweep(table, clock) == SweepReport()
    assert state(table, clock).conversations == 1


def test_what_the_index_shows_late_is_found_the_next_day(table: SqliteTable, clock: ManualClock) -> None:
    days_later(clock, 31)
    sweep(table, clock)
    write_conversation(table, MAYA, "shown late", begun=clock.now() - timedelta(days=31))
    days_later(clock, 1)
    assert sweep(table, clock) == SweepReport(looked_at=1, removed=1, messages=2)


def test_the_first_sweep_of_all_finds_what_is_long_overdue(clock: ManualClock) -> None:
    with closing(SqliteTable(":memory:")) as table:
        write_conversation(table, MAYA, "forgotten", begun=clock.now())
        days_later(clock, 3_000)
        assert sweep(table, clock) == SweepReport(looked_at=1, removed=1, messages=2)
        assert state(table, clock).day == clock.now().date() - timedelta(days=1)


def test_what_is_alive_is_not_even_looked_at(table: SqliteTable, clock: ManualClock) -> None:
    write_conversation(table, MAYA, "alive", begun=clock.now())
    days_later(clock, 29)
    assert sweep(table, clock) == SweepReport()


def test_what_went_on_gets_a_later_day_and_is_removed_then(table: SqliteTable, clock: ManualClock) -> None:
    begun = clock.now()
    conversation = write_conversation(table, MAYA, "long", begun=begun, last=begun + timedelta(days=20))
    days_later(clock, 31)
    assert sweep(table, clock) == SweepReport(looked_at=1, moved=1)
    assert sweep(table, clock) == SweepReport()
    days_later(clock, 18)
    assert sweep(table, clock) == SweepReport()
    assert len(partition(table, MAYA, conversation)) == 3
    days_later(clock, 2)
    assert sweep(table, clock) == SweepReport(looked_at=1, removed=1, messages=2)


def test_a_dry_run_tells_what_would_happen_and_changes_nothing(
    table: SqliteTable, clock: ManualClock
) -> None:
    begun = clock.now()
    write_conversation(table, MAYA, "old", begun=begun, exchanges=3)
    write_conversation(table, MAYA, "long", begun=begun, last=begun + timedelta(days=20))
    days_later(clock, 31)
    before = everything(table)
    assert sweep(table, clock, dry_run=True) == SweepReport(looked_at=2, removed=1, messages=6, moved=1)
    assert everything(table) == before


def test_each_tenant_has_its_own_days(table: SqliteTable, clock: ManualClock) -> None:
    decide(table, clock, GLOBEX, retention_days=7)
    kept = write_conversation(table, MAYA, "ours", begun=clock.now())
    write_conversation(table, GLOBEX, "theirs", begun=clock.now(), days=7)
    days_later(clock, 8)
    assert sweep(table, clock) == SweepReport(looked_at=1, removed=1, messages=2)
    assert ConversationRepository(tables=Tables(table), clock=clock).get(MAYA, kept).title == "ours"


def test_a_conversation_being_answered_is_left_until_the_lease_is_over(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = write_conversation(table, MAYA, "old", begun=clock.now())
    now = days_later(clock, 31)
    lease = Set("lease", {"owner": "somebody", "until": to_millis(now + LEASE_DURATION)})
    table.update(Update(keys.head(MAYA.tenant, conversation), (lease,)))
    assert sweep(table, clock) == SweepReport(looked_at=1, busy=1)
    clock.advance(31)
    assert sweep(table, clock) == SweepReport(looked_at=1, removed=1, messages=2)


def test_a_message_that_came_in_time_keeps_its_conversation(table: SqliteTable, clock: ManualClock) -> None:
    conversation = write_conversation(table, MAYA, "waiting", begun=clock.now())
    days_later(clock, 29.9)
    with pytest.raises(Crash):
        scripted_service(ObservedTable(table, CrashAt(1, "after")), clock).say("still there?", conversation)
    days_later(clock, 1.1)
    assert sweep(table, clock) == SweepReport(looked_at=1, moved=1)


def test_one_that_came_too_late_does_not(table: SqliteTable, clock: ManualClock) -> None:
    conversation = write_conversation(table, MAYA, "waiting", begun=clock.now())
    days_later(clock, 30.5)
    with pytest.raises(Crash):
        scripted_service(ObservedTable(table, CrashAt(1, "after")), clock).say("too late", conversation)
    days_later(clock, 0.5)
    assert sweep(table, clock) == SweepReport(looked_at=1, removed=1, messages=2)


def test_a_tenant_on_legal_hold_loses_nothing_until_it_is_taken_back(
    table: SqliteTable, clock: ManualClock
) -> None:
    conversation = write_conversation(table, MAYA, "evidence", begun=clock.now())
    decide(table, clock, MAYA, legal_hold=True)
    days_later(clock, 31)
    assert sweep(table, clock) == SweepReport(looked_at=1, held=1)
    read = ConversationRepository(tables=Tables(table), clock=clock).get(MAYA, conversation)
    assert read.expires_at is None
    days_later(clock, 31)
    decide(table, clock, MAYA, legal_hold=False)
    days_later(clock, 6)
    assert sweep(table, clock).removed == 0
    days_later(clock, 2)
    assert sweep(table, clock) == SweepReport(looked_at=1, removed=1, messages=2)


def test_a_held_conversation_stays_until_the_hold_is_lifted(table: SqliteTable, clock: ManualClock) -> None:
    conversation = write_conversation(table, MAYA, "evidence", begun=clock.now())
    write_conversation(table, MAYA, "chatter", begun=clock.now())
    holds = LegalHolds(tables=Tables(table), clock=clock)
    holds.place(MAYA.tenant, conversation)
    days_later(clock, 31)
    assert sweep(table, clock) == SweepReport(looked_at=2, removed=1, messages=2, held=1)
    holds.lift(MAYA.tenant, conversation)
    assert sweep(table, clock) == SweepReport(looked_at=1, removed=1, messages=2)


def test_a_hold_that_comes_while_the_sweep_looks_wins(table: SqliteTable, clock: ManualClock) -> None:
    write_conversation(table, MAYA, "evidence", begun=clock.now())
    days_later(clock, 31)

    def place_a_hold(name: str, when: str) -> None:
        if (name, when) == ("transact", "before"):
            decide(table, clock, MAYA, legal_hold=True)

    observed = ObservedTable(table, place_a_hold)
    assert sweep(observed, clock) == SweepReport(looked_at=1, held=1)


def test_so_does_a_hold_on_the_one_conversation(table: SqliteTable, clock: ManualClock) -> None:
    conversation = write_conversation(table, MAYA, "evidence", begun=clock.now())
    days_later(clock, 31)

    def place_a_hold(name: str, when: str) -> None:
        if (name, when) == ("transact", "before"):
            LegalHolds(tables=Tables(table), clock=clock).place(MAYA.tenant, conversation)

    assert sweep(ObservedTable(table, place_a_hold), clock) == SweepReport(looked_at=1, held=1)


def test_activity_that_comes_while_the_sweep_looks_wins(table: SqliteTable, clock: ManualClock) -> None:
    conversation = write_conversation(table, MAYA, "old", begun=clock.now())
    days_later(clock, 31)

    def go_on(name: str, when: str) -> None:
        if (name, when) == ("transact", "before"):
            changes = (Set("updated_at", to_text(clock.now())),)
            table.update(Update(keys.head(MAYA.tenant, conversation), changes))

    assert sweep(ObservedTable(table, go_on), clock) == SweepReport(looked_at=1, moved=1)
    assert len(partition(table, MAYA, conversation)) == 3


def test_what_is_gone_takes_no_message(table: SqliteTable, clock: ManualClock) -> None:
    conversation = write_conversation(table, MAYA, "old", begun=clock.now())
    days_later(clock, 31)
    sweep(table, clock)
    with pytest.raises(ConversationNotFound):
        scripted_service(table, clock).say("hello?", conversation)
    assert len(partition(table, MAYA, conversation)) == 1


def test_a_deleted_conversation_is_removed_after_its_grace(table: SqliteTable, clock: ManualClock) -> None:
    conversation = write_conversation(table, MAYA, "unwanted", begun=clock.now())
    ConversationRepository(tables=Tables(table), clock=clock).delete(MAYA, conversation)
    days_later(clock, 6)
    assert sweep(table, clock) == SweepReport()
    days_later(clock, 2)
    assert sweep(table, clock) == SweepReport(looked_at=1, removed=1, messages=2)


def test_a_run_without_time_goes_on_where_it_was_left(table: SqliteTable, clock: ManualClock) -> None:
    for number in range(30):
        write_conversation(table, MAYA, f"old {number}", begun=clock.now())
    days_later(clock, 31)
    swept: list[SweepReport] = []

    def take_time(name: str, when: str) -> None:
        # A tenth of a second a look: ten to a run.
        clock.advance(0.1 if (name, when) == ("transact", "before") else 0.0)

    while not swept or not swept[-1].finished:
        swept.append(sweep(ObservedTable(table, take_time), clock, seconds=1.0))
    assert len(swept) > 3
    assert sum(each.removed for each in swept) == 30
    assert state(table, clock).conversations == 30


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_sweep_that_died_anywhere_is_taken_up_and_counts_everything_once(
    when: str, clock: ManualClock
) -> None:
    died = finished = 0
    while not finished:
        with closing(SqliteTable(":memory:")) as table:
            begun = clock.now()
            for number in range(3):
                write_conversation(table, MAYA, f"old {number}", begun=begun, exchanges=20)
            other = write_conversation(table, GLOBEX, "alive", begun=begun + timedelta(days=29))
            swept_before(table, (begun + timedelta(days=30)).date())
            untouched = partition(table, GLOBEX, other)
            days_later(clock, 31)
            try:
                sweep(ObservedTable(table, CrashAt(died + 1, when)), clock)
            except Crash:
                died += 1
            else:
                finished = 1
            sweep(table, clock)
            done = state(table, clock)
            assert (done.conversations, done.messages) == (3, 120)
            assert sweep(table, clock) == SweepReport()
            assert partition(table, GLOBEX, other) == untouched
    assert died > 50


def test_two_sweeps_at_once_count_a_conversation_once(table: SqliteTable, clock: ManualClock) -> None:
    write_conversation(table, MAYA, "old", begun=clock.now())
    days_later(clock, 31)
    others: list[SweepReport] = []

    def sweep_meanwhile(name: str, when: str) -> None:
        if (name, when) == ("batch_delete", "before") and not others:
            others.append(SweepReport())
            others[0] = sweep(table, clock)

    mine = sweep(ObservedTable(table, sweep_meanwhile), clock)
    assert mine.removed + others[0].removed == 1
    assert state(table, clock).conversations == 1


@pytest.mark.slow
def test_a_sweep_reads_only_what_is_due(clock: ManualClock) -> None:
    alone, among = (_units_read(clock, live=live) for live in (0, 10_000))
    assert among <= 1.2 * alone


def _units_read(clock: ManualClock, *, live: int) -> float:
    """Read units of a sweep of 1,000 due conversations beside live ones, a day after the last sweep."""
    with closing(SqliteTable(":memory:")) as table:
        now = clock.now()
        swept_before(table, now.date() - timedelta(days=2))
        for number in range(1_000):
            write_conversation(table, MAYA, f"due {number}", begun=now - timedelta(days=31, hours=number % 9))
        for number in range(live):
            write_conversation(
                table, MAYA, f"live {number}", begun=now - timedelta(days=number % 29), exchanges=0
            )
        meter = ReadMeter(table)
        assert sweep(meter, clock).removed == 1_000
        return meter.units
