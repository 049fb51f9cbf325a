"""Tasks kept per user, over a real table, by hand and through tools."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime

import pytest
from pydantic import ValidationError

from conversation.clock import Deadline
from conversation.identity import Caller
from conversation.tenants.policy import DailyCaps, Grant
from conversation.tenants.store import TenantStore
from storage import keys
from storage.errors import TransactionRefused
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Query
from storage.tenant_table import Tables
from tasks.store import TaskStore
from tasks.task import Task, TaskChange, TaskNotFound, TaskSpec, task_id_of_step
from tests.fakes.run.clocks import ManualClock
from tools.builtin.tasks import TaskTools
from tools.tool import Toolbox, ToolContext, ToolResult

MAYA = Caller(TenantId("acme"), "maya")
OTHERS = (
    Caller(TenantId("acme"), "noah"),
    Caller(TenantId("globex"), "maya"),
    Caller(TenantId("acme-eu"), "maya"),
)


class World:
    def __init__(self) -> None:
        self.clock = ManualClock()
        self.table = SqliteTable(":memory:")
        self.tables = Tables(self.table)
        self.store = TaskStore(tables=self.tables, clock=self.clock)
        self.box = Toolbox(TaskTools(self.store).tools())

    def add(self, title: str) -> Task:
        self.clock.advance(1)
        return self.store.create(MAYA, TaskSpec(title=title))

    def call(
        self, name: str, arguments: Mapping[str, object], caller: Caller = MAYA, *, step: str = "t.1"
    ) -> ToolResult:
        context = ToolContext(caller, self.clock.now(), "UTC", step, Deadline.after(self.clock, 600))
        [tool] = self.box.subset([name]).tools
        return tool.call(json.dumps(arguments), context)


@pytest.fixture
def world() -> World:
    return World()


def test_what_was_created_is_read_back_as_it_is(world: World) -> None:
    spec = TaskSpec(title="  buy groceries ", description="milk\nbread", due_date=date(2026, 3, 6))
    task = world.store.create(MAYA, spec)
    assert world.store.get(MAYA, task.id) == task
    assert (task.title, task.completed, task.completed_at) == ("buy groceries", False, None)


def test_the_list_is_in_the_order_of_making_and_goes_on_where_a_page_ended(world: World) -> None:
    made = [world.add(f"task {number}").id for number in range(5)]
    first, after = world.store.list(MAYA, limit=3)
    second, end = world.store.list(MAYA, limit=3, after=after)
    assert [task.id for task in (*first, *second)] == made
    assert end is None


@pytest.mark.parametrize("completed", [True, False])
def test_a_page_of_done_or_open_ones_is_full_although_others_lie_between(
    world: World, completed: bool
) -> None:
    for number in range(20):
        task = world.add(f"task {number}")
        if number % 5 == 0:
            world.store.complete(MAYA, task.id)
    found, after = world.store.list(MAYA, completed=completed, limit=3)
    assert [task.completed for task in found] == [completed] * 3
    rest, _ = world.store.list(MAYA, completed=completed, limit=100, after=after)
    assert len(found) + len(rest) == (4 if completed else 16)


def test_completing_twice_keeps_the_first_time_and_reopening_forgets_it(world: World) -> None:
    task = world.add("pay rent")
    first = world.store.complete(MAYA, task.id)
    world.clock.advance(60)
    assert world.store.complete(MAYA, task.id).completed_at == first.completed_at
    assert world.store.update(MAYA, task.id, TaskChange(completed=False)).completed_at is None


def test_two_changes_of_different_fields_both_count(world: World) -> None:
    task = world.add("pay rent")
    world.store.update(MAYA, task.id, TaskChange(title="pay the rent"))
    world.store.update(MAYA, task.id, TaskChange(due_date=date(2026, 4, 1)))
    changed = world.store.get(MAYA, task.id)
    assert (changed.title, changed.due_date) == ("pay the rent", date(2026, 4, 1))
    assert world.store.update(MAYA, task.id, TaskChange(due_date=None)).due_date is None


@pytest.mark.parametrize("other", OTHERS, ids=lambda other: f"{other.tenant} {other.user}")
def test_nobody_else_has_it(world: World, other: Caller) -> None:
    task = world.add("a secret")
    store = world.store
    for refused in (
        lambda: store.get(other, task.id),
        lambda: store.update(other, task.id, TaskChange(title="mine")),
        lambda: store.complete(other, task.id),
        lambda: store.delete(other, task.id),
        lambda: store.restore(other, task.id),
        lambda: store.get_deleted(other, task.id),
    ):
        with pytest.raises(TaskNotFound):
            refused()
    assert store.list(other) == ((), None)
    assert store.get(MAYA, task.id) == task


@pytest.mark.parametrize("task_id", ["", "1", "../../x", "0" * 25, "u" * 26, "T#" + "0" * 24])
def test_what_is_no_id_is_not_found(world: World, task_id: str) -> None:
    with pytest.raises(TaskNotFound):
        world.store.get(MAYA, task_id)


def test_a_deleted_task_is_gone_and_a_change_does_not_bring_it_back(world: World) -> None:
    task = world.add("pay rent")
    world.store.delete(MAYA, task.id)
    for refused in (world.store.get, world.store.complete):
        with pytest.raises(TaskNotFound):
            refused(MAYA, task.id)
    with pytest.raises(TransactionRefused):
        world.tables.for_tenant(MAYA.tenant).transact(
            world.store.update_actions(MAYA, task.id, TaskChange(completed=True), world.clock.now())
        )
    assert world.store.list(MAYA) == ((), None)


def test_a_deleted_task_is_restored_as_it_was(world: World) -> None:
    task = world.add("pay rent")
    done = world.store.complete(MAYA, task.id)
    world.store.delete(MAYA, task.id)

    restored = world.store.restore(MAYA, task.id)

    assert restored == done.model_copy(update={"updated_at": restored.updated_at})
    assert world.store.list(MAYA) == ((restored,), None)
    assert world.store.deleted(MAYA) == ()
    assert world.store.restore(MAYA, task.id) == restored


def test_deleted_tasks_are_listed_the_last_deleted_first(world: World) -> None:
    tasks = [world.add(title) for title in ("one", "two", "three")]
    for task in (tasks[1], tasks[0]):
        world.clock.advance(60)
        world.store.delete(MAYA, task.id)
    assert [task.title for task in world.store.deleted(MAYA)] == ["one", "two"]
    assert [task.title for task in world.store.list(MAYA)[0]] == ["three"]
    assert world.store.deleted(OTHERS[0]) == ()


def test_a_task_can_be_restored_for_thirty_days_after_it_was_first_deleted(world: World) -> None:
    task = world.add("pay rent")
    world.store.delete(MAYA, task.id)
    world.clock.advance(30 * 24 * 3_600 - 1)
    world.store.delete(MAYA, task.id)
    [kept] = world.store.deleted(MAYA)
    assert world.store.get_deleted(MAYA, task.id) == kept
    world.clock.advance(1)
    assert world.store.deleted(MAYA) == ()
    for refused in (world.store.get_deleted, world.store.restore, world.store.delete):
        with pytest.raises(TaskNotFound):
            refused(MAYA, task.id)


def test_the_table_removes_a_deleted_task_after_thirty_days_and_no_restored_one(world: World) -> None:
    tasks = [world.add(title) for title in ("one", "two")]
    for task in tasks:
        world.store.delete(MAYA, task.id)
    world.store.restore(MAYA, tasks[1].id)
    world.clock.advance(31 * 24 * 3_600)
    world.table.remove_expired(world.clock.now())
    left = world.table.query(Query(keys.tasks(MAYA.tenant, MAYA.user), limit=10)).items
    assert [item["title"] for item in left] == ["two"]


def test_a_page_is_full_although_deleted_tasks_lie_between(world: World) -> None:
    tasks = [world.add(f"task {number}") for number in range(120)]
    for task in tasks[:100]:
        world.store.delete(MAYA, task.id)
    found, after = world.store.list(MAYA, limit=15)
    rest, end = world.store.list(MAYA, limit=15, after=after)
    assert [task.id for task in (*found, *rest)] == [task.id for task in tasks[100:]]
    assert (len(found), end) == (15, None)


def test_the_id_of_a_step_is_the_steps_own_at_any_time() -> None:
    turn = "c" * 32 + ".01JQ0000000000000000000000.2"
    early, late = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)
    assert task_id_of_step(turn, early) == task_id_of_step(turn, late)
    assert task_id_of_step(turn, early) != task_id_of_step(turn[:-1] + "3", early)
    assert task_id_of_step(turn, early)[:10] == "01JQ000000"


@pytest.mark.parametrize("title", ["", "   ", "x" * 201, "two\nlines", "nul\0", "\u200b"])
def test_a_title_is_one_line_that_can_be_read(title: str) -> None:
    with pytest.raises(ValidationError):
        TaskSpec(title=title)


def test_the_tools_do_what_the_store_does_for_the_caller_only(world: World) -> None:
    made = world.call("create_task", {"title": "buy groceries", "due_date": "2026-03-06"})
    [task], _ = world.store.list(MAYA)
    it = {"task_id": task.id}
    assert made.ok
    assert task.id in made.to_model_json()
    assert world.call("complete_task", it).ok
    assert "buy groceries" in world.call("list_tasks", {"completed": True}).to_model_json()
    assert world.call("update_task", {**it, "title": "buy food", "completed": False}).ok
    assert world.call("get_task", it, OTHERS[0]).error_code == "not_found"
    assert world.call("delete_task", it, OTHERS[1]).error_code == "not_found"
    assert "buy food" in world.call("get_task", it).to_model_json()
    assert world.call("delete_task", it).ok
    assert world.call("get_task", it).error_code == "not_found"


def test_a_tool_takes_the_due_date_away_only_when_told(world: World) -> None:
    task = world.store.create(MAYA, TaskSpec(title="pay rent", due_date=date(2026, 4, 1)))
    world.call("update_task", {"task_id": task.id, "title": "pay the rent", "due_date": None})
    assert world.store.get(MAYA, task.id).due_date == date(2026, 4, 1)
    world.call("update_task", {"task_id": task.id, "clear_due_date": True})
    assert world.store.get(MAYA, task.id).due_date is None


def test_the_longest_list_still_fits_a_models_answer(world: World) -> None:
    for _ in range(60):
        world.store.create(MAYA, TaskSpec(title="\U0001f600" * 200, description="d" * 4_000))
    listed = world.call("list_tasks", {})
    assert listed.ok
    assert '"more": true' in listed.to_model_json()


@pytest.mark.parametrize("name", ["tenant", "tenant_id", "user", "user_id"])
def test_a_model_that_names_somebody_else_still_gets_the_callers_tasks(world: World, name: str) -> None:
    world.store.create(OTHERS[0], TaskSpec(title="noah's"))
    world.add("maya's")
    listed = world.call("list_tasks", {name: "noah"})
    assert "maya's" in listed.to_model_json()
    assert "noah's" not in listed.to_model_json()


def test_a_step_done_again_makes_no_second_task(world: World) -> None:
    first, again, _ = (
        world.call("create_task", {"title": "buy milk"}, step=step) for step in ("turn.1", "turn.1", "turn.2")
    )
    assert first.data == again.data
    assert len(world.store.list(MAYA)[0]) == 2


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("create_task", {}),
        ("create_task", {"title": 5}),
        ("create_task", {"title": ""}),
        ("create_task", {"title": "x", "due_date": "soon"}),
        ("create_task", {"title": "x", "due_date": [2026, 3, 6]}),
        ("list_tasks", {"completed": "yes"}),
        ("get_task", {"task_id": None}),
        ("update_task", {"task_id": "x", "owner": "noah"}),
    ],
)
def test_arguments_that_do_not_fit_change_nothing(
    world: World, name: str, arguments: dict[str, object]
) -> None:
    assert world.call(name, arguments).error_code == "invalid_arguments"
    assert world.store.list(MAYA) == ((), None)


def test_a_model_makes_no_more_tasks_in_a_day_than_its_user_may(world: World) -> None:
    grant = Grant(per_user_per_day=DailyCaps(tasks=2))
    TenantStore(tables=world.tables, clock=world.clock).register(MAYA.tenant, grant=grant)
    results = [world.call("create_task", {"title": "a"}, step=f"t.{number}") for number in range(3)]
    assert [result.ok for result in results] == [True, True, False]
    assert "limit of 2 new tasks a day" in str(results[-1])
    assert len(world.store.list(MAYA)[0]) == 2
