"""What the assistant says about the user's tasks. Pure texts, built from what is stored."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from agent.templates.agents import numbered
from tasks.task import Task

if TYPE_CHECKING:
    from tools.builtin.tasks import TaskLine

MAX_SHOWN = 20


def added(tasks: Sequence[Task], today: date, *, is_reminder: bool = False) -> str:
    """New tasks; ``is_reminder``: they were asked for as something to be reminded of."""
    if len(tasks) == 1:
        noted = f"I've added the task {titled(tasks[0])}{_due(tasks[0], today)}."
        return (
            f"{noted} I don't send reminders: ask \"what's on my list?\" any time." if is_reminder else noted
        )
    lines = numbered([f"{task.title}{_due(task, today)}" for task in tasks])
    return f"I've added {len(tasks)} tasks:\n\n{lines}"


def nothing_to_add() -> str:
    """A wish for a task that does not say which."""
    return 'What should the task say? For example: "add a task to buy groceries by Friday".'


def listed(tasks: Sequence[Task | TaskLine], today: date, *, status: str, more: bool) -> str:
    """The tasks of a kind, numbered."""
    if not tasks:
        return _none(status)
    several = f"{len(tasks)} {_kind(status)}task{'' if len(tasks) == 1 else 's'}"
    opening = f"Here are your first {several}:" if more else f"You have {several}:"
    return f"{opening}\n\n{numbered([_line(task, today) for task in tasks])}"


def completed(tasks: Sequence[Task], before: Sequence[Task]) -> str:
    """Tasks that are done now, and those that were done before."""
    said = [f"Done: I've marked {joined(tasks)} as completed."] if tasks else []
    return " ".join([*said, *_unchanged(before, "already completed")])


def reopened(tasks: Sequence[Task], before: Sequence[Task]) -> str:
    """Tasks that are open again, and those that never were done."""
    said = [f"I've put {joined(tasks)} back on your list."] if tasks else []
    return " ".join([*said, *_unchanged(before, "still open")])


def renamed(old: Task, title: str) -> str:
    """A task with another title."""
    return f'I\'ve renamed {titled(old)} to "{title}".'


def moved(task: Task, due: date | None, today: date) -> str:
    """A task with another due date, or none."""
    if due is None:
        return f"{titled(task)} has no due date any more."
    return f"{titled(task)} is now due {day_text(due, today)}."


def shown(task: Task, today: date) -> str:
    """When a task is due, and whether it is done."""
    due = f"is due {day_text(task.due_date, today)}" if task.due_date else "has no due date"
    return f"{titled(task)} {due}{' and is done' if task.completed else ''}."


def nothing_to_change(task: Task) -> str:
    """A wish to change a task that does not say to what."""
    return f"What should become of {titled(task)}: another title, or another due date?"


def deleted(tasks: Sequence[Task]) -> str:
    """Tasks that are gone."""
    return f"I've deleted {joined(tasks)}."


def confirm_deleting(tasks: Sequence[Task]) -> str:
    """The question before several tasks are deleted."""
    return f"Delete {len(tasks)} tasks for good: {joined(tasks)}? (yes or no)"


def which(verb: str) -> str:
    """The question which task is meant."""
    return f"Which task should I {verb}?"


def no_such_task(words: str | None) -> str:
    """Nothing on the list fits; what was said is repeated so that it can be said better."""
    return f'I can\'t find a task like "{words}".' if words else "I can't find that task."


def nothing_there() -> str:
    """No task at all."""
    return 'You have no tasks. To add one, say for example "add a task to buy groceries".'


def titled(task: Task) -> str:
    """The task as a sentence names it."""
    return f'"{task.title}"'


def joined(tasks: Sequence[Task]) -> str:
    """The tasks in one sentence."""
    *first, last = map(titled, tasks)
    return f"{', '.join(first)} and {last}" if first else last


def day_text(day: date, today: date) -> str:
    """A day as people say it: with its weekday, and its year where that is another."""
    if day == today:
        return "today"
    year = "" if day.year == today.year else f", {day.year}"
    return f"{day:%A}, {day:%B} {day.day}{year}"


def _line(task: Task | TaskLine, today: date) -> str:
    if task.completed:
        return f"{task.title} (done)"
    is_late = task.due_date is not None and task.due_date < today
    return f"{task.title}{_due(task, today)}{' (overdue)' if is_late else ''}"


def _due(task: Task | TaskLine, today: date) -> str:
    return f", due {day_text(task.due_date, today)}" if task.due_date else ""


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
    return [f"{joined(tasks)} {'was' if len(tasks) == 1 else 'were'} {how}."]
