"""Stateless turns: the client sends the history, and neither the history nor the answer is stored.

What a turn does is stored, such as an agent it creates or a run it starts.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Event

from agent.events import Answer, Done, Restarted, TurnEvent, TurnStarted
from agent.inference.budget import Purses
from agent.turns.degraded import answer_of, as_if_led, helpless
from agent.turns.redaction import screened
from agent.turns.responder import Thinker, Thought
from agent.workspace.errors import ModelUnknown, WorkspaceContended
from agent.workspace.roster import Roster, Rosters
from conversation.clock import Clock, Deadline
from conversation.identity import TurnId, is_id, new_id
from conversation.messages.history import Window
from conversation.messages.items import message_id
from conversation.messages.models import Message, Role
from conversation.tokens import TokenCounter
from conversation.turns.admission import Incoming
from conversation.turns.lease import Led, Reply
from llm.registry import Registry
from storage.errors import StorageUnavailable, TransactionRefused
from storage.tenant import Tables

LOG = logging.getLogger("omniforge.turns")

MAX_THOUGHTS = 3


@dataclass(frozen=True, slots=True)
class Said:
    """One message of the history that a client sends."""

    role: Role
    content: str


class StatelessTurns:
    """Answers messages as `agent.turns.service.TurnService` does, but without admission, order or
    idempotency: nothing is stored to check them against.
    """

    def __init__(
        self,
        *,
        thinker: Thinker,
        rosters: Rosters,
        purses: Purses,
        tables: Tables,
        clock: Clock,
        tokens: TokenCounter,
        registry: Registry | None = None,
    ) -> None:
        self._thinker = thinker
        self._rosters = rosters
        self._purses = purses
        self._tables = tables
        self._clock = clock
        self._tokens = tokens
        self._registry = registry

    def run(
        self, incoming: Incoming, said: Sequence[Said], deadline: Deadline, *, trace_id: str = ""
    ) -> Iterator[TurnEvent]:
        """Answer a message that follows the history ``said``, oldest first; the last event is `Done`.

        Raises:
            ModelUnknown: this deployment does not know the named model.
            WorkspaceContended: the data that the turn wanted to change kept changing.
        """
        if incoming.model and self._registry and not self._registry.knows(incoming.model):
            raise ModelUnknown
        led, window = self._led(screened(incoming, self._rosters), said)
        yield TurnStarted(str(led.turn_id), led.conversation_id, created=False, stored=False)
        yield Done((yield from self._answer(led, window, deadline, trace_id)))

    def _answer(
        self, led: Led, window: Window, deadline: Deadline, trace_id: str
    ) -> Generator[TurnEvent, None, Answer]:
        roster = self._roster(led)
        purse = self._purses.for_turn(roster.record.policy, led.caller)
        unstoppable = Event()  # the turn is not stored, so no request can name it
        try:
            for _ in range(MAX_THOUGHTS):
                thought = yield from self._thinker.think(
                    led, window, roster, purse=purse, deadline=deadline, trace_id=trace_id, stop=unstoppable
                )
                if self._done(led, thought):
                    return self._given(led, thought.reply)
                roster = self._thinker.forget_roster(led)
                yield Restarted()
        except StorageUnavailable:
            return self._given(led, (yield from helpless()))
        raise WorkspaceContended

    def _roster(self, led: Led) -> Roster:
        try:
            return self._rosters.for_tenant(led.tenant)
        except StorageUnavailable:
            return self._rosters.at_hand(led.tenant)

    def _done(self, led: Led, thought: Thought) -> bool:
        """Whether the turn's writes succeeded; False when the data changed meanwhile."""
        writes = (*thought.effects, *thought.counting)
        try:
            if writes:
                self._tables.for_tenant(led.tenant).transact(writes)
        except TransactionRefused:
            return False
        except StorageUnavailable:
            if thought.effects:
                raise
            LOG.warning("usage not counted", extra={"turn_id": str(led.turn_id)})
        if thought.effects:
            self._rosters.drop(led.tenant)
        return True

    def _given(self, led: Led, reply: Reply) -> Answer:
        return answer_of(led, reply, self._clock.now(), stored_later=False)

    def _led(self, incoming: Incoming, said: Sequence[Said]) -> tuple[Led, Window]:
        """Return a `Led` for the message, and the client's history as a window."""
        now, named = self._clock.now(), incoming.conversation_id
        turn_id = TurnId.make(named if named is not None and is_id(named) else new_id(), now)
        messages = (self._message(each, turn_id, place, now) for place, each in enumerate(said, 1))
        return as_if_led(incoming, turn_id, now, count=len(said)), Window(tuple(messages))

    def _message(self, said: Said, turn_id: TurnId, place: int, now: datetime) -> Message:
        return Message(
            id=message_id(str(turn_id), said.role, place),
            conversation_id=turn_id.conversation_id,
            sequence=place,
            role=said.role,
            content=said.content,
            created_at=now,
            turn_id=str(turn_id),
            tokens=self._tokens.count(f"{said.role}: {said.content}"),
        )
