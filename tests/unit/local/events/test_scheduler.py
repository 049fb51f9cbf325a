from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from conversation.scheduler import SCHEDULED_TIME, ScheduledOnce, ScheduledRun
from conversation.turns.deferred_turn import QueueUnavailable
from edge.adapters.queues import QueueRequest, SqliteRequestQueue
from edge.adapters.schedules import SqliteScheduler
from local.events.scheduler import ScheduledMessage, ScheduleRunner, latest_moment
from tests.fakes.aws.queues import queue_bodies

EIGHT = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
NINE = EIGHT + timedelta(hours=1)
DAY = timedelta(days=1)
DAILY = ScheduledRun(
    agent_id="a",
    cron="0 9 * * *",
    time_zone="UTC",
    active=True,
    since=EIGHT,
    body=json.dumps({"at": SCHEDULED_TIME}),
)


class Twin:
    """A timetable and what it sent."""

    def __init__(self, folder: Path) -> None:
        self.timetable = SqliteScheduler(str(folder / "schedules.db"))
        self._path = folder / "runs.db"
        self._folder = folder

    def fire(self, now: datetime) -> None:
        ScheduleRunner(str(self._folder / "schedules.db"), SqliteRequestQueue(str(self._path))).send_due(now)

    def fired(self) -> list[str]:
        return [json.loads(body)["at"] for body in queue_bodies(self._path)]


@pytest.fixture
def twin(tmp_path: Path) -> Twin:
    twin = Twin(tmp_path)
    twin.timetable.put(DAILY)
    twin.fire(EIGHT)
    return twin


def test_a_schedule_fires_once_for_a_moment_it_names(twin: Twin) -> None:
    for seconds in (-1, 0, 1, 60, 3600):
        twin.fire(NINE + timedelta(seconds=seconds))
    assert twin.fired() == ["2026-03-02T09:00:00Z"]


def test_it_fires_every_day(twin: Twin) -> None:
    for day in range(3):
        twin.fire(NINE + day * DAY)
    assert twin.fired() == [f"2026-03-0{2 + day}T09:00:00Z" for day in range(3)]


def test_what_was_missed_is_fired_once_for_the_last_moment(twin: Twin) -> None:
    twin.fire(NINE + 10 * DAY + timedelta(minutes=30))
    assert twin.fired() == ["2026-03-12T09:00:00Z"]


def test_a_clock_that_is_set_back_fires_again_when_the_moment_comes(twin: Twin) -> None:
    for now in (NINE + 10 * DAY, EIGHT + DAY, NINE + DAY):
        twin.fire(now)
    assert twin.fired() == ["2026-03-12T09:00:00Z", "2026-03-03T09:00:00Z"]


def test_a_paused_schedule_does_not_fire_and_makes_up_for_nothing(twin: Twin) -> None:
    twin.timetable.put(replace(DAILY, active=False, since=EIGHT + timedelta(minutes=1)))
    twin.fire(NINE + DAY)
    twin.timetable.put(replace(DAILY, since=NINE + DAY + timedelta(minutes=1)))
    twin.fire(NINE + DAY + timedelta(hours=1))
    assert twin.fired() == []
    twin.fire(NINE + 2 * DAY)
    assert twin.fired() == ["2026-03-04T09:00:00Z"]


def test_a_removed_schedule_does_not_fire(twin: Twin) -> None:
    twin.timetable.remove("a")
    twin.fire(NINE)
    assert twin.fired() == []


def test_a_change_that_leaves_the_schedule_alone_loses_no_firing(twin: Twin) -> None:
    twin.timetable.put(replace(DAILY, since=NINE + timedelta(seconds=1)))
    twin.fire(NINE + timedelta(seconds=2))
    assert twin.fired() == ["2026-03-02T09:00:00Z"]


def test_a_schedule_counts_from_when_it_was_given_however_late_that_is_heard(twin: Twin) -> None:
    twin.fire(NINE + DAY)
    twin.timetable.put(replace(DAILY, agent_id="b", since=NINE + timedelta(hours=1)))
    twin.fire(NINE + DAY)
    assert twin.fired() == ["2026-03-03T09:00:00Z"] * 2


def test_the_time_zone_counts(twin: Twin) -> None:
    twin.timetable.put(replace(DAILY, agent_id="b", time_zone="America/New_York"))
    twin.fire(EIGHT + timedelta(hours=6))
    assert twin.fired() == ["2026-03-02T09:00:00Z", "2026-03-02T14:00:00Z"]


def test_what_could_not_be_sent_is_due_again(tmp_path: Path, twin: Twin) -> None:
    class Unreachable:
        def send(self, request: QueueRequest, *, delay_s: int = 0) -> None:
            raise QueueUnavailable

    with pytest.raises(QueueUnavailable):
        ScheduleRunner(str(tmp_path / "schedules.db"), Unreachable()).send_due(NINE)
    twin.fire(NINE)
    assert twin.fired() == ["2026-03-02T09:00:00Z"]


ONCE = ScheduledOnce("reminder-1", NINE, json.dumps({"at": "once"}))


def test_a_single_message_is_sent_once_however_late(twin: Twin) -> None:
    twin.timetable.remove("a")
    twin.timetable.put_once(ONCE)
    for now in (NINE - timedelta(seconds=1), NINE + 3 * DAY, NINE + 4 * DAY, EIGHT, NINE):
        twin.fire(now)
    assert twin.fired() == ["once"]


def test_a_single_message_that_is_moved_or_removed_is_not_sent_at_its_old_moment(twin: Twin) -> None:
    twin.timetable.remove("a")
    twin.timetable.put_once(ONCE)
    twin.timetable.put_once(replace(ONCE, at=NINE + DAY))
    twin.fire(NINE)
    twin.timetable.remove_once(ONCE.name)
    twin.fire(NINE + DAY)
    assert twin.fired() == []


BERLIN = ZoneInfo("Europe/Berlin")
UTC_ZONE = ZoneInfo("UTC")
START = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)


def test_nothing_is_due_between_two_moments() -> None:
    later = START + timedelta(hours=23)
    assert latest_moment("0 9 * * *", UTC_ZONE, after=START, until=later) is None
    assert latest_moment("0 9 * * *", UTC_ZONE, after=START - timedelta(seconds=1), until=START) == START


def test_after_a_long_pause_only_the_newest_moment_is_due() -> None:
    until = datetime(2036, 5, 4, 8, 59, tzinfo=UTC)
    newest = datetime(2036, 5, 3, 9, 0, tzinfo=UTC)
    assert latest_moment("0 9 * * *", UTC_ZONE, after=START, until=until) == newest


def test_the_fields_are_read_in_their_time_zone() -> None:
    until = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)
    assert latest_moment("0 9 * * *", BERLIN, after=START, until=until) == until.replace(hour=7)


def test_a_time_that_a_clock_change_skips_is_left_out() -> None:
    until = datetime(2026, 3, 29, 12, 0, tzinfo=UTC)
    before = datetime(2026, 3, 28, 1, 30, tzinfo=UTC)
    assert latest_moment("30 2 * * *", BERLIN, after=START, until=until) == before


def test_a_time_that_comes_twice_counts_once() -> None:
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    for minutes in (0, 1, 29, 31, 59, 60, 61, 90):
        until = first + timedelta(minutes=minutes)
        assert latest_moment("30 2 * * *", BERLIN, after=START, until=until) == first
        assert latest_moment("30 2 * * *", BERLIN, after=first, until=until) is None


@pytest.mark.parametrize(
    ("body", "tenant"), [('{"tenant":"acme"}', "acme"), ('{"tenant":"a b"}', None), ("[]", None), ("x", None)]
)
def test_a_firing_belongs_to_the_tenant_that_its_body_names(body: str, tenant: str | None) -> None:
    assert ScheduledMessage(body, datetime(2026, 1, 30, tzinfo=UTC)).tenant == tenant
