"""The turn service: one message in, one stream of events out, whatever route it came by.

It admits the message, waits for its place, has it understood and answered (`agent.thinking`), and commits the
answer together with what the turn did. How each step is stored is `conversation.turns`' business.
"""

from __future__ import annotations

import logging
import random
from collections import deque
from collections.abc import Generator, Iterator
from datetime import timedelta

from agent.events import Accepted, Answer, Done, Restarted, Thinking, TurnEvent, TurnStarted
from agent.leases import LeaseKeeper
from agent.replays import answer_from, earlier_turn
from agent.roster import Rosters
from agent.thinking import Analyzer, ContextLimits, Master, Thinker, Thought
from conversation.admission import DEFAULT_RETENTION_DAYS, Admission, Incoming
from conversation.clock import Clock, Deadline
from conversation.errors import Conflict, ConversationNotFound, IdempotencyKeyReused, TurnNotFound
from conversation.finishing import FinishQueue, QueueUnavailable
from conversation.history import Turn
from conversation.identity import TurnId, new_id
from conversation.leading import AlreadyAnswered, EffectRefused, LeaseLost, Led, Reply
from conversation.notes import Note
from conversation.records import Head
from conversation.turns import TurnProtocol
from storage.errors import StorageUnavailable
from storage.keys import TenantId

LOG = logging.getLogger("omniforge.turns")

ANSWER_MARGIN_S = 1.0
"""How long before its deadline a waiting caller is told to come back."""

MAX_THOUGHTS = 3
"""How often a turn is thought through when the world keeps changing under it."""

POLL_FIRST_S = 0.1
POLL_SLOWEST_S = 1.0

FAILED_REPLY = "Something went wrong on our side while I was answering this. Please send it again."


class WorkspaceContended(Conflict):
    """What a turn wanted to change kept changing under it; nothing was stored."""

    code = "workspace_contended"
    retry_after_s = 1

    def __init__(self) -> None:
        super().__init__("Somebody else is changing the same things right now.")


class TurnService:
    """Answers messages. One instance serves all tenants of a process and may be used by several threads."""

    def __init__(
        self,
        *,
        protocol: TurnProtocol,
        rosters: Rosters,
        analyzer: Analyzer,
        master: Master,
        clock: Clock,
        queue: FinishQueue | None = None,
        limits: ContextLimits | None = None,
    ) -> None:
        self._protocol = protocol
        self._rosters = rosters
        self._clock = clock
        self._queue = queue
        self._thinker = Thinker(
            protocol=protocol,
            rosters=rosters,
            analyzer=analyzer,
            master=master,
            clock=clock,
            limits=limits or ContextLimits(),
        )

    def run(self, incoming: Incoming, deadline: Deadline, *, trace_id: str = "") -> Iterator[TurnEvent]:
        """Answer a message; the last event is `Done`, or `Accepted` when earlier messages take until the
        deadline.

        Raises:
            ConversationNotFound: unknown, malformed, deleted or somebody else's conversation; nothing was
                stored.
            ConversationBusy: too many messages wait; this one was not stored.
            IdempotencyInProgress: a request under the same key is being answered.
            IdempotencyKeyReused: the key was used with another body within 24 hours.
            WorkspaceContended: nothing was stored; the same request may succeed.
        """
        owner = new_id()[:8]
        admission = self._protocol.admit(
            incoming,
            owner=owner,
            caller_until=self._clock.now() + timedelta(seconds=max(0.0, deadline.remaining())),
            retention_days=self._retention_days(incoming.caller.tenant),
        )
        if admission.created:
            LOG.debug("conversation created", extra={"conversation_id": admission.turn_id.conversation_id})
        yield TurnStarted(str(admission.turn_id), admission.turn_id.conversation_id, admission.created)
        yield from self._see_through(incoming, admission, owner, deadline, trace_id)

    def drain(self, tenant: TenantId, conversation_id: str, deadline: Deadline) -> bool:
        """Answer every waiting message whose caller is gone; False when some are left at the deadline: try
        again later.

        A lease somebody holds is waited for; that is no failure.
        """
        owner = new_id()[:8]
        while True:
            try:
                head = self._protocol.look(tenant, conversation_id)
            except ConversationNotFound:
                return True
            if not head.inbox:
                return True
            if deadline.remaining() <= ANSWER_MARGIN_S:
                return False
            if head.is_orphaned(self._clock.now()):
                taken = self._protocol.take_over(tenant, head, owner=owner)
                if taken is not None:
                    self._answer_the_abandoned(Led(tenant, owner, taken), deadline)
            else:
                self._pause(0, deadline)

    def _see_through(
        self, incoming: Incoming, admission: Admission, owner: str, deadline: Deadline, trace_id: str
    ) -> Iterator[TurnEvent]:
        """Lead or wait until the turn is stored, by whomever, or the deadline is near."""
        turn_id, tenant, head = admission.turn_id, incoming.caller.tenant, admission.head
        while True:
            place = head.place(turn_id.ulid)
            if place is None:
                yield Done(self._answer_of_another(incoming, turn_id))
                return
            if head.lease is not None and head.lease.owner == owner:
                led = Led(tenant, owner, head)
                answer = yield from self._lead_up_to(led, turn_id, deadline, trace_id)
                if answer is not None:
                    yield Done(answer)
                    return
            elif deadline.remaining() <= ANSWER_MARGIN_S:
                self._ask_to_finish(tenant, turn_id.conversation_id)
                yield Accepted(str(turn_id), turn_id.conversation_id)
                return
            elif self._is_due(head, place):
                taken = self._protocol.take_over(tenant, head, owner=owner)
                if taken is not None:
                    head = taken
                    continue
            else:
                yield Thinking("waiting")
                self._pause(place, deadline)
            head = self._protocol.look(tenant, turn_id.conversation_id)

    def _is_due(self, head: Head, place: int) -> bool:
        """Whether to take the lease: nobody has it, and what is in front is ours or was left behind by its
        caller."""
        now = self._clock.now()
        return not head.is_led(now) and (place == 0 or head.inbox[0].caller_until <= now)

    def _lead_up_to(
        self, led: Led, turn_id: TurnId, deadline: Deadline, trace_id: str
    ) -> Generator[TurnEvent, None, Answer | None]:
        """Answer what waits in front of the turn, whose callers are gone or slower than we, then the turn
        itself.

        None when the lead is lost, or given back because those in front take too long.
        """
        try:
            while led.entry.ulid != turn_id.ulid:
                if deadline.remaining() <= ANSWER_MARGIN_S:
                    self._protocol.release(led)
                    return None
                led = self._answer_unattended(led, release=False)
            return (yield from self._answer_attended(led, trace_id))
        except LeaseLost:
            return None

    def _answer_attended(self, led: Led, trace_id: str) -> Generator[TurnEvent, None, Answer]:
        """Answer the message for its caller, who hears of any failure."""
        try:
            return (yield from self._answer(led, release=True, trace_id=trace_id))
        except (LeaseLost, IdempotencyKeyReused):
            raise
        except Exception:
            # The caller is told that it failed, so the message must not wait in front of others and fail
            # again.
            self._protocol.withdraw(led, release=True)
            raise

    def _answer_the_abandoned(self, led: Led, deadline: Deadline) -> None:
        """Answer from the front for as long as callers are gone and there is time."""
        while True:
            following = led.head.inbox[1:]
            last = (
                not following
                or following[0].caller_until > self._clock.now()
                or deadline.remaining() <= ANSWER_MARGIN_S
            )
            try:
                led = self._answer_unattended(led, release=last)
            except LeaseLost:
                return
            if last:
                return

    def _answer_unattended(self, led: Led, *, release: bool) -> Led:
        """Answer a message for a caller who does not listen here, and lead on to the next.

        A message our own code fails on is stored with an apology: it must neither be lost nor block the
        conversation for good.
        """
        try:
            answer = _last(self._answer(led, release=release, trace_id=""))
        except (LeaseLost, StorageUnavailable):
            raise
        except IdempotencyKeyReused:
            return led.behind(answered=False)
        except Exception as error:  # noqa: BLE001
            # A trace could quote the message: only the type is logged.
            LOG.error(  # noqa: TRY400
                "turn_failed", extra={"turn_id": str(led.turn_id), "error_type": type(error).__name__}
            )
            return self._apologise(led, release=release)
        return led.behind(answered=not answer.replayed)

    def _apologise(self, led: Led, *, release: bool) -> Led:
        try:
            self._protocol.commit(led, Reply(FAILED_REPLY, {"failed": True}, Note()), (), release=release)
        except AlreadyAnswered:
            self._protocol.withdraw(led, release=release)
            return led.behind(answered=False)
        return led.behind(answered=True)

    def _answer(self, led: Led, *, release: bool, trace_id: str) -> Generator[TurnEvent, None, Answer]:
        """Answer the message in front and store the turn, or find that it is stored already."""
        yield Thinking("reading")
        history, roster = self._thinker.read(led)
        earlier = earlier_turn(history, led, self._clock.now())
        if earlier is not None:
            return self._replay(led, earlier, release=release)
        with LeaseKeeper(self._protocol, led) as lease:
            for _ in range(MAX_THOUGHTS):
                thought = yield from self._thinker.think(led, history, roster, trace_id=trace_id)
                if lease.lost:
                    raise LeaseLost
                yield Thinking("storing")
                try:
                    return self._commit(led, thought, release=release)
                except EffectRefused:
                    roster = self._thinker.forget_roster(led)
                    yield Restarted()
        raise WorkspaceContended

    def _commit(self, led: Led, thought: Thought, *, release: bool) -> Answer:
        try:
            turn = self._protocol.commit(led, thought.reply, thought.effects, release=release)
        except AlreadyAnswered as already:
            turn = self._protocol.read_turn(led.tenant, led.conversation_id, already.user_sequence)
            return self._replay(led, turn, release=release)
        if thought.effects:
            self._rosters.drop(led.tenant)
        for message in (turn.user, turn.reply):
            LOG.debug(
                "message stored",
                extra={
                    "conversation_id": message.conversation_id,
                    "role": message.role.value,
                    "message_count": message.sequence,
                },
            )
        return answer_from(turn, replayed=False)

    def _replay(self, led: Led, turn: Turn, *, release: bool) -> Answer:
        """Give the stored reply again; nothing new is stored."""
        self._protocol.withdraw(led, release=release)
        if turn.user.turn_id != str(led.turn_id) and turn.user.body_hash != led.entry.body_hash:
            raise IdempotencyKeyReused
        return answer_from(turn, replayed=True)

    def _answer_of_another(self, incoming: Incoming, turn_id: TurnId) -> Answer:
        """The turn left the inbox without us: whoever led answered it, or found its key answered before."""
        tenant = incoming.caller.tenant
        turn = self._protocol.find(tenant, turn_id)
        if turn is not None:
            return answer_from(turn, replayed=False)
        key_hash = incoming.key_hash()
        earlier = self._protocol.find_by_key(tenant, turn_id.conversation_id, key_hash) if key_hash else None
        if earlier is None:
            raise TurnNotFound
        if earlier.user.body_hash != incoming.body_hash():
            raise IdempotencyKeyReused
        return answer_from(earlier, replayed=True)

    def _ask_to_finish(self, tenant: TenantId, conversation_id: str) -> None:
        if self._queue is None:
            return
        try:
            self._queue.send(tenant, conversation_id)
        except QueueUnavailable:
            # The message is durable; whoever reads its turn or conversation asks again.
            LOG.warning("finish_not_queued", extra={"conversation_id": conversation_id})

    def _pause(self, place: int, deadline: Deadline) -> None:
        """The nearer to the front, the sooner the next look."""
        longest = min(POLL_FIRST_S * max(1, place), POLL_SLOWEST_S)
        self._clock.sleep(min(longest * random.uniform(0.5, 1.0), max(0.0, deadline.remaining())))

    def _retention_days(self, tenant: TenantId) -> int:
        """Only what is known without a request: the sweeper moves a conversation that is due too early."""
        roster = self._rosters.cached(tenant)
        return roster.record.policy.retention_days if roster else DEFAULT_RETENTION_DAYS


def _last(events: Generator[TurnEvent, None, Answer]) -> Answer:
    """Run a stream nobody listens to, for its result."""
    answer: Answer | None = None

    def run() -> Generator[TurnEvent, None, None]:
        nonlocal answer
        answer = yield from events

    deque(run(), maxlen=0)
    assert answer is not None  # noqa: S101 - a stream that ends without one has raised
    return answer
