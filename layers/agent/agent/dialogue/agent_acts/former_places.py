"""The addresses that a channel had before it was given up: ``keep the Slack channel too``."""

from __future__ import annotations

import json
from dataclasses import replace

from agent.dialogue.agent_acts.deliveries import read_delivery
from agent.dialogue.workbench import Workbench
from agent.undo import ChangeStore
from agent.workspace.agents import Agent
from agent.workspace.delivery_targets import Channel, Delivery
from intent.acts.act import Act, ActKind


def with_former_addresses(act: Act, bench: Workbench, changes: ChangeStore) -> Act:
    """Return an act; one that adds a channel without an address, with those which its agent had there before
    the last change of where it sends its results.
    """
    where = act.slots.get("where")
    if act.kind is not ActKind.CHANGE_AGENT or not act.adds or where is None or len(act.meant.things) != 1:
        return act
    found = read_delivery(where.text)
    agent = bench.agent(act.meant.things[0].id) if found is not None and not found.recipients else None
    if found is None or agent is None:
        return act
    back = set(found.channels) & {Channel.SLACK, Channel.TEAMS, Channel.EMAIL} - set(agent.delivery.channels)
    former = _former(agent, bench, changes) if back else None
    if former is None:
        return act
    told = [
        one for one in former.recipients if _channel(one) in back and one not in agent.delivery.recipients
    ]
    return replace(act, slots={**act.slots, "where": where._replace(text=", ".join([where.text, *told]))})


def _former(agent: Agent, bench: Workbench, changes: ChangeStore) -> Delivery | None:
    """Return where an agent sent its results before the last change of that."""
    versions = changes.agent_versions(bench.turn.caller, agent.id)
    found = next((one.former["delivery"] for one in versions if "delivery" in one.former), None)
    return None if found is None else Delivery.model_validate_json(json.dumps(found))


def _channel(recipient: str) -> Channel | None:
    found = read_delivery(recipient)
    return found.channels[0] if found is not None else None
