"""Runs of agents: starting one, stopping it, and telling what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from agent import shared_runs
from agent.dialogue import texts
from agent.dialogue.agent_acts import field_texts
from agent.dialogue.agent_acts.changes import change_agents, meant_agents
from agent.dialogue.agent_acts.supposed_times import past_day
from agent.dialogue.result import Result
from agent.dialogue.workbench import Workbench
from agent.handler_interface import HandlerReply, agent_reference
from agent.templates import run_texts
from agent.workspace.agents import Agent, AgentStatus
from agent.workspace.runs import Run, RunStatus, run_id_of_turn
from conversation.errors import QuotaExceeded
from conversation.limits.quotas import QuotaKind
from conversation.messages.models import Reference
from intent.acts.act import Act, ActKind, Meant, Thing
from intent.acts.agent_questions import AgentQuestion, Field, read_question
from intent.acts.list_places import find_places
from intent.acts.tokens import tokenise
from intent.acts.wished_deeds import says_now
from intent.entities.extraction import extract_entities
from intent.times.reader import read_times
from intent.times.reading import Kind

_LOOKED_AT = 50
_MOST_LISTED = 10


def on_runs(act: Act, bench: Workbench) -> Result | None:
    """Carry out an act on runs; None when a colleague's agent is to run, which asks for consent first."""
    match act.kind:
        case ActKind.RUN_AGENT:
            return _start(act, bench)
        case ActKind.CANCEL_RUN:
            return _cancel(act, bench)
        case _:
            return _show(act, bench)


def _start(act: Act, bench: Workbench) -> Result | None:
    agents, problem = meant_agents(act, bench)
    if problem is not None:
        return problem
    if any(agent.owner != bench.turn.caller.user for agent in agents):
        return None
    if (later := _later(act, bench)) is not None:
        return Result(texts.no_run_later(agents[0].name, later), about=agent_reference(agents[0]))
    texts_of_runs, about = [], None
    for agent in agents[:10]:
        result = _start_one(agent, act, bench)
        texts_of_runs.append(result.text)
        about = result.about
        if not result.did:
            return result
    names = texts.join([agent.name for agent in agents[:10]])
    return Result("\n".join(texts_of_runs), f"started {names}", about, tool="run_agent", kind=act.kind)


def _later(act: Act, bench: Workbench) -> str | None:
    """Return the time in days to come at which words want a run; None for now, or for no time."""
    situation = bench.turn.situation
    if says_now([token.word for token in tokenise(act.clause.text)]):
        return None
    for one in read_times(act.slot("when"), now=situation.now, zone=situation.time_zone):
        if one.kind in {Kind.PERIOD, Kind.SCHEDULE} or one.day is None or one.is_deadline:
            continue
        local = situation.now.astimezone(ZoneInfo(situation.time_zone))
        if one.day > local.date() or (
            one.day == local.date() and one.at is not None and one.at > local.time()
        ):
            return one.said or act.slot("when")
    return None


def start_shared(act: Act, bench: Workbench) -> HandlerReply:
    """Start the run of a colleague's agent that an act means, or ask for what has to be agreed first."""
    turn = bench.turn
    ids = {thing.id for thing in act.meant.things}
    card = next(card for card in turn.visible_agents() if card.id in ids and card.owner != turn.caller.user)
    parameters = run_parameters(act, bench)
    step = f"{turn.turn_id}.{bench.runs_started}" if bench.runs_started else turn.turn_id
    return shared_runs.start(replace(turn, turn_id=step), card, parameters, bench.agent_store)


def _start_one(agent: Agent, act: Act, bench: Workbench) -> Result:
    turn, place = bench.turn, bench.runs_started
    try:
        bench.agent_store.runs.quotas.take(turn.caller, QuotaKind.RUNS, record=turn.roster.record)
    except QuotaExceeded as exceeded:
        return Result(str(exceeded), about=agent_reference(agent))
    now = turn.situation.now
    step = f"{turn.turn_id}.{place}" if place else turn.turn_id
    parameters = run_parameters(act, bench)
    is_again = bool(_AGAIN & {token.word for token in tokenise(act.clause.text)})
    if is_again and (last := _meant_run(act, bench)) is not None:
        parameters = {**last.parameters, **parameters}
    run = Run.create(
        agent.card(), run_id=run_id_of_turn(step, now), user=turn.caller.user, now=now,
        conversation_id=turn.conversation_id, parameters=parameters,
    )  # fmt: skip
    bench.start_run(run)
    about = Reference(kind="run", id=run.id, name=agent.name)
    return Result(texts.started(agent.name, parameters, is_again=is_again), f"started {agent.name}", about)


def run_parameters(act: Act, bench: Workbench) -> dict[str, str]:
    """Return what a run is asked to be about: its period, its scope, a condition, a format, a deadline."""
    situation = bench.turn.situation
    found = extract_entities(act.clause.text, now=situation.now, time_zone=situation.time_zone)
    told = {name: value for name in _PARAMETERS if isinstance(value := found.get(name), str) and value}
    if told.get("scope", "").lower() in _PEOPLE:
        del told["scope"]  # ``for I see how it looks`` is a purpose
    period = told.get("period") or act.slot("period")
    return {**told, "period": period} if period else told


_PARAMETERS = ("period", "scope", "condition", "format", "deadline")
_PEOPLE = frozenset({"i", "we", "you", "me", "us"})
_AGAIN = frozenset({"again", "same", "rerun", "repeat", "redo", "re-run"})


def _cancel(act: Act, bench: Workbench) -> Result:
    run = _meant_run(act, bench)
    if run is None:
        return Result("Nothing is running right now.")
    about = Reference(kind="run", id=run.id, name=run.agent_name)
    if run.status.is_final:
        agent = bench.agent(run.agent_id)
        names_run = _RUNS & {token.word for token in tokenise(act.clause.text)}
        if agent is not None and agent.schedule is not None and not names_run:
            paused = replace(act, kind=ActKind.PAUSE_AGENT, meant=Meant((Thing(agent.id, agent.name),)))
            return change_agents(paused, bench, is_confirmed=False)
        return Result(run_texts.already_over(run), about=about)
    bench.write(*bench.agent_store.runs.cancel_actions(bench.turn.caller.tenant, run))
    text = run_texts.stopped(run, is_begun=run.status is RunStatus.RUNNING)
    return Result(text, f"cancelled the run of {run.agent_name}", about, tool="cancel_run", kind=act.kind)


_RUNS = frozenset({"run", "running", "runs"})


def _show(act: Act, bench: Workbench) -> Result:
    runs = _meant_runs(act, bench)
    if not runs:
        meant = act.meant.things[0] if act.meant.things else None
        agent = bench.agent(meant.id) if meant else None
        is_paused = agent is not None and agent.status is AgentStatus.PAUSED
        return Result(
            run_texts.never_ran(meant.name, is_paused=is_paused) if meant else run_texts.listed((), "UTC"),
            about=Reference(kind="agent", id=meant.id, name=meant.name) if meant else None,
            tool="show_run",
        )
    zone = bench.turn.situation.time_zone
    if len(runs) > 1 and _asks_for_several(act):
        shown_runs = runs[:_MOST_LISTED]
        listed = tuple(Reference(kind="run", id=run.id, name=run.agent_name) for run in shown_runs)
        return Result(run_texts.listed(shown_runs, zone), listed=listed, tool="list_runs")
    run = runs[0]
    about = Reference(kind="run", id=run.id, name=run.agent_name)
    shown = run_texts.shown(run, zone)
    question = read_question(act.clause.text, is_marked=True) if act.meant.things else None
    if question is None or Field.RUNS not in question.fields:
        return Result(shown, about=about, tool="show_run")
    return Result(_ran(question, runs, shown, bench), about=about, tool="show_run")


def _ran(question: AgentQuestion, runs: Sequence[Run], shown: str, bench: Workbench) -> str:
    """Return whether and how often an agent ran, and what came of the last run."""
    zone, today = bench.turn.situation.time_zone, bench.turn.today
    day = past_day(question.text, today)
    last = runs[0].created_at.astimezone(ZoneInfo(zone))
    days = [run.created_at.astimezone(ZoneInfo(zone)).date() for run in runs]
    if day is not None and day not in days:
        return field_texts.not_then(runs[0].agent_name, day, last, today)
    count = len(runs) if day is None else days.count(day)
    return field_texts.ran("" if question.is_open else "Yes", count, shown)


def _asks_for_several(act: Act) -> bool:
    return "runs" in {token.word for token in tokenise(act.clause.text)}


def _meant_run(act: Act, bench: Workbench) -> Run | None:
    """Return the newest run of the agent that is meant, or of any."""
    return next(iter(_meant_runs(act, bench)), None)


def _meant_runs(act: Act, bench: Workbench) -> list[Run]:
    """Return the last runs of the agent that is meant, or of any, the newest first; only the one that words
    name by its place in the list that was shown.
    """
    runs, _ = bench.agent_store.runs.list(bench.turn.caller, limit=_LOOKED_AT)
    listed = [Thing(one.id, one.name) for one in bench.turn.note.listed if one.kind == "run"]
    if places := find_places(tokenise(act.clause.text), listed):
        chosen = {thing.id for thing in places[0].things}
        return [run for run in runs if run.id in chosen]
    is_of_any = act.meant.is_focus and _asks_for_several(act)
    wanted = set[str]() if is_of_any else {thing.id for thing in act.meant.things}
    return [run for run in runs if not wanted or run.agent_id in wanted]
