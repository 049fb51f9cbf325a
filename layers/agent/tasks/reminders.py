"""Which reminder of a task is due next, and the write that takes one off. Posts and sends nothing.

Everything follows from the stored task, so a reminder that is asked for late, twice or after a change finds
out by itself whether it is still wanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from conversation.clock import from_text, to_millis, to_text
from conversation.identity import Caller
from storage import keys
from storage.table import Action, Condition, Equals, Exists, Item, Key, NotExists, Remove, Set, Update
from storage.tenant_table import Tables
from tasks.due_times import moment_of, next_time
from tasks.items import (
    COMPLETED_AT,
    CONVERSATION_ID,
    DELETED_AT,
    DUE_SET_AT,
    DUE_TIME,
    task_from_item,
)
from tasks.task import Task

REMINDED_AT = "reminded_at"
MAIL_FOR = "mail_for"
"""The moment of a reminder that was posted and is yet to be mailed."""
MAIL_CLAIMED_UNTIL = "mail_claimed_until"
CLAIM_LIFETIME = timedelta(seconds=60)
"""Longer than the tries of a mail take."""


class ReminderOccupied(Exception):
    """Another worker sends the reminder's mail: try again later, because it may have died."""


def next_reminder(item: Item) -> datetime | None:
    """The moment of the next reminder of a stored task, past or future; None: there is none.

    A task reminds when it is due. One that repeats and is not completed reminds again at each of its times.
    What was past when it was set is not reminded of, nor is anything of a deleted task.
    """
    if DUE_TIME not in item or DELETED_AT in item:
        return None
    task = task_from_item(item)
    if task.completed or not task.remind or task.time_zone is None or task.due_at is None:
        return None
    since = from_text(str(item.get(DUE_SET_AT, item["created_at"])))
    if REMINDED_AT in item:
        since = max(since, from_text(str(item[REMINDED_AT])))
    due = moment_of(task.due_at, task.time_zone)
    if due is None or due > since or task.repeat is None:
        return due if due is not None and due > since else None
    again = next_time(task.repeat, task.time_zone, after=since)
    return moment_of(again, task.time_zone) if again is not None else None


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder of a task, as it stood when it was read."""

    caller: Caller
    task: Task
    at: datetime
    """The moment for which it is."""
    conversation_id: str | None
    """Where the task was asked for; None: in no conversation."""
    is_posted: bool
    """Whether only its mail is to be sent."""
    _unchanged: tuple[Condition, ...]

    def posted(self, now: datetime, *, is_mailed: bool) -> Action:
        """The write to store with the post; refused when the task was completed, moved, deleted or reminded
        of meanwhile. With ``is_mailed``, a mail has to follow.
        """
        # No earlier than its moment, even if this clock is behind: otherwise it would be next again.
        reminded = Set(REMINDED_AT, to_text(max(now, self.at)))
        mail = (Set(MAIL_FOR, to_text(self.at)), _claim(now)) if is_mailed else ()
        return Update(_key(self.caller, self.task.id), (reminded, *mail), self._unchanged)

    def claim_mail(self, now: datetime) -> Action:
        """The write that lets this worker alone send the mail of a posted reminder; refused when another one
        was faster, and as `posted`.
        """
        return Update(_key(self.caller, self.task.id), (_claim(now),), self._unchanged)

    def mailed(self) -> Update:
        """The write that ends it after its mail; refused when the task is gone."""
        key = _key(self.caller, self.task.id)
        return Update(
            key, (Remove(MAIL_FOR), Remove(MAIL_CLAIMED_UNTIL)), (Equals(MAIL_FOR, to_text(self.at)),)
        )


class Reminders:
    """The reminders that are due; reads are strongly consistent."""

    def __init__(self, *, tables: Tables) -> None:
        self._tables = tables

    def due(self, caller: Caller, task_id: str, *, by: datetime, now: datetime) -> Reminder | None:
        """The reminder of the caller's task that is due ``by`` then, or whose mail is still to be sent; None
        when there is none any more.

        Raises:
            ReminderOccupied: another worker sends the mail.
        """
        item = self._tables.for_tenant(caller.tenant).get(_key(caller, task_id))
        if item is None or DELETED_AT in item:
            return None
        at, mail_for = next_reminder(item), item.get(MAIL_FOR)
        if at is not None and at <= by:
            return _reminder(caller, item, at, is_posted=False)
        if mail_for is not None and COMPLETED_AT not in item:
            if cast("int", item[MAIL_CLAIMED_UNTIL]) > to_millis(now):
                raise ReminderOccupied
            return _reminder(caller, item, from_text(str(mail_for)), is_posted=True)
        return None


def _reminder(caller: Caller, item: Item, at: datetime, *, is_posted: bool) -> Reminder:
    place = item.get(CONVERSATION_ID)
    return Reminder(
        caller=caller,
        task=task_from_item(item),
        at=at,
        conversation_id=None if place is None else str(place),
        is_posted=is_posted,
        _unchanged=(
            Exists(),
            NotExists(DELETED_AT),
            # Whatever completes, moves, reopens or restores a task also sets one of these.
            *(
                Equals(name, cast("str | int", item[name])) if name in item else NotExists(name)
                for name in (DUE_SET_AT, REMINDED_AT, MAIL_FOR, MAIL_CLAIMED_UNTIL)
            ),
        ),
    )


def _claim(now: datetime) -> Set:
    return Set(MAIL_CLAIMED_UNTIL, to_millis(now + CLAIM_LIFETIME))


def _key(caller: Caller, task_id: str) -> Key:
    return keys.task(caller.tenant, caller.user, task_id)
