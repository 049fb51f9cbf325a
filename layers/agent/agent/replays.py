"""Finding that a message is answered already, and giving the stored answer again. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise

from agent.events import Answer
from conversation.commits import KEY_LIFETIME
from conversation.history import Turn
from conversation.leading import Led
from conversation.models import Message, Role


def earlier_turn(history: Sequence[Message], led: Led, now: datetime) -> Turn | None:
    """The stored turn that makes answering the message wrong: the same turn, or one under the same, unexpired
    key."""
    oldest = now - KEY_LIFETIME
    for user, reply in pairwise(history):
        if user.role is not Role.USER or user.turn_id != reply.turn_id:
            continue
        same_key = (
            led.entry.key_hash is not None
            and user.key_hash == led.entry.key_hash
            and user.created_at > oldest
        )
        if same_key or user.turn_id == str(led.turn_id):
            return Turn(user, reply)
    return None


def answer_from(turn: Turn, *, replayed: bool) -> Answer:
    """The stored reply as the caller gets it, the first time as well as again."""
    return Answer(
        conversation_id=turn.reply.conversation_id,
        turn_id=turn.reply.turn_id,
        message_id=turn.reply.id,
        content=turn.reply.content,
        created_at=turn.reply.created_at,
        metadata={**turn.reply.metadata, "persisted": True, "turn_id": turn.reply.turn_id},
        replayed=replayed,
    )
