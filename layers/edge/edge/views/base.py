"""Base types of response bodies: view, page, moment, problem and health."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, WithJsonSchema

from conversation.clock import to_text

Item = TypeVar("Item")

Moment = Annotated[
    datetime, PlainSerializer(to_text), WithJsonSchema({"type": "string", "format": "date-time"})
]
"""A moment, as precise as it is stored, so that a replayed answer has the same bytes."""


class View(BaseModel):
    """A response body. Its schema is built on first use: a function imports all views and uses some."""

    model_config = ConfigDict(defer_build=True)


class Page(View, Generic[Item]):
    """A page of a list."""

    items: tuple[Item, ...]
    next_cursor: str | None = Field(description="Where the list goes on; null at its end.")


class ProblemView(View):
    """An error in the form of RFC 9457."""

    model_config = ConfigDict(title="Problem")

    type: str
    title: str
    status: int
    code: str = Field(description="Which refusal it is; stays the same.")
    detail: str | None = Field(default=None, description="For people; never repeats what was sent.")
    request_id: str
    version: int | None = Field(default=None, description="Of `agent_changed`: the agent's version now.")
    changed: tuple[str, ...] | None = Field(
        default=None, description="Of `agent_changed`: the fields that its owner has changed."
    )


class ServiceHealth(View):
    """Whether the service answers."""

    status: str
