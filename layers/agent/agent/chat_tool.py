"""The turns of MCP clients: the answer is the result of the tool `chat`, the stages are its progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.turn_events import Accepted, Answer, Done, Thinking, ToolUsed, TurnEvent
from agent.turns.admission_limits import with_deadline, with_rate_limit
from conversation.limits.limiter import TurnLimiter
from conversation.threads.questions import OpenQuestions, answering, question_of
from conversation.turns.admission import IncomingMessage
from tools.errors import ToolError
from tools.tool import ToolContext

if TYPE_CHECKING:
    from agent.turns.service import TurnService


class AskedOfClient(BaseModel):
    """What a reply asks."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str = Field(description="`answers` of a later call names it so.")
    kind: Literal["yes_or_no", "choice"]
    options: tuple[str, ...] = Field(description="What can be chosen, by its number or its words.")


class ChatAnswer(BaseModel):
    """The assistant's answer to a message, or the promise of one."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    conversation_id: str = Field(description="Send it with the next message to go on.")
    turn_id: str
    reply: str | None = Field(description="The answer, as Markdown; null while it is deferred.")
    options: tuple[str, ...] = Field(
        default=(), description="What the answer offers to choose from; a message picks one by its number."
    )
    asks_yes_or_no: bool = Field(
        default=False, description="What the reply proposes is done after the message `yes`."
    )
    question: AskedOfClient | None = Field(
        default=None, description="The options, or what is done after a yes, as one object; null: none."
    )
    deferred: bool = Field(
        default=False,
        description="The message is stored and will be answered later, in its conversation. The same call"
        " under the same idempotency key tells the answer once there is one.",
    )
    persisted: bool = Field(default=True, description="Whether message and answer are stored.")


class ChatTurns:
    """Answers messages within the limits of their user, and within the deadline of their call."""

    def __init__(
        self,
        turns: Callable[[], TurnService],
        limiter: TurnLimiter,
        *,
        questions: OpenQuestions,
    ) -> None:
        """``turns`` makes the service for the first message: a process without one is spared it."""
        self._turns = turns
        self._limiter = limiter
        self._questions = questions

    def answer(
        self, incoming: IncomingMessage, context: ToolContext, *, answers: str | None = None
    ) -> ChatAnswer:
        """Runs a turn to its end and tells its stages. Under a key that was used, and to a question that was
        answered so before, it returns the answer of the first call.

        Raises:
            ToolError: no conversations are kept.
            DomainError: as for `TurnService.run` and `TurnLimiter.acquire`.
        """
        if answers is not None:
            earlier = self._questions.earlier_answer(incoming, answers)
            if earlier is not None:
                return _answered(Answer.of(earlier, replayed=True))
            incoming = answering(incoming, answers)
        for event in self._events(incoming, context):
            match event:
                case Thinking():
                    context.tell(event.stage)
                case ToolUsed():
                    context.tell(f"used {event.name}")
                case Done():
                    if context.call_key is not None:
                        context.call_key.replayed = event.answer.replayed
                    return _answered(event.answer)
                case Accepted():
                    return _deferred(event)
                case _:
                    pass
        raise AssertionError("a turn ends with its answer, or with the promise of one")

    def _events(self, incoming: IncomingMessage, context: ToolContext) -> Iterator[TurnEvent]:
        tenant, turns, seconds = incoming.caller.tenant, self._turns(), context.deadline.remaining()
        if not context.keeps_history:
            raise ToolError(
                "not_allowed", "No conversations are kept here, so none can go on: this tool is of no use."
            )
        events = with_deadline(
            turns.run(incoming, context.deadline, trace_id=context.request_id),
            seconds,
            ask_to_finish=partial(turns.ask_to_finish, tenant),
        )
        return with_rate_limit(self._limiter, incoming, events)


def _answered(answer: Answer) -> ChatAnswer:
    said = answer.metadata
    question = question_of(answer.turn_id, said)
    return ChatAnswer(
        conversation_id=answer.conversation_id,
        turn_id=answer.turn_id,
        reply=answer.content,
        options=question.options if question else (),
        asks_yes_or_no=question is not None and question.kind == "yes_or_no",
        question=AskedOfClient(**question._asdict()) if question else None,
        persisted=said.get("persisted") is not False,
    )


def _deferred(accepted: Accepted) -> ChatAnswer:
    return ChatAnswer(
        conversation_id=accepted.conversation_id, turn_id=accepted.turn_id, reply=None, deferred=True
    )
