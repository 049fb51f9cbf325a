"""Complete conversations as values, for tests of export and import."""

from __future__ import annotations

from datetime import datetime, timedelta

from conversation.identity import Caller, TurnId, derived_ulid, new_id
from conversation.messages.items import message_id
from conversation.messages.models import Conversation, Message, Role


def make_conversation(
    owner: Caller, *texts: str, begun: datetime, conversation_id: str | None = None
) -> tuple[Conversation, list[Message]]:
    """Return a conversation of alternating requests and replies, one second apart."""
    conversation_id = conversation_id or new_id()
    messages = [
        _message(conversation_id, place, text, begun + timedelta(seconds=place))
        for place, text in enumerate(texts, 1)
    ]
    last = messages[-1].created_at if messages else begun
    conversation = Conversation(
        id=conversation_id, user=owner.user, count=len(messages), created_at=begun, updated_at=last
    )
    return conversation, messages


def _message(conversation_id: str, place: int, text: str, moment: datetime) -> Message:
    role = Role.USER if place % 2 else Role.ASSISTANT
    turn = derived_ulid(moment, conversation_id, str((place + 1) // 2))
    turn_id = str(TurnId(conversation_id, turn))
    return Message(
        id=message_id(turn_id, role, place),
        conversation_id=conversation_id,
        sequence=place,
        role=role,
        content=text,
        created_at=moment,
        turn_id=turn_id,
        tokens=len(text),
    )
