"""What a reply asks, and the acts that wait for the answer, in the form in which a note keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from pydantic import BaseModel, ConfigDict, JsonValue

from conversation.messages.models import Reference
from intent.acts.act import Act, ActKind, Meant, Span, Thing
from intent.acts.scene import Asked

OFFERED = "offered"
"""The slot of a held act with the time that was offered for it, which a yes takes."""


class HeldAct(BaseModel):
    """An act without its places in the message."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    kind: ActKind
    text: str
    things: tuple[tuple[str, str], ...] = ()
    """The id and name of each thing it is done to."""
    slots: Mapping[str, str] = {}
    several: tuple[str, ...] = ()
    dues: tuple[str, ...] = ()
    adds: bool = False
    removes: bool = False

    @classmethod
    def of(cls, act: Act, things: Sequence[Thing] | None = None) -> HeldAct:
        """Return the act as it is kept; ``things``: what it is done to, when that was found out since."""
        return cls(
            kind=act.kind,
            text=act.clause.text,
            things=tuple(
                (thing.id, thing.name) for thing in (act.meant.things if things is None else things)
            ),
            slots={name: span.text for name, span in act.slots.items()},
            several=tuple(span.text for span in act.several),
            dues=act.dues,
            adds=act.adds,
            removes=act.removes,
        )

    def to_act(self) -> Act:
        """Return the act to carry out."""
        return Act(
            self.kind,
            _span(self.text),
            meant=Meant(things=tuple(Thing(*one) for one in self.things)),
            slots={name: _span(text) for name, text in self.slots.items()},
            several=tuple(map(_span, self.several)),
            dues=self.dues,
            adds=self.adds,
            removes=self.removes,
        )


class AskedQuestion(BaseModel):
    """What a reply asked. ``waiting`` is done after a yes, or once what was asked for is known."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    asked: Asked
    waiting: tuple[HeldAct, ...] = ()
    slots: tuple[str, ...] = ()
    options: tuple[Reference, ...] = ()
    is_optional: bool = False
    """Whether it gives way to anything else that the reply asks."""
    is_doubt: bool = False
    """Whether it asks about a deed that the words hardly asked for."""
    is_suggestion: bool = False
    """Whether it only suggests its options, so that any other answer is read as if nothing had been asked."""
    is_offer: bool = False
    """Whether it offers what nobody asked for, so that a time or place said next is a part of it."""
    misses: int = 0
    """How many answers to it weren't understood."""

    def to_note(self) -> Mapping[str, JsonValue]:
        """Return the question in the form stored in a note."""
        stored = self.model_dump(mode="json", exclude_defaults=True)
        return cast("Mapping[str, JsonValue]", {"asked": self.asked.value, **stored})

    @classmethod
    def of(cls, stored: Mapping[str, JsonValue] | None) -> AskedQuestion | None:
        """Return the question that `to_note` stored; None when there is none."""
        return None if stored is None else cls.model_validate(dict(stored))


def _span(text: str) -> Span:
    return Span(text, 0, len(text))
