"""Converts tasks to table items and back, and changes of tasks to changes of attributes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import cast

from conversation.clock import from_text, to_text
from storage import keys
from storage.table import Change, Changes, Item, Remove, Set, SetIfAbsent
from tasks.task import Task, TaskChange, first_due, time_text

DUE_DATE = "due_date"
DUE_TIME = "due_time"
TIME_ZONE = "time_zone"
REPEAT = "repeat"
REMIND = "remind"
"""Stored only as False."""
DUE_SET_AT = "due_set_at"
"""When it was last said when the task is due, or that it is open; no earlier time is reminded of."""
CONVERSATION_ID = "conversation_id"
COMPLETED_AT = "completed_at"
LAST_DONE_AT = "last_done_at"
"""When a task that repeats was last completed."""
DELETED_AT = "deleted_at"

_CHANGEABLE = ("title", "description", COMPLETED_AT, "updated_at")
_DUE_NAMES = (DUE_DATE, DUE_TIME, TIME_ZONE, REPEAT, REMIND)
_DUE_FIELDS = ("due_date", "due_at", "time_zone", "repeat", "remind", "completed")
_REPEATED_WITHIN = timedelta(minutes=1)


def task_from_item(item: Item) -> Task:
    """The stored task, without another check: its secrets were masked before, and a turn reads all tasks."""
    day, at = cast("str | None", item.get(DUE_DATE)), cast("str | None", item.get(DUE_TIME))
    due_at = datetime.fromisoformat(f"{day}T{at}") if day and at else None
    done, deleted = item.get(COMPLETED_AT), item.get(DELETED_AT)
    return Task.model_construct(
        id=str(item["sk"]).removeprefix(keys.TASK_PREFIX),
        title=str(item["title"]),
        description=str(item.get("description", "")),
        due_date=date.fromisoformat(day) if day else None,
        due_at=due_at,
        time_zone=cast("str | None", item.get(TIME_ZONE)) if due_at else None,
        remind=due_at is not None and REMIND not in item,
        repeat=cast("str | None", item.get(REPEAT)) if due_at else None,
        completed=done is not None,
        created_at=from_text(str(item["created_at"])),
        updated_at=from_text(str(item["updated_at"])),
        completed_at=from_text(str(done)) if done else None,
        deleted_at=from_text(str(deleted)) if deleted else None,
    )


def task_to_item(task: Task, conversation_id: str | None) -> Item:
    """The attributes of a new task, without its key."""
    item = {**_attributes(task), "created_at": to_text(task.created_at)}
    if task.due_at is not None:
        item[DUE_SET_AT] = to_text(task.created_at)
    if conversation_id is not None:
        item[CONVERSATION_ID] = conversation_id
    return item


def _attributes(task: Task) -> Item:
    """The attributes of whatever of a task can be changed."""
    item: Item = {"title": task.title, "updated_at": to_text(task.updated_at), **due_attributes(task)}
    if task.description:
        item["description"] = task.description
    if task.due_at is not None and not task.remind:
        item[REMIND] = False
    if task.completed_at is not None:
        item[COMPLETED_AT] = to_text(task.completed_at)
    return item


def due_attributes(task: Task) -> Mapping[str, str]:
    """The attributes that say when a task is due; those without a value are left out."""
    values = {
        DUE_DATE: task.due_date.isoformat() if task.due_date else None,
        DUE_TIME: _clock_text(task.due_at) if task.due_at else None,
        TIME_ZONE: task.time_zone,
        REPEAT: task.repeat,
    }
    return {name: value for name, value in values.items() if value is not None}


def changes_of(change: TaskChange, now: datetime) -> Changes:
    """The attribute changes for the given fields; a task is completed when `COMPLETED_AT` is set."""
    given = change.model_fields_set
    changes: dict[str, Change] = {"updated_at": Set("updated_at", to_text(now))}
    if "title" in given:
        changes["title"] = Set("title", change.title)
    if "description" in given:
        text = change.description
        changes["description"] = Set("description", text) if text else Remove("description")
    if change.sets_due or "time_zone" in given:
        changes |= _due_changes(change, now)
    if "remind" in given:
        changes[REMIND] = Remove(REMIND) if change.remind else Set(REMIND, False)
    if "completed" in given:
        done = SetIfAbsent(COMPLETED_AT, to_text(now))
        changes[COMPLETED_AT] = done if change.completed else Remove(COMPLETED_AT)
    if given - {"title", "description"}:
        changes[DUE_SET_AT] = Set(DUE_SET_AT, to_text(now))
    return tuple(changes.values())


def _due_changes(change: TaskChange, now: datetime) -> dict[str, Change]:
    given = change.model_fields_set
    changes: dict[str, Change] = {}
    due = first_due(change, now)
    if change.time_zone is not None:
        changes[TIME_ZONE] = Set(TIME_ZONE, change.time_zone)
    if due is not None:
        changes |= _due_at(due)
    elif DUE_DATE in given:
        day = change.due_date
        changes[DUE_DATE] = Remove(DUE_DATE) if day is None else Set(DUE_DATE, day.isoformat())
    if change.repeat is not None:
        changes[REPEAT] = Set(REPEAT, change.repeat)
    elif change.ends_repetition:
        changes[REPEAT] = Remove(REPEAT)
    if change.ends_time:
        changes |= {name: Remove(name) for name in (DUE_TIME, TIME_ZONE, REMIND)}
    return changes


def next_time_changes(task: Task, change: TaskChange, now: datetime) -> Changes:
    """The attribute changes by which a change that completes a task that repeats moves it to its next time.

    A change that says itself when the task is due next moves it there. Where there is no next time, the task
    is completed.
    """
    due = task.next_due(now)
    changes = {each.path: each for each in changes_of(change, now)}
    if change.sets_due or due is not None:
        changes |= {COMPLETED_AT: Remove(COMPLETED_AT), LAST_DONE_AT: Set(LAST_DONE_AT, to_text(now))}
    if due is not None and not change.sets_due:
        changes |= _due_at(due)
    return tuple(changes.values())


def replacing_changes(old: Task, new: Task) -> Changes:
    """The attribute changes that make one state of a task another one, whole.

    Where they differ in when the task is due or in whether it is done, it reminds of nothing that was past
    when ``new`` was made, and can be completed at once.
    """
    item = _attributes(new)
    names = (*_CHANGEABLE, *_DUE_NAMES)
    changes: Changes = tuple(Set(name, item[name]) if name in item else Remove(name) for name in names)
    if all(getattr(old, field) == getattr(new, field) for field in _DUE_FIELDS):
        return changes
    return *changes, Set(DUE_SET_AT, to_text(new.updated_at)), Remove(LAST_DONE_AT)


def was_just_done(item: Item, now: datetime) -> bool:
    """Whether a task that repeats was completed less than a minute ago."""
    done = item.get(LAST_DONE_AT)
    return done is not None and now - from_text(str(done)) < _REPEATED_WITHIN


def _due_at(local: datetime) -> dict[str, Change]:
    return {
        DUE_DATE: Set(DUE_DATE, local.date().isoformat()),
        DUE_TIME: Set(DUE_TIME, _clock_text(local)),
    }


def _clock_text(local: datetime) -> str:
    return time_text(local).partition("T")[2]
