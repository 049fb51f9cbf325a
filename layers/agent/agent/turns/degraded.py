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

from agent.inference.turn_budget import TurnBudgets
from agent.turn_events import Answer, Chunk, Restarted, TurnEvent
from agent.turns.responder import DraftReply, Responder
from agent.workspace.roster import RosterCache
from conversation.clock import Clock, Deadline
from conversation.identity import TurnId
from conversation.messages.history import Window
from conversation.messages.items import ConversationHead, InboxEntry, message_id
from conversation.messages.models import Conversation, Note, Role
from conversation.turns.admission import IncomingMessage
from conversation.turns.deferred_turn import DeferredTurn, DeferredTurnQueue, QueueUnavailable
from conversation.turns.lease import HeldLease, Reply
from intent.acts.act import ActKind
from storage.errors import StorageUnavailable

LOG = logging.getLogger("omniforge.turns")

# An admission may have succeeded although its response was lost; the message is then answered later.
UNAVAILABLE_TEXT = (
    "My storage can't be reached at the moment, so I can neither look anything up nor change anything for "
    "this. In a few minutes, look whether it was done all the same, and send it again if not."
)


_ALONE = frozenset({ActKind.SUM.value, ActKind.CLOCK.value, ActKind.SMALL_TALK.value})
"""The kinds of acts that are answered without anything stored."""


def stands_alone(reply: Reply) -> bool:
    """Whether a reply says nothing of the workspace, its settings or the conversation: it holds whatever is
    stored. So does the answer of a model to a question about the world.
    """
    metadata = reply.metadata
    decision = metadata.get("decision")
    acts = decision.get("acts") if isinstance(decision, dict) else None
    kinds = [act.get("kind") for act in acts if isinstance(act, dict)] if isinstance(acts, list) else []
    allowed = _ALONE | {ActKind.ASK_WORLD.value} if metadata.get("routing") else _ALONE
    return bool(kinds) and all(kind in allowed for kind in kinds)


class DegradedTurns:
    """Answers messages that storage does not accept; safe to use from several threads."""

    def __init__(
        self,
        *,
        responder: Responder,
        rosters: RosterCache,
        turn_budgets: TurnBudgets,
        clock: Clock,
        queue: DeferredTurnQueue | None,
    ) -> None:
        self._responder = responder
        self._rosters = rosters
        self._turn_budgets = turn_budgets
        self._clock = clock
        self._queue = queue

    def answer(
        self, incoming: IncomingMessage, turn_id: TurnId, deadline: Deadline, *, owner: str, trace_id: str
    ) -> Generator[TurnEvent, None, Answer]:
        """Answer a message that could not be admitted, if that takes nothing that is stored; else say that it
        can't be answered now.
        """
        led, window = detached_lease(incoming, turn_id, self._clock.now(), owner=owner), Window()
        roster = self._rosters.cached_or_empty(led.tenant)
        budget = self._turn_budgets.for_turn(roster.record, led.caller)
        try:
            draft = yield from self._responder.respond(
                led, window, roster, budget=budget, deadline=deadline, trace_id=trace_id, stop=Event()
            )
        except StorageUnavailable:
            reply = yield from unavailable_reply()
        else:
            is_answer = not draft.effects and stands_alone(draft.reply)
            reply = draft.reply if is_answer else (yield from unavailable_reply(draft))
        return self.defer_reply(led, reply)

    def defer_reply(self, led: HeldLease, reply: Reply, *, knew_history: bool = False) -> Answer:
        """Queue the reply for later storage and return it as an `HttpResponse`, which says whether that
        worked. ``knew_history``: it was made with the messages before it.
        """
        now = self._clock.now()
        turn = DeferredTurn.of(led, reply, now).model_copy(update={"knew_history": knew_history})
        is_kept = self._is_kept(led, turn)
        return unstored_answer(led, reply, now, stored_later=is_kept)

    def _is_kept(self, led: HeldLease, turn: DeferredTurn) -> bool:
        details = {"turn_id": turn.turn_id, "turns": 1}
        with suppress(QueueUnavailable):
            if self._queue is not None:
                self._queue.send_turn(led.tenant, turn)
                LOG.warning("turn kept for later", extra=details)
                return True
        LOG.error("turn not kept", extra=details)
        return False


def detached_lease(
    incoming: IncomingMessage, turn_id: TurnId, now: datetime, *, owner: str = "", count: int = 0
) -> HeldLease:
    """Return a `HeldLease` for a message that was not admitted, as the front of a conversation with ``count``
    messages.
    """
    caller, key_hash = incoming.caller, incoming.key_hash()
    conversation = Conversation(
        id=turn_id.conversation_id, user=caller.user, count=count, created_at=now, updated_at=now
    )
    entry = InboxEntry(
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
        attachments=incoming.attachments,
    )
    return HeldLease(caller.tenant, owner, ConversationHead(conversation, (entry,), None))


def unstored_answer(led: HeldLease, reply: Reply, now: datetime, *, stored_later: bool) -> Answer:
    """Return the answer for a reply that is not stored."""
    turn_id, place = str(led.turn_id), led.head.conversation.count + 2
    details: dict[str, JsonValue] = {"persisted": False, "stored_later": stored_later, "turn_id": turn_id}
    return Answer(
        conversation_id=led.conversation_id,
        turn_id=turn_id,
        message_id=message_id(turn_id, Role.ASSISTANT, place),
        content=reply.content,
        created_at=now,
        metadata={**reply.metadata, **details},
    )


def unavailable_reply(draft: DraftReply | None = None) -> Generator[TurnEvent, None, Reply]:
    """Replace a reply by an apology, when its effects can't be stored or it could not be completed."""
    yield Restarted()
    yield Chunk(UNAVAILABLE_TEXT)
    metadata = dict(draft.reply.metadata) if draft else {}
    # Nothing that the discarded reply did, offered or asked took place.
    details = {name: value for name, value in metadata.items() if name not in ("options", "asks_yes_or_no")}
    return Reply(UNAVAILABLE_TEXT, {**details, "tool_calls": [], "failed": True}, Note())
