"""`Occasion`: one act of a message with all that its answer may depend on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from agent.handler_interface import TurnRequest
from conversation.identity import Caller
from conversation.messages.models import Message, Role
from conversation.search.service import UserSearch
from intent.acts.act import Act, ActKind
from intent.sums.headings import with_heading_behind


class Searcher(Protocol):
    """Finds a caller's own messages (`conversation.search.service`)."""

    def of(self, caller: Caller) -> UserSearch:
        """Return what searches the caller's messages several times."""
        ...

    def around(self, caller: Caller, message: Message, *, before: int, behind: int) -> tuple[Message, ...]:
        """Return what was said around a message, oldest first, with the message itself."""
        ...


WHOLE = frozenset({ActKind.SMALL_TALK, ActKind.UNSURE, ActKind.WHY, ActKind.REMEMBER, ActKind.NONE})
"""The kinds that a message is answered for once, however many clauses are of them."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """An act to answer, among all acts of its message."""

    act: Act
    acts: Sequence[Act]
    turn: TurnRequest
    search: Callable[[], Searcher]

    @property
    def words(self) -> str:
        """Return the words of the act; the whole message when that is of one kind. An act may have words that
        look like a pasted text, and that the message is therefore without.
        """
        is_mixed = bool(self.beside) or (len(self.acts) > 1 and self.act.kind not in WHOLE)
        own, whole = self.act.clause.text, with_heading_behind(self.turn.message)
        return own if is_mixed or whole in own else whole

    @property
    def beside(self) -> frozenset[ActKind]:
        """Return the kinds of the message's other acts, without its own."""
        return frozenset(other.kind for other in self.acts) - {self.act.kind}

    @property
    def is_repeated(self) -> bool:
        """Return whether an act before it was answered with it."""
        if self.act.kind not in WHOLE:
            return False
        return self.act is not next((other for other in self.acts if other.kind is self.act.kind), self.act)

    @property
    def is_alone(self) -> bool:
        """Return whether the message has no other act."""
        return not self.beside

    @property
    def last_reply(self) -> str:
        """Return what the assistant said last; empty when it said nothing yet."""
        return self.turn.situation.last_text(Role.ASSISTANT)

    def fresh(self, texts: Sequence[str]) -> str:
        """Return the first of several texts that the last reply didn't use."""
        last = self.last_reply
        return next((text for text in texts if text not in last), texts[0])
