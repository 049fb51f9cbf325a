"""The task store: operations for REST and tools, and builders of the writes that a turn adds to its commit.

An update sets single attributes and never replaces the whole task, so concurrent updates of different fields
both take effect. The builders (`create_actions`, `update_actions`, `complete_actions`, `delete_actions`) only
build conditional writes. When one is refused on commit, the task is gone or was moved to another time, or
exists already (`create_actions`). `tasks.items` converts tasks to items, `tasks.reminders` reminds of them.

A deleted task stays where it is for 30 days, marked by `deleted_at`. Only `deleted`, `get_deleted`, `restore`
and `restore_actions` see it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from itertools import islice

from conversation.clock import Clock, to_text
from conversation.identity import Caller, is_ulid, new_ulid
from conversation.keyed_creation import Created, CreationRequest, KeyedCreations
from conversation.limits.quotas import QuotaKind, Quotas
from conversation.restoration import expiry, is_restorable, newest_first, page_of
from storage import keys
from storage.errors import ConditionRefused, StorageUnavailable
from storage.table import (
    Action,
    AtLeast,
    Conditions,
    Equals,
    Exists,
    Item,
    NotExists,
    Position,
    Put,
    Query,
    Remove,
    Set,
    Table,
    Update,
    query_pages,
)
from storage.tenant_table import Tables
from tasks.items import (
    DELETED_AT,
    DUE_SET_AT,
    REPEAT,
    changes_of,
    due_attributes,
    next_time_changes,
    replacing_changes,
    task_from_item,
    task_to_item,
    was_just_done,
)
from tasks.task import Task, TaskChange, TaskNotFound, TaskSpec

MAX_EXAMINED = 1_000
"""The most tasks examined for one page of a list. Such a page may be short although more follow."""

MAX_EXAMINED_FOR_DELETED = 5_000
"""The newest tasks among which deleted ones are found."""

_PAGE = 50
"""The least tasks that a query for a list reads: a deleted task among them must not cost another query."""

MAX_TRIES = 4
"""How often a change is tried that depends on when the task is due, while others move it."""

_IS_THERE: Conditions = (Exists(), NotExists(DELETED_AT))


class TaskStore:
    """Reads and writes the caller's tasks; another user's task is `TaskNotFound`.

    Reads are strongly consistent.
    """

    def __init__(self, *, tables: Tables, clock: Clock, quotas: Quotas | None = None) -> None:
        """``quotas`` None: with a memory of its own."""
        self._tables = tables
        self._clock = clock
        self._creations = KeyedCreations(tables=tables, clock=clock)
        self.quotas = quotas or Quotas(tables=tables, clock=clock)
        """Where whoever builds tasks by `create_actions` takes them first."""

    def create(
        self,
        caller: Caller,
        spec: TaskSpec,
        *,
        task_id: str | None = None,
        conversation_id: str | None = None,
    ) -> Task:
        """Creates a task of the caller; if one with this id exists already, returns that one unchanged.

        ``conversation_id`` is where its reminders are posted; None: in a conversation of their own.

        Raises:
            QuotaExceeded: as many tasks were created today as may be.
        """
        now = self._clock.now()
        self.quotas.take(caller, QuotaKind.TASKS)
        task = Task.create(spec, task_id=task_id or new_ulid(now), now=now)
        try:
            self._table(caller).put(self._put_action(caller, task, conversation_id))
        except ConditionRefused as refused:
            return task if refused.old is None else task_from_item(refused.old)
        return task

    def create_once(
        self, caller: Caller, spec: TaskSpec, *, key: str | None, conversation_id: str | None = None
    ) -> Created[Task]:
        """Creates a task of the caller; a request repeated under its Idempotency-Key gets the first one's.

        Raises:
            QuotaExceeded: as for `create`.
            IdempotencyKeyReused, TaskNotFound: as for `KeyedCreations.create`.
        """
        now = self._clock.now()
        task = Task.create(spec, task_id=new_ulid(now), now=now)

        def make(record: Sequence[Action]) -> Task:
            self.quotas.take(caller, QuotaKind.TASKS)
            put = self._put_action(caller, task, conversation_id)
            if record:
                self._table(caller).transact([put, *record])
            else:
                self._table(caller).put(put)
            return task

        request = CreationRequest("task", key, spec)
        return self._creations.create(
            caller, request, made_id=task.id, make=make, read=partial(self.get, caller)
        )

    def get(self, caller: Caller, task_id: str) -> Task:
        """Returns the caller's task.

        Raises:
            TaskNotFound: the caller has no such task.
        """
        key = keys.task(caller.tenant, caller.user, _validate_id(task_id))
        item = self._table(caller).get(key)
        if item is None or DELETED_AT in item:
            raise TaskNotFound
        return task_from_item(item)

    def get_deleted(self, caller: Caller, task_id: str) -> Task:
        """Returns a task that the caller deleted and can still restore.

        Raises:
            TaskNotFound: there is none.
        """
        item = self._table(caller).get(keys.task(caller.tenant, caller.user, _validate_id(task_id)))
        task = task_from_item(item) if item is not None else None
        if task is None or not is_restorable(task.deleted_at, self._clock.now()):
            raise TaskNotFound
        return task

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
        batch = max(limit, _PAGE)
        table, partition = self._table(caller), keys.tasks(caller.tenant, caller.user)
        for _ in range(0, MAX_EXAMINED, batch):
            page = table.query(Query(partition, limit=batch, prefix=keys.TASK_PREFIX, after=after))
            tasks = map(task_from_item, (item for item in page.items if DELETED_AT not in item))
            found += [task for task in tasks if completed is None or task.completed is completed]
            after = page.after
            if len(found) > limit:
                return tuple(found[:limit]), _position(caller, found[limit - 1])
            if after is None or len(found) == limit:
                break
        return tuple(found), after

    def deleted(self, caller: Caller) -> tuple[Task, ...]:
        """Returns the caller's deleted tasks that can still be restored, the last deleted first."""
        found = [task_from_item(item) for item in self._newest(caller) if DELETED_AT in item]
        return newest_first(found, self._clock.now())

    def list_deleted(
        self,
        caller: Caller,
        *,
        completed: bool | None = None,
        limit: int = 50,
        after: Position | None = None,
    ) -> tuple[tuple[Task, ...], Position | None]:
        """Returns a page of `deleted`, as `list` does of the others."""
        tasks = (task for task in self.deleted(caller) if completed is None or task.completed is completed)
        return page_of(tuple(tasks), limit, after)

    def _newest(self, caller: Caller) -> Iterator[Item]:
        partition = keys.tasks(caller.tenant, caller.user)
        query = Query(partition, limit=MAX_EXAMINED, prefix=keys.TASK_PREFIX, newest_first=True)
        items = (item for page in query_pages(self._table(caller), query) for item in page.items)
        return islice(items, MAX_EXAMINED_FOR_DELETED)

    def update(self, caller: Caller, task_id: str, change: TaskChange) -> Task:
        """Replaces the fields given in the change and returns the updated task.

        Completing a task that repeats moves it to its next time, once in a minute: a repeated request must
        not move it twice.

        Raises:
            TaskNotFound: the caller has no such task.
        """
        table, now = self._table(caller), self._clock.now()
        update = self._update_action(caller, _validate_id(task_id), change, now)
        for _ in range(MAX_TRIES):
            try:
                return task_from_item(table.update(update))
            except ConditionRefused as refused:
                if refused.old is None or DELETED_AT in refused.old:
                    raise TaskNotFound from None
                old = refused.old
            with suppress(ConditionRefused):
                return task_from_item(table.update(self._next_time_action(caller, old, change, now)))
        raise StorageUnavailable

    def complete(self, caller: Caller, task_id: str) -> Task:
        """Marks the task as completed and returns it; a task that was completed before keeps its time. One
        that repeats is moved to its next time, as `update` does.

        Raises:
            TaskNotFound: the caller has no such task.
        """
        return self.update(caller, task_id, TaskChange(completed=True))

    def delete(self, caller: Caller, task_id: str) -> None:
        """Deletes the caller's task; it can be restored for 30 days. A deleted one stays as it is.

        Raises:
            TaskNotFound: the caller has no such task.
        """
        try:
            self._table(caller).update(self._delete_action(caller, _validate_id(task_id)))
        except ConditionRefused as refused:
            deleted = None if refused.old is None else task_from_item(refused.old).deleted_at
            if not is_restorable(deleted, self._clock.now()):
                raise TaskNotFound from None

    def restore(self, caller: Caller, task_id: str) -> Task:
        """Brings a deleted task back and returns it; one that is not deleted is returned as it is. It reminds
        again, but not of what was past by then.

        Raises:
            TaskNotFound: the caller has no such task, or deleted it more than 30 days ago.
        """
        try:
            item = self._table(caller).update(
                self._restore_action(caller, _validate_id(task_id), self._clock.now())
            )
        except ConditionRefused as refused:
            if refused.old is None or DELETED_AT in refused.old:
                raise TaskNotFound from None
            item = refused.old
        return task_from_item(item)

    def create_actions(
        self, caller: Caller, task: Task, *, conversation_id: str | None = None
    ) -> tuple[Action, ...]:
        """Returns the write that creates a task; refused when the task exists already. The conversation is
        that of `create`.
        """
        return (self._put_action(caller, task, conversation_id),)

    def update_actions(
        self, caller: Caller, task_id: str, change: TaskChange, now: datetime
    ) -> tuple[Action, ...]:
        """Returns the write that updates a task; refused when the task is gone, and when it would complete
        one that repeats: `complete_actions` does that.
        """
        return (self._update_action(caller, task_id, change, now),)

    def complete_actions(self, caller: Caller, task: Task, now: datetime) -> tuple[Action, ...]:
        """Returns the write that completes a task, or moves one that repeats to its next time; refused when
        it is gone or was moved meanwhile.
        """
        change = TaskChange(completed=True)
        if task.repeat is None:
            return (self._update_action(caller, task.id, change, now),)
        key = keys.task(caller.tenant, caller.user, task.id)
        return (Update(key, next_time_changes(task, change, now), (*_IS_THERE, *_same_due(task))),)

    def delete_actions(self, caller: Caller, task_id: str) -> tuple[Action, ...]:
        """Returns the write that deletes a task; refused when the task is gone or deleted."""
        return (self._delete_action(caller, task_id),)

    def restore_actions(self, caller: Caller, task_id: str, now: datetime) -> tuple[Action, ...]:
        """Returns the write that brings a deleted task back; refused when it is not there or too old."""
        return (self._restore_action(caller, task_id, now),)

    def replace_actions(self, caller: Caller, old: Task, new: Task) -> tuple[Action, ...]:
        """Returns the write that gives a task all fields of ``new``, the time of its completion included.

        Unlike `update_actions`, it is refused when the task changed since ``old`` was read.
        """
        key = keys.task(caller.tenant, caller.user, old.id)
        unchanged = (NotExists(DELETED_AT), Equals("updated_at", to_text(old.updated_at)))
        return (Update(key, replacing_changes(old, new), unchanged),)

    def _put_action(self, caller: Caller, task: Task, conversation_id: str | None) -> Put:
        key = keys.task(caller.tenant, caller.user, task.id)
        item = task_to_item(task, conversation_id)
        return Put({"pk": key.partition, "sk": key.sort, **item}, (NotExists(),))

    def _update_action(self, caller: Caller, task_id: str, change: TaskChange, now: datetime) -> Update:
        key = keys.task(caller.tenant, caller.user, task_id)
        completes = "completed" in change.model_fields_set and change.completed
        # Whether a task repeats is known only when it was read, which most changes do without.
        once = (NotExists(REPEAT),) if completes and not change.ends_repetition else ()
        return Update(key, changes_of(change, now), (*_IS_THERE, *once))

    def _next_time_action(self, caller: Caller, old: Item, change: TaskChange, now: datetime) -> Update:
        """The update of a task that repeats, by a change that completes it."""
        task = task_from_item(old)
        key = keys.task(caller.tenant, caller.user, task.id)
        if was_just_done(old, now):
            fields = change.model_fields_set - {"completed"}
            change = TaskChange(**{name: getattr(change, name) for name in fields})
            return Update(key, changes_of(change, now), _IS_THERE)
        return Update(key, next_time_changes(task, change, now), (*_IS_THERE, *_same_due(task)))

    def _delete_action(self, caller: Caller, task_id: str) -> Update:
        now = self._clock.now()
        changes = (Set(DELETED_AT, to_text(now)), Set("expires_at", expiry(now)))
        return Update(keys.task(caller.tenant, caller.user, task_id), changes, _IS_THERE)

    def _restore_action(self, caller: Caller, task_id: str, now: datetime) -> Update:
        again = (Set("updated_at", to_text(now)), Set(DUE_SET_AT, to_text(now)))
        is_kept = (Exists(DELETED_AT), AtLeast("expires_at", int(now.timestamp()) + 1))
        key = keys.task(caller.tenant, caller.user, task_id)
        return Update(key, (Remove(DELETED_AT), Remove("expires_at"), *again), is_kept)

    def _table(self, caller: Caller) -> Table:
        return self._tables.for_tenant(caller.tenant)


def _same_due(task: Task) -> Conditions:
    """The condition that a task is due as it was when it was read."""
    return tuple(Equals(name, value) for name, value in due_attributes(task).items())


def _position(caller: Caller, task: Task) -> Position:
    key = keys.task(caller.tenant, caller.user, task.id)
    return {"pk": key.partition, "sk": key.sort}


def _validate_id(task_id: str) -> str:
    if not is_ulid(task_id):
        raise TaskNotFound
    return task_id
