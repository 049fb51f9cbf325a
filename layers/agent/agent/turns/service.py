"""The turn service: one message in, one stream of events out, whichever route the message came by.

It admits the message, waits for its place and leads. `agent.turns.lease_holder` answers the message in front;
`conversation.turns.turn_protocol` stores each step.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Generator, Iterator
from datetime import timedelta
from threading import Event

from agent.connections.posting_links import PostingLinks
from agent.inference.turn_budget import TurnBudgets
from agent.turn_events import Accepted, Answer, Done, Restarted, Thinking, TurnEvent, TurnStarted
from agent.turns.degraded import DegradedTurns
from agent.turns.lease_holder import Leader
from agent.turns.redaction import redact_incoming
from agent.turns.responder import Analyzer, Master, Responder
from agent.turns.stateless_turns import StatelessTurns
from agent.turns.turn_observer import observed
from agent.workspace.errors import ModelUnknown
from agent.workspace.roster import RosterCache, RosterLimits
from conversation.clock import Clock, Deadline
from conversation.context.window import ContextLimits
from conversation.errors import ConversationNotFound, IdempotencyKeyReused, TurnNotFound
from conversation.identity import TurnId, new_id
from conversation.messages.items import ConversationHead
from conversation.token_counts import TokenCounter
from conversation.turns.admission import (
    DEFAULT_RETENTION_DAYS,
    LEASE_DURATION,
    Admission,
    IncomingMessage,
    assign_turn_id,
)
from conversation.turns.commit_writes import KEY_LIFETIME
from conversation.turns.deferred_turn import DeferredTurnQueue, QueueUnavailable
from conversation.turns.lease import HeldLease, LeaseLost, TurnAttempt
from conversation.turns.turn_protocol import TurnProtocol
from llm.available_models import ModelRegistry
from resilience.cpu_limit import CpuLimit
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from storage.tenant_table import Tables
from tasks.store import TaskStore

LOG = logging.getLogger("omniforge.turns")

ANSWER_MARGIN_S = 1.0
"""How long before its deadline a waiting caller gets `Accepted`."""

POLL_FIRST_S = 0.1
POLL_SLOWEST_S = 1.0
_HANDED_OVER = 2
"""So many places further back a message is that another process has to be started for."""


class TurnService:
    """Answers messages. One instance serves all tenants of a process and may be used by several threads."""

    def __init__(
        self,
        *,
        protocol: TurnProtocol,
        rosters: RosterCache,
        analyzer: Analyzer,
        master: Master,
        clock: Clock,
        turn_budgets: TurnBudgets,
        queue: DeferredTurnQueue | None = None,
        limits: ContextLimits | None = None,
        registry: ModelRegistry | None = None,
        tasks: TaskStore | None = None,
        page_url: str | None = None,
        hands_over: bool = False,
        links: PostingLinks | None = None,
    ) -> None:
        """``registry`` says which models may be named; None: any. ``tasks`` are the users'; None: they have
        none. ``page_url`` is where the page is; None: unknown. ``hands_over``: messages are admitted here and
        answered by the process that the queue asks, because this one can't reach every model. ``links``
        seals the links of messages; None: they are stored as they are.
        """
        self._links = links
        self._protocol = protocol
        self._rosters = rosters
        self._clock = clock
        self._queue = queue
        self._hands_over = hands_over
        self._turn_budgets = turn_budgets
        self._registry = registry
        self._responder = Responder(
            protocol=protocol,
            rosters=rosters,
            analyzer=analyzer,
            master=master,
            clock=clock,
            limits=limits or ContextLimits(),
            cpu_limit=CpuLimit(),
            registry=registry,
            tasks=tasks,
            page_url=page_url,
        )
        self._degraded = DegradedTurns(
            responder=self._responder, rosters=rosters, turn_budgets=turn_budgets, clock=clock, queue=queue
        )
        self._leader = Leader(
            protocol=protocol,
            rosters=rosters,
            responder=self._responder,
            clock=clock,
            turn_budgets=turn_budgets,
            degraded=self._degraded,
        )

    def run(
        self,
        incoming: IncomingMessage,
        deadline: Deadline,
        *,
        trace_id: str = "",
        attempt: TurnAttempt | None = None,
    ) -> Iterator[TurnEvent]:
        """Answer a message; the last event is `Done` or `Accepted`.

        `Accepted` means that earlier messages take until the deadline, or that the message is stored but
        storage then became unavailable. When storage does not accept the message or its reply, the message is
        answered all the same; the answer says whether it will be stored.

        Setting the stop event of ``attempt`` ends the turn; the reply is then what was said so far.

        Raises:
            ConversationNotFound: unknown, malformed, deleted or another user's conversation; nothing was
                stored.
            ModelUnknown: this deployment does not know the named model; nothing was stored.
            ConversationBusy: too many messages wait; this one was not stored.
            IdempotencyInProgress: a request under the same key is being answered.
            IdempotencyKeyReused: the key was used with another body within 24 hours.
            MessageReplaced: the message it replaces is no longer active; nothing was stored.
            WorkspaceContended: nothing was stored; the same request may succeed.
            StorageUnavailable: only for an edit; nothing was stored.
        """
        return observed(self._run(incoming, deadline, attempt or TurnAttempt(), trace_id), self._clock)

    def _run(
        self, incoming: IncomingMessage, deadline: Deadline, attempt: TurnAttempt, trace_id: str
    ) -> Generator[TurnEvent, None, None]:
        if incoming.model and self._registry and not self._registry.knows(incoming.model):
            raise ModelUnknown
        incoming = redact_incoming(incoming, self._rosters, self._links)
        turn_id = assign_turn_id(incoming, self._clock.now())
        # A crashed caller must not block others for longer than a lease, however long it meant to wait.
        wait = min(timedelta(seconds=max(0.0, deadline.remaining())), LEASE_DURATION)
        try:
            admission = self._protocol.admit(
                incoming,
                owner=None if self._hands_over else attempt.owner,
                caller_until=self._clock.now() + (timedelta() if self._hands_over else wait),
                retention_days=self._retention_days(incoming.caller.tenant),
                turn_id=turn_id,
            )
        except StorageUnavailable:
            if incoming.replaces is not None:
                raise
            yield TurnStarted(str(turn_id), turn_id.conversation_id, created=False, stored=False)
            events = self._degraded.answer(
                incoming, turn_id, deadline, owner=attempt.owner, trace_id=trace_id
            )
            yield Done((yield from events))
            return
        if admission.created:
            LOG.debug("conversation created", extra={"conversation_id": admission.turn_id.conversation_id})
        yield TurnStarted(str(admission.turn_id), admission.turn_id.conversation_id, admission.created)
        conversation_id = admission.turn_id.conversation_id
        is_handed_over = self._hands_over and self.ask_to_finish(incoming.caller.tenant, conversation_id)
        try:
            yield from self._see_through(
                incoming, admission, attempt, deadline, trace_id, leads=not is_handed_over
            )
        except StorageUnavailable:
            yield Restarted()
            self.ask_to_finish(incoming.caller.tenant, admission.turn_id.conversation_id)
            yield Accepted(str(admission.turn_id), admission.turn_id.conversation_id)

    @property
    def limits(self) -> RosterLimits:
        """The limits of tenants, read from their rosters."""
        return RosterLimits(self._rosters)

    def stateless_turns(self, *, tables: Tables, tokens: TokenCounter) -> StatelessTurns:
        """Return a service that answers like this one but keeps no history."""
        return StatelessTurns(
            responder=self._responder,
            rosters=self._rosters,
            turn_budgets=self._turn_budgets,
            tables=tables,
            clock=self._clock,
            tokens=tokens,
            registry=self._registry,
            links=self._links,
        )

    def ask_to_finish(self, tenant: TenantId, conversation_id: str) -> bool:
        """Ask another process to answer the messages that wait in the conversation; False: none was asked."""
        if self._queue is None:
            return False
        try:
            self._queue.send(tenant, conversation_id)
        except QueueUnavailable:
            # The message is durable; a read of its turn or conversation asks again.
            LOG.warning("finish_not_queued", extra={"conversation_id": conversation_id})
            return False
        return True

    def drain(self, tenant: TenantId, conversation_id: str, deadline: Deadline) -> bool:
        """Answer every waiting message whose caller is gone; False when some are left at the deadline: try
        again later.

        Waits for a lease that another process holds; that is no failure.
        """
        owner = new_id()[:8]
        while True:
            try:
                head = self._protocol.read_head(tenant, conversation_id)
            except ConversationNotFound:
                return True
            if not head.inbox:
                return True
            if deadline.remaining() <= ANSWER_MARGIN_S:
                return False
            if head.is_orphaned(self._clock.now()):
                acquired = self._protocol.acquire_lease(tenant, head, owner=owner)
                if acquired is not None:
                    self._answer_the_abandoned(HeldLease(tenant, owner, acquired), deadline)
            else:
                self._pause(0, deadline)

    def _see_through(
        self,
        incoming: IncomingMessage,
        admission: Admission,
        attempt: TurnAttempt,
        deadline: Deadline,
        trace_id: str,
        *,
        leads: bool,
    ) -> Iterator[TurnEvent]:
        """Lead (if it ``leads``) or wait until any process has stored the turn, or the deadline is near."""
        turn_id, tenant, head = admission.turn_id, incoming.caller.tenant, admission.head
        owner = attempt.owner
        while True:
            place = head.inbox_position(turn_id.ulid)
            if place is None:
                yield Done(self._answer_of_another(incoming, turn_id))
                return
            if head.lease is not None and head.lease.owner == owner:
                led = HeldLease(tenant, owner, head)
                answer = yield from self._lead_up_to(led, turn_id, deadline, attempt.stop, trace_id)
                if answer is not None:
                    yield Done(answer)
                    return
            elif deadline.remaining() <= ANSWER_MARGIN_S:
                self.ask_to_finish(tenant, turn_id.conversation_id)
                # A turn whose key was answered before is never stored, so it is not reported as accepted.
                earlier = self._answered_before(incoming, turn_id)
                yield Done(earlier) if earlier else Accepted(str(turn_id), turn_id.conversation_id)
                return
            elif leads and self._is_due(head, place):
                acquired = self._protocol.acquire_lease(tenant, head, owner=owner)
                if acquired is not None:
                    head = acquired
                    continue
            else:
                yield Thinking("waiting")
                self._pause(place if leads else place + _HANDED_OVER, deadline)
            head = self._protocol.read_head(tenant, turn_id.conversation_id)

    def _is_due(self, head: ConversationHead, place: int) -> bool:
        """Whether to take the lease: it is free, and the message in front is ours or was abandoned by its
        caller.
        """
        now = self._clock.now()
        return not head.is_leased(now) and (place == 0 or head.inbox[0].caller_until <= now)

    def _lead_up_to(
        self, led: HeldLease, turn_id: TurnId, deadline: Deadline, stop: Event, trace_id: str
    ) -> Generator[TurnEvent, None, Answer | None]:
        """Answer the messages in front of the turn, whose callers are gone or slower than we are, then the
        turn itself.

        None when the lease is lost, or released because the messages in front take too long.
        """
        try:
            while led.entry.ulid != turn_id.ulid:
                if deadline.remaining() <= ANSWER_MARGIN_S:
                    self._protocol.release(led)
                    return None
                self._leader.answer_without_caller(led, deadline, release=False)
                led = self._protocol.reload_lease(led)
            return (yield from self._leader.answer_for_caller(led, deadline, stop=stop, trace_id=trace_id))
        except LeaseLost:
            LOG.info("turn conflict", extra={"turn_id": str(turn_id), "over": "lease"})
            yield Restarted()
            return None

    def _answer_the_abandoned(self, led: HeldLease, deadline: Deadline) -> None:
        """Answer from the front for as long as callers are gone and there is time."""
        while True:
            following = led.head.inbox[1:]
            last = (
                not following
                or following[0].caller_until > self._clock.now()
                or deadline.remaining() <= ANSWER_MARGIN_S
            )
            try:
                self._leader.answer_without_caller(led, deadline, release=last)
                if last:
                    return
                led = self._protocol.reload_lease(led)
            except LeaseLost:
                return

    def _answer_of_another(self, incoming: IncomingMessage, turn_id: TurnId) -> Answer:
        """Return the answer to a turn that left the inbox without us: another process answered it, or found
        its key answered before.
        """
        tenant = incoming.caller.tenant
        turn = self._protocol.find(tenant, turn_id)
        if turn is not None:
            return Answer.of(turn, replayed=False)
        earlier = self._answered_before(incoming, turn_id)
        if earlier is None:
            raise TurnNotFound
        return earlier

    def _answered_before(self, incoming: IncomingMessage, turn_id: TurnId) -> Answer | None:
        """Return the answer that was stored under the message's key, as a replay; None when there is none
        within the key's lifetime.
        """
        key_hash, conversation_id = incoming.key_hash(), turn_id.conversation_id
        if key_hash is None:
            return None
        earlier = self._protocol.find_by_key(incoming.caller.tenant, conversation_id, key_hash)
        if earlier is None or earlier.user.created_at <= self._clock.now() - KEY_LIFETIME:
            return None
        if earlier.user.body_hash != incoming.body_hash():
            raise IdempotencyKeyReused
        return Answer.of(earlier, replayed=True)

    def _pause(self, place: int, deadline: Deadline) -> None:
        """Sleep before the next look; the nearer to the front, the shorter."""
        longest = min(POLL_FIRST_S * max(1, place), POLL_SLOWEST_S)
        self._clock.sleep(min(longest * random.uniform(0.5, 1.0), max(0.0, deadline.remaining())))

    def _retention_days(self, tenant: TenantId) -> int:
        """Return the cached policy's retention, else the default; sends no request. The sweeper moves a
        conversation that is due too early.
        """
        roster = self._rosters.cached(tenant)
        return roster.record.policy.retention_days if roster else DEFAULT_RETENTION_DAYS
