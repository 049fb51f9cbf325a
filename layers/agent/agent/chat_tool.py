"""The turns of MCP clients: the answer is the result of the tool `chat`, the stages are its progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from agent.turn_events import Accepted, Answer, Done, Thinking, ToolUsed, TurnEvent
from agent.turns.admission_limits import with_deadline, with_rate_limit
from conversation.limits.limiter import TurnLimiter
from conversation.turns.admission import IncomingMessage
from storage.keys import TenantId
from tools.errors import ToolError
from tools.tool import ToolContext

if TYPE_CHECKING:
    from agent.turns.service import TurnService


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
        keeps_history: Callable[[TenantId], bool],
    ) -> None:
        """``turns`` makes the service for the first message: a process without one is spared it."""
        self._turns = turns
        self._limiter = limiter
        self._keeps_history = keeps_history

    def answer(self, incoming: IncomingMessage, context: ToolContext) -> ChatAnswer:
        """Runs a turn to its end and tells its stages. Under a key that was used it returns the answer of
        the first call.

        Raises:
            ToolError: no conversations are kept.
            DomainError: as for `TurnService.run` and `TurnLimiter.acquire`.
        """
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
        if not self._keeps_history(tenant):
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
    options = said.get("options")
    return ChatAnswer(
        conversation_id=answer.conversation_id,
        turn_id=answer.turn_id,
        reply=answer.content,
        options=tuple(map(str, options)) if isinstance(options, list | tuple) else (),
        asks_yes_or_no=said.get("asks_yes_or_no") is True,
        persisted=said.get("persisted") is not False,
    )


def _deferred(accepted: Accepted) -> ChatAnswer:
    return ChatAnswer(
        conversation_id=accepted.conversation_id, turn_id=accepted.turn_id, reply=None, deferred=True
    )
