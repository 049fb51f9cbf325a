"""Texts of reminders. Pure functions of stored values."""

from __future__ import annotations

from datetime import datetime

from agent.templates.agent_texts import moment_text
from tasks.task import Task

CONVERSATION_TITLE = "Reminders"


def reminder(task: Task, at: datetime, *, is_late: bool) -> str:
    """Reminds of a task that is due ``at``; a late one says when it was to come."""
    text = f"Reminder: {_sentence(task.title)}"
    if not is_late:
        return text
    return f"{text} It is late: it was to come on {moment_text(at, task.time_zone or 'UTC')}."


def mail_title(task: Task) -> str:
    """Returns the subject of a reminder by mail."""
    return f"Reminder: {task.title}"


def _sentence(title: str) -> str:
    return title if title.endswith((".", "!", "?", "…")) else f"{title}."
