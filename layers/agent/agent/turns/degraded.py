"""Degraded turns: replies while storage is unavailable, queued so that `finish` stores them later.

The changes a turn wanted are not made, and the reply does not claim them.
"""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import suppress
from datetime import datetime
from threading import Event

from pydantic import JsonValue

from agent.events import Answer, Chunk, Restarted, TurnEvent
from agent.inference.budget import Purses
from agent.turns.responder import Thinker, Thought
from agent.workspace.roster import Rosters
from conversation.clock import Clock, Deadline
from conversation.identity import TurnId
from conversation.messages.history import Window
from conversation.messages.items import Entry, Head, message_id
from conversation.messages.models import Conversation, Note, Role
from conversation.turns.admission import Incoming
from conversation.turns.deferred_turn import FinishedTurn, QueueUnavailable, TurnQueue
from conversation.turns.lease import Led, Reply
from storage.errors import StorageUnavailable

LOG = logging.getLogger("omniforge.turns")

# An admission may have succeeded although its response was lost; the message is then answered later.
HELPLESS = (
    "My storage can't be reached at the moment, so I can neither look anything up nor change anything for "
    "this. In a few minutes, look whether it was done all the same, and send it again if not."
)


class UnstoredTurns:
    """Answers messages that storage does not accept; safe to use from several threads."""

    def __init__(
        self,
        *,
        thinker: Thinker,
        rosters: Rosters,
        purses: Purses,
        clock: Clock,
        queue: TurnQueue | None,
    ) -> None:
        self._thinker = thinker
        self._rosters = rosters
        self._purses = purses
        self._clock = clock
        self._queue = queue

    def answer(
        self, incoming: Incoming, turn_id: TurnId, deadline: Deadline, *, owner: str, trace_id: str
    ) -> Generator[TurnEvent, None, Answer]:
        """Answer a message that could not be admitted, as if nothing had been said before."""
        led, window = as_if_led(incoming, turn_id, self._clock.now(), owner=owner), Window()
        roster = self._rosters.at_hand(led.tenant)
        purse = self._purses.for_turn(roster.record.policy, led.caller)
        try:
            thought = yield from self._thinker.think(
                led, window, roster, purse=purse, deadline=deadline, trace_id=trace_id, stop=Event()
            )
        except StorageUnavailable:
            reply = yield from helpless()
        else:
            reply = (yield from helpless(thought)) if thought.effects else thought.reply
        return self.given(led, reply)

    def given(self, led: Led, reply: Reply) -> Answer:
        """Queue the reply for later storage and return it as an `Answer`, which says whether that worked."""
        now = self._clock.now()
        is_kept = self._is_kept(led, FinishedTurn.of(led, reply, now))
        return answer_of(led, reply, now, stored_later=is_kept)

    def _is_kept(self, led: Led, turn: FinishedTurn) -> bool:
        told = {"turn_id": turn.turn_id, "turns": 1}
        with suppress(QueueUnavailable):
            if self._queue is not None:
                self._queue.keep(led.tenant, turn)
                LOG.warning("turn kept for later", extra=told)
                return True
        LOG.error("turn not kept", extra=told)
        return False


def as_if_led(incoming: Incoming, turn_id: TurnId, now: datetime, *, owner: str = "", count: int = 0) -> Led:
    """Return a `Led` for a message that was not admitted, as the front of a conversation with ``count``
    messages.
    """
    caller, key_hash = incoming.caller, incoming.key_hash()
    conversation = Conversation(
        id=turn_id.conversation_id, user=caller.user, count=count, created_at=now, updated_at=now
    )
    entry = Entry(
        ulid=turn_id.ulid,
        content=incoming.content,
        received_at=now,
        caller_until=now,
        key_hash=key_hash,
        body_hash=incoming.body_hash() if key_hash else None,
        metadata=incoming.metadata,
        time_zone=incoming.time_zone,
        model=incoming.model,
        roles=caller.roles,
        contains=incoming.contains,
    )
    return Led(caller.tenant, owner, Head(conversation, (entry,), None))


def answer_of(led: Led, reply: Reply, now: datetime, *, stored_later: bool) -> Answer:
    """Return the answer for a reply that is not stored."""
    turn_id, place = str(led.turn_id), led.head.conversation.count + 2
    told: dict[str, JsonValue] = {"persisted": False, "stored_later": stored_later, "turn_id": turn_id}
    return Answer(
        conversation_id=led.conversation_id,
        turn_id=turn_id,
        message_id=message_id(turn_id, Role.ASSISTANT, place),
        content=reply.content,
        created_at=now,
        metadata={**reply.metadata, **told},
    )


def helpless(thought: Thought | None = None) -> Generator[TurnEvent, None, Reply]:
    """Replace a reply by an apology, when its effects can't be stored or it could not be completed."""
    yield Restarted()
    yield Chunk(HELPLESS)
    metadata = dict(thought.reply.metadata) if thought else {}
    # Nothing that the discarded reply did, offered or asked took place.
    told = {name: value for name, value in metadata.items() if name not in ("options", "asks_yes_or_no")}
    return Reply(HELPLESS, {**told, "tool_calls": [], "failed": True}, Note())
