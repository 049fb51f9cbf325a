"""When agents run by themselves, computed from their schedules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple

from agent.dialogue.workspace_questions.windows import Window
from agent.workspace.agents import Agent, AgentStatus

_MOST_FIRINGS = 1_500
"""Enough for a day of an agent that runs each minute."""
_DAY = timedelta(days=1)


class Firing(NamedTuple):
    """An agent and when it runs within a window: at least once."""

    agent: Agent
    moments: tuple[datetime, ...]


def firings_within(agents: Sequence[Agent], window: Window) -> tuple[Firing, ...]:
    """Return what runs by itself within a window, in the order of the first time."""
    found = [
        Firing(agent, moments)
        for agent in agents
        if agent.status is AgentStatus.ACTIVE and (moments := tuple(_moments(agent, window)))
    ]
    return tuple(sorted(found, key=lambda firing: (firing.moments[0], firing.agent.name)))


def _moments(agent: Agent, window: Window) -> Iterator[datetime]:
    if agent.schedule is None:
        return
    for moment in islice(agent.schedule.timing().moments(window.first - timedelta(seconds=1)), _MOST_FIRINGS):
        if moment >= window.last:
            return
        yield moment


def next_firing(agents: Sequence[Agent], now: datetime) -> Firing | None:
    """Return what runs by itself next of all; None when nothing does."""
    ahead = Window(now, now + 400 * _DAY, "")
    first = [
        Firing(agent, (moment,))
        for agent in agents
        if agent.status is AgentStatus.ACTIVE and (moment := next(_moments(agent, ahead), None)) is not None
    ]
    return min(first, key=lambda firing: firing.moments[0], default=None)
