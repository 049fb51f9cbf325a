"""Tasks with a time: what is stored, what a change keeps, and how a repeating one moves on."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from conversation.clock import Deadline
from conversation.identity import Caller
from storage.errors import TransactionRefused
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tasks.store import TaskStore
from tasks.task import Task, TaskChange, TaskSpec
from tests.fakes.run.clocks import ManualClock
from tools.builtin.tasks import TaskTools
from tools.tool import Toolbox, ToolContext, ToolResult

MAYA = Caller(TenantId("acme"), "maya")
BERLIN = "Europe/Berlin"
local = datetime.fromisoformat
FRIDAY = local("2026-03-06T15:00")


class World:
    def __init__(self) -> None:
        self.clock = ManualClock(datetime(2026, 3, 2, 8, 0, tzinfo=UTC))
        self.tables = Tables(SqliteTable(":memory:"))
        self.store = TaskStore(tables=self.tables, clock=self.clock)
        self.box = Toolbox(TaskTools(self.store).tools())

    def add(self, **fields: Any) -> Task:
        return self.store.create(MAYA, TaskSpec(title="call the bank", **fields))

    def change(self, task: Task, **fields: Any) -> Task:
        return self.store.update(MAYA, task.id, TaskChange(**fields))

    def call(self, name: str, **arguments: object) -> ToolResult:
        deadline = Deadline.after(self.clock, 600)
        context = ToolContext(MAYA, self.clock.now(), "America/Chicago", "t.1", deadline)
        [tool] = self.box.subset([name]).tools
        return tool.call(json.dumps(arguments), context)


@pytest.fixture
def world() -> World:
    return World()


def test_a_time_is_read_back_with_its_day_and_its_zone(world: World) -> None:
    task = world.add(due_at=FRIDAY, time_zone=BERLIN)
    assert world.store.get(MAYA, task.id) == task
    assert (task.due_date, task.due_at, task.time_zone) == (date(2026, 3, 6), FRIDAY, BERLIN)
    assert task.remind
    assert json.loads(task.model_dump_json())["due_at"] == "2026-03-06T15:00"


def test_a_task_without_a_time_reminds_nobody(world: World) -> None:
    task = world.add(due_date=date(2026, 3, 6), time_zone=BERLIN)
    assert (task.due_at, task.time_zone, task.remind) == (None, None, False)
    assert world.store.get(MAYA, task.id) == task


def test_another_day_keeps_the_time_and_another_time_brings_its_day(world: World) -> None:
    task = world.add(due_at=FRIDAY, time_zone=BERLIN)
    assert world.change(task, due_date=date(2026, 3, 9)).due_at == FRIDAY + timedelta(days=3)
    later = local("2026-03-10T09:30")
    moved = world.change(task, due_at=later, time_zone="UTC")
    assert (moved.due_at, moved.due_date, moved.time_zone) == (later, later.date(), "UTC")


def test_a_time_can_be_taken_away_without_the_day_and_with_it(world: World) -> None:
    task = world.add(due_at=FRIDAY, time_zone=BERLIN, repeat="0 15 * * 5")
    without = world.change(task, due_at=None)
    assert (without.due_date, without.due_at, without.repeat) == (date(2026, 3, 6), None, None)
    again = world.add(due_at=FRIDAY, time_zone=BERLIN, repeat="0 15 * * 5")
    gone = world.change(again, due_date=None)
    assert (gone.due_date, gone.due_at, gone.repeat) == (None, None, None)


def test_the_form_of_the_page_says_day_and_time_in_one_change(world: World) -> None:
    task = world.add(due_at=FRIDAY, time_zone=BERLIN)
    assert world.change(task, due_date=date(2026, 3, 9), due_at=None).due_at is None
    both = world.change(task, due_date=FRIDAY.date(), due_at=FRIDAY, time_zone=BERLIN)
    assert both.due_at == FRIDAY


def test_reminding_can_be_turned_off_and_on(world: World) -> None:
    task = world.add(due_at=FRIDAY, time_zone=BERLIN, remind=False)
    assert not world.store.get(MAYA, task.id).remind
    assert world.change(task, remind=True).remind
    assert not world.change(task, remind=False).remind


@pytest.mark.parametrize(
    "fields",
    [
        {"due_at": "2026-03-06T15:00"},
        {"repeat": "0 9 * * 1"},
        {"due_at": "2026-03-06T15:00", "time_zone": "Mars/Base"},
        {"due_at": "2026-03-06T15:00Z", "time_zone": BERLIN},
        {"due_at": "2026-03-06T15:00+01:00", "time_zone": BERLIN},
        {"due_at": "2026-03-06", "time_zone": BERLIN},
        {"due_at": "2026-02-30T15:00", "time_zone": BERLIN},
        {"due_at": "2026-W10-5T15:00", "time_zone": BERLIN},
        {"due_at": 1_772_800_000, "time_zone": BERLIN},
        {"due_at": "2026-03-06T15:00", "time_zone": BERLIN, "due_date": "2026-03-07"},
        {"repeat": "*/5 * * * *", "time_zone": BERLIN},
    ],
)
def test_a_time_that_is_none_or_needs_more_is_refused(fields: dict[str, object]) -> None:
    for model, more in ((TaskSpec, {"title": "x"}), (TaskChange, {})):
        with pytest.raises(ValidationError):
            model.model_validate_json(json.dumps({**fields, **more}), strict=True)


def test_a_repetition_begins_with_its_next_time(world: World) -> None:
    task = world.add(repeat="0 16 * * 5", time_zone=BERLIN)
    assert task.due_at == local("2026-03-06T16:00")
    later = world.add(repeat="0 16 * * 5", time_zone=BERLIN, due_date=date(2026, 3, 10))
    assert later.due_at == local("2026-03-13T16:00")
    plain = world.add(due_date=date(2026, 3, 3))
    repeating = world.change(plain, repeat="0 9 * * *", time_zone=BERLIN)
    assert (repeating.due_at, repeating.repeat) == (local("2026-03-03T09:00"), "0 9 * * *")
    ended = world.change(repeating, repeat=None)
    assert (ended.due_at, ended.repeat) == (local("2026-03-03T09:00"), None)


def test_completing_a_repeating_task_moves_it_to_the_next_time_and_makes_no_second(world: World) -> None:
    task = world.add(repeat="0 16 * * 5", time_zone=BERLIN)
    done = world.store.complete(MAYA, task.id)
    assert (done.completed, done.due_at) == (False, local("2026-03-13T16:00"))
    assert world.store.list(MAYA) == ((done,), None)


def test_a_repeated_request_moves_it_once(world: World) -> None:
    task = world.add(repeat="0 16 * * 5", time_zone=BERLIN)
    first = world.store.complete(MAYA, task.id)
    assert world.store.complete(MAYA, task.id).due_at == first.due_at
    world.clock.advance(61)
    assert world.store.complete(MAYA, task.id).due_at == local("2026-03-20T16:00")


def test_one_that_was_overdue_for_weeks_is_due_next_in_the_future(world: World) -> None:
    task = world.add(repeat="0 16 * * 5", time_zone=BERLIN)
    world.clock.advance(30 * 86_400)
    assert world.store.complete(MAYA, task.id).due_at == local("2026-04-03T16:00")


def test_completing_it_and_ending_its_repetition_ends_it(world: World) -> None:
    task = world.add(repeat="0 16 * * 5", time_zone=BERLIN)
    assert world.change(task, completed=True, repeat=None).completed


def test_other_fields_of_a_change_that_completes_count_too(world: World) -> None:
    task = world.add(repeat="0 16 * * 5", time_zone=BERLIN)
    renamed = world.change(task, completed=True, title="call them")
    assert (renamed.title, renamed.due_at) == ("call them", local("2026-03-13T16:00"))
    again = world.change(task, completed=True, title="call again")
    assert (again.title, again.due_at) == ("call again", renamed.due_at)
    world.clock.advance(61)
    moved = world.change(task, completed=True, due_date=date(2026, 4, 1))
    assert moved.due_at == local("2026-04-01T16:00")


def test_a_turn_completes_a_repeating_task_only_as_it_was_read(world: World) -> None:
    task = world.add(repeat="0 16 * * 5", time_zone=BERLIN)
    table, now = world.tables.for_tenant(MAYA.tenant), world.clock.now()
    with pytest.raises(TransactionRefused):
        table.transact(world.store.update_actions(MAYA, task.id, TaskChange(completed=True), now))
    actions = world.store.complete_actions(MAYA, task, now)
    table.transact(actions)
    assert world.store.get(MAYA, task.id).due_at == task.after_completion(now).due_at
    with pytest.raises(TransactionRefused):
        table.transact(actions)


def test_tools_take_times_in_the_users_zone(world: World) -> None:
    assert world.call("create_task", title="call mom", due_at="2026-03-06T15:00").ok
    [task], _ = world.store.list(MAYA)
    assert (task.due_at, task.time_zone) == (FRIDAY, "America/Chicago")
    assert '"due_at": "2026-03-06T15:00"' in world.call("list_tasks").to_model_json()
    assert world.call("update_task", task_id=task.id, due_at="2026-03-07T09:00").ok
    assert world.store.get(MAYA, task.id).due_at == local("2026-03-07T09:00")
    assert world.call("update_task", task_id=task.id, clear_due_date=True).ok
    assert world.store.get(MAYA, task.id).due_at is None


@pytest.mark.parametrize(
    "arguments",
    [
        {"title": "x", "due_at": "soon"},
        {"title": "x", "due_at": "2026-03-06T15:00", "due_date": "2026-03-07"},
        {"title": "x", "repeat": "* * * * *"},
    ],
)
def test_a_tool_refuses_times_that_do_not_fit(world: World, arguments: dict[str, object]) -> None:
    assert world.call("create_task", **arguments).error_code == "invalid_arguments"
    assert world.store.list(MAYA) == ((), None)
