"""Requests to exchange an address wherever it is used: ``what goes to a@b.co should go to c@b.co``.

They mean the agents that send to the old address, and no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from agent.dialogue.workbench import Workbench
from agent.workspace.agents import Agent
from intent.acts.act import Act, ActKind, Meant, Span, Thing
from intent.acts.changes_of_all import SENT
from intent.acts.references import find_name_place
from intent.acts.tokens import Token, tokenise

_ALL = frozenset("everything everywhere all every each whatever anything".split())
_EXCHANGING = frozenset("replace swap exchange substitute switch".split())
_ADDING = frozenset("also too additionally copy cc well both add besides".split())
_DENYING = frozenset("not don't dont no never longer stop instead rather".split())
_NEAR = 3


K = ActKind


class _Exchange(NamedTuple):
    """The address that goes and the one that comes, as written."""

    old: Token
    new: Token


def as_meant(acts: Sequence[Act], bench: Workbench) -> list[Act]:
    """Return the acts, each that exchanges an address as a change of all agents that send to the old one."""
    turn = bench.turn
    if turn.note.question is not None or turn.note.draft is not None:
        return list(acts)
    return [_meant(act, bench) if act.kind is K.CHANGE_AGENT else act for act in acts]


def _meant(act: Act, bench: Workbench) -> Act:
    tokens = tokenise(act.clause.text)
    words = [token.word for token in tokens]
    addresses = list({token.word: token for token in tokens if _is_address(token)}.values())
    cards = bench.turn.own_agents()
    if len(addresses) != _PAIR or any(find_name_place(words, card.name) for card in cards):
        return act
    if not _means_all(words):
        return act
    agents = [agent for card in cards if (agent := bench.agent(card.id)) is not None]
    exchange = _exchange(addresses, words, agents)
    if exchange is None:
        return act
    things = tuple(Thing(one.id, one.name) for one in agents if _sends_to(one, exchange.old))
    adds = bool(_ADDING & set(words))
    where = {"where": _span(f"to {exchange.new.text}", act)}
    old = {} if adds else {"old": _span(exchange.old.text, act)}
    told = "beside" if adds else "instead of"
    clause = _span(f"to {exchange.new.text} {told} {exchange.old.text}", act)
    return replace(
        act, clause=clause, meant=Meant(things=things), slots={**old, **where}, adds=adds, removes=False,
        confidence=1.0, is_doubted=False,
    )  # fmt: skip


_PAIR = 2


def _is_address(token: Token) -> bool:
    return "@" in token.word[1:-1] or (token.word[0] == "#" and len(token.word) > 1)


def _means_all(words: Sequence[str]) -> bool:
    is_what = any(one == "what" and two in SENT for one, two in pairwise(words))
    return is_what or bool((_ALL | _EXCHANGING) & set(words))


def _exchange(addresses: Sequence[Token], words: Sequence[str], agents: Sequence[Agent]) -> _Exchange | None:
    """Return which of two addresses goes; None where no agent sends to it."""
    first, second = addresses
    used = [one for one in addresses if any(_sends_to(agent, one) for agent in agents)]
    denied = next((one for one in used if _is_denied(words, one)), None)
    old = denied or next(iter(used), None)
    if old is None:
        return None
    return _Exchange(old, second if old is first else first)


def _is_denied(words: Sequence[str], address: Token) -> bool:
    """Return whether an address stands behind ``instead of`` or a negation."""
    at = words.index(address.word)
    return bool(_DENYING & set(words[max(0, at - _NEAR) : at]))


def _sends_to(agent: Agent, address: Token) -> bool:
    return address.text.lower() in {one.lower() for one in agent.delivery.recipients}


def _span(text: str, act: Act) -> Span:
    return Span(text, act.clause.start, act.clause.end)
