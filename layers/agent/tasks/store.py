"""The task store: operations for REST and tools, and builders of the writes that a turn adds to its commit.

An update sets single attributes and never replaces the whole task, so concurrent updates of different fields
both take effect. The builders (`create_actions`, `update_actions`, `delete_actions`) only build conditional
writes. When one is refused on commit, the task is gone (`update_actions`, `delete_actions`) or exists
already (`create_actions`).
"""

from __future__ import annotations

from datetime import date, datetime
from typing import cast

from conversation.clock import Clock, from_text, to_text
from conversation.identity import Caller, is_ulid, new_ulid
from conversation.limits.quotas import QuotaKind, Quotas
from storage import keys
from storage.errors import ConditionRefused
from storage.table import (
    Action,
    Changes,
    Delete,
    Exists,
    Item,
    NotExists,
    Position,
    Put,
    Query,
    Remove,
    Set,
    SetIfAbsent,
    Table,
    Update,
)
from storage.tenant_table import Tables
from tasks.task import Task, TaskChange, TaskNotFound, TaskSpec

MAX_EXAMINED = 1_000
"""The most tasks examined for one page of a filtered list. Such a page may be short although more follow."""


class TaskStore:
    """Reads and writes the caller's tasks; another user's task is `TaskNotFound`.

    Reads are strongly consistent.
    """

    def __init__(self, *, tables: Tables, clock: Clock, quotas: Quotas | None = None) -> None:
        """``quotas`` None: with a memory of its own."""
        self._tables = tables
        self._clock = clock
        self.quotas = quotas or Quotas(tables=tables, clock=clock)
        """Where whoever builds tasks by `create_actions` takes them first."""

    def create(self, caller: Caller, spec: TaskSpec, *, task_id: str | None = None) -> Task:
        """Creates a task of the caller; if one with this id exists already, returns that one unchanged.

        Raises:
            QuotaExceeded: as many tasks were created today as may be.
        """
        now = self._clock.now()
        self.quotas.take(caller, QuotaKind.TASKS)
        task = Task.create(spec, task_id=task_id or new_ulid(now), now=now)
        try:
            self._table(caller).put(self._put_action(caller, task))
        except ConditionRefused as refused:
            return task if refused.old is None else _task_from_item(refused.old)
        return task

    def get(self, caller: Caller, task_id: str) -> Task:
        """Returns the caller's task.

        Raises:
            TaskNotFound: the caller has no such task.
        """
        key = keys.task(caller.tenant, caller.user, _validate_id(task_id))
        item = self._table(caller).get(key)
        if item is None:
            raise TaskNotFound
        return _task_from_item(item)

    def list(
        self,
        caller: Caller,
        *,
        completed: bool | None = None,
        limit: int = 50,
        after: Position | None = None,
    ) -> tuple[tuple[Task, ...], Position | None]:
        """Returns a page of the caller's tasks, oldest first, and the next page's position (None: no more).

        With ``completed`` None, the page holds open and completed tasks.
        """
        found: list[Task] = []
        table, partition = self._table(caller), keys.tasks(caller.tenant, caller.user)
        for _ in range(0, MAX_EXAMINED, limit):
            query = Query(partition, limit=limit - len(found), prefix=keys.TASK_PREFIX, after=after)
            page = table.query(query)
            tasks = map(_task_from_item, page.items)
            found += [task for task in tasks if completed is None or task.completed is completed]
            after = page.after
            if after is None or len(found) >= limit:
                break
        return tuple(found), after

    def update(self, caller: Caller, task_id: str, change: TaskChange) -> Task:
        """Replaces the fields given in the change and returns the updated task.

        Raises:
            TaskNotFound: the caller has no such task.
        """
        update = self._update_action(caller, _validate_id(task_id), change, self._clock.now())
        try:
            return _task_from_item(self._table(caller).update(update))
        except ConditionRefused:
            raise TaskNotFound from None

    def complete(self, caller: Caller, task_id: str) -> Task:
        """Marks the task as completed and returns it; a task that was completed before keeps its time.

        Raises:
            TaskNotFound: the caller has no such task.
        """
        return self.update(caller, task_id, TaskChange(completed=True))

    def delete(self, caller: Caller, task_id: str) -> None:
        """Deletes the caller's task.

        Raises:
            TaskNotFound: the caller has no such task.
        """
        try:
            self._table(caller).delete(self._delete_action(caller, _validate_id(task_id)))
        except ConditionRefused:
            raise TaskNotFound from None

    def create_actions(self, caller: Caller, task: Task) -> tuple[Action, ...]:
        """Returns the write that creates a task; refused when the task exists already."""
        return (self._put_action(caller, task),)

    def update_actions(
        self, caller: Caller, task_id: str, change: TaskChange, now: datetime
    ) -> tuple[Action, ...]:
        """Returns the write that updates a task; refused when the task is gone."""
        return (self._update_action(caller, task_id, change, now),)

    def delete_actions(self, caller: Caller, task_id: str) -> tuple[Action, ...]:
        """Returns the write that deletes a task; refused when the task is gone."""
        return (self._delete_action(caller, task_id),)

    def _put_action(self, caller: Caller, task: Task) -> Put:
        key = keys.task(caller.tenant, caller.user, task.id)
        return Put({"pk": key.partition, "sk": key.sort, **_attributes(task)}, (NotExists(),))

    def _update_action(self, caller: Caller, task_id: str, change: TaskChange, now: datetime) -> Update:
        key = keys.task(caller.tenant, caller.user, task_id)
        return Update(key, (*_changes(change, now), Set("updated_at", to_text(now))), (Exists(),))

    def _delete_action(self, caller: Caller, task_id: str) -> Delete:
        return Delete(keys.task(caller.tenant, caller.user, task_id), (Exists(),))

    def _table(self, caller: Caller) -> Table:
        return self._tables.for_tenant(caller.tenant)


def _task_from_item(item: Item) -> Task:
    """Converts a stored item to a task."""
    due, done = cast("str | None", item.get("due_date")), cast("str | None", item.get("completed_at"))
    return Task(
        id=str(item["sk"]).removeprefix(keys.TASK_PREFIX),
        title=str(item["title"]),
        description=str(item.get("description", "")),
        due_date=date.fromisoformat(due) if due else None,
        completed=done is not None,
        created_at=from_text(str(item["created_at"])),
        updated_at=from_text(str(item["updated_at"])),
        completed_at=from_text(done) if done else None,
    )


def _attributes(task: Task) -> Item:
    item: Item = {
        "title": task.title,
        "created_at": to_text(task.created_at),
        "updated_at": to_text(task.updated_at),
    }
    if task.description:
        item["description"] = task.description
    if task.due_date is not None:
        item["due_date"] = task.due_date.isoformat()
    return item


def _changes(change: TaskChange, now: datetime) -> Changes:
    """Returns the attribute changes for the given fields; a task is completed when `completed_at` is set."""
    given = change.model_fields_set
    changes: Changes = ()
    if "title" in given:
        changes += (Set("title", change.title),)
    if "description" in given:
        changes += (Set("description", change.description),)
    if "due_date" in given:
        due = change.due_date
        changes += (Remove("due_date") if due is None else Set("due_date", due.isoformat()),)
    if "completed" in given:
        done = SetIfAbsent("completed_at", to_text(now))
        changes += (done if change.completed else Remove("completed_at"),)
    return changes


def _validate_id(task_id: str) -> str:
    if not is_ulid(task_id):
        raise TaskNotFound
    return task_id
