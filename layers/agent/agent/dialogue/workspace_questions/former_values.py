"""How an agent or a task was before a change, told to who asks for it, and brought back.

Agents keep what their changes replaced for 30 days, whatever made them; of tasks, the replies of this
conversation know it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from agent.dialogue.result import Result
from agent.dialogue.texts import former_agent, undone
from agent.dialogue.workbench import Workbench
from agent.dialogue.workspace_questions import texts
from agent.dialogue.workspace_questions.wording import Wording, word_set
from agent.handler_interface import agent_reference
from agent.undo import Change, ChangeKind, ChangeRecord, ChangeStore
from agent.workspace.agents import Agent, AgentChange
from conversation.messages.models import Message, Reference, Role
from intent.acts.act import Act, ActKind, Meant
from intent.acts.clauses import Clause
from intent.acts.former_values import asks_for_first, asks_for_former, fields_asked, is_elliptic
from intent.acts.lexicon import POINTERS
from intent.acts.references import find_meant
from intent.acts.tokens import tokenise
from intent.analysis.scenes import scene_of
from tasks.task import Task

K = ActKind
_DESCRIBED = frozenset(
    {"name", "schedule", "delivery", "sources", "status", "shared", "what", "instructions"}
)
"""The fields of an agent of which a reply says how they were."""
_OF_TASKS = word_set("title due_date due_at repeat completed")


class _Former(NamedTuple):
    """How something was, and when that ended."""

    until: datetime
    values: Mapping[str, JsonValue]


def answer(act: Act, bench: Workbench, changes: ChangeStore) -> Result | None:
    """Say how an agent or a task was before it was changed; None for anything else than a question for that,
    and where neither is meant.
    """
    if not asks_for_former(act.clause.text):
        return None
    meant = _meant(act, bench)
    if meant is None:
        return None
    wording = Wording.of_text(act.clause.text)
    if meant.kind == "task":
        task = bench.task(meant.id)
        return None if task is None else _of_task(task, list(_changes_of_task(task, bench, changes)), bench)
    agent = bench.agent(meant.id)
    if agent is None or agent.owner != bench.turn.caller.user:
        return None
    fields = fields_asked(act.clause.text)
    versions = _versions(agent, bench, changes, fields or _DESCRIBED)
    shown = versions[-1:] if asks_for_first(wording.words) else versions[:1]
    return _of_agent(agent, shown, fields, bench)


def bring_back(act: Act, bench: Workbench, changes: ChangeStore) -> Result | None:
    """Give an agent the values again that it had before, where the last change of this conversation is not
    the one that words mean; None where it is, or where they mean no agent.
    """
    text = act.clause.text
    words = {token.word for token in tokenise(text)}
    meant = _meant(act, bench) if {"back", "undo"} & words and "last" not in words else None
    agent = bench.agent(meant.id) if meant is not None and meant.kind == "agent" else None
    if agent is None or agent.owner != bench.turn.caller.user:
        return None
    wanted = fields_asked(text)
    last = next(_recorded(bench, changes), ())
    if any(one.id == agent.id and (not wanted or wanted & one.former.keys()) for one in last):
        return None
    former = next(iter(_versions(agent, bench, changes, wanted or _DESCRIBED)), None)
    if former is None:
        return None
    values = {name: value for name, value in former.values.items() if not wanted or name in wanted}
    changed = bench.change_agent(agent, AgentChange.model_validate_json(json.dumps(values)))
    about = agent_reference(changed)
    said = undone([former_agent(changed, list(values))])
    return Result(said, f"took back: {agent.name}", about, tool="undo", kind=K.UNDO)


def _meant(act: Act, bench: Workbench) -> Reference | None:
    """Return the agent or the task that words mean: what they name, else what was talked about, else the only
    agent.
    """
    scene = scene_of(bench.turn.situation)
    clause = Clause(act.clause.text, tokenise(act.clause.text))
    of_agents = act.meant if act.meant.things and not act.meant.is_focus else find_meant(clause, scene.agents)
    known = {one.id for one in scene.agents}
    if len(of_agents.things) == 1 and of_agents.things[0].id in known:
        return Reference(kind="agent", id=of_agents.things[0].id, name=of_agents.things[0].name)
    of_tasks = find_meant(clause, scene.tasks) if not of_agents.things else Meant()
    if len(of_tasks.things) == 1:
        return Reference(kind="task", id=of_tasks.things[0].id, name=of_tasks.things[0].name)
    points = bool(POINTERS & set(clause.words)) or is_elliptic(clause.text)
    is_open = (points or bool(fields_asked(clause.text))) and not _is_on_told(bench)
    if scene.focus is not None and scene.focus_kind in {"agent", "task"} and is_open:
        kind = "task" if scene.focus_kind == "task" else "agent"
        return Reference(kind=kind, id=scene.focus.id, name=scene.focus.name)
    only = scene.agents[0] if len(scene.agents) == 1 and is_open else None
    return None if only is None else Reference(kind="agent", id=only.id, name=only.name)


def _is_on_told(bench: Workbench) -> bool:
    """Return whether the last reply quoted what the user told, which is then what "it" is."""
    last = bench.turn.note
    return last.kinds[-1:] == (K.RECALL,) and last.about is None


def _recorded(bench: Workbench, changes: ChangeStore) -> Iterator[tuple[Change, ...]]:
    """Yield what each reply of this conversation changed, the newest first."""
    for note in bench.turn.situation.reply_notes():
        if note.changes is not None:
            yield changes.read(bench.turn.caller, ChangeRecord.model_validate(dict(note.changes)))


def _versions(agent: Agent, bench: Workbench, changes: ChangeStore, fields: Collection[str]) -> list[_Former]:
    """Return how an agent was before each of its changes of certain fields, the newest first."""
    found = changes.agent_versions(bench.turn.caller, agent.id)
    return [_Former(one.at, one.former) for one in found if not one.former.keys().isdisjoint(fields)]


def _of_agent(agent: Agent, found: Sequence[_Former], fields: Collection[str], bench: Workbench) -> Result:
    about, zone = agent_reference(agent), bench.turn.situation.time_zone
    if not found:
        text = texts.never_changed(agent.name, texts.is_now(agent, fields, zone))
        return Result(text, about=about, tool="show_agent", kind=K.RECALL)
    former = found[0]
    before = Agent.model_validate_json(json.dumps({**agent.model_dump(mode="json"), **former.values}))
    was, now = texts.was(before, former.values, zone), texts.is_now(agent, former.values, zone)
    text = texts.was_before(_ago(former.until, bench), agent.name, was, now)
    return Result(text, about=about, tool="show_agent", kind=K.RECALL)


def _changes_of_task(task: Task, bench: Workbench, changes: ChangeStore) -> Iterator[_Former]:
    at = [one.created_at for one in _replies(bench) if one.note.changes is not None]
    for moment, recorded in zip(at, _recorded(bench, changes), strict=False):
        for change in recorded:
            is_changed = change.id == task.id and change.kind is ChangeKind.CHANGED
            if is_changed and change.former.keys() & _OF_TASKS:
                yield _Former(moment, change.former)


def _replies(bench: Workbench) -> Iterator[Message]:
    return (one for one in reversed(bench.turn.situation.history) if one.role is Role.ASSISTANT)


def _of_task(task: Task, found: Sequence[_Former], bench: Workbench) -> Result:
    about = Reference(kind="task", id=task.id, name=task.title)
    if not found:
        return Result(texts.never_changed(f"“{task.title}”"), about=about, tool="list_tasks", kind=K.RECALL)
    former = found[0]
    before = Task.model_validate_json(json.dumps({**task.model_dump(mode="json"), **former.values}))
    said = texts.task_was(before, former.values, bench.turn.today)
    text = texts.was_before(_ago(former.until, bench), f"“{before.title}”", said)
    return Result(text, about=about, tool="list_tasks", kind=K.RECALL)


def _ago(moment: datetime, bench: Workbench) -> str:
    return texts.past_day(_local(moment, bench), bench.turn.today)


def _local(moment: datetime, bench: Workbench) -> date:
    return moment.astimezone(ZoneInfo(bench.turn.situation.time_zone)).date()
