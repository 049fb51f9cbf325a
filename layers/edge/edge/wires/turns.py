"""The turns of one caller as a wire sees them: begun as the chat's own, followed, stopped and read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Protocol

from conversation.clock import Clock, Deadline
from conversation.errors import IdempotencyInProgress, TurnNotFound
from conversation.identity import Caller, TurnId, conversation_id_for_key
from conversation.messages.attached_files import AttachedFile
from conversation.messages.models import Conversation
from conversation.running_turns.cancellation import TurnCancellation
from conversation.threads.repository import ConversationRepository
from edge.http.cursors import CursorCodec
from edge.http.request_models import ConversationChange, parse_body
from edge.http.server_sent_events import Frame
from edge.streaming.turn_replay import TurnReplay
from edge.wires.wire import FollowedTurn, History, Listing, Run, TurnRequest, WaitingMessage
from storage.tenant_table import Tables

LOOK_EVERY_S = 1.0
GIVE_UP_MARGIN_S = 2.0
"""How long before the deadline a run is not waited for any longer."""


class HeldCall(Protocol):
    """A call that a run holds back."""

    @property
    def approved_by(self) -> str | None: ...


class AgentRun(Protocol):
    """A run of an agent as it is stored."""

    @property
    def id(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def output(self) -> str: ...
    @property
    def created_at(self) -> datetime: ...
    @property
    def started_at(self) -> datetime | None: ...
    @property
    def finished_at(self) -> datetime | None: ...
    @property
    def held_calls(self) -> Sequence[HeldCall]: ...


class Runs(Protocol):
    """The runs of agents; the agents' own store of them is one."""

    def find_of_turn(self, caller: Caller, turn_id: str) -> AgentRun | None:
        """The run that a turn has started; None: it started none, or that is gone."""
        ...

    def cancel(self, caller: Caller, run_id: str) -> object:
        """Stop a run; one that is over stays as it is."""
        ...


@dataclass(frozen=True, slots=True)
class CallersTurns:
    """The `edge.wires.wire.Turns` of one request."""

    caller: Caller
    deadline: Deadline
    begin_turn: Callable[[TurnRequest], Iterator[Frame]]
    """Begins a turn; what refuses it is raised before the first frame is returned."""
    check_rate: Callable[[Caller], None]
    """Refuses a caller who sends too much."""
    conversations: ConversationRepository
    turn_replay: TurnReplay
    cancellation: TurnCancellation
    runs: Callable[[], Runs]
    tables: Tables
    clock: Clock
    file_link: Callable[[Caller, AttachedFile], str | None] = lambda _caller, _file: None
    """The address of a file of one of the caller's messages; None: there is none now."""

    def begin(self, turn: TurnRequest) -> Iterator[Frame]:
        try:
            return self.begin_turn(turn)
        except IdempotencyInProgress:
            # Clients repeat a request when its connection breaks: they get the answer under way.
            return self._under_way(turn)

    def follow(self, conversation_id: str) -> FollowedTurn | None:
        self.check_rate(self.caller)
        turn = self.turn_replay.newest_turn(self.caller, conversation_id)
        if turn is None:
            return None
        return FollowedTurn(turn.turn_id, self.turn_replay.frames(self.caller, turn, self.deadline))

    def stop(self, conversation_id: str) -> bool:
        head = self.conversations.head(self.caller, conversation_id)
        if not head.inbox:
            return False
        self.cancellation.cancel(self.caller, str(TurnId(conversation_id, head.inbox[-1].ulid)))
        return True

    def history(self, conversation_id: str, limit: int) -> History:
        head = self.conversations.head(self.caller, conversation_id)
        messages = self.conversations.newest(self.caller, head, limit=limit)
        waiting = (
            WaitingMessage(
                str(TurnId(conversation_id, entry.ulid)),
                entry.content,
                entry.received_at,
                entry.metadata or {},
                entry.attachments,
            )
            for entry in head.inbox
        )
        # What waited when the head was read may be answered by now.
        stored = {message.turn_id for message in messages}
        left = tuple(each for each in waiting if each.turn_id not in stored)
        return History(messages, left, partial(self.file_link, self.caller))

    def replay(self, turn_id: str) -> FollowedTurn:
        self.check_rate(self.caller)
        turn = self.conversations.turn(self.caller, turn_id)
        return FollowedTurn(turn_id, self.turn_replay.frames(self.caller, turn, self.deadline))

    def cancel(self, turn_id: str) -> None:
        self.cancellation.cancel(self.caller, turn_id)

    def run(self, turn_id: str) -> Run | None:
        run = self.runs().find_of_turn(self.caller, turn_id)
        if run is None:
            return None
        changed_at = run.finished_at or run.started_at or run.created_at
        asks = any(held.approved_by is None for held in run.held_calls)
        return Run(str(run.status), run.output, changed_at, asks)

    def follow_run(self, turn_id: str) -> Iterator[Run | None]:
        self.check_rate(self.caller)
        run = self.run(turn_id)
        yield run
        while run is not None and not run.is_over and self.deadline.remaining() > GIVE_UP_MARGIN_S:
            self.clock.sleep(LOOK_EVERY_S)
            run = self.run(turn_id)
            yield run

    def cancel_run(self, turn_id: str) -> None:
        run = self.runs().find_of_turn(self.caller, turn_id)
        if run is not None:
            self.runs().cancel(self.caller, run.id)

    def conversation(self, conversation_id: str) -> Conversation:
        return self.conversations.get(self.caller, conversation_id)

    def rename(self, conversation_id: str, title: str) -> Conversation:
        from conversation.tenants.store import PolicyCache
        from conversation.threads.lifecycle import Lifecycle

        changes = parse_body(ConversationChange, {"title": title}).changes()
        policies = PolicyCache(tables=self.tables, clock=self.clock)
        lifecycle = Lifecycle(
            tables=self.tables, clock=self.clock, policies=policies, conversations=self.conversations
        )
        return lifecycle.change(self.caller, conversation_id, changes)

    def delete(self, conversation_id: str) -> None:
        self.conversations.delete(self.caller, conversation_id)

    def rate(self, conversation_id: str, message_id: str, *, helped: bool) -> None:
        from conversation.threads.feedback import FeedbackStore, Rating

        store = FeedbackStore(tables=self.tables, clock=self.clock, conversations=self.conversations)
        rating = Rating.UP if helped else Rating.DOWN
        store.save_feedback(self.caller, conversation_id, message_id, rating=rating)

    def list(self, limit: int, cursor: str | None = None) -> Listing:
        cursors, query = CursorCodec(self.clock), ("wire", self.caller.tenant, self.caller.user, str(limit))
        found, after = self.conversations.list(
            self.caller, limit=limit, after=cursors.position(cursor, *query)
        )
        return Listing(found, cursors.cursor(after, *query))

    def _under_way(self, turn: TurnRequest) -> Iterator[Frame]:
        """The frames of the turn that runs under the same key; of a new one, if that one came to nothing.

        A repeated message is withdrawn when its turn finds that another one has answered it.
        """
        key = turn.key or ""
        named = turn.conversation.id if turn.conversation else conversation_id_for_key(self.caller, key)
        running = self.turn_replay.turn_under_key(self.caller, named, key)
        if running is None:
            yield from self.begin(turn)
            return
        frames = self.turn_replay.frames(self.caller, running, self.deadline)
        try:
            # What comes after the frame `turn` shows that there is an answer.
            seen = [next(frames), next(frames)]
        except TurnNotFound:
            yield from self.begin(turn)
            return
        yield from seen
        yield from frames
