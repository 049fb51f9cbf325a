"""Answers the message in front of a conversation, exactly once: reads, thinks, stores.

`agent.turns.service` decides who leads and who waits.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import pairwise
from threading import Event

from agent.inference.turn_budget import TurnBudgets
from agent.turn_events import Answer, Restarted, Thinking, TurnEvent
from agent.turns.degraded import DegradedTurns, stands_alone
from agent.turns.lease_renewal import LeaseRenewer
from agent.turns.responder import MAX_DRAFTS, DraftReply, Responder
from agent.workspace.errors import WorkspaceContended
from agent.workspace.roster import Roster, RosterCache
from conversation.clock import Clock, Deadline
from conversation.errors import ConversationNotFound, IdempotencyKeyReused, MessageReplaced
from conversation.messages.history import Turn, Window
from conversation.messages.items import InboxEntry
from conversation.messages.models import CLIENT_MESSAGE_ID, Message, Note, Role
from conversation.retention.expiry import is_expired
from conversation.turns.commit_writes import KEY_LIFETIME
from conversation.turns.lease import AlreadyAnswered, EffectConflict, HeldLease, LeaseLost, Reply
from conversation.turns.turn_protocol import TurnProtocol
from storage.errors import StorageUnavailable


def _earlier_turn(history: Sequence[Message], led: HeldLease, now: datetime) -> Turn | None:
    """Return the stored turn that already answers the message: the same turn, one under the same, unexpired
    key, or that of the same message, which its client has sent again under another key; else None.
    """
    oldest = now - KEY_LIFETIME
    for user, reply in pairwise(history):
        if user.role is not Role.USER or user.turn_id != reply.turn_id:
            continue
        is_keyed = led.entry.key_hash is not None and user.created_at > oldest
        same_key = is_keyed and user.key_hash == led.entry.key_hash
        if same_key or (is_keyed and _is_resent(user, led.entry)) or user.turn_id == str(led.turn_id):
            return Turn(user, reply)
    return None


def _is_resent(user: Message, entry: InboxEntry) -> bool:
    """Whether it is the stored message again, by the id that its client gave it."""
    named = (entry.metadata or {}).get(CLIENT_MESSAGE_ID)
    return (
        named is not None
        and entry.replaces is None
        and user.metadata.get(CLIENT_MESSAGE_ID) == named
        and user.body_hash == entry.body_hash
    )


LOG = logging.getLogger("omniforge.turns")

WITHDRAWN = (IdempotencyKeyReused, ConversationNotFound, MessageReplaced)
"""Errors after which the message has left the inbox."""

MAX_DEATHS = 2
"""How many processes may die on a message before it is given up."""

GIVEN_UP_REPLY = (
    "Something went wrong twice while I was working on this message, so I gave it up and changed nothing "
    "here. Please say it in other words, or in smaller parts."
)
FAILED_REPLY = "Something went wrong on our side while I was answering this. Please send it again."


class ReplyNotStored(StorageUnavailable):
    """A reply was drafted, but storage did not accept it or did not confirm it."""

    def __init__(self, draft: DraftReply, *, knew_history: bool) -> None:
        super().__init__("the answer could not be stored")
        self.draft = draft
        self.knew_history = knew_history


def _unread(draft: DraftReply) -> StorageUnavailable:
    """Return the error for a reply that was drafted without what is stored. What takes more than words is
    answered later, from the inbox.
    """
    if draft.effects or not stands_alone(draft.reply):
        return StorageUnavailable("the conversation could not be read")
    return ReplyNotStored(draft, knew_history=False)


class Leader:
    """Answers one message at a time for the holder of a conversation's lease; safe to use from several
    threads.
    """

    def __init__(
        self,
        *,
        protocol: TurnProtocol,
        rosters: RosterCache,
        responder: Responder,
        clock: Clock,
        turn_budgets: TurnBudgets,
        degraded: DegradedTurns,
    ) -> None:
        self._protocol = protocol
        self._rosters = rosters
        self._responder = responder
        self._clock = clock
        self._turn_budgets = turn_budgets
        self._degraded = degraded

    def answer_for_caller(
        self, led: HeldLease, deadline: Deadline, *, stop: Event, trace_id: str
    ) -> Generator[TurnEvent, None, Answer]:
        """Answer the message for its caller, who gets any failure. A reply that storage does not accept is
        returned all the same.

        Raises:
            LeaseLost: another process answers the message.
            StorageUnavailable: the message stays in the inbox; answering it takes more than words.
        """
        events = self._answer(led, deadline, release=True, stop=stop, trace_id=trace_id, may_degrade=True)
        try:
            return (yield from events)
        except ReplyNotStored as unsaved:
            # Its effects would be applied twice once it is answered again, or claimed and not applied.
            if unsaved.draft.effects or led.entry.replaces is not None:
                self._hand_back(led)
                raise
            return self._degraded.defer_reply(led, unsaved.draft.reply, knew_history=unsaved.knew_history)
        except StorageUnavailable:
            self._hand_back(led)
            raise
        except (LeaseLost, *WITHDRAWN):
            raise
        except Exception:  # raised again
            # The caller gets the failure, so the message must not stay in front of others and fail again.
            self._protocol.discard_message(led, release=True)
            raise

    def answer_without_caller(self, led: HeldLease, deadline: Deadline, *, release: bool) -> None:
        """Answer a message whose caller does not wait here.

        A message on which our own code fails, or processes died, is stored with an apology: it must neither
        be lost nor block the conversation for good.

        Raises:
            LeaseLost: another process answers the message.
        """
        try:
            deque(self._answer(led, deadline, release=release, stop=Event(), trace_id=""), maxlen=0)
        except LeaseLost:
            raise
        except StorageUnavailable:
            self._hand_back(led)
            raise
        except WITHDRAWN:
            return
        except Exception as error:  # noqa: BLE001 - the last one to hear of a fault of ours
            # A stack trace could quote the message, so only the type is logged.
            LOG.error(  # noqa: TRY400
                "turn_failed", extra={"turn_id": str(led.turn_id), "error_type": type(error).__name__}
            )
            self._apologise(led, release=release)

    def _hand_back(self, led: HeldLease) -> None:
        """Release the lease, so that the next one to take it does not count a death.

        Tried once: if storage refuses this too, a death is counted that was none.
        """
        with suppress(StorageUnavailable):
            self._protocol.release(led)

    def _apologise(self, led: HeldLease, *, release: bool) -> None:
        try:
            self._protocol.commit(led, Reply(FAILED_REPLY, {"failed": True}, Note()), (), release=release)
        except AlreadyAnswered:
            self._protocol.discard_message(led, release=release)

    def _answer(
        self,
        led: HeldLease,
        deadline: Deadline,
        *,
        release: bool,
        stop: Event,
        trace_id: str,
        may_degrade: bool = False,
    ) -> Generator[TurnEvent, None, Answer]:
        """Answer the message in front and store the turn, or replay it when it is stored already.

        ``may_degrade``: goes on without what storage can't return.
        """
        if led.is_stopped:
            stop.set()
        if led.head.deaths >= MAX_DEATHS:
            return self._give_up(led, release=release)
        yield Thinking("reading")
        window, roster, is_read = self._read(led, may_degrade=may_degrade)
        if is_read:
            self._require_in_time(led, roster, release=release)
            earlier = _earlier_turn(window.messages, led, self._clock.now()) or self._earlier_edit(led)
            if earlier is not None:
                return self._replay(led, earlier, release=release)
        if not led.is_replacement_valid:
            self._protocol.discard_message(led, release=release)
            raise MessageReplaced
        # One budget for all drafts: a discarded draft has spent its share all the same.
        budget = self._turn_budgets.for_turn(roster.record, led.caller)
        with LeaseRenewer(self._protocol, led, clock=self._clock, stop=stop) as lease:
            for _ in range(MAX_DRAFTS):
                draft = yield from self._responder.respond(
                    led, window, roster, budget=budget, deadline=deadline, trace_id=trace_id, stop=stop
                )
                if lease.lost:
                    raise LeaseLost
                if not is_read:
                    raise _unread(draft)
                yield Thinking("storing")
                try:
                    return self._commit(led, draft, roster, release=release)
                except EffectConflict:
                    LOG.info("turn conflict", extra={"turn_id": str(led.turn_id), "over": "effects"})
                    roster = self._responder.reload_roster(led)
                    yield Restarted()
        raise WorkspaceContended

    def _give_up(self, led: HeldLease, *, release: bool) -> Answer:
        """Store an apology for a message on which processes died. Nothing reads its content, nor the history:
        either may be what they died of.
        """
        if not led.is_replacement_valid:
            self._protocol.discard_message(led, release=release)
            raise MessageReplaced
        LOG.error(
            "turn given up",
            extra={"turn_id": str(led.turn_id), "deaths": led.head.deaths, "turns": 1},
        )
        reply = Reply(GIVEN_UP_REPLY, {"failed": True, "unprocessed": True}, Note(), unprocessed=True)
        try:
            turn = self._protocol.commit(led, reply, (), release=release)
        except AlreadyAnswered as already:
            stored = self._protocol.read_turn(led.tenant, led.conversation_id, already.user_sequence)
            return self._replay(led, stored, release=release)
        return Answer.of(turn, replayed=False)

    def _read(self, led: HeldLease, *, may_degrade: bool) -> tuple[Window, Roster, bool]:
        """Return the window and the roster to answer with, and whether storage returned them.

        If it did not, it is unknown whether the message was answered before: `finish` finds out, and then
        stores.
        """
        try:
            return *self._responder.read_window_and_roster(led), True
        except StorageUnavailable:
            if not may_degrade or led.entry.replaces is not None:
                raise
            return Window(), self._rosters.cached_or_empty(led.tenant), False

    def _require_in_time(self, led: HeldLease, roster: Roster, *, release: bool) -> None:
        """Raise `ConversationNotFound` when the conversation had expired before the message arrived.

        The policy is often not cached when the message is admitted, so expiry is checked here, where it costs
        no request.
        """
        if is_expired(led.head.conversation, roster.record.policy, led.entry.received_at):
            self._protocol.discard_message(led, release=release)
            raise ConversationNotFound

    def _earlier_edit(self, led: HeldLease) -> Turn | None:
        """Return the turn that an earlier request for the same edit made; it lies outside this turn's
        history.
        """
        entry = led.entry
        if entry.replaces is None or entry.key_hash is None:
            return None
        earlier = self._protocol.find_by_key(led.tenant, led.conversation_id, entry.key_hash)
        return _earlier_turn((earlier.user, earlier.reply), led, self._clock.now()) if earlier else None

    def _commit(self, led: HeldLease, draft: DraftReply, roster: Roster, *, release: bool) -> Answer:
        try:
            writes = (*draft.effects, *draft.usage_writes)
            days = roster.record.policy.retention_days
            turn = self._protocol.commit(led, draft.reply, writes, release=release, retention_days=days)
        except StorageUnavailable:
            raise ReplyNotStored(draft, knew_history=True) from None
        except AlreadyAnswered as already:
            turn = self._protocol.read_turn(led.tenant, led.conversation_id, already.user_sequence)
            return self._replay(led, turn, release=release)
        if draft.effects:
            self._rosters.invalidate(led.tenant)
        for message in (turn.user, turn.reply):
            LOG.debug(
                "message stored",
                extra={
                    "conversation_id": message.conversation_id,
                    "role": message.role.value,
                    "message_count": message.sequence,
                },
            )
        return Answer.of(turn, replayed=False)

    def _replay(self, led: HeldLease, turn: Turn, *, release: bool) -> Answer:
        """Return the stored reply again; nothing new is stored."""
        self._protocol.discard_message(led, release=release)
        if turn.user.turn_id != str(led.turn_id) and turn.user.body_hash != led.entry.body_hash:
            raise IdempotencyKeyReused
        return Answer.of(turn, replayed=True)
