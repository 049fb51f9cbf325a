"""The link of a Slack channel that somebody gives: it goes to the agents that lack one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.connections.posting_links import is_reference
from agent.dialogue.workbench import Workbench
from agent.readiness import MissingKind, readiness
from agent.workspace.agents import Agent
from agent.workspace.delivery_targets import Channel, is_slack_url
from intent.acts.act import Act, ActKind, Meant, Span, Thing
from intent.acts.tokens import tokenise

K = ActKind
_MOST_WORDS = 12
"""More than these around a link are a request of their own."""


def as_meant(acts: Sequence[Act], bench: Workbench) -> list[Act]:
    """Return the acts; in place of one that only gives a link the change of the agents that it is for.

    Those are the agents that lack one. Where none does it is the one that was talked about, and it is asked
    first; where several lack one and post to different rooms, it is asked which.
    """
    if bench.turn.note.draft is not None:
        return list(acts)
    return [_meant(act, bench) for act in acts]


def given_link(text: str) -> str | None:
    """Return the only link to Slack in words that say hardly more; None for any other words."""
    tokens = tokenise(text)
    found = {token.text for token in tokens if is_reference(token.text) and is_slack_url(token.text)}
    words = [token for token in tokens if token.is_word and token.text not in found]
    return found.pop() if len(found) == 1 and len(words) <= _MOST_WORDS else None


def _meant(act: Act, bench: Workbench) -> Act:
    link = given_link(act.clause.text)
    if link is None or act.kind is K.CREATE_AGENT or (act.meant.is_named and act.kind is K.CHANGE_AGENT):
        return act
    cards = bench.turn.own_agents()
    agents = [agent for card in cards if (agent := bench.agent(card.id)) is not None]
    where = {"where": Span(link, act.clause.start, act.clause.end)}
    change = replace(act, kind=K.CHANGE_AGENT, slots=where, is_doubted=False, confidence=1.0)
    if act.meant.is_named and act.meant.things:
        named = {thing.id for thing in act.meant.things}
        return replace(change, adds=all(_lacks_link(one, bench) for one in agents if one.id in named))
    note = bench.turn.note
    talked_of = note.about.id if note.about and len(note.kinds) < 2 else ""
    lacking = [agent for agent in agents if _lacks_link(agent, bench)]
    if len(set(map(_rooms, lacking))) > 1:
        lacking = [agent for agent in lacking if agent.id == talked_of] or lacking
    if len(set(map(_rooms, lacking))) > 1:
        return replace(change, meant=Meant(candidates=_things(lacking)), adds=True)
    if lacking:
        return replace(change, meant=Meant(things=_things(lacking)), adds=True)
    focus = [agent for agent in agents if agent.id == talked_of]
    return replace(change, meant=Meant(things=_things(focus)), is_doubted=bool(focus))


def _things(agents: Sequence[Agent]) -> tuple[Thing, ...]:
    return tuple(Thing(agent.id, agent.name) for agent in agents)


def _rooms(agent: Agent) -> frozenset[str]:
    return frozenset(one for one in agent.delivery.recipients if one.startswith("#"))


def _lacks_link(agent: Agent, bench: Workbench) -> bool:
    missing = readiness(agent, bench.turn.provision)
    return any(one.kind is MissingKind.ADDRESS and one.name == Channel.SLACK.value for one in missing)
