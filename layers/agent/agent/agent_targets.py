"""Which agent a message means: by name, by its place in a list, or by pointing at the one talked about.

Also what a run of that agent does, for questions before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.handler_interface import Effect, TurnRequest, agent_reference
from agent.requested_entities import CONFIRMED, EXACT, Entities, RequestedEntities
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import Agent, AgentCard, to_slug
from agent.workspace.errors import AgentNotFound, RunNotFound
from conversation.messages.models import Reference
from intent.decision import ActionType
from intent.regular_expressions import LazyPattern
from intent.rules.agent_references import is_command_like
from intent.rules.named_acts import Act

_POINTING = LazyPattern(
    r"\b(it|its|it's|that|this|that one|this one|the one|same|again|him|her|them|(the|that|this"
    r"|my) (agent|bot|one|thing))\b",
)
_GENERIC = frozenset(
    ["the", "my", "our", "a", "an", "agent", "bot", "automation", "one", "please", "assistant"]
)
MAX_POINTING_WORDS = 16


def find_agent(turn: TurnRequest, wish: RequestedEntities, store: AgentStore) -> AgentCard | None:
    """The one agent that is meant; None when that is unclear, or when the agent is gone.

    An agent that is missing from the roster, which may be a minute old, is looked up in the store.
    """
    if wish.agent_id is not None:
        return find_by_id(turn, wish.agent_id, store)
    if wish.agent_name is not None:
        name = wish.agent_name
        own = _find_by_name(turn.own_agents(), name) or store.find_own_card(turn.caller, to_slug(name))
        return own or _find_by_name(colleagues_agents(turn), name)
    meant = last_subject(turn) if refers_back(turn) else None
    if wish.ordinal is not None:
        meant = item_in_last_list(turn, wish.ordinal)
    if meant is not None and meant.kind == "run":
        return _of_run(turn, meant, store)
    return find_by_id(turn, meant.id, store) if meant is not None and meant.kind == "agent" else None


def _find_by_name(cards: Sequence[AgentCard], words: str) -> AgentCard | None:
    """The agent with this name, or the only one whose name contains all of the words."""
    wanted = to_slug(words)
    exact = [card for card in cards if card.name == wanted]
    if exact:
        return exact[0]
    parts = {part for part in wanted.split("-") if part and part not in _GENERIC}
    holding = [card for card in cards if parts and parts <= set(card.name.split("-"))]
    return holding[0] if len(holding) == 1 else None


def colleagues_agents(turn: TurnRequest) -> tuple[AgentCard, ...]:
    """The agents that colleagues share, without those whose names could be taken for a command."""
    visible = turn.visible_agents()
    return tuple(
        card for card in visible if card.shared_by(turn.caller.user) and not is_command_like(card.name)
    )


def refers_back(turn: TurnRequest) -> bool:
    """Whether the message refers to something just talked about, as in "it" or "that agent". With a pasted
    text, such words refer to that.
    """
    message = turn.message
    is_short = len(message.split()) <= MAX_POINTING_WORDS
    return is_short and message == turn.situation.message and _POINTING.search(message) is not None


def find_by_id(turn: TurnRequest, agent_id: str, store: AgentStore) -> AgentCard | None:
    """The agent with this id; None when it is gone or the caller may not see it."""
    known = next((card for card in turn.visible_agents() if card.id == agent_id), None)
    if known is not None:
        return known
    try:
        return store.get(turn.caller, agent_id).card()
    except AgentNotFound:
        return None


def last_subject(turn: TurnRequest) -> Reference | None:
    """The one thing just talked about; None when it was a list, or nothing."""
    return next((note.subject for note in turn.earlier_notes() if note.subject or note.listed), None)


def item_in_last_list(turn: TurnRequest, ordinal: int) -> Reference | None:
    """The item at this place of the last list, from 1; -1 is the last; None when there is none."""
    listed = next((note.listed for note in turn.earlier_notes() if note.listed), ())
    place = len(listed) + ordinal if ordinal < 0 else ordinal - 1
    return listed[place] if 0 <= place < len(listed) else None


def _of_run(turn: TurnRequest, run: Reference, store: AgentStore) -> AgentCard | None:
    """The agent of a run, which a colleague may have named like one of the user's own."""
    named = [card for card in turn.visible_agents() if card.name == run.name]
    if len(named) < 2:
        return named[0] if named else None
    try:
        return find_by_id(turn, store.runs.get(turn.caller, run.id).agent_id, store)
    except RunNotFound:
        return None


def run_effect(card: Agent | AgentCard, parameters: Mapping[str, str]) -> Effect:
    """What starting one run of the agent does."""
    entities: Entities = {
        "agent_id": card.id,
        "agent_name": card.name,
        EXACT: {**parameters},
        CONFIRMED: True,
    }
    limits = "; ".join(f"{name}: {value}" for name, value in parameters.items())
    words = f"run {card.name} once" + (f" ({limits})" if limits else "")
    return Effect(Act.RUN, agent_reference(card), words, ActionType.EXECUTE_TASK, entities)
