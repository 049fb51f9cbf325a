"""Answers about the workspace: what is in it, what will run, what ran or failed, what changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from agent.checks.check import Check
from agent.dialogue.result import Result
from agent.dialogue.texts import due, due_time, schedule
from agent.dialogue.workbench import Workbench
from agent.dialogue.workspace_questions import texts
from agent.dialogue.workspace_questions.firings import firings_within, next_firing
from agent.dialogue.workspace_questions.run_history import runs_within
from agent.dialogue.workspace_questions.windows import Window, read_window
from agent.dialogue.workspace_questions.wording import Wording, word_set
from agent.handler_interface import agent_references
from agent.workspace.agents import Agent, AgentCard, AgentStatus
from agent.workspace.delivery_targets import Channel
from agent.workspace.runs import DeliveryStatus, Run, RunStatus
from conversation.messages.models import Reference
from intent.acts.act import Act
from intent.acts.lexicon import AGENT_NOUNS
from tasks.task import Task

_MOST_AGENTS = 30
"""The most agents read for one answer; each is a request."""
_DAY = timedelta(days=1)
_FAILED = frozenset({RunStatus.FAILED, RunStatus.TIMED_OUT})
_UNDELIVERED = frozenset(
    {
        DeliveryStatus.FAILED,
        DeliveryStatus.NO_ADDRESS,
        DeliveryStatus.NOT_SUPPORTED,
        DeliveryStatus.NOT_ALLOWED,
    }
)


class Aspect(StrEnum):
    """What a question about the workspace is after."""

    CHANGES = "changes"
    DONE_HERE = "done_here"
    """What was done in this conversation."""
    FAILURES = "failures"
    PLAN = "plan"
    PAST_RUNS = "past_runs"
    PAUSED = "paused"
    NUMBERS = "numbers"
    SET_UP = "set_up"
    """Everything there is: agents, tasks, and an agent that isn't finished."""
    OVERVIEW = "overview"


_CHANGED = word_set("changed change changes new altered alter edited edit modified updated different touched")
_BROKE = word_set(
    "failed fail fails failing failure failures broke broken break wrong error errors crashed missed "
    "problem problems"
)
_COMES = word_set(
    "scheduled schedule upcoming coming lined planned plan plans next goes go going runs run fires "
    "due up happening on out"
)
_GONE = word_set(
    "ran executed happened went was were did been sent finished delivered failed broke broken crashed "
    "changed since last yesterday yesterday's"
)
_LISTING = word_set("show list give display view get")
_AHEAD = word_set("scheduled upcoming coming planned next tomorrow week's today's")
_DONE_HERE = (
    "did you", "have you", "you did", "you have", "you've", "you changed", "you set", "you made", "you done",
    "was done", "got done", "you actually", "you really",
)  # fmt: skip


_ASKED_FOR = ("i asked", "asked for", "asked you", "i gave you", "i wanted", "i told you")
_FINISHED = frozenset({"done", "which", "went", "through", "actually", "finished", "happened"})


_WELL = word_set("ok okay fine alright right well good working work works")


def aspect_of(wording: Wording) -> Aspect:
    """Return what a question is after."""
    is_past = wording.has(_GONE) or (wording.has(_LISTING) and not wording.has(_AHEAD))
    if _asks_what_was_done(wording):
        return Aspect.DONE_HERE
    if wording.says("i missed", "have i missed", "did i miss"):
        return Aspect.OVERVIEW
    if wording.has(_CHANGED) and not wording.says("new week", "new month"):
        return Aspect.CHANGES
    if wording.has(_BROKE):
        return Aspect.FAILURES
    if wording.says("just set up", "just made", "just created", "just saved"):
        return Aspect.DONE_HERE
    if wording.says("set up", "in place") or (wording.has({"everything"}) and not wording.has(_WELL)):
        return Aspect.SET_UP
    if wording.says("how many"):
        return Aspect.NUMBERS
    if is_past and wording.has({"ran", "run", "runs", "happened", "went", "executed", "sent", "delivered"}):
        return Aspect.PAST_RUNS
    if wording.has({"paused", "off", "inactive", "stopped"}):
        return Aspect.PAUSED
    return Aspect.PLAN if wording.has(_COMES) and not wording.says("going on", "on here") else Aspect.OVERVIEW


def _asks_what_was_done(wording: Wording) -> bool:
    is_of_all = wording.has({"all", "both"}) and wording.has({"done", "sorted", "finished"})
    return is_of_all or wording.says(*_DONE_HERE) or (wording.says(*_ASKED_FOR) and wording.has(_FINISHED))


def answer(act: Act, bench: Workbench) -> Result:
    """Answer a question about the workspace."""
    wording = Wording.of(act)
    match aspect_of(wording):
        case Aspect.DONE_HERE:
            return _done_here(wording, bench)
        case Aspect.CHANGES:
            return _changes(wording, bench)
        case Aspect.FAILURES:
            return _failures(_window(wording, bench, is_past=True), bench)
        case Aspect.PAST_RUNS:
            return _past_runs(_window(wording, bench, is_past=True), bench)
        case Aspect.PLAN:
            return _with_due(_window(wording, bench, is_past=False), wording, bench)
        case Aspect.PAUSED:
            return _paused(bench)
        case Aspect.NUMBERS:
            return _numbers(bench)
        case Aspect.SET_UP:
            return _set_up(bench)
        case Aspect.OVERVIEW:
            window = _window(wording, bench, is_past=False)
            is_ahead = window is not None and window.first > bench.turn.situation.now
            return _with_due(window, wording, bench) if is_ahead else _overview(bench)


def _window(wording: Wording, bench: Workbench, *, is_past: bool) -> Window | None:
    situation = bench.turn.situation
    return read_window(wording, now=situation.now, zone=situation.time_zone, is_past=is_past)


def _own_cards(bench: Workbench) -> tuple[AgentCard, ...]:
    """Return the user's agents, as they are stored now."""
    user = bench.turn.caller.user
    return tuple(card for card in bench.visible_agents() if card.owner == user)


def own_agents(bench: Workbench) -> list[Agent]:
    """Return the user's agents in full, as they are stored now; of very many the first."""
    cards = _own_cards(bench)[:_MOST_AGENTS]
    return [agent for card in cards if (agent := bench.agent(card.id)) is not None]


def _with_due(window: Window | None, wording: Wording, bench: Workbench) -> Result:
    """Say what is planned in a window, with the tasks due in it where the question is not about agents."""
    coming = _ahead(window, bench)
    plan = _plan(coming, bench)
    zone = ZoneInfo(bench.turn.situation.time_zone)
    first, last = (moment.astimezone(zone).date() for moment in (coming.first, coming.last - _INSTANT))
    open_tasks = [task for task in bench.tasks() if not task.completed and task.due_date is not None]
    found = [task for task in open_tasks if task.due_date is not None and first <= task.due_date <= last]
    if not found or wording.has(_OF_AGENTS):
        return plan
    lines = [(task.title, due_words(task, bench.turn.today)) for task in found]
    due_then = texts.tasks_due(coming.said, lines, has_days=first != last)
    if plan.listed:
        return replace(plan, text=f"{plan.text}\n\n{due_then}")
    listed = tuple(Reference(kind="task", id=task.id, name=task.title) for task in found)
    about = listed[0] if len(listed) == 1 else None
    return Result(due_then, about=about, listed=listed, tool="list_tasks")


_INSTANT = timedelta(microseconds=1)
_OF_AGENTS = AGENT_NOUNS | word_set("run runs running fire fires")


def _ahead(window: Window | None, bench: Workbench) -> Window:
    """Return the part of a window that is still to come; by default, a week."""
    now = bench.turn.situation.now
    if window is None:
        return Window(now, now + 7 * _DAY, "in the next seven days")
    return Window(max(window.first, now), window.last, window.said)


def _plan(coming: Window, bench: Workbench) -> Result:
    now, zone = bench.turn.situation.now, bench.turn.situation.time_zone
    agents = own_agents(bench)
    found = firings_within(agents, coming)
    if not found:
        paused = [agent.name for agent in agents if agent.status is AgentStatus.PAUSED and agent.schedule]
        return Result(
            texts.nothing_planned(coming, next_firing(agents, now), paused, zone), tool="list_agents"
        )
    first_day = coming.first.date()
    listed = agent_references([firing.agent.card() for firing in found])
    is_one_day = coming.last - coming.first <= _DAY or all(
        moment.date() == first_day for firing in found for moment in firing.moments
    )
    return Result(
        texts.plan(coming.said, found, zone, has_days=not is_one_day), listed=listed, tool="list_agents"
    )


def _last_day(bench: Workbench) -> Window:
    now = bench.turn.situation.now
    return Window(now - _DAY, now + timedelta(seconds=1), "in the last 24 hours")


def _is_undelivered(run: Run) -> bool:
    return any(
        one.status in _UNDELIVERED and one.channel is not Channel.CONVERSATION for one in run.deliveries
    )


def _failures(window: Window | None, bench: Workbench) -> Result:
    window = window or _last_day(bench)
    runs = runs_within(bench, window)
    failed = [run for run in runs if run.status in _FAILED]
    lost = [run for run in runs if run.status is RunStatus.SUCCEEDED and _is_undelivered(run)]
    text = texts.failures(window.said, failed, lost, len(runs), bench.turn.situation.time_zone)
    return _about_runs(text, [*failed, *lost])


def _about_runs(text: str, runs: Sequence[Run]) -> Result:
    references = tuple(
        Reference(kind="run", id=run.id, name=run.agent_name) for run in runs[: texts.MOST_LINES]
    )
    about = references[0] if len(references) == 1 else None
    return Result(text, about=about, listed=() if about else references, tool="list_runs")


def _past_runs(window: Window | None, bench: Workbench) -> Result:
    window = window or _last_day(bench)
    runs = runs_within(bench, window)
    return _about_runs(texts.past_runs(window.said, runs, bench.turn.situation.time_zone), runs)


def _paused(bench: Workbench) -> Result:
    paused = [card for card in _own_cards(bench) if card.status is AgentStatus.PAUSED]
    text = texts.paused([card.name for card in paused], len(_own_cards(bench)))
    return Result(text, listed=agent_references(paused), tool="list_agents")


def _done_here(wording: Wording, bench: Workbench) -> Result:
    """Say what the replies of this conversation did: the last of them, or all when more is asked for."""
    notes = [note for note in bench.turn.situation.reply_notes() if note.did]
    is_all = wording.has({"today", "morning", "far", "all", "week", "conversation", "everything"})
    done = [note.did for note in (notes if is_all else notes[:1])]
    window = _window(wording, bench, is_past=True)
    is_of_others = window is not None or wording.has({"last", "other", "ago"})
    if not notes and is_of_others and (made := _made(window, bench)) is not None:
        return made
    about = notes[0].about if notes else None
    return Result(texts.done_here(done[::-1], is_last=not is_all), about=about)


def _made(window: Window | None, bench: Workbench) -> Result | None:
    """Say what was made in a period, or altogether, in other conversations; None where nothing was."""
    turn = bench.turn
    agents = [one for one in own_agents(bench) if window is None or window.holds(one.created_at)]
    tasks = [one for one in bench.tasks() if window is None or window.holds(one.created_at)]
    if not agents and not tasks:
        return None
    zone = turn.situation.time_zone
    text = texts.asked_for(
        [
            (agent.name, schedule_words(agent, zone), agent.status is AgentStatus.PAUSED)
            for agent in agents
        ],
        [(task.title, due_words(task, turn.today)) for task in tasks],
    )  # fmt: skip
    listed = agent_references([agent.card() for agent in agents])
    about = listed[0] if len(listed) == 1 else None
    return Result(text, about=about, listed=() if about else listed, tool="list_agents")


def _changes(wording: Wording, bench: Workbench) -> Result:
    """Say what of the user's agents and tasks is new or different since a time; by default, a week."""
    now = bench.turn.situation.now
    window = _window(wording, bench, is_past=True) or Window(
        now - 7 * _DAY, now + timedelta(seconds=1), "in the last seven days"
    )
    agents, tasks = own_agents(bench), bench.tasks()
    made = [agent.name for agent in agents if window.holds(agent.created_at)]
    changed = [
        agent.name
        for agent in agents
        if window.holds(agent.updated_at) and not window.holds(agent.created_at)
    ]
    added = [task.title for task in tasks if window.holds(task.created_at)]
    is_who = wording.has({"who", "secretary", "colleague", "boss", "somebody", "someone"})
    return Result(texts.changes(window.said, made, changed, added, is_who=is_who), tool="list_agents")


def _numbers(bench: Workbench) -> Result:
    cards = _own_cards(bench)
    paused = sum(card.status is AgentStatus.PAUSED for card in cards)
    tasks = bench.tasks()
    return Result(texts.numbers(len(cards), paused, sum(not task.completed for task in tasks)))


def _set_up(bench: Workbench) -> Result:
    """List the user's agents and open tasks, and name an agent that isn't finished."""
    turn = bench.turn
    agents = own_agents(bench)
    tasks = [task for task in bench.tasks() if not task.completed]
    zone = turn.situation.time_zone
    text = texts.set_up(
        [
            (agent.name, schedule_words(agent, zone), agent.status is AgentStatus.PAUSED)
            for agent in agents
        ],
        [(task.title, due_words(task, turn.today)) for task in tasks],
        _unfinished(turn.note.draft),
    )  # fmt: skip
    return Result(text, listed=agent_references([agent.card() for agent in agents]), tool="list_agents")


def _unfinished(draft: Mapping[str, JsonValue] | None) -> str:
    """Return what the unfinished agent is for; empty when there is none."""
    if draft is None:
        return ""
    if check := draft.get("check"):
        return Check.model_validate(check).host
    return str(draft.get("what") or "you")


def due_words(task: Task, today: date) -> str:
    """Return when a task is due, within a sentence; empty: never."""
    if task.due_at is not None:
        return due_time(task.due_at, today)
    return due(task.due_date, today) if task.due_date is not None else ""


def schedule_words(agent: Agent, zone: str) -> str:
    """Return when an agent runs, within a sentence."""
    return f"runs {schedule(agent.schedule, zone)}" if agent.schedule else "runs when you ask"


def _overview(bench: Workbench) -> Result:
    turn = bench.turn
    cards, agents = _own_cards(bench), own_agents(bench)
    tasks = [task for task in bench.tasks() if not task.completed]
    due = sum(task.due_date is not None and task.due_date <= turn.today for task in tasks)
    runs = runs_within(bench, _last_day(bench))
    missing = tuple(
        dict.fromkeys(
            need for card in cards for need in card.needs_connection if need not in turn.connected_services
        )
    )
    text = texts.overview(
        agents=len(cards), paused=[card.name for card in cards if card.status is AgentStatus.PAUSED],
        tasks=len(tasks), due=due, coming=next_firing(agents, turn.situation.now), runs=len(runs),
        failed=tuple(dict.fromkeys(run.agent_name for run in runs if run.status in _FAILED)),
        missing=missing, zone=turn.situation.time_zone, today=turn.today,
    )  # fmt: skip
    return Result(text, tool="list_agents")
