"""What tools did and found, rendered from their results and not from a model's prose. Pure.

Only changes and lists are rendered. The model words what a tool computed or looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from urllib.parse import quote

from pydantic import JsonValue

from agent.inference.tool_loop import ToolUse
from agent.inference.toolbox import AgentList, ListedAgent, RunState
from agent.templates import task_texts
from agent.templates.agent_texts import numbered_list
from conversation.messages.models import Note, Reference
from tasks.task import Task
from tools.builtin.tasks import TaskList
from tools.builtin.web_search import WebSearchResults
from tools.tool import WEB


@dataclass(frozen=True, slots=True)
class ToolReport:
    """The text for the user. ``is_change``: something was changed, and a model's words add nothing to it."""

    text: str = ""
    note: Note = field(default_factory=Note)
    is_change: bool = False


def build_tool_report(uses: Sequence[ToolUse], today: date) -> ToolReport:
    """The rendered results of the successful calls. Of several lists, only the last one is shown."""
    done = [(use.call.name, use.result.data) for use in uses if use.result.ok]
    changes = [_CHANGES[name](data, today) for name, data in done if name in _CHANGES]
    lists = [_LISTS[name](data, today) for name, data in done if name in _LISTS]
    text, listed = lists[-1] if lists else ("", ())
    paragraphs = [*changes, *([text] if text else [])]
    return ToolReport("\n\n".join(paragraphs), Note(did=" ".join(changes), listed=listed), bool(changes))


def pages_found(uses: Sequence[ToolUse]) -> str:
    """Links to the pages that searches found, best first; empty without any: for answers without a model."""
    found = [use.result.data for use in uses if use.result.ok and use.result.origin == WEB]
    pages = [page for data in found for page in WebSearchResults.model_validate(data).results]
    links = dict.fromkeys(
        f"- [{_plain(page.title) or _plain(page.url)}]({_quoted(page.url)})" for page in pages
    )
    return "\n".join(("The search found:", *list(links)[:MOST_PAGES])) if links else ""


MOST_PAGES = 5


def _plain(title: str) -> str:
    """A title without what would end the words of a link."""
    return " ".join("".join(mark for mark in title if mark not in "[]<>\\`").split())


def _quoted(address: str) -> str:
    return quote(address, safe=":/?#@!$&*+,;=%~-._")


def _added(data: JsonValue, today: date) -> str:
    return task_texts.added([Task.model_validate(data)], today)


def _changed(data: JsonValue, today: date) -> str:
    task = Task.model_validate(data)
    due = f", due {task_texts.due_text(task, today)}" if task.due_date else ""
    done = ", done" if task.completed else ""
    return f"I've changed the task; it is now {task_texts.quoted_title(task)}{due}{done}."


def _completed(data: JsonValue, today: date) -> str:
    return task_texts.completed([Task.model_validate(data)], [], today)


def _deleted(data: JsonValue, _today: date) -> str:
    return task_texts.deleted([Task.model_validate(data)])


def _started(data: JsonValue, _today: date) -> str:
    run = RunState.model_validate(data)
    return f"I've started {run.agent}; its result will appear in this conversation."


def _tasks(data: JsonValue, today: date) -> tuple[str, tuple[Reference, ...]]:
    found = TaskList.model_validate(data)
    text = task_texts.listed(found.tasks, today, status="all", more=found.more)
    return text, tuple(Reference(kind="task", id=task.id, name=task.title) for task in found.tasks)


def _agents(data: JsonValue, _today: date) -> tuple[str, tuple[Reference, ...]]:
    agents = AgentList.model_validate(data).agents
    text = (
        f"Your agents:\n{numbered_list(list(map(_agent_line, agents)))}"
        if agents
        else "You have no agents yet."
    )
    return text, tuple(Reference(kind="agent", id=agent.id, name=agent.name) for agent in agents)


def _agent_line(agent: ListedAgent) -> str:
    paused = " (paused)" if agent.status == "paused" else ""
    return f"{agent.name} - {agent.summary}{paused}"


_CHANGES: Mapping[str, Callable[[JsonValue, date], str]] = {
    "create_task": _added,
    "update_task": _changed,
    "complete_task": _completed,
    "delete_task": _deleted,
    "run_agent": _started,
}
_LISTS: Mapping[str, Callable[[JsonValue, date], tuple[str, tuple[Reference, ...]]]] = {
    "list_tasks": _tasks,
    "list_agents": _agents,
}
