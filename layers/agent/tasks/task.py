"""Models of tasks. `tasks.store` stores them."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from conversation.errors import NotFound
from conversation.identity import derived_ulid, is_ulid, ulid_time
from conversation.redaction.masking import masking_validator

MAX_TITLE_CHARACTERS = 200
MAX_DESCRIPTION_CHARACTERS = 4_000


def _one_line(text: str) -> str:
    if not text.isprintable():
        raise PydanticCustomError("field_invalid", "A title is one line of visible characters.")
    return text


Title = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TITLE_CHARACTERS),
    AfterValidator(_one_line),
    masking_validator(MAX_TITLE_CHARACTERS),
]
Description = Annotated[
    str,
    StringConstraints(max_length=MAX_DESCRIPTION_CHARACTERS),
    masking_validator(MAX_DESCRIPTION_CHARACTERS),
]


class TaskSpec(BaseModel):
    """The fields of a task to create."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    title: Title = Field(description="What is to be done.")
    description: Description = Field(default="", description="Whatever else belongs to it.")
    due_date: date | None = Field(default=None, description="The day it is due; None: none.")


class Task(BaseModel):
    """A stored task."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str = Field(description="a ULID: a user's tasks sort by when they were made")
    title: Title
    description: Description = ""
    due_date: date | None = None
    completed: bool = False
    created_at: datetime
    updated_at: datetime
    completed_at: datetime | None = Field(default=None, description="None as long as it is open")

    @classmethod
    def create(cls, spec: TaskSpec, *, task_id: str, now: datetime) -> Task:
        """Builds a new, open task."""
        return cls(id=task_id, created_at=now, updated_at=now, **spec.model_dump())


class TaskChange(BaseModel):
    """New values for some fields of a task. Fields that are not given stay; a due date of null removes it."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    title: Title = Field(default="unchanged", description="What is to be done.")
    description: Description = Field(default="", description="Whatever else belongs to it.")
    due_date: date | None = Field(default=None, description="The day it is due; null: none.")
    completed: bool = Field(default=False, description="Whether it is done.")


def task_id_of_step(step_id: str, now: datetime, *, place: int = 0) -> str:
    """Derives the id of a task created by a step of a turn or run: a repeated step gets the same id.

    The id's time is that of the turn or run, taken from its id, or ``now`` if it has none. Several tasks of
    one step differ by ``place`` and sort by it.
    """
    turn = next((part for part in step_id.split(".") if is_ulid(part)), None)
    moment = (ulid_time(turn) if turn else now) + timedelta(milliseconds=place)
    return derived_ulid(moment, "task", step_id)


class TaskNotFound(NotFound):
    """The task id is unknown, malformed, another user's or another tenant's; callers can't tell which."""

    code = "task_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such task.")
