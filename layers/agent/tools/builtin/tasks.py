"""Tools that read and change the caller's tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from conversation.identity import is_ulid
from storage import keys
from storage.table import Position
from tasks.store import TaskStore
from tasks.task import (
    Description,
    LocalTime,
    Repetition,
    Task,
    TaskChange,
    TaskSpec,
    TimeZone,
    Title,
    task_id_of_step,
)
from tools.errors import ToolError
from tools.tool import Tool, ToolAccess, ToolContext, ToolEffect

MOST_LISTED = 50
READS = ToolAccess(reads_personal=True)
CHANGES = ToolAccess(reads_personal=True, writes=True)
"""A change returns the task as it is then."""
_ADDS = ToolEffect(destroys=False)
_REMOVES = ToolEffect(repeats_safely=True)
_MOVES_ON = ToolEffect(destroys=False)
"""Completing a task that repeats moves it to its next time, each time anew."""

MAX_LIST_BYTES = 65_536
"""Enough for fifty tasks with the longest titles."""

TaskId = Annotated[str, Field(description="a task's id, as create_task and list_tasks give it")]
After = Annotated[
    str | None, Field(description="the `next` of the page before; null: the first page", max_length=64)
]
DueDate = Annotated[date | None, Field(description="the day it is due, YYYY-MM-DD")]
DueAt = Annotated[
    LocalTime | None,
    Field(description="the minute it is due and its user is reminded, local time, 2026-03-06T15:00"),
]
Zone = Annotated[TimeZone | None, Field(description="IANA time zone of due_at and repeat; null: the user's")]
Repeat = Annotated[
    Repetition | None,
    Field(description="how it repeats: five cron fields; completing it moves it to the next time"),
]


class TaskLine(BaseModel):
    """A task in a list: without its description, which `get_task` returns."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str
    title: str
    due_date: date | None
    due_at: LocalTime | None = None
    repeat: str | None = None
    completed: bool

    @classmethod
    def of(cls, task: Task) -> TaskLine:
        """Returns the short form of a task."""
        return cls(
            id=task.id,
            title=task.title,
            due_date=task.due_date,
            due_at=task.due_at,
            repeat=task.repeat,
            completed=task.completed,
        )


class TaskList(BaseModel):
    """A page of tasks, oldest first; ``more`` says whether there is another, which begins ``after`` next."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    tasks: tuple[TaskLine, ...]
    more: bool
    next: str | None = None


class TaskTools:
    """The task tools, one method each. Each works only for the caller in its context."""

    def __init__(self, store: TaskStore) -> None:
        self._store = store

    def tools(self) -> Sequence[Tool]:
        """Returns all tools of this class."""
        return (
            Tool.of(self.create_task, access=ToolAccess(writes=True), effect=_ADDS),
            Tool.of(self.list_tasks, access=READS, max_result_bytes=MAX_LIST_BYTES),
            Tool.of(self.get_task, access=READS),
            Tool.of(self.update_task, access=CHANGES),
            Tool.of(self.complete_task, access=CHANGES, effect=_MOVES_ON),
            Tool.of(self.delete_task, access=CHANGES, effect=_REMOVES),
        )

    def create_task(
        self,
        context: ToolContext,
        title: Annotated[Title, Field(description="what is to be done, in a few words")],
        description: Description = "",
        due_date: DueDate = None,
        due_at: DueAt = None,
        time_zone: Zone = None,
        repeat: Repeat = None,
        remind: Annotated[bool, Field(description="whether to remind the user at due_at")] = True,
    ) -> Task:
        """Add a task to the user's list. At due_at the user is reminded of it."""
        spec = _checked(
            TaskSpec,
            {
                "title": title,
                "description": description,
                "due_date": due_date,
                "due_at": due_at,
                "time_zone": time_zone or context.time_zone,
                "repeat": repeat,
                "remind": remind,
            },
        )
        if context.call_key is not None:
            task, context.call_key.replayed = self._store.create_once(
                context.caller, spec, key=context.call_key.key
            )
            return task
        return self._store.create(
            context.caller,
            spec,
            task_id=task_id_of_step(context.step_id, context.now),
            conversation_id=context.conversation_id,
        )

    def list_tasks(
        self,
        context: ToolContext,
        completed: Annotated[bool | None, Field(description="only done ones, or only open ones")] = None,
        after: After = None,
    ) -> TaskList:
        """List the user's tasks, oldest first, fifty at a time."""
        position = None if after is None else _position(context, after)
        found, following = self._store.list(
            context.caller, completed=completed, limit=MOST_LISTED, after=position
        )
        last = None if following is None else following["sk"].removeprefix(keys.TASK_PREFIX)
        return TaskList(tasks=tuple(map(TaskLine.of, found)), more=last is not None, next=last)

    def get_task(self, context: ToolContext, task_id: TaskId) -> Task:
        """Read one task of the user."""
        return self._store.get(context.caller, task_id)

    def update_task(
        self,
        context: ToolContext,
        task_id: TaskId,
        title: Title | None = None,
        description: Description | None = None,
        due_date: DueDate = None,
        due_at: DueAt = None,
        time_zone: Zone = None,
        repeat: Repeat = None,
        remind: bool | None = None,
        completed: bool | None = None,
        clear_due_date: Annotated[bool, Field(description="take the due date and its time away")] = False,
    ) -> Task:
        """Change a task of the user: its title, description, due date or time, or whether it is done.
        Arguments that are left out or null stay as they are.
        """
        if due_at is not None or repeat is not None:
            time_zone = time_zone or context.time_zone
        fields = {
            "title": title,
            "description": description,
            "due_date": due_date,
            "due_at": due_at,
            "time_zone": time_zone,
            "repeat": repeat,
            "remind": remind,
            "completed": completed,
        }
        given: dict[str, object] = {name: value for name, value in fields.items() if value is not None}
        if clear_due_date:
            given["due_date"] = None
        return self._store.update(context.caller, task_id, _checked(TaskChange, given))

    def complete_task(self, context: ToolContext, task_id: TaskId) -> Task:
        """Mark a task of the user as done."""
        return self._store.complete(context.caller, task_id)

    def delete_task(self, context: ToolContext, task_id: TaskId) -> Task:
        """Delete a task of the user. Returns the task as it was."""
        task = self._store.get(context.caller, task_id)
        self._store.delete(context.caller, task_id)
        return task


def _position(context: ToolContext, task_id: str) -> Position:
    """The position after a task of the caller, who may have deleted it since.

    Raises:
        ToolError: invalid_arguments, for what is no task's id.
    """
    if not is_ulid(task_id):
        raise ToolError(
            "invalid_arguments", "There is no page after this: give the `next` of the page before."
        )
    key = keys.task(context.caller.tenant, context.caller.user, task_id)
    return {"pk": key.partition, "sk": key.sort}


Fields = TypeVar("Fields", TaskSpec, TaskChange)


def _checked(model: type[Fields], given: Mapping[str, object]) -> Fields:
    """The fields of a task, each of which was checked.

    Raises:
        ToolError: invalid_arguments, when they don't fit together.
    """
    try:
        return model.model_validate(given)
    except ValidationError as refused:
        raise ToolError("invalid_arguments", str(refused.errors()[0]["msg"])) from None
