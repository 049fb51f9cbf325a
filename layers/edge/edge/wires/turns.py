"""The turns of one caller as a wire sees them: begun as the chat's own, followed, stopped and read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from conversation.clock import Deadline
from conversation.errors import ConversationNotFound, IdempotencyInProgress, TurnNotFound
from conversation.identity import Caller, TurnId, conversation_id_for_key
from conversation.messages.models import Role
from conversation.running_turns.cancellation import TurnCancellation
from conversation.threads.repository import ConversationRepository
from edge.http.problems import Problem
from edge.http.server_sent_events import Frame
from edge.streaming.turn_replay import TurnReplay
from edge.wires.wire import ANSWERS, FollowedTurn, History, TurnRequest, WaitingMessage


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
    replay: TurnReplay
    cancellation: TurnCancellation

    def begin(self, turn: TurnRequest) -> Iterator[Frame]:
        if turn.answers is not None:
            self._require_open(turn, turn.answers)
        try:
            return self.begin_turn(turn)
        except IdempotencyInProgress:
            # Clients repeat a request when its connection breaks: they get the answer under way.
            return self._under_way(turn)

    def follow(self, conversation_id: str) -> FollowedTurn | None:
        self.check_rate(self.caller)
        turn = self.replay.newest_turn(self.caller, conversation_id)
        if turn is None:
            return None
        return FollowedTurn(turn.turn_id, self.replay.frames(self.caller, turn, self.deadline))

    def stop(self, conversation_id: str) -> bool:
        head = self.conversations.head(self.caller, conversation_id)
        if not head.inbox:
            return False
        self.cancellation.cancel(self.caller, str(TurnId(conversation_id, head.inbox[-1].ulid)))
        return True

    def history(self, conversation_id: str, limit: int) -> History:
        head = self.conversations.head(self.caller, conversation_id)
        messages = self.conversations.newest(self.caller, head, limit=limit)
        waiting = tuple(
            WaitingMessage(
                str(TurnId(conversation_id, entry.ulid)),
                entry.content,
                entry.received_at,
                entry.metadata or {},
            )
            for entry in head.inbox
        )
        return History(messages, waiting)

    def _under_way(self, turn: TurnRequest) -> Iterator[Frame]:
        """The frames of the turn that runs under the same key; of a new one, if that one came to nothing.

        A repeated message is withdrawn when its turn finds that another one has answered it.
        """
        key = turn.key or ""
        named = turn.conversation.id if turn.conversation else conversation_id_for_key(self.caller, key)
        running = self.replay.turn_under_key(self.caller, named, key)
        if running is None:
            yield from self.begin(turn)
            return
        frames = self.replay.frames(self.caller, running, self.deadline)
        try:
            # What comes after the frame `turn` shows that there is an answer.
            seen = [next(frames), next(frames)]
        except TurnNotFound:
            yield from self.begin(turn)
            return
        yield from seen
        yield from frames

    def _require_open(self, turn: TurnRequest, asked: str) -> None:
        """Refuse a yes or a no to a proposal that is not the last thing said, unless it is a repeated one.

        Else it would be taken for the answer to what was asked since.
        """
        if turn.conversation is None:
            raise ConversationNotFound
        newest = self.conversations.page(self.caller, turn.conversation.id, limit=2)
        if newest and newest[-1].role is Role.ASSISTANT and newest[-1].turn_id == asked:
            return
        repeated = any(
            said.role is Role.USER and said.metadata.get(ANSWERS) == asked and said.content == turn.message
            for said in newest
        )
        if not repeated:
            raise Problem("proposal_closed", "That question is not open any more.")
