"""Every sentence about the workspace as a whole that is shown to people. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from agent.dialogue.texts import delivers, due, due_time, schedule, sent, services
from agent.dialogue.workspace_questions.firings import Firing
from agent.dialogue.workspace_questions.windows import Window
from agent.workspace.agents import Agent, AgentStatus, join_services, join_words
from agent.workspace.runs import Run
from conversation.usage.budget_scope import BudgetScope, Period
from conversation.usage.counters import MICRO_PER_USD, UsageCounts
from tasks.task import Task

MOST_LINES = 10
_MOST_NAMES = 5
_MOST_MOMENTS = 3
"""The most times of one agent in a list of what is planned; more are counted."""


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: ``1 run``, ``1,200 runs``, ``no runs``."""
    return f"{f'{count:,}' if count else 'no'} {noun}{'' if count == 1 else 's'}"


def names_of(names: Sequence[str]) -> str:
    """Return names joined; of many, the first ones and how many more there are."""
    if len(names) <= _MOST_NAMES:
        return join_words(list(names))
    return f"{', '.join(names[:_MOST_NAMES])} and {len(names) - _MOST_NAMES} more"


def clock(moment: datetime, zone: str) -> str:
    """Return a time of day: ``8:05 AM``."""
    local = moment.astimezone(ZoneInfo(zone))
    return f"{local.hour % 12 or 12}:{local:%M} {'AM' if local.hour < 12 else 'PM'}"


def _day_and_clock(moment: datetime, zone: str) -> str:
    local = moment.astimezone(ZoneInfo(zone))
    return f"{local:%a} {local.day} {local:%b}, {clock(moment, zone)}"


def moment(when: datetime, zone: str, today: date) -> str:
    """Return a moment within a sentence: ``today at 8:00 AM``, ``Friday, March 6 at 8:00 AM``."""
    day = when.astimezone(ZoneInfo(zone)).date()
    away = (day - today).days
    named = {0: "today", 1: "tomorrow", -1: "yesterday"}.get(away, f"{day:%A}, {day:%B} {day.day}")
    return f"{named} at {clock(when, zone)}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# What will run


def plan(said: str, found: Sequence[Firing], zone: str, *, has_days: bool) -> str:
    """List what runs within a window, with times."""
    lines = [_planned(firing, zone, has_days=has_days) for firing in found[:MOST_LINES]]
    more = f"\n\n{len(found) - MOST_LINES} more come after these." if len(found) > MOST_LINES else ""
    count = counted(len(found), "agent")
    runs = "runs" if len(found) == 1 else "run"
    return f"{_capital(said)} {count} {runs}:\n\n" + "\n".join(lines) + more


def tasks_due(said: str, tasks: Sequence[tuple[str, str]], *, has_days: bool) -> str:
    """Name the tasks that are due within a window: title and when."""
    shown = [f"“{title}” ({when})" if has_days else f"“{title}”" for title, when in tasks[:MOST_LINES]]
    more = [f"{len(tasks) - MOST_LINES} more"] if len(tasks) > MOST_LINES else []
    return f"Due {said}: {join_words([*shown, *more])}."


def _planned(firing: Firing, zone: str, *, has_days: bool) -> str:
    show = _day_and_clock if has_days else clock
    times = [show(one, zone) for one in firing.moments]
    if len(times) > _MOST_MOMENTS:
        return f"- {firing.agent.name}: {len(times)} times, from {times[0]} to {times[-1]}"
    return f"- {firing.agent.name}: {'; '.join(times) if has_days else join_words(times)}"


def nothing_planned(window: Window, coming: Firing | None, paused: Sequence[str], zone: str) -> str:
    """Say that nothing runs within a window, what runs next, and what is paused."""
    text = f"Nothing is scheduled {window.said}."
    if coming is not None:
        today = window.first.astimezone(ZoneInfo(zone)).date()
        local = coming.moments[0].astimezone(ZoneInfo(zone))
        day = f"{local:%A}, {local:%B} {local.day}" if local.date() != today else "the same day"
        text += f" Next is {coming.agent.name}: {day} at {clock(coming.moments[0], zone)}."
    if paused:
        text += f" Paused: {names_of(paused)}."
    return text


# What ran


def failures(said: str, failed: Sequence[Run], lost: Sequence[Run], count: int, zone: str) -> str:
    """Say which runs failed within a window, and which results didn't arrive."""
    if not failed and not lost:
        if not count:
            return f"Nothing failed {said}: nothing ran."
        return f"Nothing failed {said}: {'the one run' if count == 1 else f'all {count} runs'} worked."
    lines = [f"- {run.agent_name}, {_day_and_clock(run.created_at, zone)}{_why(run)}" for run in failed]
    lines += [
        (
            f"- {run.agent_name}, {_day_and_clock(run.created_at, zone)}: it worked, but its result "
            "wasn't delivered"
        )
        for run in lost
    ]
    more = f"\n- {len(lines) - MOST_LINES} more" if len(lines) > MOST_LINES else ""
    head = f"{counted(len(lines), 'run')} went wrong {said}, of {count}:"
    return f"{head}\n\n" + "\n".join(lines[:MOST_LINES]) + more


def _why(run: Run) -> str:
    words = run.outcome.words.strip() if run.outcome else ""
    return f": {words[:160]}" if words else ""


def past_runs(said: str, runs: Sequence[Run], zone: str) -> str:
    """List the runs of a window: each when there are few, else by agent."""
    if not runs:
        return f"Nothing ran {said}."
    head = f"{counted(len(runs), 'run')} {said}:"
    if len(runs) <= MOST_LINES:
        lines = [f"- {run.agent_name}, {_day_and_clock(run.created_at, zone)}: {_state(run)}" for run in runs]
        return f"{head}\n\n" + "\n".join(lines)
    names = list(dict.fromkeys(run.agent_name for run in runs))
    lines = [f"- {name}: {_tally([run for run in runs if run.agent_name == name])}" for name in names]
    return f"{head}\n\n" + "\n".join(lines[:MOST_LINES])


def _state(run: Run) -> str:
    return run.status.value.replace("_", " ")


def _tally(runs: Sequence[Run]) -> str:
    states = list(dict.fromkeys(map(_state, runs)))
    return join_words([f"{sum(_state(run) == state for run in runs)} {state}" for state in states])


# What there is


def paused(names: Sequence[str], count: int) -> str:
    """Say which agents are paused."""
    if not count:
        return "You don't have any agents yet."
    if not names:
        return "None of your agents is paused."
    return f"{'This one is' if len(names) == 1 else 'These are'} paused: {names_of(names)}."


def numbers(agents: int, paused_agents: int, tasks: int) -> str:
    """Say how many agents and tasks there are."""
    resting = f" ({paused_agents} paused)" if paused_agents else ""
    return f"You have {counted(agents, 'agent')}{resting} and {counted(tasks, 'open task')}."


def set_up(agents: Sequence[tuple[str, str, bool]], tasks: Sequence[tuple[str, str]], unfinished: str) -> str:
    """List what there is: agents with when they run, tasks with when they are due, an unfinished agent."""
    parts = []
    if agents:
        lines = [f"- {name}: {when}{', paused' if is_off else ''}" for name, when, is_off in agents]
        parts.append(f"You have {counted(len(agents), 'agent')}:\n\n{_limited(lines)}")
    if tasks:
        lines = [f"- “{title}”{f', due {due}' if due else ''}" for title, due in tasks]
        head = "You have" if not agents else "And"
        parts.append(f"{head} {counted(len(tasks), 'open task')}:\n\n{_limited(lines)}")
    if unfinished:
        parts.append(f"The agent for {unfinished} isn't finished yet.")
    return "\n\n".join(parts) or (
        "Nothing is set up yet. Tell me what you'd like to be told about, and I'll set up an agent for it."
    )


def found_tasks(tasks: Sequence[tuple[str, str]], *, is_yes: bool = False) -> str:
    """Say when tasks are due; each is its title and when, empty: never. ``is_yes``: it was asked whether they
    are on the list.
    """
    if len(tasks) == 1:
        [(title, due)] = tasks
        opening = "Yes: " if is_yes else ""
        return f"{opening}“{title}” is due {due}." if due else f"{opening}“{title}” has no due date."
    lines = _task_lines(tasks)
    return f"{'Yes, these are on your list' if is_yes else 'These are on your list'}:\n\n{_limited(lines)}"


def not_on_list(words: str) -> str:
    """Say that no task is about something."""
    return f"No, nothing on your list is about “{words}”." if words else "No, that isn't on your list."


def none_dated(*, is_dated: bool) -> str:
    """Say that none of several tasks has a due date, or that each has."""
    return "None of them has a due date." if is_dated else "Each of them has a due date."


def asked_for(
    agents: Sequence[tuple[str, str, bool]], tasks: Sequence[tuple[str, str]], *, is_yes: bool = False
) -> str:
    """List what was made because the user asked for it. ``is_yes``: it was asked whether they did."""
    if len(tasks) + len(agents) == 1:
        if tasks:
            return found_tasks(tasks, is_yes=is_yes)
        [(name, when, is_off)] = agents
        return f"{'Yes: ' if is_yes else ''}{name} {when}{', but is paused' if is_off else ''}."
    lines = [f"- {name}: {when}{', paused' if is_off else ''}" for name, when, is_off in agents]
    return f"{'Yes, you' if is_yes else 'You'} asked me for:\n\n{_limited([*_task_lines(tasks), *lines])}"


def _task_lines(tasks: Sequence[tuple[str, str]]) -> list[str]:
    return [f"- “{title}”{f', due {due}' if due else ''}" for title, due in tasks]


def _limited(lines: Sequence[str]) -> str:
    more = [f"- {len(lines) - MOST_LINES} more"] if len(lines) > MOST_LINES else []
    return "\n".join([*lines[:MOST_LINES], *more])


def overview(
    *,
    agents: int,
    paused: Sequence[str],
    tasks: int,
    due: int,
    coming: Firing | None,
    runs: int,
    failed: Sequence[str],
    missing: Sequence[str],
    zone: str,
    today: date,
) -> str:
    """Say in short how everything stands; what went wrong comes first."""
    if not agents and not tasks:
        return (
            "You don't have any agents or tasks yet. Tell me what you'd like to be told about, and I'll "
            "set one up."
        )
    parts = []
    if failed:
        parts.append(f"Failed in the last 24 hours: {names_of(failed)}.")
    elif runs:
        parts.append(f"All is well: {counted(runs, 'run')} in the last 24 hours, none failed.")
    else:
        parts.append("Nothing ran in the last 24 hours.")
    resting = f" ({names_of(paused)} paused)" if paused else ""
    dated = f", {due} due today or earlier" if due else ""
    parts.append(f"You have {counted(agents, 'agent')}{resting} and {counted(tasks, 'open task')}{dated}.")
    if coming is not None:
        parts.append(f"Next: {coming.agent.name}, {moment(coming.moments[0], zone, today)}.")
    if missing:
        parts.append(f"Not connected yet: {join_services(tuple(missing[:_MOST_NAMES]))}.")
    return " ".join(parts)


def done_here(done: Sequence[str], *, is_last: bool) -> str:
    """Say what was done in this conversation; ``is_last``: only by the last reply that did something."""
    if not done:
        return "I haven't changed anything in this conversation."
    if is_last:
        return f"The last thing I did: {done[-1]}. I did nothing else then."
    lines = "\n".join(f"- {one}" for one in done[-MOST_LINES:])
    return f"In this conversation I did this:\n\n{lines}"


def changes(
    said: str, made: Sequence[str], changed: Sequence[str], added: Sequence[str], *, is_who: bool
) -> str:
    """Say what is new or different since a time."""
    parts = [
        f"{label}: {names_of(names)}."
        for label, names in (
            ("New agents", made),
            ("Changed agents", changed),
            ("New tasks", [f"“{title}”" for title in added]),
        )
        if names
    ]
    told = (
        f"{_capital(said)}: {' '.join(parts)}" if parts else f"Nothing of yours was added or changed {said}."
    )
    return f"{told} Only you can change your agents and tasks." if is_who else told


# What was used


class BudgetUse(NamedTuple):
    """A cap, and what counts for it, in US dollars; None: the user may not know."""

    scope: BudgetScope
    cap: float
    spent: float | None


def usage_of_limits(
    own: tuple[int, int], *, of_all: tuple[int, int] | None, budgets: Sequence[BudgetUse]
) -> str:
    """Say how much of the day's limits is used; pairs are what is used and the most that may be."""
    parts = [f"Today you have started {own[0]:,} of at most {own[1]:,} runs."]
    if of_all is not None:
        parts.append(f"All of you together: {of_all[0]:,} of {of_all[1]:,}.")
    parts += map(_use_of, budgets) if budgets else ["Your workspace has set no budget for models."]
    return " ".join(parts)


def _use_of(budget: BudgetUse) -> str:
    scope, period = budget.scope, budget.scope.period
    if budget.spent is None:
        return f"Your workspace's budget for models is {usd(budget.cap)} a {period.value}."
    when = "today" if period is Period.DAY else "this month"
    whose = "Models have" if scope.user is None else "Your own use of models has"
    return f"{whose} cost {usd(budget.spent)} of {usd(budget.cap)} {when}."


def usage_in_days(
    counts: UsageCounts, said: str, *, is_whole: bool, has_models: bool, is_for_all: bool, is_on_runs: bool
) -> str:
    """Say what was used and what it cost; ``is_for_all``: somebody asked for more than they may see."""
    whose, runs = "Your workspace" if is_whole else "You", counted(counts.runs, "run")
    done = runs if is_on_runs else f"{counted(counts.turns, 'message')} and {runs}"
    cost = counts.cost_micro_usd / MICRO_PER_USD
    if counts.model_calls and cost:
        text = f"{whose} spent {usd(cost)} on models {said}: {done}."
    elif counts.model_calls:
        text = f"{whose} used models {said} for {done}; their price isn't known here."
    else:
        why = " No model is set up here, so nothing can cost anything." if not has_models else ""
        text = f"{_capital(said)}: {f'{runs}, ' if counts.runs or is_on_runs else ''}no costs.{why}"
    return f"{text} An administrator can ask for everybody's figures." if is_for_all else text


def usage_by_agent(costs: Sequence[tuple[str, float, int]], said: str) -> str:
    """Say what each agent cost: its name, the amount and the number of its runs, the dearest first."""
    if not costs:
        return f"None of your agents ran {said}, so none cost anything."
    if not costs[0][1]:
        return f"None of your agents cost anything {said}."
    lines = [f"- {name}: {usd(cost)}, {counted(count, 'run')}" for name, cost, count in costs[:MOST_LINES]]
    return f"{_capital(said)} your agents cost:\n\n" + "\n".join(lines)


def usd(amount: float) -> str:
    """Return an amount of money: ``2.50 USD``, ``0.0004 USD``."""
    if amount >= 0.01 or not amount:
        return f"{amount:,.2f} USD"
    plain = f"{amount:.6f}".rstrip("0").rstrip(".")
    return f"{plain} USD"


# How things were


def past_day(day: date, today: date) -> str:
    """Return a day gone by within a sentence: ``yesterday``, ``on Friday, March 6``."""
    named = {0: "today", 1: "yesterday"}.get((today - day).days)
    return named or f"on {due(day, today)}"


def set_up_on(name: str, day: str) -> str:
    """Say when an agent was made."""
    return f"You set up {name} {day}."


def listed_on(title: str, day: str, due_on: str) -> str:
    """Say when a task was added, and when it is due; ``due_on`` is empty where it never is."""
    due_then = f"; it is due {due_on}" if due_on else ""
    return f"You put “{title}” on your list {day}{due_then}."


def was_before(changed: str, name: str, said: Sequence[str], now: Sequence[str] = ()) -> str:
    """Say how something was until it was changed, and how it is now."""
    before = f"Until the change {changed}, {name} {join_words(list(said))}."
    return f"{before} Now it {join_words(list(now))}." if now else before


def never_changed(name: str, now: Sequence[str] = ()) -> str:
    """Say that nothing is known of an earlier state, and how it is."""
    known = f"I know of no change to {name}: it is as it was set up."
    return f"{known[:-1]}, and {join_words(list(now))}." if now else known


def is_now(agent: Agent, fields: Collection[str], zone: str) -> list[str]:
    """Return how an agent is in some of its fields."""
    told = {
        "name": f"is called {agent.name}",
        "schedule": f"runs {schedule(agent.schedule, zone)}" if agent.schedule else "runs only when you ask",
        "delivery": delivers(agent.delivery),
        "sources": f"reads {services(agent.sources)}" if agent.sources else "",
        "status": "is paused" if agent.status is AgentStatus.PAUSED else "is active",
    }
    return [text for field, text in told.items() if field in fields and text]


def was(before: Agent, fields: Collection[str], zone: str) -> list[str]:
    """Return how an agent was, by the fields that changed since."""
    when = schedule(before.schedule, zone) if before.schedule else "only when you asked"
    paused = "was paused" if before.status is AgentStatus.PAUSED else "was active"
    told = {
        "name": f"was called {before.name}",
        "schedule": f"ran {when}",
        "delivery": sent(before.delivery),
        "sources": f"read {services(before.sources)}" if before.sources else "read no system",
        "status": paused,
        "shared": "was shared" if before.shared else "was private",
        "what": f"was for “{before.what}”",
        "instructions": f"followed “{before.instructions}”" if before.instructions else "had no instructions",
    }
    return [text for field, text in told.items() if field in fields] or ["was set up otherwise"]


def task_was(before: Task, fields: Collection[str], today: date) -> list[str]:
    """Return how a task was, by the fields that changed since."""
    said = ["was done" if before.completed else "was open"] if "completed" in fields else []
    if {"due_at", "due_date", "repeat"} & set(fields):
        at = (
            due_time(before.due_at, today)
            if before.due_at
            else due(before.due_date, today)
            if before.due_date
            else ""
        )
        said.append(f"was due {at}" if at else "had no date")
    return said or ["was its title"]


def changed_on(name: str, day: str, fields: Collection[str], status: AgentStatus) -> str:
    """Say when an agent was changed."""
    paused = "paused" if status is AgentStatus.PAUSED else "turned on again"
    return f"You {paused if 'status' in fields else 'changed'} {name} {day}."


def ticked_off(titles: Sequence[str]) -> str:
    """Say which tasks were ticked off."""
    return (
        f"You ticked off {names_of([f'“{one}”' for one in titles])}." if titles else "You ticked nothing off."
    )


def were_deleted(names: Sequence[str]) -> str:
    """Say what was deleted, and that it can come back."""
    if not names:
        return "Nothing was deleted in the last 30 days."
    return f"You deleted {names_of(names)}. Say “restore” with the name if you want it back."


def deed(when: str, did: str) -> str:
    """Say what was done on a day."""
    return f"{_capital(when)} I {did}."
