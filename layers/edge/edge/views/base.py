"""Base types of response bodies: view, page, moment, problem and health."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema

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


def _member(description: str) -> Any:
    """A member that only problems of one code have; a default in the schema would be read as always there."""
    return Field(default=None, description=description, json_schema_extra=_without_default)


def _without_default(schema: dict[str, Any]) -> None:
    schema.pop("default", None)


class ProblemView(View):
    """An error in the form of RFC 9457."""

    model_config = ConfigDict(title="Problem")

    type: str
    title: str
    status: int
    code: str = Field(description="Which refusal it is; stays the same.")
    detail: str | None = Field(default=None, description="For people; never repeats what was sent.")
    request_id: str
    version: int | SkipJsonSchema[None] = _member("Of `agent_changed`: the agent's version now.")
    changed: tuple[str, ...] | SkipJsonSchema[None] = _member(
        "Of `agent_changed`: the fields that its owner has changed."
    )
    retention_grace: Mapping[str, Any] | SkipJsonSchema[None] = _member(
        "Of `retention_shortened`: what would be the policy's `retention_grace`."
    )


class ServiceHealth(View):
    """Whether the service answers."""

    status: str
