"""Replies about runs. Pure functions of stored values; a result is quoted verbatim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.templates.agent_texts import moment_text, numbered_list
from agent.workspace.runs import Run, RunStatus

MAX_SHOWN = 6_000

_STATUSES: Mapping[RunStatus, str] = {
    RunStatus.QUEUED: "waiting to start",
    RunStatus.RUNNING: "running",
    RunStatus.SUCCEEDED: "finished",
    RunStatus.FAILED: "failed",
    RunStatus.CANCELLED: "cancelled",
    RunStatus.TIMED_OUT: "stopped, it took too long",
}


def listed(runs: Sequence[Run], time_zone: str) -> str:
    """Lists the latest runs."""
    if not runs:
        return 'There are no runs yet. Say "run" and the name of an agent to start one.'
    lines = [
        f"{run.agent_name}{_with(run.parameters)} - {moment_text(run.created_at, time_zone)}, {_status(run)}"
        for run in runs
    ]
    return f"Your latest runs:\n{numbered_list(lines)}"


def shown(run: Run, time_zone: str) -> str:
    """Shows the progress of a run, or its result."""
    when = moment_text(run.finished_at or run.started_at or run.created_at, time_zone)
    head = f"The run of {run.agent_name}{_with(run.parameters)}"
    if run.status is RunStatus.QUEUED:
        return f"{head} is waiting to start since {when}."
    if run.status is RunStatus.RUNNING:
        steps = f" So far: {'; '.join(run.progress)}." if run.progress else ""
        return f"{head} is running since {when}.{steps}"
    notes = " ".join(run.skill_notes)
    if run.status is RunStatus.SUCCEEDED:
        result = _cut(run) or (run.outcome.words if run.outcome else "")
        return "\n\n".join(filter(None, (f"{head} finished on {when}:", result, notes)))
    words = run.outcome.words if run.outcome else ""
    return "\n\n".join(filter(None, (f"{head} has no result ({when}). {words}".strip(), notes)))


def stopped(run: Run, *, is_begun: bool) -> str:
    """Confirms the cancellation of a run."""
    if is_begun:
        return f"All right, the run of {run.agent_name} stops at its next step; nothing more is sent."
    return f"All right, the run of {run.agent_name} is cancelled; it hadn't begun."


def already_over(run: Run) -> str:
    """Says that the run has ended and can't be stopped."""
    return f"The run of {run.agent_name} is over already ({_status(run)}), so there is nothing to stop."


def never_ran(name: str, *, is_paused: bool = False) -> str:
    """Says that the agent has no runs yet, and how to get one."""
    if is_paused:
        return f'{name} is paused and hasn\'t run yet. Say "resume {name}" to have it work again.'
    return f'{name} hasn\'t run yet. Say "run {name}" to have it work now.'


def _status(run: Run) -> str:
    return _STATUSES[run.status]


def _with(parameters: Mapping[str, str]) -> str:
    return f" ({_parameters_text(parameters)})" if parameters else ""


def _parameters_text(parameters: Mapping[str, str]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in parameters.items())


def _cut(run: Run) -> str:
    if len(run.output) <= MAX_SHOWN:
        return run.output
    return f"{run.output[:MAX_SHOWN]}\n\n(This is the beginning; the whole of it is at /v1/runs/{run.id}.)"
