"""The entities of a decision as typed values; a value of the wrong type or form counts as absent.

Entities come from rules or from a model and are not trusted to be well formed. `intent.entities.extraction`
documents the keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

from agent.workspace.agents import MAX_FIELD_CHARACTERS
from conversation.tenants.policy import validate_time_zone

Entities: TypeAlias = Mapping[str, JsonValue]

CONFIRMED = "confirmed"
"""The entity that a yes to our own question carries; only our notes may set it."""
SHARED_RUN = "shared_run"
"""The entity of a question about a run of a colleague's agent; only our notes may set it."""
EXACT = "exact"
"""The entity with the exact values of an effect that was asked for; only our notes may set it."""
UNSAID = "unsaid"
"""The entity of an option that a model filled with more than the user's words say: what picking it would do
is asked in full first. Only our notes may set it."""
OURS = frozenset({"draft", CONFIRMED, EXACT, SHARED_RUN, UNSAID})
"""The entities that only our own notes may carry; they are dropped when a model or a rule sets them."""
_ANSWERS = frozenset({"choice", "ordinal", "reply"})


def without_answers(entities: Entities) -> dict[str, JsonValue]:
    """Returns the entities except those that only answer the last reply: an option, a place, a yes or no."""
    return {key: value for key, value in entities.items() if key not in _ANSWERS}


def as_line(value: object, limit: int = MAX_FIELD_CHARACTERS) -> str | None:
    """Returns the text as one line of printable characters, cut to ``limit``; None when nothing is left."""
    if not isinstance(value, str):
        return None
    line = " ".join("".join(mark if mark.isprintable() else " " for mark in value).split())
    return line[:limit].strip() or None


def as_lines(value: object) -> tuple[str, ...]:
    """Converts one text or a list of texts; at most 20."""
    several = value if isinstance(value, list | tuple) else [value]
    return tuple(found for found in map(as_line, several) if found)[:20]


def as_int(value: object) -> int | None:
    """Returns a whole number, also from digits in a text; None for anything else or beyond a billion."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.strip().lstrip("-").isdecimal() and len(value) < 10:
        return int(value)
    return value if isinstance(value, int) and abs(value) < 10**9 else None


def as_time_zone(value: object) -> str | None:
    """Returns the name of an IANA time zone; None for anything else."""
    try:
        return validate_time_zone(as_line(value) or "")
    except ValueError:
        return None


Text = Annotated[str | None, BeforeValidator(as_line)]
Texts = Annotated[tuple[str, ...], BeforeValidator(as_lines)]
Zone = Annotated[str | None, BeforeValidator(as_time_zone)]
Whole = Annotated[int | None, BeforeValidator(as_int)]
ReplyWord = Annotated[
    Literal["yes", "no", "cancel", "later"] | None,
    BeforeValidator(lambda value: value if value in ("yes", "no", "cancel", "later") else None),
]
Changes = Annotated[Entities, BeforeValidator(lambda value: value if isinstance(value, Mapping) else {})]


class RequestedEntities(BaseModel):
    """The typed entities of a message; a field is None (or empty) when the message says nothing about it."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="ignore")

    agent_name: Text = None
    agent_id: Text = None
    ordinal: Whole = Field(default=None, description="place in the list just shown, from 1; -1 is the last")
    choice: Whole = Field(default=None, description="the numbered option picked, from 1")
    reply: ReplyWord = None
    operation: Text = None
    new_name: Text = None
    change: Changes = Field(default_factory=dict)
    source: Text = None
    what: Text = None
    scope: Text = None
    condition: Text = None
    schedule_text: Text = None
    cron: Text = None
    time_zone: Zone = None
    delivery: Text = None
    recipients: Texts = ()
    format: Text = None
    topic: Text = None
    output: Text = None
    deadline: Text = None
    period: Text = None
    days: Whole = None

    @classmethod
    def of(cls, entities: Entities) -> RequestedEntities:
        """Converts entities to typed values; never raises."""
        return cls.model_validate(dict(entities))

    def subject(self) -> str | None:
        """Returns what the message is about, in the user's words."""
        return self.topic or self.what
