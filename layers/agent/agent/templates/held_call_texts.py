"""Texts about tool calls that wait for an approval: what would be done, where it would go, and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from pydantic import JsonValue

from agent.workspace.runs import HeldCall, HeldReason, Run
from conversation.messages.models import RUN_CALL, TOOL_CALL, Pending

_MARKDOWN = re.compile(r"[\[\]<>`*_\\]|//")
MAX_SHOWN = 500
"""Characters of one argument."""

_REASONS: Mapping[HeldReason, str] = {
    "not_asked": "nobody asked for it in so many words",
    "outside_text": "it was decided after text that others wrote",
    "other_source": "it would hand on what another source returned",
    "personal_data": "it would send something on after your own data was read",
}

WITHDRAWN = (
    "That call is no longer possible as you approved it: what it would use has changed. Nothing was done."
)
ALREADY_APPROVED = "That was approved before; it is done only once."


def describe_call(held: HeldCall) -> str:
    """What the call would do, with all its arguments: ``add the task "buy milk"``."""
    describe = _TASK_CALLS.get(held.tool)
    if held.skill is None and describe is not None:
        return describe(held.values, held.about)
    where = f"the skill {held.skill} ({held.host})" if held.skill else "the assistant's tools"
    return f"call {held.tool.rpartition('__')[2]!r} of {where} with {_listed(held.values)}"


def ask_about_call(held: HeldCall, *, more: int = 0) -> str:
    """The question of a chat; ``more`` calls wait that are not asked about now."""
    rest = f" Further calls that take your approval, and were left out: {more}." if more else ""
    return f"Shall I {describe_call(held)}? I ask because {_REASONS[held.reason]}.{rest}"


def waiting_calls(calls: Sequence[HeldCall]) -> str:
    """The paragraph of a run's result about the calls that it may not make without an approval."""
    lines = [f"- {describe_call(held)} ({_REASONS[held.reason]})" for held in calls]
    return "\n".join(["It did not do this, because that takes your approval:", *lines])


def ask_for_approval(held: HeldCall) -> str:
    """The question behind `waiting_calls`."""
    return f"Shall it {describe_call(held)}? Say yes, and exactly this is done once."


def approval_question(run: Run, held: HeldCall) -> Pending:
    """What a yes to `ask_for_approval` does: it approves this call of the run."""
    return Pending(action=RUN_CALL, entities={"run_id": run.id, "call": held.id}, summary=describe_call(held))


def call_question(held: HeldCall) -> Pending:
    """What a yes to `ask_about_call` does: it makes the call."""
    said = held.model_dump(mode="json", exclude_defaults=True)
    return Pending(action=TOOL_CALL, entities=said, summary=describe_call(held))


def approved(held: HeldCall, agent_name: str) -> str:
    """The reply to a yes in a conversation with a run's result."""
    will = f"All right, {agent_name} will {describe_call(held)}."
    return f"{will} What comes of it will appear in this conversation."


def made(held: HeldCall, result: str) -> str:
    """The outcome of an approved call that was made."""
    return f"Done: {describe_call(held)}." + (f"\n\nIt returned:\n\n{result}" if result else "")


def not_made(held: HeldCall, message: str) -> str:
    """The outcome of an approved call that failed."""
    return f"I could not {describe_call(held)}: {quoted(message)}"


def quoted(value: JsonValue) -> str:
    """A value as one line of bounded length in quotation marks, or as code where Markdown would change it: a
    reader sees what is in it, and no client loads it.
    """
    text = " ".join(str(value).split())
    cut = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
    if not _MARKDOWN.search(cut):
        return f'"{cut}"'
    return "`{}`".format(cut.replace("`", "'"))


def _listed(values: Mapping[str, JsonValue]) -> str:
    return ", ".join(f"{name}: {quoted(value)}" for name, value in values.items()) or "nothing"


def _add_task(values: Mapping[str, JsonValue], _about: str) -> str:
    return f"add the task {quoted(values.get('title', ''))}{_details(values)}"


def _change_task(values: Mapping[str, JsonValue], about: str) -> str:
    changes = {name: value for name, value in values.items() if name != "task_id" and value is not None}
    return f"change {_task(values, about)} to {_listed(changes)}"


def _complete_task(values: Mapping[str, JsonValue], about: str) -> str:
    return f"mark {_task(values, about)} as done"


def _delete_task(values: Mapping[str, JsonValue], about: str) -> str:
    return f"delete {_task(values, about)}"


def _run_agent(values: Mapping[str, JsonValue], _about: str) -> str:
    given = values.get("parameters")
    extra = f" with {_listed(given)}" if isinstance(given, dict) and given else ""
    return f"run the agent {quoted(values.get('name', ''))}{extra}"


def _task(values: Mapping[str, JsonValue], about: str) -> str:
    return (
        f"the task {quoted(about)}" if about else f"the task with the id {quoted(values.get('task_id', ''))}"
    )


def _details(values: Mapping[str, JsonValue]) -> str:
    due, description = values.get("due_at") or values.get("due_date"), values.get("description")
    repeat = values.get("repeat")
    return (
        (f", due {due}" if due else "")
        + (f", repeating {quoted(repeat)}" if repeat else "")
        + (f", with the note {quoted(description)}" if description else "")
    )


_TASK_CALLS: Mapping[str, Callable[[Mapping[str, JsonValue], str], str]] = {
    "create_task": _add_task,
    "update_task": _change_task,
    "complete_task": _complete_task,
    "delete_task": _delete_task,
    "run_agent": _run_agent,
}
