"""Stateless turns: the client sends the history, and neither the history nor the answer is stored.

What a turn does is stored, such as an agent it creates or a run it starts.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Event

from agent.connections.posting_links import PostingLinks
from agent.inference.turn_budget import TurnBudgets
from agent.turn_events import Answer, Done, Restarted, TurnEvent, TurnStarted
from agent.turns.degraded import detached_lease, stands_alone, unavailable_reply, unstored_answer
from agent.turns.redaction import redact_incoming
from agent.turns.responder import MAX_DRAFTS, DraftReply, Responder
from agent.workspace.errors import ModelUnknown, WorkspaceContended
from agent.workspace.roster import Roster, RosterCache
from conversation.clock import Clock, Deadline
from conversation.identity import TurnId, is_id, new_id
from conversation.messages.history import Window
from conversation.messages.items import message_id
from conversation.messages.models import Message, Role
from conversation.token_counts import TokenCounter
from conversation.turns.admission import IncomingMessage
from conversation.turns.carried_state import CarriedStates
from conversation.turns.lease import HeldLease, Reply
from llm.available_models import ModelRegistry
from storage.errors import StorageUnavailable, TransactionRefused
from storage.tenant_table import Tables

LOG = logging.getLogger("omniforge.turns")


@dataclass(frozen=True, slots=True)
class PriorMessage:
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
        responder: Responder,
        rosters: RosterCache,
        turn_budgets: TurnBudgets,
        tables: Tables,
        clock: Clock,
        tokens: TokenCounter,
        registry: ModelRegistry | None = None,
        links: PostingLinks | None = None,
    ) -> None:
        self._links = links
        self._responder = responder
        self._rosters = rosters
        self._turn_budgets = turn_budgets
        self._tables = tables
        self._clock = clock
        self._tokens = tokens
        self._registry = registry
        self._states = CarriedStates(tables=tables, clock=clock)

    def run(
        self,
        incoming: IncomingMessage,
        history: Sequence[PriorMessage],
        deadline: Deadline,
        *,
        state: str | None = None,
        trace_id: str = "",
    ) -> Iterator[TurnEvent]:
        """Answer a message that follows ``history``, oldest first; the last event is `Done`. ``state``: what
        the answer before left open, as it said.

        Raises:
            StateInvalid: the state is none that the user was given in the last days.
            ModelUnknown: this deployment does not know the named model.
            WorkspaceContended: the data that the turn wanted to change kept changing.
        """
        if incoming.model and self._registry and not self._registry.knows(incoming.model):
            raise ModelUnknown
        led, window = self._lease_for(redact_incoming(incoming, self._rosters, self._links), history)
        window = self._going_on(led, window, state)
        yield TurnStarted(str(led.turn_id), led.conversation_id, created=False, stored=False)
        yield Done((yield from self._answer(led, window, deadline, trace_id)))

    def _answer(
        self, led: HeldLease, window: Window, deadline: Deadline, trace_id: str
    ) -> Generator[TurnEvent, None, Answer]:
        roster, is_read = self._roster(led)
        budget = self._turn_budgets.for_turn(roster.record, led.caller)
        unstoppable = Event()  # the turn is not stored, so no request can name it
        try:
            for _ in range(MAX_DRAFTS):
                draft = yield from self._responder.respond(
                    led, window, roster, budget=budget, deadline=deadline, trace_id=trace_id, stop=unstoppable
                )
                if not is_read and not stands_alone(draft.reply):
                    return self._answer_with(led, (yield from unavailable_reply(draft)))
                if self._done(led, draft):
                    return self._answer_with(led, draft.reply)
                roster = self._responder.reload_roster(led)
                yield Restarted()
        except StorageUnavailable:
            return self._answer_with(led, (yield from unavailable_reply()))
        raise WorkspaceContended

    def _going_on(self, led: HeldLease, window: Window, state: str | None) -> Window:
        """Return the window whose last answer has the note of the state. While storage can't tell whether the
        state is one of ours, it is left out.
        """
        if state is None:
            return window
        try:
            note, said = self._states.open(led.caller, state)
        except StorageUnavailable:
            return window
        messages = window.messages
        if not messages or messages[-1].role is not Role.ASSISTANT:
            prior = PriorMessage(Role.ASSISTANT, said)
            messages = (*messages, self._message(prior, led.turn_id, len(messages) + 1, self._clock.now()))
        return replace(window, messages=(*messages[:-1], messages[-1].model_copy(update={"note": note})))

    def _roster(self, led: HeldLease) -> tuple[Roster, bool]:
        """Return the roster to answer with, and whether storage returned it."""
        try:
            return self._rosters.for_tenant(led.tenant), True
        except StorageUnavailable:
            return self._rosters.cached_or_empty(led.tenant), False

    def _done(self, led: HeldLease, draft: DraftReply) -> bool:
        """Whether the turn's writes succeeded; False when the data changed meanwhile."""
        writes = (*draft.effects, *draft.usage_writes)
        try:
            if writes:
                self._tables.for_tenant(led.tenant).transact(writes)
        except TransactionRefused:
            return False
        except StorageUnavailable:
            if draft.effects:
                raise
            LOG.warning("usage not counted", extra={"turn_id": str(led.turn_id)})
        if draft.effects:
            self._rosters.invalidate(led.tenant)
        return True

    def _answer_with(self, led: HeldLease, reply: Reply) -> Answer:
        answer = unstored_answer(led, reply, self._clock.now(), stored_later=False)
        state = self._states.seal(led.caller, reply.note, reply.content)
        return answer if state is None else answer._replace(metadata={**answer.metadata, "state": state})

    def _lease_for(
        self, incoming: IncomingMessage, history: Sequence[PriorMessage]
    ) -> tuple[HeldLease, Window]:
        """Return a `HeldLease` for the message, and the client's history as a window."""
        now, named = self._clock.now(), incoming.conversation_id
        turn_id = TurnId.make(named if named is not None and is_id(named) else new_id(), now)
        messages = (self._message(each, turn_id, place, now) for place, each in enumerate(history, 1))
        return detached_lease(incoming, turn_id, now, count=len(history)), Window(tuple(messages))

    def _message(self, prior: PriorMessage, turn_id: TurnId, place: int, now: datetime) -> Message:
        return Message(
            id=message_id(str(turn_id), prior.role, place),
            conversation_id=turn_id.conversation_id,
            sequence=place,
            role=prior.role,
            content=prior.content,
            created_at=now,
            turn_id=str(turn_id),
            tokens=self._tokens.count(f"{prior.role}: {prior.content}"),
        )
