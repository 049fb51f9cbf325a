"""The sentences that answer a question about one field of an agent. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from agent.dialogue.texts import delivers, due, due_time, join, schedule, services
from agent.readiness import Missing
from agent.readiness import can_work as is_able
from agent.templates.readiness_texts import missing_text
from agent.workspace.agents import Agent, AgentStatus
from intent.acts.agent_filters import WEEKDAYS


def answer(lead: str, name: str, said: Sequence[str], *, is_paused: bool) -> str:
    """Return the answer: ``Yes`` or ``No`` in front of what is so; ``is_paused``: whether to add that."""
    opening = f"{lead}, " if lead else ""
    return f"{opening}{name} {join(said)}.{' It is paused.' if is_paused else ''}"


def runs(agent: Agent, zone: str, *, only: bool = False) -> str:
    """Return when an agent runs: ``runs Mondays at 9:00 AM``."""
    if agent.schedule is None:
        return "runs only when you ask"
    return f"runs {'only ' if only else ''}{schedule(agent.schedule, zone)}"


def in_own_time(said: str, coming: datetime, zone: str, today: date) -> str:
    """Return when an agent of another zone runs, with when that is next in the user's own time."""
    return f"{said}, next {_moment(coming, zone, today)} in your time"


def runs_next(agent: Agent, coming: datetime | None, zone: str, today: date) -> str:
    """Return when an agent runs next."""
    if agent.schedule is None:
        return "runs only when you ask"
    if coming is None:
        return "doesn't run any more: its schedule has ended"
    if agent.status is AgentStatus.PAUSED:
        return f"is paused; turned on again, it would next run {_moment(coming, zone, today)}"
    return f"next runs {_moment(coming, zone, today)}"


def not_on_day(day: date, coming: datetime | None, zone: str, today: date) -> str:
    """Return that an agent doesn't run on a day, and when it runs next."""
    text = f"doesn't run {_on(day, today)}"
    return text if coming is None else f"{text}; it next runs {_moment(coming, zone, today)}"


def on_day(at: datetime, zone: str, today: date) -> str:
    """Return that an agent runs on a day."""
    return f"runs {_moment(at, zone, today)}"


def less_often(name: str, runs_now: str, rarer: str) -> str:
    """Offer a rarer schedule for an agent that comes too often."""
    text = f"{name} runs {runs_now}. It can run less often, such as {rarer}, or be paused."
    return f"{text} On which days should it run?"


def _moment(at: datetime, zone: str, today: date) -> str:
    return due_time(at.astimezone(ZoneInfo(zone)), today)


def _on(day: date, today: date) -> str:
    said = due(day, today)
    return said if said in {"today", "tomorrow"} else f"on {said}"


def leaves_out(days: Sequence[str]) -> str:
    """Return on which days of the week an agent doesn't run."""
    if not days:
        return "runs on every day of the week"
    return f"doesn't run on {join([f'{day}s' for day in days])}"


def sends(agent: Agent, *, only: bool = False) -> str:
    """Return where results go."""
    return f"{'only ' if only else ''}{delivers(agent.delivery)}"


def reads(agent: Agent) -> str:
    """Return what an agent reads."""
    return f"reads {services(agent.sources)}" if agent.sources else "has no system or sheet to read"


def seen_by(agent: Agent, user: str) -> str:
    """Return who can see an agent."""
    if agent.owner != user:
        return f"belongs to {agent.owner}, who shares it with everybody in your workspace"
    if agent.shared:
        return "is shared: everybody in your workspace can see and run it"
    return "is private: only you can see it"


def state(agent: Agent) -> str:
    """Return whether an agent is paused."""
    return "is paused" if agent.status is AgentStatus.PAUSED else "is active"


def can_work(
    agent: Agent, missing: Sequence[Missing], coming: datetime | None, zone: str, today: date
) -> str:
    """Return whether an agent can work, with what it lacks, or when it runs next."""
    if missing:
        able = "can work, but can't send its results yet" if is_able(missing) else "can't work yet"
        return ". ".join(filter(None, (able, missing_text(missing).rstrip("."))))
    return f"is ready and {runs_next(agent, coming, zone, today)}"


def not_paused(name: str) -> str:
    """Say that an agent isn't paused, to a question why it is."""
    return f"{name} isn't paused."


def paused_by_you(name: str, quote: str, when: str) -> str:
    """Say who paused an agent, when and with which words."""
    return f"You paused {name} {when}, when you wrote “{quote}”."


def paused_for_unknown(name: str) -> str:
    """Say that the conversation doesn't tell why an agent is paused."""
    return f"{name} was paused outside this chat; I don't know why. Say “resume {name}” to turn it on again."


def started_by(agent: Agent, zone: str) -> str:
    """Return whether an agent runs by itself."""
    if agent.schedule is None:
        return "runs only when you ask"
    return f"runs by itself, {schedule(agent.schedule, zone)}"


def ran(lead: str, count: int, last: str) -> str:
    """Return how often an agent ran, and what came of the last time."""
    times = "once" if count == 1 else f"{count} times"
    opening = f"{lead}, {times}" if lead else times[:1].upper() + times[1:]
    return f"{opening}. {last}" if count == 1 else f"{opening}. The last one: {last[:1].lower()}{last[1:]}"


def not_then(name: str, day: date, last: datetime, today: date) -> str:
    """Return that an agent didn't run on a day, and when it last did; ``last`` is in the person's zone."""
    return f"No, {name} didn't run {_past_day(day, today)}. It last ran {_past_day(last.date(), today)}."


def _past_day(day: date, today: date) -> str:
    ago = (today - day).days
    return {0: "today", 1: "yesterday"}.get(ago, f"on {due(day, today)}")


def some_agents(lines: Sequence[tuple[str, str]]) -> str:
    """List the agents that a question asks for, each with when it runs and where its results go."""
    if len(lines) == 1:
        name, how = lines[0]
        return f"{name} {how}."
    return "\n".join(f"{place}. {name}: {how}" for place, (name, how) in enumerate(lines, 1))


def no_agents(what: str) -> str:
    """Say that no agent is as asked."""
    return f"None of your agents {what}."


def how_many(count: int) -> str:
    """Return how many agents there are, in front of those that were asked for."""
    return f"You have {count} agent{'' if count == 1 else 's'}. "


def in_short(agent: Agent, zone: str) -> str:
    """Return when an agent runs, where its results go, and whether it is paused or shared."""
    paused = ", paused" if agent.status is AgentStatus.PAUSED else ""
    shared = ", shared with your workspace" if agent.shared else ""
    return f"{runs(agent, zone)} and {sends(agent)}{paused}{shared}"


def weekday(number: int) -> str:
    """Return the name of days of the week, Sunday is 0: ``Mondays``."""
    return f"{WEEKDAYS[number].capitalize()}s"
