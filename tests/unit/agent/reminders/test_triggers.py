"""The scheduled reminder of a task follows what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agent.reminders.triggers import ReminderTriggers
from agent.runs.run_queue import ReminderRequest, Request, parse_request
from conversation.identity import Caller
from conversation.scheduler import ScheduledOnce, ScheduledRun, ScheduleRejected, SchedulerUnavailable
from storage import keys
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Delete, Item, StreamRecord
from storage.tenant_table import Tables
from tasks.store import TaskStore
from tasks.task import Task, TaskChange, TaskSpec
from tests.fakes.run.clocks import ManualClock

MAYA = Caller(TenantId("acme"), "auth0|maya")
THREE = datetime(2026, 3, 6, 15, 0, tzinfo=UTC)
LOCAL = THREE.replace(tzinfo=None)


@dataclass
class Outside:
    """The queue and the scheduler, and how the latter fails."""

    sent: list[tuple[Request, int]] = field(default_factory=list)
    kept: dict[str, ScheduledOnce] = field(default_factory=dict)
    fault: Exception | None = None

    def send(self, request: Request, *, delay_s: int = 0) -> None:
        self.sent.append((request, delay_s))

    def put(self, run: ScheduledRun) -> None:
        raise AssertionError(run)

    def remove(self, agent_id: str) -> None:
        raise AssertionError(agent_id)

    def put_once(self, message: ScheduledOnce) -> None:
        if self.fault is not None:
            raise self.fault
        self.kept[message.name] = message

    def remove_once(self, name: str) -> None:
        if self.fault is not None:
            raise self.fault
        self.kept.pop(name, None)

    @property
    def moments(self) -> list[datetime]:
        return [message.at for message in self.kept.values()]


class World:
    """A task store whose writes are followed."""

    def __init__(self) -> None:
        self.clock = ManualClock(THREE.replace(hour=8))
        self.outside = Outside()
        self.table = SqliteTable(":memory:")
        self.store = TaskStore(tables=Tables(self.table), clock=self.clock)
        self._seen: dict[str, Item] = {}

    def add(self, caller: Caller = MAYA, task_id: str | None = None, **fields: Any) -> Task:
        spec = TaskSpec(title="call the bank", **{"due_at": LOCAL, "time_zone": "UTC", **fields})
        task = self.store.create(caller, spec, task_id=task_id)
        self.follow(task, caller)
        return task

    def change(self, task: Task, **fields: Any) -> None:
        self.store.update(MAYA, task.id, TaskChange(**fields))
        self.follow(task)

    def follow(self, task: Task, caller: Caller = MAYA) -> None:
        key = keys.task(caller.tenant, caller.user, task.id)
        old, new = self._seen.pop(key.partition, None), self.table.get(key)
        triggers = ReminderTriggers(queue=self.outside, scheduler=self.outside, clock=self.clock)
        triggers.handle(StreamRecord(key, old, new))
        if new is not None:
            self._seen[key.partition] = new


@pytest.fixture
def world() -> World:
    return World()


def test_a_reminder_is_scheduled_for_its_minute_and_says_whose_it_is(world: World) -> None:
    task = world.add()
    [message] = world.outside.kept.values()
    assert message.at == THREE
    assert parse_request(message.body) == ReminderRequest(MAYA.tenant, MAYA.user, task.id, THREE)
    assert len(message.name) <= 64
    assert message.name.replace("-", "").isalnum()


def test_a_task_that_moves_takes_its_reminder_along(world: World) -> None:
    task = world.add()
    world.change(task, due_date=LOCAL.date() + timedelta(days=1))
    assert world.outside.moments == [THREE + timedelta(days=1)]
    world.change(task, due_at=LOCAL, time_zone="Europe/Berlin")
    assert world.outside.moments == [THREE - timedelta(hours=1)]


@pytest.mark.parametrize(
    "fields", [{"completed": True}, {"due_at": None}, {"due_date": None}, {"remind": False}]
)
def test_what_needs_no_reminder_any_more_has_none(world: World, fields: dict[str, Any]) -> None:
    task = world.add()
    world.change(task, **fields)
    assert world.outside.kept == {}


def test_a_deleted_or_erased_task_takes_its_reminder_away(world: World) -> None:
    task, erased = world.add(), world.add(Caller(MAYA.tenant, "noah"))
    world.store.delete(MAYA, task.id)
    world.follow(task)
    key = keys.task(MAYA.tenant, "noah", erased.id)
    world.table.delete(Delete(key))
    world.follow(erased, Caller(MAYA.tenant, "noah"))
    assert world.outside.kept == {}


def test_a_restored_task_has_its_reminder_again_unless_that_is_past(world: World) -> None:
    task = world.add()
    for passed_s, moments in ((3600, [THREE]), (6 * 3600, [])):
        world.store.delete(MAYA, task.id)
        world.follow(task)
        world.clock.advance(passed_s)
        world.store.restore(MAYA, task.id)
        world.follow(task)
        assert (world.outside.moments, world.outside.sent) == (moments, [])


def test_a_repeating_task_has_its_next_reminder_scheduled_each_time(world: World) -> None:
    task = world.add(repeat="0 15 * * 5")
    world.change(task, completed=True)
    assert world.outside.moments == [THREE + timedelta(days=7)]


def test_a_change_of_its_words_and_a_task_without_a_time_ask_for_nothing(world: World) -> None:
    world.outside.fault = SchedulerUnavailable()
    task = world.add(due_at=None, due_date=LOCAL.date())
    world.change(task, title="call mom")
    world.change(task, completed=True)


def test_tasks_of_the_same_id_in_two_tenants_have_a_reminder_each(world: World) -> None:
    task = world.add()
    world.add(Caller(TenantId("globex"), MAYA.user), task.id)
    world.add(Caller(MAYA.tenant, "noah"), task.id)
    assert len(world.outside.kept) == 3


def test_one_that_is_due_before_it_could_be_scheduled_is_sent_at_once(world: World) -> None:
    task = world.store.create(MAYA, TaskSpec(title="x", due_at=LOCAL, time_zone="UTC"))
    world.clock.advance(7 * 3600 + 2)
    world.follow(task)
    assert world.outside.sent == [(ReminderRequest(MAYA.tenant, MAYA.user, task.id, THREE), 0)]
    assert world.outside.kept == {}


def test_one_that_the_scheduler_takes_for_past_goes_through_the_queue_in_time(world: World) -> None:
    world.clock.advance(7 * 3600 - 20)
    world.outside.fault = ScheduleRejected("ValidationException")
    world.add()
    assert [delay_s for _, delay_s in world.outside.sent] == [21]


def test_one_that_never_will_be_scheduled_does_not_hold_up_the_others(world: World) -> None:
    world.outside.fault = ScheduleRejected("ValidationException")
    world.add()
    assert world.outside.sent == []


def test_what_is_out_of_reach_is_told_so_that_it_comes_again(world: World) -> None:
    world.outside.fault = SchedulerUnavailable()
    with pytest.raises(SchedulerUnavailable):
        world.add()
