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
    """What the user thinks of an answer, and which answer of which request that was; all null: they said
    nothing of it.
    """

    rating: Rating | None
    correction: str | None
    comment: str | None
    turn_id: str | None
    trace_id: str | None
    given_at: Moment | None

    @classmethod
    def of(cls, feedback: Feedback | None) -> FeedbackView:
        """The feedback as its user sees it."""
        said = dict(feedback) if feedback else dict.fromkeys(cls.model_fields)
        return cls.model_validate(said)
