"""What the user's agents are and how they are set up."""

from __future__ import annotations

from agent.dialogue import texts
from agent.dialogue.agent_acts.changes import meant_agents
from agent.dialogue.result import Result
from agent.dialogue.workbench import Workbench
from agent.handler_interface import agent_reference, agent_references
from agent.templates import agent_texts
from agent.workspace.agents import Agent, AgentStatus
from intent.acts.act import Act

_SHARING = frozenset(
    {"see", "sees", "share", "shared", "access", "private", "whose", "belongs", "owner", "visible"}
)


def list_agents(act: Act, bench: Workbench) -> Result:
    """List the agents the user can see; only the paused or active ones when the words say so."""
    words = set(act.clause.text.lower().split())
    cards = list(bench.visible_agents())
    if "paused" in words:
        cards = [card for card in cards if card.status is AgentStatus.PAUSED]
        if not cards:
            return Result("None of your agents is paused.")
    if not cards:
        return Result(texts.no_agents())
    user = bench.turn.caller.user
    lines = []
    for card in cards:
        state = " (paused)" if card.status is AgentStatus.PAUSED else ""
        by = card.shared_by(user)
        mark = f"{state} (shared by {by})" if by else state
        lines.append((card.name, agent_texts.described(card, user), mark))
    return Result(texts.listed_agents(lines), listed=agent_references(cards), tool="list_agents")


def show_agents(act: Act, bench: Workbench) -> Result:
    """Say how agents are set up: what was asked about, or all in short."""
    agents, problem = meant_agents(act, bench)
    if problem is not None:
        return problem
    text = "\n".join(_described(agent, act, bench) for agent in agents[:5])
    about = agent_reference(agents[0]) if len(agents) == 1 else None
    return Result(text, about=about, tool="show_agent")


def _described(agent: Agent, act: Act, bench: Workbench) -> str:
    zone = bench.turn.situation.time_zone
    words = set(act.clause.text.lower().replace("?", " ").split())
    if words & _SHARING:
        if agent.owner != bench.turn.caller.user:
            return f"{agent.name} belongs to {agent.owner}, who shares it with everybody in your workspace."
        seen = (
            "it is shared: everybody in your workspace can see and run it"
            if agent.shared
            else "it is private: only you can see it"
        )
        return f"{agent.name}: {seen}."
    if agent.owner != bench.turn.caller.user:
        return agent_texts.agent_shown(agent, bench.turn.caller.user, ())
    return f"{agent.name}: {texts.described(agent, zone)}"
