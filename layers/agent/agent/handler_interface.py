"""One turn to answer, as everything that answers gets it, and the reply to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from agent.readiness import Provision
from agent.workspace.agents import Agent, AgentCard
from agent.workspace.roster import Roster
from conversation.clock import Deadline
from conversation.identity import Caller, TurnId, derived_id
from conversation.messages.attached_files import AttachedFile
from conversation.messages.models import Note, Reference
from conversation.tenants.lessons import TaughtLesson
from intent.acts.act import Act
from intent.entities.own_words import own_words
from intent.situation import KnownAgent, Lesson, Situation
from llm.spend_guard import NoBudget, SpendGuard
from storage.table import Action


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One message to answer: its caller, its context in the conversation, and the tenant's roster."""

    turn_id: str
    caller: Caller
    situation: Situation
    roster: Roster
    budget: SpendGuard = field(default_factory=NoBudget)
    """The budget for the models that help with the answer."""
    deadline: Deadline | None = None
    """When the caller stops waiting; None: unknown."""
    is_stopped: Callable[[], bool] = lambda: False
    """Whether the user stopped the turn; checked while a model answers."""
    has_model: Callable[[], bool] = lambda: True
    """Whether there is a model that may do the work of the caller's agents."""
    files: tuple[AttachedFile, ...] = ()
    """The files that were sent with the message."""
    page_url: str | None = None
    """Where the page is, on which users sign in to services; None: unknown."""

    @property
    def conversation_id(self) -> str:
        """The id of the turn's conversation."""
        return self.turn_id.partition(".")[0]

    @property
    def message(self) -> str:
        """The user's own words: the message without pasted and quoted text, possibly empty. What may have an
        effect is read from these; `Situation.message` is the whole message.
        """
        return own_words(self.situation.message)

    @property
    def note(self) -> Note:
        """The note of the previous reply: what it did, offered or asked."""
        return self.situation.last_note()

    def earlier_notes(self) -> Iterator[Note]:
        """Yields the notes of earlier replies, newest first."""
        return (message.note for message in reversed(self.situation.history) if message.role == "assistant")

    @property
    def has_fresh_roster(self) -> bool:
        """Whether the roster was read after the message arrived, and is not cached from an earlier turn."""
        turn_id = TurnId.parse(self.turn_id)
        return turn_id is not None and self.roster.read_at >= turn_id.made_at()

    @property
    def today(self) -> date:
        """The current date in the user's time zone."""
        return self.situation.now.astimezone(ZoneInfo(self.situation.time_zone)).date()

    def visible_agents(self) -> tuple[AgentCard, ...]:
        """Returns the agents the caller can see, their own first."""
        return self.roster.visible_to(self.caller.user)

    def own_agents(self) -> tuple[AgentCard, ...]:
        """Returns the caller's own agents."""
        return self.roster.owned_by(self.caller.user)

    @property
    def connected_services(self) -> frozenset[str]:
        """The services that are connected by a skill the caller may use."""
        return self.roster.services_of(self.caller.user)

    @property
    def provision(self) -> Provision:
        """What the workspace has for the caller's agents."""
        policy = self.roster.record.policy
        user = self.caller.user
        return Provision.of(
            policy,
            self.roster.skills_of(user),
            has_model=self.has_model(),
            waiting=self.roster.waiting_for_sign_in(user),
            page_url=self.page_url,
        )

    def derive_id(self, step: str) -> str:
        """Returns the id of something this turn creates: the same when the turn is computed again."""
        return derived_id(self.turn_id, step)


@dataclass(frozen=True, slots=True)
class HandlerReply:
    """A handler's reply, and the writes to store with the turn."""

    text: str
    note: Note = field(default_factory=Note)
    effects: tuple[Action, ...] = ()
    used_tools: tuple[str, ...] = ()
    tool_messages: tuple[Mapping[str, JsonValue], ...] = ()
    """The model's tool calls and their results."""
    lacks_answer: bool = False
    """Whether the text only says that there is no answer, so that a model's reply would be better."""
    ends_draft: bool = False
    """Whether this reply finishes or drops the agent draft, which is carried over otherwise."""
    meant: tuple[Act, ...] | None = None
    """The acts as the message means them in its conversation; None: just what its words say."""
    is_partial: bool = False
    """Whether the reply was stopped: the text is what was produced until then, possibly empty."""


def known_agents(cards: Sequence[AgentCard], user: str) -> tuple[KnownAgent, ...]:
    """Returns the agents that the user may mean, and says which are a colleague's."""
    return tuple(KnownAgent(card.id, card.name, card.summary, card.shared_by(user)) for card in cards)


def lessons_for(user: str, taught: Sequence[TaughtLesson]) -> tuple[Lesson, ...]:
    """Returns the tenant's lessons as they count for a user's message."""
    return tuple(Lesson(one.wording, one.kind, is_own=one.user == user, times=one.times) for one in taught)


def agent_reference(agent: Agent | AgentCard) -> Reference:
    """Returns an agent in the form a note refers to it."""
    return Reference(kind="agent", id=agent.id, name=agent.name)


def agent_references(cards: Sequence[AgentCard]) -> tuple[Reference, ...]:
    """Returns agents in the form a note refers to them."""
    return tuple(agent_reference(card) for card in cards)
