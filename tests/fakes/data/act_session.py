"""A conversation in which tests say of each message which acts it has, instead of having it read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from agent.dialogue.acts_in_turn import ActsInTurn
from agent.dialogue.administration.administration import KINDS, Administration
from agent.dialogue.workplace import Workplace
from agent.handler_interface import HandlerReply
from agent.inference.factory import compose_search
from agent.product_answers import ProductAnswers
from agent.undo import ChangeStore
from agent.workspace.roster import Roster
from conversation.identity import ADMIN, TurnId
from conversation.limits.quotas import Quotas
from conversation.messages.models import Note, Role
from intent.acts.act import Act, ActKind, Span
from tests.fakes.data.chat_session import CONVERSATION, Talk

Part: TypeAlias = ActKind | tuple[ActKind, str]
"""A kind of act, whose clause is the whole message or the given part of it."""


@dataclass
class ActTalk(Talk):
    """A talk whose acts are carried out as they are given; the effects are written."""

    has_models: bool = False
    page_url: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.administration = Administration(
            tables=self.tables,
            clock=self.clock,
            skills=self.skills,
            quotas=Quotas(tables=self.tables, clock=self.clock),
            has_models=lambda: self.has_models,
            page_url=self.page_url,
        )

    def as_admin(self) -> ActTalk:
        """Return a talk of the same user with the role of an administrator."""
        caller = self.caller._replace(roles=frozenset({ADMIN}))
        return ActTalk(caller, self.time_zone, self.tables, self.clock, has_models=self.has_models)

    def act(self, message: str, *parts: Part, roster: Roster | None = None) -> str:
        """Carry out the acts of a message and return the reply's text. ``roster``: an older one to see."""
        return self.act_in_full(message, *parts, roster=roster).text

    def act_in_full(self, message: str, *parts: Part, roster: Roster | None = None) -> HandlerReply:
        """Carry out the acts of a message, as `act` does, and return the whole reply."""
        turn_id = str(TurnId.make(CONVERSATION, self.clock.now()))
        turn = self.turn(turn_id, message)
        turn = turn if roster is None else replace(turn, roster=roster)
        place = Workplace(
            agents=self.store,
            tasks=self.tasks,
            changes=ChangeStore(tables=self.tables, clock=self.clock),
            search=lambda: compose_search(tables=self.tables, clock=self.clock),
            product=ProductAnswers(has_models=lambda: self.has_models),
            by_kind=dict.fromkeys(KINDS, self.administration.carry_out),
            restore_policy=self.administration.restore_policy,
        )
        reply = ActsInTurn(turn, place).reply([_act(message, part) for part in parts])
        if reply.effects:
            self.tables.for_tenant(self.caller.tenant).transact(reply.effects)
        self._remember(turn_id, Role.USER, message, Note())
        self._remember(turn_id, Role.ASSISTANT, reply.text, reply.note)
        return reply


def _act(message: str, part: Part) -> Act:
    kind, text = (part, message) if isinstance(part, ActKind) else part
    start = message.index(text)
    span = Span(text, start, start + len(text))
    return Act(kind, span, several=(span,) if kind is ActKind.ADD_TASK else ())
