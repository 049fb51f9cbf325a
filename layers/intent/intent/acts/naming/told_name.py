"""A name that words give to an agent, and what they say of the agent."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from intent.acts.act import Span, Thing
from intent.acts.naming.name_edits import Edit


class Form(StrEnum):
    """What a phrase says of the thing that it names."""

    NEW = "new"
    """It is one that the message asks for: ``an agent called X``."""
    GIVEN = "given"
    """It has a name, be it new or not: ``its name is X``."""
    WISHED = "wished"
    """It shall have a name, be it new or not: ``call it X``."""
    CHANGED = "changed"
    """It is there and gets another name: ``rename it to X``."""


class ToldName(NamedTuple):
    """A name that words give. ``start`` and ``end`` are those of the whole phrase."""

    form: Form
    name: Span
    start: int
    end: int
    owner: Thing | None
    """The present agent that the phrase itself names; None: it points at one, or means a new one."""
    mentioned: Thing | None
    """The present agent that its sentence, or the one before, names last before it."""
    is_label: bool = False
    """Whether it heads what one of several new agents is to do."""
    edit: Edit = Edit.WHOLE
    """What becomes of the words: they are the name, or change a part of the present one."""

    @property
    def is_judgement(self) -> bool:
        """Whether the words may only say what a present name is like: ``the name is dull``."""
        is_phrase = self.end - self.start > len(self.name.text)
        return is_phrase and self.name.text.isalpha() and self.name.text.islower()
