"""What every handler of the master agent takes and gives: the turn it answers, and the reply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.agents import Agent, AgentCard
from agent.roster import Roster
from conversation.identity import Caller, TurnId, derived_id
from conversation.notes import Note, Reference
from intent.situation import Situation
from storage.table import Action


@dataclass(frozen=True, slots=True)
class Turn:
    """One message to answer: who asks, against what it is understood, and what the tenant has."""

    turn_id: str
    caller: Caller
    situation: Situation
    roster: Roster

    @property
    def message(self) -> str:
        """What the user said."""
        return self.situation.message

    @property
    def note(self) -> Note:
        """What the reply before this message did, offered or asked."""
        return self.situation.last_note()

    @property
    def knows_the_present(self) -> bool:
        """Whether the roster was read after the message came in, not kept from an earlier turn."""
        turn_id = TurnId.parse(self.turn_id)
        return turn_id is not None and self.roster.read_at >= turn_id.made_at()

    def visible(self) -> tuple[AgentCard, ...]:
        """The agents the caller sees, their own first."""
        return self.roster.visible_to(self.caller.user)

    def own(self) -> tuple[AgentCard, ...]:
        """The caller's agents."""
        return self.roster.owned_by(self.caller.user)

    def new_id(self, step: str) -> str:
        """The id of something this turn makes: the same when the turn is thought through again."""
        return derived_id(self.turn_id, step)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a handler answers, and what it wants written with the turn."""

    text: str
    note: Note = field(default_factory=Note)
    effects: tuple[Action, ...] = ()
    tools: tuple[str, ...] = ()
    ends_draft: bool = False
    """Whether an unfinished agent, carried on otherwise, is finished or given up by this reply."""


def reference(agent: Agent | AgentCard) -> Reference:
    """An agent as a note names it."""
    return Reference(kind="agent", id=agent.id, name=agent.name)


def references(cards: Sequence[AgentCard]) -> tuple[Reference, ...]:
    """A list of agents as a note names it."""
    return tuple(reference(card) for card in cards)
