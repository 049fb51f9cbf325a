"""What a turn was answered against, as its user sees it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from conversation.context import MARK
from conversation.contexts import LeftOut, TurnContext
from conversation.models import Message, Role
from conversation.summaries import Summary
from edge.views import View


class SentMessageView(View):
    """A message that went along."""

    id: str
    sequence: int
    role: Role
    content: str = Field(description="As it was sent: head and tail alone where it was shortened.")
    tokens: int
    shortened: bool

    @classmethod
    def of(cls, message: Message) -> SentMessageView:
        """The message as it was sent."""
        return cls(
            id=message.id,
            sequence=message.sequence,
            role=message.role,
            content=message.content,
            tokens=message.tokens,
            shortened=MARK in message.content,
        )


class SummaryView(View):
    """What older messages came to."""

    first: int = Field(alias="from", description="The oldest message it covers.")
    last: int = Field(alias="to", description="The newest message it covers.")
    text: str
    tokens: int
    made_by: str = Field(description="`offline`, or the model that wrote it.")

    @classmethod
    def of(cls, summary: Summary) -> SummaryView:
        """The summary as it was sent."""
        told = {"text": summary.text(), "tokens": summary.tokens, "made_by": summary.made_by}
        return cls.model_validate({"from": summary.first, "to": summary.last, **told})


class LeftOutView(View):
    """Messages that did not go along, and why."""

    first: int = Field(alias="from")
    last: int = Field(alias="to")
    why: Literal["summarised", "budget", "new_topic", "inactive"] = Field(
        description="`inactive`: edited, answered anew or deleted."
    )

    @classmethod
    def of(cls, left_out: LeftOut) -> LeftOutView:
        """The stretch as it is told."""
        return cls.model_validate({"from": left_out.first, "to": left_out.last, "why": left_out.why})


class ContextView(View):
    """What of its conversation a message was answered against."""

    turn_id: str
    summary: SummaryView | None = Field(
        description="Null: none went along, or it is gone since a message it told of was deleted."
    )
    summary_lost: bool
    messages: tuple[SentMessageView, ...]
    tokens: int = Field(description="Of messages and summary, as they were counted then.")
    shortened: int = Field(description="Messages that were cut to fit the model.")
    left_out: tuple[LeftOutView, ...]

    @classmethod
    def of(cls, told: TurnContext) -> ContextView:
        """The context as its user sees it."""
        context = told.context
        return cls(
            turn_id=told.turn_id,
            summary=SummaryView.of(context.summary) if context.summary else None,
            summary_lost=told.summary_lost,
            messages=tuple(map(SentMessageView.of, context.messages)),
            tokens=told.tokens,
            shortened=context.shortened,
            left_out=tuple(map(LeftOutView.of, told.left_out)),
        )
