"""Replies about the user's tasks. Pure functions of stored values."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from agent.templates.agent_texts import numbered_list
from agent.workspace.agents import join_words
from tasks.task import Task

if TYPE_CHECKING:
    from tools.builtin.tasks import TaskLine

MAX_SHOWN = 20


def added(tasks: Sequence[Task], today: date, *, is_reminder: bool = False) -> str:
    """Confirms new tasks; with ``is_reminder``, the user asked to be reminded of them."""
    if len(tasks) == 1:
        [task] = tasks
        noted = f"I've added the task {quoted_title(task)}{_due(task, today)}."
        if task.remind:
            return f"{noted} I'll remind you then."
        return f"{noted} It has no time of day, so I won't remind you." if is_reminder else noted
    lines = numbered_list([f"{task.title}{_due(task, today)}" for task in tasks])
    return f"I've added {len(tasks)} tasks:\n\n{lines}"


def none_of_them(state: str) -> str:
    """Say that no task is of a group: ``finished``, ``due this week``."""
    return f"None of your tasks fits “{state}”."


def without_date(tasks: Sequence[Task]) -> str:
    """Names the open tasks that are never due, beside those of a period."""
    shown = [f"“{task.title}”" for task in tasks[:_MOST_NAMED]]
    more = f" and {len(tasks) - _MOST_NAMED} more" if len(tasks) > _MOST_NAMED else ""
    return f"Without a date: {', '.join(shown) if more else join_words(shown)}{more}."


_MOST_NAMED = 5


def nothing_to_add() -> str:
    """Asks what the new task should say."""
    return 'What should the task say? For example: "add a task to buy groceries by Friday".'


def listed(tasks: Sequence[Task | TaskLine], today: date, *, status: str, more: bool) -> str:
    """Lists the tasks of a status, numbered."""
    if not tasks:
        return _none(status)
    several = f"{len(tasks)} {_kind(status)}task{'' if len(tasks) == 1 else 's'}"
    opening = f"Here are your first {several}:" if more else f"You have {several}:"
    return f"{opening}\n\n{numbered_list([_line(task, today) for task in tasks])}"


def completed(tasks: Sequence[Task], before: Sequence[Task], today: date) -> str:
    """Reports the tasks now marked as completed, those that are due again, and those completed ``before``.

    The first are given as they are now.
    """
    done = [task for task in tasks if task.completed]
    sentences = [f"Done: I've marked {join_titles(done)} as completed."] if done else []
    again = [
        f"Done: {quoted_title(task)} is due again {time_text(task.due_at, today)}."
        for task in tasks
        if task.due_at is not None and not task.completed
    ]
    return " ".join([*sentences, *again, *_unchanged(before, "already completed")])


def nothing_to_change(task: Task) -> str:
    """Asks how to change a task."""
    return f"What should become of {quoted_title(task)}: another title, or another due date?"


def deleted(tasks: Sequence[Task]) -> str:
    """Confirms that tasks were deleted."""
    return f"I've deleted {join_titles(tasks)}."


def nothing_there() -> str:
    """Says that there are no tasks."""
    return 'You have no tasks. To add one, say for example "add a task to buy groceries".'


def quoted_title(task: Task) -> str:
    """Returns the task's title in quotes."""
    return f'"{task.title}"'


def join_titles(tasks: Sequence[Task]) -> str:
    """Returns the quoted titles, joined by commas and an "and"."""
    return join_words(list(map(quoted_title, tasks)))


def day_text(day: date, today: date) -> str:
    """Formats a day with its weekday, and with its year if that is not the current one, or as ``today``."""
    if day == today:
        return "today"
    year = "" if day.year == today.year else f", {day.year}"
    return f"{day:%A}, {day:%B} {day.day}{year}"


def time_text(local: datetime, today: date) -> str:
    """Formats a local time: ``tomorrow at 3:00 PM``, ``Friday, March 6 at 9:30 AM``."""
    is_tomorrow = local.date() == today + timedelta(days=1)
    day = "tomorrow" if is_tomorrow else day_text(local.date(), today)
    return f"{day} at {local.hour % 12 or 12}:{local:%M} {'AM' if local.hour < 12 else 'PM'}"


def due_text(task: Task | TaskLine, today: date) -> str:
    """Formats the day, or the time, at which a task is due; empty if it is never due."""
    if task.due_at is not None:
        return f"{time_text(task.due_at, today)}{', repeating' if task.repeat else ''}"
    return day_text(task.due_date, today) if task.due_date else ""


def _line(task: Task | TaskLine, today: date) -> str:
    if task.completed:
        return f"{task.title} (done)"
    is_late = task.due_date is not None and task.due_date < today
    return f"{task.title}{_due(task, today)}{' (overdue)' if is_late else ''}"


def _due(task: Task | TaskLine, today: date) -> str:
    if task.due_at is not None:
        return f" ({due_text(task, today)})"
    return f", due {due_text(task, today)}" if task.due_date else ""


def _kind(status: str) -> str:
    return {"open": "open ", "done": "completed "}.get(status, "")


def _none(status: str) -> str:
    if status == "done":
        return "None of your tasks is completed yet."
    if status == "open":
        return 'Nothing is on your list. To add something, say for example "add a task to buy groceries".'
    return nothing_there()


def _unchanged(tasks: Sequence[Task], how: str) -> list[str]:
    if not tasks:
        return []
    return [f"{join_titles(tasks)} {'was' if len(tasks) == 1 else 'were'} {how}."]
