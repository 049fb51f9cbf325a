"""Feedback of users on answers: a rating, a correction and a comment. The latest feedback counts."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import cast

from pydantic import BaseModel, ConfigDict, Field

from conversation.clock import Clock, from_text, to_text
from conversation.errors import ConversationNotFound, WrongMessageRole
from conversation.identity import Caller
from conversation.messages.models import Message, Role
from conversation.threads.repository import ConversationRepository
from storage import keys
from storage.errors import TransactionRefused
from storage.keys import TenantId
from storage.table import Check, Item, Put, Table
from storage.tenant_table import Tables

MAX_CHARACTERS = 2_000


class Rating(StrEnum):
    """Whether the answer helped."""

    UP = "up"
    DOWN = "down"


class Feedback(BaseModel):
    """The user's feedback on one answer."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    rating: Rating
    correction: str | None = Field(default=None, description="what would have been right")
    comment: str | None = None
    turn_id: str
    trace_id: str = Field(default="", description="of the request that got the answer")
    given_at: datetime


class FeedbackStore:
    """Stores and reads the feedback of one user at a time."""

    def __init__(self, *, tables: Tables, clock: Clock, conversations: ConversationRepository) -> None:
        self._tables = tables
        self._clock = clock
        self._conversations = conversations

    def save_feedback(
        self,
        caller: Caller,
        conversation_id: str,
        message_id: str,
        *,
        rating: Rating,
        correction: str | None = None,
        comment: str | None = None,
    ) -> Feedback:
        """Store the caller's feedback on an answer, replacing any earlier feedback.

        Raises:
            ConversationNotFound, MessageNotFound: it is not the caller's.
            WrongMessageRole: the message is not an answer of the assistant.
        """
        message = self._conversations.message(caller, conversation_id, message_id)
        if message.role is not Role.ASSISTANT:
            raise WrongMessageRole("answers of the assistant")
        feedback = Feedback(
            rating=rating,
            correction=correction,
            comment=comment,
            turn_id=message.turn_id,
            trace_id=str(message.metadata.get("trace_id", "")),
            given_at=self._clock.now(),
        )
        head, is_usable = (
            keys.head(caller.tenant, conversation_id),
            self._conversations.usable_conditions(caller),
        )
        put = Put(feedback_to_item(caller.tenant, message, feedback))
        try:
            self._table(caller).transact([Check(head, is_usable), put])
        except TransactionRefused as refused:
            raise ConversationNotFound from refused
        return feedback

    def read(self, caller: Caller, conversation_id: str, message_id: str) -> Feedback | None:
        """The caller's feedback on an answer; None if they gave none.

        Raises:
            ConversationNotFound, MessageNotFound: it is not the caller's.
        """
        message = self._conversations.message(caller, conversation_id, message_id)
        item = self._table(caller).get(keys.feedback(caller.tenant, conversation_id, message.sequence))
        return feedback_from_item(item) if item else None

    def _table(self, caller: Caller) -> Table:
        return self._tables.for_tenant(caller.tenant)


def feedback_to_item(tenant: TenantId, message: Message, feedback: Feedback) -> Item:
    """The item that stores feedback on a message."""
    key = keys.feedback(tenant, message.conversation_id, message.sequence)
    item: Item = {
        "pk": key.partition,
        "sk": key.sort,
        "rating": feedback.rating.value,
        "turn": feedback.turn_id,
        "trace": feedback.trace_id,
        "at": to_text(feedback.given_at),
    }
    optional = {"correction": feedback.correction, "comment": feedback.comment}
    return item | {name: text for name, text in optional.items() if text is not None}


def feedback_from_item(item: Item) -> Feedback:
    """The feedback that `feedback_to_item` stored."""
    return Feedback(
        rating=Rating(str(item["rating"])),
        correction=cast("str | None", item.get("correction")),
        comment=cast("str | None", item.get("comment")),
        turn_id=str(item["turn"]),
        trace_id=str(item["trace"]),
        given_at=from_text(str(item["at"])),
    )
