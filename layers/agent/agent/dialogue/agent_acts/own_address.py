"""The mail address a user calls their own: it goes to the agents that lack one, to others only when asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.dialogue.workbench import Workbench
from agent.readiness import MissingKind, readiness
from agent.workspace.agents import Agent
from agent.workspace.delivery_targets import Channel, is_mail_address
from intent.acts.act import Act, ActKind, Meant, Span, Thing
from intent.acts.lexicon import LEADS
from intent.acts.tokens import tokenise

K = ActKind
_OWN = frozenset("my mine me i'm i am".split())
_STATING = LEADS | _OWN | frozenset(
    "e-mail email mail address addresses is it's its it here's here that's the at on under you can reach best"
    " work private personal office would be for : ,".split()
)  # fmt: skip
_TELLING = frozenset({K.CHANGE_AGENT, K.REMEMBER, K.NONE, K.ANSWER, K.SMALL_TALK, K.UNSURE, K.CREATE_AGENT})


def as_meant(acts: Sequence[Act], bench: Workbench) -> list[Act]:
    """Return the acts; in place of a statement of the user's address the change of the agents that need it.

    Where none does, the change is doubted: it is asked first.
    """
    turn = bench.turn
    if turn.note.question is not None or turn.note.draft is not None:
        return list(acts)
    return [_meant(act, bench) for act in acts]


def _meant(act: Act, bench: Workbench) -> Act:
    address = own_address(act.clause.text)
    if act.kind not in _TELLING or address is None or act.meant.is_named:
        return act
    cards = bench.turn.own_agents()
    agents = [agent for card in cards if (agent := bench.agent(card.id)) is not None]
    lacking = [agent for agent in agents if _lacks_mail(agent, bench)]
    where = {"where": Span(address, act.clause.start, act.clause.end)}
    if lacking:
        things = tuple(Thing(agent.id, agent.name) for agent in lacking)
        return replace(act, kind=K.CHANGE_AGENT, meant=Meant(things=things), slots=where)
    focus = next((agent for agent in agents if agent.id in {one.id for one in act.meant.things}), None)
    if act.kind is not K.CHANGE_AGENT or focus is None or address in focus.delivery.recipients:
        return act
    return replace(act, slots=where, is_doubted=True)


def own_address(text: str) -> str | None:
    """Return the mail address that words call the speaker's own; None where they say anything else."""
    tokens = tokenise(text)
    found = [token for token in tokens if is_mail_address(token.text)]
    rest = {token.word for token in tokens if token not in found and (token.is_word or token.text == ":")}
    return found[0].text if len(found) == 1 and rest & _OWN and rest <= _STATING else None


def _lacks_mail(agent: Agent, bench: Workbench) -> bool:
    missing = readiness(agent, bench.turn.provision)
    return any(one.kind is MissingKind.ADDRESS and one.name == Channel.EMAIL.value for one in missing)
