"""What the assistant says of changes to an agent, made or impossible. Pure texts."""

from __future__ import annotations

from collections.abc import Sequence

from agent.agents import Agent, service_names
from agent.near_schedules import nearest
from agent.places import without_address
from agent.plans import described, schedule_text
from agent.templates import Served, readiness


def changed(
    name: str, agent: Agent, what: Sequence[str], served: Served, *, is_connected_anew: bool = False
) -> str:
    """An agent that was changed; what it lacks is explained where it ``is_connected_anew``."""
    lacks = f"\n\n{readiness(agent, served)}" if is_connected_anew else _lacking(agent, served)
    return f"Done, I've changed {name}: {'; '.join(what)}. It now looks like this:\n{described(agent)}{lacks}"


def _lacking(agent: Agent, served: Served) -> str:
    """What it lacks in few words: somebody who changes it was told of it when it was made."""
    unserved = tuple(source for source in agent.sources if source not in served)
    channels = without_address(agent.delivery, agent.owner)
    names = (
        service_names(group) for group in (unserved, tuple(channel.value for channel in channels)) if group
    )
    whats = ("a connection to ", "an address for ") if unserved else ("an address for ",)
    lacks = " and ".join(f"{what}{name}" for what, name in zip(whats, names, strict=False))
    return f"\n\nIt still lacks {lacks}." if lacks else ""


def same_already(name: str, wished: Sequence[str]) -> str:
    """A change that changes nothing."""
    return (
        f"{name} is like that already ({'; '.join(wished)}), so I've left it as it is. "
        "What should change about it?"
    )


def schedule_unfit(text: str) -> str:
    """A schedule that can't be kept, and the nearest one that can."""
    near = nearest(text)
    instead = f" The nearest I can do is {near}." if near else ""
    return (
        f'My schedules can\'t do "{text[:1].lower()}{text[1:]}": they repeat every so many minutes, five or '
        f"more, or hours, or at fixed times of a day, week or month.{instead}"
    )


SHARED_WITH_ALL = (
    "I can share it with everybody in your workspace, but not with single people. Shall I share it with all?"
)


def resumed(agent: Agent, served: Served) -> str:
    """An agent whose schedule counts again."""
    return f"Done, {agent.name} is active again: {schedule_text(agent.schedule)}.{_lacking(agent, served)}"


def paused(name: str, *, is_for_a_while: bool = False) -> str:
    """An agent that was paused; it stays so, also where it should have been ``is_for_a_while``."""
    alone = " I don't resume agents by myself:" if is_for_a_while else ""
    say = "say" if alone else "Say"
    return f'Done, {name} is paused.{alone} {say} "resume {name}" when you want its schedule back.'


def how_often(agent: Agent) -> str:
    """Another rhythm is wanted, and not said which."""
    return f"How often should {agent.name} work? Its schedule now: {schedule_text(agent.schedule)}."
