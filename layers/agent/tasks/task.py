"""Models of tasks. `tasks.store` stores them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from conversation.errors import NotFound
from conversation.identity import derived_ulid, is_ulid, ulid_time
from conversation.redaction.masking import masking_validator
from conversation.tenants.policy import validate_time_zone
from tasks.due_times import checked_repetition, moment_of, next_time

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


def _local_time(value: object) -> datetime:
    """The minute that a text such as ``2026-03-06T15:00`` names, or a value without an offset."""
    if isinstance(value, str) and len(value) in (16, 19) and value[10] == "T" and value[5:7].isdigit():
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            value = None
    if not isinstance(value, datetime) or value.tzinfo is not None:
        raise PydanticCustomError("field_invalid", "A local time such as 2026-03-06T15:00 is expected.")
    return value.replace(second=0, microsecond=0)


def time_text(local: datetime) -> str:
    """The local time as ``2026-03-06T15:00``."""
    return local.isoformat(timespec="minutes")


LocalTime = Annotated[
    datetime,
    PlainValidator(_local_time),
    PlainSerializer(time_text, when_used="json"),
    WithJsonSchema(
        {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?$"}
    ),
]
"""A minute on the clocks of a time zone that is named beside it; it has no offset."""
TimeZone = Annotated[str, AfterValidator(validate_time_zone)]
Repetition = Annotated[str, AfterValidator(checked_repetition)]


def _check_due(fields: TaskSpec | TaskChange) -> None:
    """Refuses a time without a zone, and a time on another day than the day given beside it."""
    if fields.time_zone is None and (fields.due_at is not None or fields.repeat is not None):
        raise PydanticCustomError("field_invalid", "A time needs its time_zone.")
    if fields.due_at is not None and fields.due_date not in (None, fields.due_at.date()):
        raise PydanticCustomError("field_invalid", "due_at is on another day than due_date.")


def first_due(fields: TaskSpec | TaskChange, now: datetime) -> datetime | None:
    """The local time at which the given fields make a task due first; None: they name no time.

    A repetition alone begins with its next time, or with the first one on the given day or later.
    """
    if fields.due_at is not None or fields.repeat is None or fields.time_zone is None:
        return fields.due_at
    start = now
    if fields.due_date is not None:
        midnight = moment_of(datetime.combine(fields.due_date, datetime.min.time()), fields.time_zone)
        start = max(now, (midnight or now) - timedelta(microseconds=1))
    return next_time(fields.repeat, fields.time_zone, after=start)


class TaskSpec(BaseModel):
    """The fields of a task to create."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    title: Title = Field(description="What is to be done.")
    description: Description = Field(default="", description="Whatever else belongs to it.")
    due_date: date | None = Field(default=None, description="The day it is due; None: none.")
    due_at: LocalTime | None = Field(
        default=None, description="The minute it is due, on the clocks of `time_zone`; null: no time of day."
    )
    time_zone: TimeZone | None = Field(default=None, description="IANA name; `due_at` and `repeat` need it.")
    remind: bool = Field(default=True, description="Whether a reminder comes when its time has come.")
    repeat: Repetition | None = Field(
        default=None,
        description="Five cron fields; completing it then moves it to the next time. Null: it does not.",
    )

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        _check_due(self)
        return self


class Task(BaseModel):
    """A stored task."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str = Field(description="a ULID: a user's tasks sort by when they were made")
    title: Title
    description: Description = ""
    due_date: date | None = None
    due_at: LocalTime | None = Field(
        default=None, description="the minute it is due, on the clocks of `time_zone`; None: no time of day"
    )
    time_zone: str | None = Field(default=None, description="IANA name; None: it has no time")
    remind: bool = Field(default=False, description="whether a reminder comes when its time has come")
    repeat: str | None = Field(
        default=None, description="five cron fields: completing it moves it to the next time; None: it ends"
    )
    completed: bool = False
    created_at: datetime
    updated_at: datetime
    completed_at: datetime | None = Field(default=None, description="None as long as it is open")
    deleted_at: datetime | None = Field(
        default=None, description="None unless it is deleted; it can be restored for 30 days"
    )

    @classmethod
    def create(cls, spec: TaskSpec, *, task_id: str, now: datetime) -> Task:
        """Builds a new, open task."""
        due = first_due(spec, now)
        return cls(
            id=task_id,
            title=spec.title,
            description=spec.description,
            due_date=due.date() if due else spec.due_date,
            due_at=due,
            time_zone=spec.time_zone if due else None,
            remind=spec.remind and due is not None,
            repeat=spec.repeat,
            created_at=now,
            updated_at=now,
        )

    @property
    def due_moment(self) -> datetime | None:
        """The UTC moment at which it is due; None: it has no time of day."""
        if self.due_at is None or self.time_zone is None:
            return None
        return moment_of(self.due_at, self.time_zone)

    def next_due(self, now: datetime) -> datetime | None:
        """The local time to which completing it moves it; None: it does not repeat, or never again."""
        if self.repeat is None or self.time_zone is None:
            return None
        return next_time(self.repeat, self.time_zone, after=max(now.astimezone(UTC), self.due_moment or now))

    def after_completion(self, now: datetime) -> Task:
        """The task as completing it now leaves it: done, or open and due at its next time."""
        due = self.next_due(now)
        if due is None:
            return self.model_copy(update={"completed": True})
        return self.model_copy(update={"due_at": due, "due_date": due.date()})


class TaskChange(BaseModel):
    """New values for some fields of a task. Fields that are not given stay.

    A ``due_date`` of null removes the day and the time, a ``due_at`` of null only the time. Either ends a
    repetition. A ``due_date`` alone moves the task to that day and keeps its time of day.
    """

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    title: Title = Field(default="unchanged", description="What is to be done.")
    description: Description = Field(default="", description="Whatever else belongs to it.")
    due_date: date | None = Field(default=None, description="The day it is due; null: none.")
    due_at: LocalTime | None = Field(
        default=None, description="The minute it is due, on the clocks of `time_zone`; null: no time of day."
    )
    time_zone: TimeZone | None = Field(default=None, description="IANA name; `due_at` and `repeat` need it.")
    remind: bool = Field(default=True, description="Whether a reminder comes when its time has come.")
    repeat: Repetition | None = Field(
        default=None, description="Five cron fields, from the next time on; null: it ends."
    )
    completed: bool = Field(
        default=False, description="Whether it is done; one that repeats moves to its next time instead."
    )

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        _check_due(self)
        return self

    @property
    def sets_due(self) -> bool:
        """Whether it says when the task is due, or ends its repetition."""
        return not self.model_fields_set.isdisjoint({"due_date", "due_at", "repeat"})

    @property
    def ends_time(self) -> bool:
        """Whether it takes the time of day away, or the day with it."""
        taken = [name for name in ("due_at", "due_date") if name in self.model_fields_set]
        return bool(taken) and None in [getattr(self, name) for name in taken] and self._names_no_time

    @property
    def _names_no_time(self) -> bool:
        return self.due_at is None and self.repeat is None

    @property
    def ends_repetition(self) -> bool:
        """Whether a task that repeats does not any more."""
        return self.ends_time or ("repeat" in self.model_fields_set and self.repeat is None)

    def applied_to(self, old: Task, now: datetime) -> Task:
        """Returns the task with this change; one that is completed already keeps its time, and completing one
        that repeats moves it to its next time.
        """
        given = {name: getattr(self, name) for name in {"title", "description"} & self.model_fields_set}
        new = old.model_copy(update={**given, **self._due_of(old, now), "updated_at": now})
        if "completed" not in self.model_fields_set:
            return new
        repeats = self.completed and old.repeat is not None and not self.ends_repetition
        again = old.next_due(now) if repeats else None
        if again is not None and not self.sets_due:
            return new.model_copy(update={"due_at": again, "due_date": again.date()})
        is_done = self.completed and not (repeats and self.sets_due)
        done_at = old.completed_at or now
        return new.model_copy(update={"completed": is_done, "completed_at": done_at if is_done else None})

    def _due_of(self, old: Task, now: datetime) -> dict[str, object]:
        """The fields that say when the task is due with this change."""
        day, at = old.due_date, None if self.ends_time else old.due_at
        if (due := first_due(self, now)) is not None:
            day, at = due.date(), due
        elif "due_date" in self.model_fields_set:
            day = self.due_date
            at = datetime.combine(day, at.time()) if day and at else None
        reminds = self.remind if "remind" in self.model_fields_set else old.remind or old.due_at is None
        return {
            "due_date": day,
            "due_at": at,
            "time_zone": (self.time_zone or old.time_zone) if at else None,
            "remind": reminds and at is not None,
            "repeat": None if self.ends_repetition or not at else self.repeat or old.repeat,
        }


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
