"""The conversation everything is measured on: natural English of a fixed length, stored as turns store it.

One turn is a question of 500 characters and an answer of 1,000. The text is cut from Python's own help
topics, so that counts of tokens and sizes are those of prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pydoc_data.topics import topics
from typing import NamedTuple

from conversation.clock import SystemClock, to_text
from conversation.identity import Caller, TurnId, derived_id
from conversation.messages.items import message_to_item
from conversation.messages.models import Message, Role
from conversation.threads.repository import ConversationRepository
from conversation.token_counts import estimate_tokens
from storage import keys
from storage.table import MAX_TRANSACTION_ACTIONS, Put, Set, Table, Update
from storage.tenant_table import Tables

QUESTION_CHARACTERS = 500
ANSWER_CHARACTERS = 1_000

_STRIDE = 7_919
_TEXT = (
    re.sub(r"\s+", " ", " ".join(text for _, text in sorted(topics.items())))
    .encode("ascii", "ignore")
    .decode()
)


class Exchange(NamedTuple):
    """What is said in one turn."""

    question: str
    answer: str


class StoredTurn(NamedTuple):
    """A turn as somebody stored it."""

    user: Message
    reply: Message


def exchange(number: int) -> Exchange:
    """The texts of a turn, always the same for the same number."""
    length = QUESTION_CHARACTERS + ANSWER_CHARACTERS
    start = number * _STRIDE % (len(_TEXT) - length)
    text = _TEXT[start : start + length]
    return Exchange(text[:QUESTION_CHARACTERS], text[QUESTION_CHARACTERS:])


def seed(table: Table, caller: Caller, pattern: StoredTurn, messages: int) -> str:
    """A conversation with so many messages, written at once instead of turn by turn; its id.

    Everything but the texts, places, ids and times is taken from ``pattern``: the metadata, note and key
    hashes that a turn of the measured handler really stores.
    """
    clock = SystemClock()
    conversation = ConversationRepository(tables=Tables(table), clock=clock).create(caller)
    began = clock.now() - timedelta(minutes=messages)
    history = [
        message
        for number in range(messages // 2)
        for message in _turn(pattern, conversation.id, number, began + timedelta(minutes=number))
    ]
    for start in range(0, len(history), MAX_TRANSACTION_ACTIONS):
        part = history[start : start + MAX_TRANSACTION_ACTIONS]
        table.transact([Put(message_to_item(caller.tenant, message)) for message in part])
    moved = (Set("count", len(history)), Set("updated_at", to_text(history[-1].created_at)))
    table.update(Update(keys.head(caller.tenant, conversation.id), moved))
    return conversation.id


def _turn(pattern: StoredTurn, conversation_id: str, number: int, moment: datetime) -> Iterator[Message]:
    turn_id = str(TurnId.make(conversation_id, moment))
    key_hash = derived_id("seeded", str(number))[:24] if pattern.user.key_hash else None
    for offset, (like, text) in enumerate(zip(pattern, exchange(number), strict=True)):
        yield like.model_copy(
            update={
                "conversation_id": conversation_id,
                "sequence": 2 * number + 1 + offset,
                "turn_id": turn_id,
                "content": text,
                "created_at": moment,
                "tokens": estimate_tokens(f"{like.role}: {text}"),
                "key_hash": key_hash if like.role is Role.USER else None,
            }
        )
