"""Views of a turn: its context, its stream, how it is stopped, and feedback on its answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, JsonValue, StringConstraints

from conversation.context.window import MARK
from conversation.messages.models import Message, Role
from conversation.messages.summaries import Summary
from conversation.redaction.masking import mask
from conversation.running_turns.frames import Frame
from conversation.threads.context_report import OmittedRange, TurnContext
from conversation.threads.feedback import MAX_CHARACTERS, Feedback, Rating
from conversation.threads.repository import TurnProgress, TurnState
from edge.http.request_models import Body, require_visible
from edge.views.base import Moment, View
from edge.views.conversations import TurnView


class SentMessageView(View):
    """A message that was sent to the model as context."""

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
    """The summary of older messages that was sent to the model."""

    first: int = Field(alias="from", description="The oldest message it covers.")
    last: int = Field(alias="to", description="The newest message it covers.")
    text: str
    tokens: int
    made_by: str = Field(description="`offline`, or the model that wrote it.")

    @classmethod
    def of(cls, summary: Summary) -> SummaryView:
        """The summary as it was sent."""
        fields = {"text": summary.render(), "tokens": summary.tokens, "made_by": summary.made_by}
        return cls.model_validate({"from": summary.first, "to": summary.last, **fields})


class LeftOutView(View):
    """Messages that were not sent to the model, and why."""

    first: int = Field(alias="from")
    last: int = Field(alias="to")
    why: Literal["summarised", "budget", "new_topic", "inactive"] = Field(
        description="`inactive`: edited, answered anew or deleted."
    )

    @classmethod
    def of(cls, left_out: OmittedRange) -> LeftOutView:
        """The range as its user sees it."""
        return cls.model_validate({"from": left_out.first, "to": left_out.last, "why": left_out.reason})


class ContextView(View):
    """The part of its conversation that a message was answered with."""

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
    def of(cls, turn: TurnContext) -> ContextView:
        """The context as its user sees it."""
        context = turn.context
        return cls(
            turn_id=turn.turn_id,
            summary=SummaryView.of(context.summary) if context.summary else None,
            summary_lost=turn.summary_lost,
            messages=tuple(map(SentMessageView.of, context.messages)),
            tokens=turn.tokens,
            shortened=context.shortened,
            left_out=tuple(map(LeftOutView.of, turn.omitted)),
        )


class TurnEventView(View):
    """One frame of a turn's stream, as `POST /v1/chat/stream` sent it."""

    id: int
    event: str
    data: JsonValue


class WatchedTurnView(TurnView):
    """The state of a turn, and the frames of its stream after a given one."""

    events: tuple[TurnEventView, ...] = Field(
        description="What was kept of them, while the state is `running`; `done`: the message says all."
    )
    last_event_id: int = Field(description="What to ask for as `after` next.")

    @classmethod
    def with_frames(cls, turn: TurnState, frames: Sequence[Frame], *, after: int) -> WatchedTurnView:
        """The turn with its frames after the id ``after``."""
        events = tuple(
            TurnEventView(id=frame.id, event=frame.name, data=json.loads(frame.data)) for frame in frames
        )
        last = frames[-1].id if frames else after
        return cls(**dict(TurnView.of(turn)), events=events, last_event_id=last)


class StoppedTurnView(View):
    """A turn that was asked to stop."""

    turn_id: str
    state: TurnProgress = Field(description="`done`: it is over. Otherwise it ends in a moment.")

    @classmethod
    def of(cls, turn: TurnState) -> StoppedTurnView:
        """The turn as its user sees it."""
        return cls(turn_id=turn.turn_id, state=turn.progress)


FeedbackText = Annotated[
    str,
    StringConstraints(max_length=MAX_CHARACTERS),
    AfterValidator(require_visible),
    AfterValidator(mask),
    Field(json_schema_extra={"minLength": 1}),
]


class FeedbackBody(Body):
    """The user's feedback on an answer."""

    rating: Rating
    correction: FeedbackText | None = Field(
        default=None, description="What would have been right: an action such as `create_agent`, or words."
    )
    comment: FeedbackText | None = None


class FeedbackView(View):
    """The user's feedback on an answer, with the turn and request it belongs to; all null: there is none."""

    rating: Rating | None
    correction: str | None
    comment: str | None
    turn_id: str | None
    trace_id: str | None
    given_at: Moment | None

    @classmethod
    def of(cls, feedback: Feedback | None) -> FeedbackView:
        """The feedback as its user sees it."""
        values = dict(feedback) if feedback else dict.fromkeys(cls.model_fields)
        return cls.model_validate(values)
