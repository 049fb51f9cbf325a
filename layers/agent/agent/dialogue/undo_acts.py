"""Takes back what was changed last, and brings back what was deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from agent.dialogue import texts
from agent.dialogue.act_kinds import ON_AGENTS
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.dialogue.taken_back import chosen, named_event, says_renaming
from agent.dialogue.workbench import Workbench
from agent.handler_interface import TurnRequest, agent_reference
from agent.undo import Change, ChangedSince, ChangeKind, ChangeRecord, ChangeStore, Undo
from agent.workspace.agents import Agent, AgentChange
from agent.workspace.errors import AgentLimitReached, AgentNameTaken
from conversation.errors import Forbidden
from conversation.messages.models import Reference
from intent.acts.act import Act, ActKind, Meant, Thing
from intent.acts.clauses import Clause
from intent.acts.lexicon import CORRECTIONS, POINTERS
from intent.acts.references import find_meant, find_name_place
from intent.acts.scene import Asked
from intent.acts.tokens import tokenise
from tasks.task import Task

_MOST_OFFERED = 8


RestorePolicy: TypeAlias = Callable[[Change, Workbench], str]
"""Undoes a change of the workspace's policy and returns how it is again, such as `PolicyActs.restore`."""


def is_instead_of_last(act: Act, acts: Sequence[Act], turn: TurnRequest) -> bool:
    """Return whether an act is to be done to another thing than the last one was: ``no, the other one``,
    ``tick off the cones instead``.
    """
    note, named = turn.note, {thing.id for thing in act.meant.things}
    if act.kind not in _TAKEN_BACK or note.kinds[-1:] != (act.kind.value,) or note.about is None:
        return False
    if sum(other.kind is ActKind.UNDO or other.kind is act.kind for other in acts) > 1:
        return False  # the last one is taken back once, by the act that asks for it
    said = [token.word for token in tokenise(turn.message) if token.is_word]
    begins = bool(CORRECTIONS & set(said[:1])) or said[:2] in (["wrong", "one"], ["wrong", "thing"])
    is_instead = bool({"instead", "meant"} & {token.word for token in tokenise(act.clause.text)})
    return (is_instead or (begins and act is acts[0])) and bool(named) and note.about.id not in named


_TAKEN_BACK = frozenset(
    {
        ActKind.PAUSE_AGENT, ActKind.RESUME_AGENT, ActKind.SHARE_AGENT, ActKind.UNSHARE_AGENT,
        ActKind.COMPLETE_TASK, ActKind.REOPEN_TASK, ActKind.DELETE_TASK,
    }
)  # fmt: skip
"""The kinds that are undone where a correction names another thing."""


def undo_event(said: str, bench: Workbench, changes: ChangeStore) -> Result | None:
    """Take back the newest change of the kind that words name, and nothing else: ``undo the pause``.

    None where they name no kind of change.
    """
    event = named_event(said)
    if event is None:
        return None
    for note in bench.turn.situation.reply_notes():
        record = None if note.changes is None else ChangeRecord.model_validate(dict(note.changes))
        for change in reversed(changes.read(bench.turn.caller, record)) if record is not None else ():
            agent = bench.agent(change.id) if event.is_made_by(change) else None
            if agent is None or agent.owner != bench.turn.caller.user:
                continue
            if getattr(agent, event.field) == event.former:
                return Result(texts.no_such_change(event.noun), about=agent_reference(agent))
            former = bench.change_agent(agent, AgentChange.model_validate({event.field: event.former}))
            said = texts.undone([texts.former_agent(former, [event.field])])
            about = agent_reference(former)
            return Result(said, f"took back: {agent.name}", about, tool="undo", kind=ActKind.UNDO)
    return Result(texts.no_such_change(event.noun))


def undo_both(
    said: str, bench: Workbench, changes: ChangeStore, restore_policy: RestorePolicy
) -> Result | None:
    """Take back what the last two replies that changed something did, where words say ``both`` and each
    changed one thing alone; None for any other.
    """
    words = [token.word for token in tokenise(said)]
    if not _says_two(words):
        return None
    notes = [note for note in bench.turn.situation.reply_notes() if note.changes]
    records = [ChangeRecord.model_validate(dict(note.changes or {})) for note in notes[:_TWO]]
    known = [changes.read(bench.turn.caller, record) for record in records]
    is_taken_back = any(ActKind.UNDO.value in note.kinds for note in notes[:_TWO])
    if len(known) < _TWO or is_taken_back or any(len(one) != 1 for one in known):
        return None
    return _taken_back([one[0] for one in reversed(known)], bench, restore_policy)


def _says_two(words: Sequence[str]) -> bool:
    return "both" in words or ("two" in words and "last" in words)


_TWO = 2


def undo_last(
    said: str | None, bench: Workbench, changes: ChangeStore, restore_policy: RestorePolicy
) -> Result:
    """Take back the newest change of this conversation: the part of it that ``said`` speaks of; None: all."""
    notes = bench.turn.situation.reply_notes()
    stored = next((note.changes for note in notes if note.changes), None)
    if stored is None:
        return Result(texts.nothing_to_undo())
    known = changes.read(bench.turn.caller, ChangeRecord.model_validate(dict(stored)))
    if said is not None and says_renaming(said) and not any("name" in one.former for one in known):
        return Result(texts.not_renamed())
    return _taken_back(known if said is None else chosen(known, said), bench, restore_policy)


def _taken_back(known: Sequence[Change], bench: Workbench, restore_policy: RestorePolicy) -> Result:
    told: list[str] = []
    about: Reference | None = None
    for change in reversed(known):
        try:
            if change.subject == "policy":
                told.append(restore_policy(change, bench))
                continue
            undo = bench.undo(change)
        except ChangedSince:
            return Result(texts.changed_since(change.name))
        except Forbidden as forbidden:
            return Result(str(forbidden))
        except AgentNameTaken:
            return Result(texts.name_taken(change.name))
        except AgentLimitReached as reached:
            return Result(texts.limit_reached(reached.limit, of_user=reached.of_user))
        told.append(_said(change, undo))
        about = _reference(undo) or about
    did = f"took back: {'; '.join(change.name for change in known)}"
    return Result(texts.undone(told), did, about, tool="undo", kind=ActKind.UNDO)


def _said(change: Change, undo: Undo) -> str:
    """Return how a thing is again, as a clause."""
    name = f"“{change.name}”" if change.subject == "task" else change.name
    match change.kind:
        case ChangeKind.CREATED | ChangeKind.RESTORED:
            return f"{name} is removed"
        case ChangeKind.DELETED:
            return f"{name} is back"
        case ChangeKind.CHANGED:
            if undo.agent is not None:
                return texts.former_agent(undo.agent, list(change.former))
            return (
                f"{name} is as it was"
                if undo.task is None
                else texts.former_task(undo.task, list(change.former))
            )


def _reference(undo: Undo) -> Reference | None:
    if undo.agent is not None:
        return Reference(kind="agent", id=undo.agent.id, name=undo.agent.name)
    if undo.task is not None:
        return Reference(kind="task", id=undo.task.id, name=undo.task.title)
    return None


def restore(act: Act, bench: Workbench) -> Result:
    """Bring back deleted agents or tasks: those that are named, or the one deleted last."""
    turn = bench.turn
    agents = {agent.id: agent for agent in bench.agent_store.deleted(turn.caller)}
    tasks = {task.id: task for task in bench.task_store.deleted(turn.caller)}
    things = _deleted(act, agents.values(), tasks.values())
    if not things:
        return Result(texts.nothing_deleted())
    meant = act.meant.things if act.meant.things and act.meant.things[0].id in {*agents, *tasks} else ()
    found = Meant(things=meant) if meant else _find(act, things)
    if (
        len(things) == 1
        and not found.things
        and POINTERS & {token.word for token in tokenise(act.clause.text)}
    ):
        found = Meant(things=tuple(things))
    if len(found.candidates) > 1 or (found.words and not found.things):
        offered = found.candidates or things
        return _which(act, offered, kind="agent" if offered[0].id in agents else "task")
    wanted = found.things or things[:1]
    for thing in wanted:
        if thing.id in agents:
            agent = bench.restore_agent(agents[thing.id])
            about = Reference(kind="agent", id=agent.id, name=agent.name)
        else:
            bench.restore_task(tasks[thing.id])
            about = Reference(kind="task", id=thing.id, name=thing.name)
    names = texts.join([thing.name for thing in wanted])
    kind = ActKind.RESTORE_AGENT if wanted[0].id in agents else ActKind.RESTORE_TASK
    return Result(texts.restored(names, len(wanted)), f"restored {names}", about, tool="restore", kind=kind)


def asked_whether_gone(act: Act, bench: Workbench) -> Result | None:
    """Return the answer to a question whether an agent is deleted that it names, or whether what was deleted
    right before is; None for any other.
    """
    text = act.clause.text
    if act.kind not in _ASKING or not text.rstrip().endswith("?"):
        return None
    words = [token.word for token in tokenise(text)]
    if not _GONE & set(words) or _RESTORING & set(words):
        return None
    says = "No" if {"exist", "exists", "there", "here"} & set(words) else "Yes"
    last = bench.turn.note
    if POINTERS & set(words) and not act.meant.is_named and _DELETIONS & set(last.kinds) and last.did:
        return Result(f"{says}, I {last.did}. Say “undo” if you want that back.")
    if any(one.name.lower() in text.lower() for one in bench.visible_agents()):
        return None
    gone = (one.name for one in bench.agent_store.deleted(bench.turn.caller))
    name = next((one for one in gone if find_name_place(words, one) is not None), None)
    if name is None:
        return None
    return Result(f"{says}, {name} is deleted. Say “restore {name}” if you want it back.", tool="show_agent")


_ASKING = frozenset(
    {
        ActKind.SHOW_AGENT, ActKind.SHOW_RESULT, ActKind.RESTORE_AGENT, ActKind.ASK_PRODUCT,
        ActKind.ASK_WORLD, ActKind.UNSURE, ActKind.RECALL, ActKind.NONE,
    }
)  # fmt: skip
_DELETIONS = frozenset({ActKind.DELETE_AGENT.value, ActKind.DELETE_TASK.value})
_RESTORING = frozenset("back restore restored undo undelete recover recovered bring return revive".split())
_GONE = frozenset("gone deleted removed exist exists there here away".split())


def found_again(act: Act, bench: Workbench) -> Act:
    """Return an act on an agent behind an undo, with the agent that it means by the name it has again."""
    is_known = bool(act.meant.things) and (act.meant.is_named or act.meant.things[0].id in bench.undone)
    if not bench.undone or is_known or act.kind not in _MAY_FOLLOW:
        return act
    agents = (agent for one in sorted(bench.undone) if (agent := bench.agent(one)) is not None)
    things = tuple(Thing(one.id, one.name, one.what) for one in agents)
    meant = _find(act, things)
    points = len(things) == 1 and bool(POINTERS & {token.word for token in tokenise(act.clause.text)})
    if points and not meant.is_named:
        meant = Meant(things=things, is_focus=True)
    return replace(act, meant=meant) if meant.things else act


_MAY_FOLLOW = _TAKEN_BACK | {ActKind.RUN_AGENT, ActKind.CHANGE_AGENT}


def may_be_as_undone(act: Act, bench: Workbench) -> bool:
    """Return whether an act may only say in other words what an undo before it did."""
    named = {thing.id for thing in act.meant.things}
    is_of_its_own = act.kind in {ActKind.ADD_TASK, ActKind.RUN_AGENT}
    return bool(bench.undone) and not is_of_its_own and named <= bench.undone


def behind_undo(act: Act, bench: Workbench, carry_out: Callable[[], Result | None]) -> Result | None:
    """Carry out an act on agents that were just undone; None where it changes nothing more."""
    before = {thing.id: bench.agent(thing.id) for thing in act.meant.things}
    if act.kind not in ON_AGENTS or None in before.values():
        return None
    done = carry_out()
    return done if any(bench.agent(one) is not agent for one, agent in before.items()) else None


def _deleted(act: Act, agents: Iterable[Agent], tasks: Iterable[Task]) -> tuple[Thing, ...]:
    """Return what was deleted: the sort that the words name in full, else the one the act is about."""
    of_agents = tuple(Thing(one.id, one.name, one.what) for one in agents)
    of_tasks = tuple(Thing(task.id, task.title) for task in tasks)
    is_task = act.kind is ActKind.RESTORE_TASK
    first, second = (of_tasks, of_agents) if is_task else (of_agents, of_tasks)
    if _find(act, second).is_named and not _find(act, first).is_named:
        return second
    return first or (() if is_task else second)


def _find(act: Act, things: Sequence[Thing]) -> Meant:
    tokens = tokenise(act.clause.text)
    return find_meant(Clause(act.clause.text, tokens), things) if tokens else Meant()


def _which(act: Act, things: Sequence[Thing], *, kind: Literal["agent", "task"]) -> Result:
    options = tuple(Reference(kind=kind, id=one.id, name=one.name) for one in things[:_MOST_OFFERED])
    question = AskedQuestion(asked=Asked.WHICH, waiting=(HeldAct.of(act, ()),), options=options)
    return Result(
        texts.which_agent("bring back", [one.name for one in things[:_MOST_OFFERED]]), question=question
    )
