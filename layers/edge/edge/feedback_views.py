"""Feedback on answers as clients send it and see it."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from conversation.feedback import MAX_CHARACTERS, Feedback, Rating
from conversation.redaction import masked
from edge.models import Body, visible
from edge.views import Moment, View

Words = Annotated[
    str,
    StringConstraints(max_length=MAX_CHARACTERS),
    AfterValidator(visible),
    AfterValidator(masked),
    Field(json_schema_extra={"minLength": 1}),
]


class FeedbackBody(Body):
    """What the user thinks of an answer."""

    rating: Rating
    correction: Words | None = Field(
        default=None, description="What would have been right: an action such as `create_agent`, or words."
    )
    comment: Words | None = None


class FeedbackView(View):
    """What the user thinks of an answer, and which answer of which request that was."""

    rating: Rating
    correction: str | None
    comment: str | None
    turn_id: str
    trace_id: str
    given_at: Moment

    @classmethod
    def of(cls, feedback: Feedback) -> FeedbackView:
        """The feedback as its user sees it."""
        return cls.model_validate(feedback, from_attributes=True)
