"""The stream of a turn, read again by a client that lost it: from its beginning, and on until it is answered.

The first seconds of a turn are not kept, and the kept frames are up to two seconds old. So a client may see a
piece of text later than it was said, but in the end it has all of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta

from conversation.clock import Clock, Deadline
from conversation.identity import Caller, TurnId
from conversation.messages.models import Message, Role
from conversation.running_turns.frames import FRAME_LIFETIME, FrameStore
from conversation.running_turns.frames import Frame as KeptFrame
from conversation.threads.repository import ConversationRepository, TurnProgress, TurnState
from conversation.turns.admission import hash_of_key
from edge.http.server_sent_events import Frame
from edge.streaming.frame_writer import RESTARTING, FrameWriter
from edge.views.conversations import AcceptedView, ChatReply, ReplyView, TurnMetadata

REPLAYED_FOR: timedelta = FRAME_LIFETIME
"""How long after its answer a turn is still replayed."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 1.0
GIVE_UP_MARGIN_S = 2.0
"""How long before the deadline a replay ends with the frame ``accepted``."""


class TurnReplay:
    """Reads the streams of one user's turns again; safe to use from several threads."""

    def __init__(self, *, conversations: ConversationRepository, frames: FrameStore, clock: Clock) -> None:
        self._conversations = conversations
        self._frames = frames
        self._clock = clock

    def newest_turn(self, caller: Caller, conversation_id: str) -> TurnState | None:
        """The last turn that runs or waits, else the last one that was answered lately; else None.

        Raises:
            ConversationNotFound: it is not the caller's.
        """
        head = self._conversations.head(caller, conversation_id)
        if head.inbox:
            turn_id = TurnId(conversation_id, head.inbox[-1].ulid)
            return self._conversations.turn(caller, str(turn_id))
        newest = self._conversations.page(caller, conversation_id, limit=1)
        if not newest or newest[0].role is not Role.ASSISTANT or TurnId.parse(newest[0].turn_id) is None:
            return None
        reply = newest[0]
        if reply.created_at < self._clock.now() - REPLAYED_FOR:
            return None
        return TurnState(reply.turn_id, conversation_id, TurnProgress.DONE, reply.created_at, reply)

    def turn_under_key(self, caller: Caller, conversation_id: str, key: str) -> TurnState | None:
        """The turn that runs or waits under an Idempotency-Key; None when there is none (any more).

        Raises:
            ConversationNotFound: it is not the caller's.
        """
        key_hash = hash_of_key(caller, key)
        for entry in self._conversations.head(caller, conversation_id).inbox:
            if entry.key_hash == key_hash:
                return self._conversations.turn(caller, str(TurnId(conversation_id, entry.ulid)))
        return None

    def frames(self, caller: Caller, turn: TurnState, deadline: Deadline) -> Iterator[Frame]:
        """The turn's frames from the first to ``done``, or to ``accepted`` shortly before the deadline."""
        writer = FrameWriter()
        yield from writer.turn(turn_id=turn.turn_id, conversation_id=turn.conversation_id, created=False)
        after, leader, pause_s = 0, turn.leader, FIRST_PAUSE_S
        while turn.reply is None:
            if turn.leader != leader:
                # Another process began anew; what the one before it said is void.
                yield from writer.restart()
                after, leader = 0, turn.leader
            for kept in self._frames.read_frames(caller.tenant, turn, after=after):
                after = kept.id
                yield from _repeated(writer, kept)
            if deadline.remaining() <= GIVE_UP_MARGIN_S:
                yield from writer.accepted(
                    AcceptedView(conversation_id=turn.conversation_id, turn_id=turn.turn_id)
                )
                return
            self._clock.sleep(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
            turn = self._conversations.turn(caller, turn.turn_id)
        yield from writer.done(reply_view(turn.reply), replayed=True)


def reply_view(reply: Message) -> ChatReply:
    """A stored answer as its turn gave it."""
    metadata = {**reply.metadata, "persisted": True, "turn_id": reply.turn_id}
    return ChatReply(
        conversation_id=reply.conversation_id,
        message=ReplyView(id=reply.id, role=reply.role, content=reply.content, created_at=reply.created_at),
        metadata=TurnMetadata.model_validate(metadata),
    )


def _repeated(writer: FrameWriter, kept: KeptFrame) -> Iterator[Frame]:
    """A kept frame with the next number; the first frame of the turn is already written."""
    match kept.name:
        case "turn":
            return iter(())
        case "chunk":
            return writer.chunk(json.loads(kept.data)["text"])
        case "thinking":
            stage = json.loads(kept.data)["stage"]
            return writer.restart() if stage == RESTARTING else writer.thinking(stage)
        case "decision" | "tool":
            return writer.written(kept.name, kept.data)
        case _:
            return iter(())
