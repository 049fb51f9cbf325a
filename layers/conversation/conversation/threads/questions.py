"""What answers ask: a yes or a no, or a choice. A question is an object of its own, whose id is its turn's.

It can be answered by this id, on any wire and at any time, until something else is said. The answer is a
message as any other: what it does is not decided here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pydantic import JsonValue

from conversation.errors import ConversationNotFound, ProposalClosed
from conversation.identity import short_hash
from conversation.messages.history import Turn
from conversation.messages.models import Role
from conversation.threads.repository import ConversationRepository
from conversation.turns.admission import IncomingMessage

ANSWERS = "answers"
"""In the metadata of a user's message: the id of the question that it answers."""


class Question(NamedTuple):
    """What an answer asks."""

    id: str
    kind: Literal["yes_or_no", "choice"]
    options: tuple[str, ...]
    """What can be chosen, in the order of its numbers; empty for a yes or a no."""


def question_of(turn_id: str, metadata: Mapping[str, JsonValue]) -> Question | None:
    """The question of an answer with this metadata; None when it asks nothing."""
    options = metadata.get("options")
    if metadata.get("asks_yes_or_no") is True:
        return Question(turn_id, "yes_or_no", ())
    if isinstance(options, list | tuple) and options:
        return Question(turn_id, "choice", tuple(map(str, options)))
    return None


def answer_key(asked: str, said: str) -> str:
    """The Idempotency-Key of an answer: the same one counts once, wherever it is given."""
    return f"answer:{short_hash('answer', asked, said)}"


def answering(incoming: IncomingMessage, asked: str) -> IncomingMessage:
    """The message as the answer to a question."""
    return incoming._replace(
        idempotency_key=incoming.idempotency_key or answer_key(asked, incoming.content),
        metadata={**(incoming.metadata or {}), ANSWERS: asked},
    )


@dataclass(frozen=True, slots=True)
class OpenQuestions:
    """Tells which questions can be answered."""

    conversations: ConversationRepository

    def earlier_answer(self, incoming: IncomingMessage, asked: str) -> Turn | None:
        """The turn of the same answer, if it was given before; None: the question is open.

        Raises:
            ConversationNotFound: it is not the caller's.
            ProposalClosed: something else was said since, and the answer would be taken for one to that.
        """
        if incoming.conversation_id is None:
            raise ConversationNotFound
        newest = self.conversations.page(incoming.caller, incoming.conversation_id, limit=2)
        if newest and newest[-1].role is Role.ASSISTANT and newest[-1].turn_id == asked:
            return None
        if len(newest) == 2:
            said, reply = newest
            if said.metadata.get(ANSWERS) == asked and said.content == incoming.content:
                return Turn(said, reply)
        raise ProposalClosed
