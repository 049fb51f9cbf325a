"""What a turn did, kept with its reply so that a later turn can resolve "that one", "the second" and "yes".

A note travels to the model as one short line and to the offline tier as values. It says nothing the user did
not see.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

ReferenceKind = Literal["agent", "run", "conversation", "task"]


class Reference(BaseModel):
    """Something a reply named: what it is, its id, and the name the user saw."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    kind: ReferenceKind = "agent"  # listed most: what is the default is not stored, and so not paid for
    id: str
    name: str


class Choice(BaseModel):
    """One numbered option of a reply, and what choosing it would do."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    label: str
    action: str = Field(description="an ActionType value")
    entities: Mapping[str, JsonValue] = Field(default_factory=dict)


class Pending(BaseModel):
    """An action that waits for the user's yes."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    action: str = Field(description="an ActionType value")
    entities: Mapping[str, JsonValue] = Field(default_factory=dict)
    summary: str = Field(default="", description="what a yes would do, as the user saw it")


class Note(BaseModel):
    """The note of one reply. Every field is empty when the turn did nothing of the kind."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    did: str = Field(default="", description="what the turn changed, one short sentence")
    listed: tuple[Reference, ...] = Field(default=(), description="what the reply listed, in its order")
    about: Reference | None = Field(default=None, description="the one thing the turn was about")
    choices: tuple[Choice, ...] = Field(default=(), description="numbered options offered, in their order")
    pending: Pending | None = Field(default=None, description="what a yes would do")
    asking: str | None = Field(default=None, description="the agent wizard's field the reply asked for")
    draft: Mapping[str, JsonValue] | None = Field(
        default=None, description="the unfinished agent, carried from reply to reply"
    )
    model: str | None = Field(
        default=None, description="the model the conversation goes on with, as a request named it"
    )

    def line(self) -> str:
        """The note as one line for a model: empty when there is nothing to say."""
        parts = [self.did] if self.did else []
        if self.listed:
            parts.append(
                "listed: " + ", ".join(f"{place}. {item.name}" for place, item in enumerate(self.listed, 1))
            )
        if self.choices:
            parts.append(
                "offered: "
                + ", ".join(f"{place}. {choice.label}" for place, choice in enumerate(self.choices, 1))
            )
        if self.pending:
            parts.append(f"waits for a yes to: {self.pending.summary or self.pending.action}")
        if self.asking:
            parts.append(f"asked for the new agent's {self.asking}")
        return "; ".join(parts)

    def leaving_open(self, earlier: Note) -> Note:
        """The note with what the reply before it left open: an unfinished agent, a question, a list."""
        kept = earlier.model_fields_set - {"did", "about"} - self.model_fields_set
        return self.model_copy(update={name: getattr(earlier, name) for name in kept})

    def is_empty(self) -> bool:
        """Whether there is nothing worth storing."""
        return self == Note()
