"""What every handler of the master agent takes and gives: the turn it answers, and the reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from agent.workspace.agents import Agent, AgentCard
from agent.workspace.roster import Roster
from conversation.clock import Deadline
from conversation.identity import Caller, TurnId, derived_id
from conversation.messages.models import Note, Reference
from intent.situation import Situation
from llm.budget import Free, Purse
from storage.table import Action


@dataclass(frozen=True, slots=True)
class Turn:
    """One message to answer: who asks, against what it is understood, and what the tenant has."""

    turn_id: str
    caller: Caller
    situation: Situation
    roster: Roster
    purse: Purse = field(default_factory=Free)
    """Who pays for the models that help with the answer."""
    deadline: Deadline | None = None
    """When the caller stops waiting; None: nobody said."""
    is_stopped: Callable[[], bool] = lambda: False
    """Whether the rest of the answer is not wanted any more; looked at while a model answers."""

    @property
    def conversation_id(self) -> str:
        """The conversation it belongs to."""
        return self.turn_id.partition(".")[0]

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

    @property
    def today(self) -> date:
        """The day it is where the user lives."""
        return self.situation.now.astimezone(ZoneInfo(self.situation.time_zone)).date()

    def visible(self) -> tuple[AgentCard, ...]:
        """The agents the caller sees, their own first."""
        return self.roster.visible_to(self.caller.user)

    def own(self) -> tuple[AgentCard, ...]:
        """The caller's agents."""
        return self.roster.owned_by(self.caller.user)

    @property
    def served(self) -> frozenset[str]:
        """Services that a skill of the caller's connects."""
        skills = self.roster.skills_of(self.caller.user)
        return frozenset(service for skill in skills for service in skill.serves)

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
    tool_messages: tuple[Mapping[str, JsonValue], ...] = ()
    """What a model asked of tools on the way, and was answered."""
    is_open: bool = False
    """Whether the text only says that we have no answer, so that a model's would be better."""
    ends_draft: bool = False
    """Whether an unfinished agent, carried on otherwise, is finished or given up by this reply."""
    is_partial: bool = False
    """Whether it was stopped, so that the text is what was said until then, perhaps nothing."""


def reference(agent: Agent | AgentCard) -> Reference:
    """An agent as a note names it."""
    return Reference(kind="agent", id=agent.id, name=agent.name)


def references(cards: Sequence[AgentCard]) -> tuple[Reference, ...]:
    """A list of agents as a note names it."""
    return tuple(reference(card) for card in cards)
