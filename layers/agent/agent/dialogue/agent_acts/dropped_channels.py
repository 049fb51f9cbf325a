"""Requests to drop a place for results that look like ones to disconnect a service: ``remove slack``."""

from __future__ import annotations

from dataclasses import replace

from agent.dialogue.agent_acts import changes
from agent.dialogue.result import Result
from agent.dialogue.workbench import Workbench
from agent.workspace.delivery_targets import Channel
from intent.acts.act import Act, ActKind, Meant, Thing

_CHANNELS = {
    "slack": Channel.SLACK, "teams": Channel.TEAMS, "email": Channel.EMAIL, "e-mail": Channel.EMAIL,
    "mail": Channel.EMAIL,
}  # fmt: skip


def answer(act: Act, bench: Workbench) -> Result | None:
    """Take the place from the agent talked of last, where its results go there; None for anything else."""
    if act.kind is not ActKind.REMOVE_SKILL:
        return None
    channel = _CHANNELS.get(act.slot("service").strip().lower())
    about = bench.turn.note.about
    is_agent = channel is not None and about is not None and about.kind == "agent"
    agent = bench.agent(about.id) if is_agent and about is not None else None
    if agent is None or channel not in agent.delivery.channels or agent.owner != bench.turn.caller.user:
        return None
    slots = {"where": act.slots["service"]}
    things = (Thing(agent.id, agent.name),)
    changed = replace(act, kind=ActKind.CHANGE_AGENT, meant=Meant(things=things), slots=slots, removes=True)
    return changes.change_agents(changed, bench, is_confirmed=False)
