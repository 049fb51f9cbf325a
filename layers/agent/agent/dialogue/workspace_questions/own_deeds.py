"""Answers to what the user did: what they ticked off or deleted, and when they changed an agent."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

from agent.dialogue.result import Result
from agent.dialogue.workbench import Workbench
from agent.dialogue.workspace_questions import texts
from agent.dialogue.workspace_questions.windows import read_window
from agent.dialogue.workspace_questions.wording import Wording, word_set
from agent.handler_interface import agent_reference
from agent.undo import ChangeStore
from conversation.messages.models import Reference
from intent.acts.act import Act, ActKind
from intent.acts.lexicon import LEADS
from intent.acts.requests import question_in

_TICKING = word_set("tick ticked cross crossed finish finished complete completed")
_DELETING = word_set("delete deleted remove removed bin binned scrap scrapped trash trashed ditched dropped")
_OPEN = word_set("what which what's")
_CHANGING = frozenset(
    {
        ActKind.CHANGE_AGENT, ActKind.CHANGE_TASK, ActKind.PAUSE_AGENT, ActKind.RESUME_AGENT,
        ActKind.SHARE_AGENT, ActKind.UNSHARE_AGENT,
    }
)  # fmt: skip
_WHEN = ("when did i", "when was", "when did we", "what day did i", "which day did i")
_CHANGES = {
    "status": word_set("pause paused stop stopped resume resumed"),
    "name": word_set("rename renamed"),
    "shared": word_set("share shared unshare unshared"),
    "": word_set("change changed move moved edit edited reschedule rescheduled"),
}


def answer(act: Act, bench: Workbench, changes: ChangeStore) -> Result | None:
    """Say what the user ticked off or deleted, or when they changed an agent; None for any other question."""
    wording = Wording.of_text(question_in(act.clause.text) or act.clause.text)
    first = next((word for word in wording.words if word[0].isalnum() and word not in LEADS), "")
    if wording.says(*_WHEN):
        return _when_changed(act, wording, bench, changes)
    if first not in _OPEN or not _says_own(wording):
        return None
    if wording.has(_TICKING) and not wording.has({"agent", "agents", "run", "runs"}):
        return _ticked_off(wording, bench)
    if wording.has(_CHANGES[""]):
        return _changed(wording, bench)
    return _deleted(wording, bench) if wording.has(_DELETING) else None


def _says_own(wording: Wording) -> bool:
    """Return whether a question is about the user's own deed: ``which one was it that I binned?``"""
    if wording.says("did i", "have i", "did we", "have we", "i just", "i've"):
        return True
    told = (behind for who, behind in pairwise(wording.words) if who in {"i", "we"})
    return any(word.endswith("ed") and word in _TICKING | _DELETING for word in told)


def _changed(wording: Wording, bench: Workbench) -> Result | None:
    """Say what was changed in this conversation, last or in the period asked about; None: nothing was."""
    situation = bench.turn.situation
    window = read_window(wording, now=situation.now, zone=situation.time_zone, is_past=True)
    found = [
        one
        for one in situation.history
        if one.note.did
        and _CHANGING & set(one.note.kinds)
        and (window is None or window.holds(one.created_at))
    ]
    zone = ZoneInfo(situation.time_zone)
    lines = [
        texts.deed(texts.past_day(one.created_at.astimezone(zone).date(), bench.turn.today), one.note.did)
        for one in (found[-1:] if wording.has({"just", "last"}) else found)
    ]
    return Result("\n".join(lines)) if lines else None


def _ticked_off(wording: Wording, bench: Workbench) -> Result:
    found = [task for task in bench.tasks() if task.completed and _is_then(task.completed_at, wording, bench)]
    if wording.has({"just", "last"}) or "one" in wording.words:
        found = sorted(found, key=lambda one: one.completed_at or one.created_at)[-1:]
    references = tuple(Reference(kind="task", id=one.id, name=one.title) for one in found)
    about = references[0] if len(references) == 1 else None
    text = texts.ticked_off([one.title for one in found])
    return Result(text, about=about, listed=() if about else references, tool="list_tasks")


def _deleted(wording: Wording, bench: Workbench) -> Result:
    caller = bench.turn.caller
    agents = [one for one in bench.agent_store.deleted(caller) if _is_then(one.deleted_at, wording, bench)]
    tasks = [one for one in bench.task_store.deleted(caller) if _is_then(one.deleted_at, wording, bench)]
    names = [one.name for one in agents] + [f"“{one.title}”" for one in tasks]
    return Result(texts.were_deleted(names), tool="list_agents")


def _is_then(moment: datetime | None, wording: Wording, bench: Workbench) -> bool:
    situation = bench.turn.situation
    window = read_window(wording, now=situation.now, zone=situation.time_zone, is_past=True)
    return moment is not None and (window is None or window.holds(moment))


def _when_changed(act: Act, wording: Wording, bench: Workbench, changes: ChangeStore) -> Result | None:
    """Say when the agent that words mean was changed; None where they mean none."""
    field = next((name for name, verbs in _CHANGES.items() if wording.has(verbs)), None)
    things = act.meant.things
    about = bench.turn.note.subject
    agent_id = (
        things[0].id if len(things) == 1 else about.id if about is not None and about.kind == "agent" else ""
    )
    agent = bench.agent(agent_id) if agent_id and field is not None else None
    if agent is None or agent.owner != bench.turn.caller.user:
        return None
    versions = changes.agent_versions(bench.turn.caller, agent.id)
    found = next((one for one in versions if not field or field in one.former), None)
    if found is None:
        return Result(texts.never_changed(agent.name), about=agent_reference(agent), tool="show_agent")
    day = found.at.astimezone(ZoneInfo(bench.turn.situation.time_zone)).date()
    text = texts.changed_on(agent.name, texts.past_day(day, bench.turn.today), found.former, agent.status)
    return Result(text, about=agent_reference(agent), tool="show_agent")
