"""What the reader knows besides the message: the user's things, what was talked about, and what was asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from intent.acts.act import Thing
from intent.amounts.told import Told
from intent.sums.result import EarlierSum


class Asked(StrEnum):
    """The kinds of questions that a reply may end with."""

    CONFIRM = "confirm"
    WHICH = "which"
    SLOTS = "slots"


@dataclass(frozen=True, slots=True)
class Question:
    """What the last reply asked. ``slots`` are the parts asked for, ``options`` the things to choose from."""

    asked: Asked
    slots: tuple[str, ...] = ()
    options: tuple[Thing, ...] = ()
    of: str = ""
    """The kind of act that waits for the answer."""
    is_offer: bool = False
    """Whether it offers what nobody asked for, so that a time or place said next is a part of it."""
    about: str = ""
    """The words of what waits for the answer."""


@dataclass(frozen=True)
class Scene:
    """The context of one message. ``focus_kind`` is ``agent``, ``task`` or ``run``; empty: nothing."""

    now: datetime
    zone: str
    agents: tuple[Thing, ...] = ()
    read_tasks: Callable[[], Sequence[Thing]] = field(default=tuple)
    focus_kind: str = ""
    focus: Thing | None = None
    listed_kind: str = ""
    listed: tuple[Thing, ...] = ()
    question: Question | None = None
    has_draft: bool = False
    did: str = ""
    """The kind of act that the last reply did; empty: none."""
    last: tuple[str, ...] = ()
    """The kinds of the acts that the user's previous message was read as."""
    last_deed: str = ""
    """The kind of act that was done last in the replies before; empty: none."""
    undone: str = ""
    """The kind of act that the last reply took back; empty: it took nothing back."""
    pair: tuple[Thing, ...] = ()
    """The two things that the last replies were about as alternatives, or one after the other; else empty."""
    is_unsure: bool = False
    """Whether the user said lately that they don't know what to ask for, and nothing was made since."""
    is_help_wished: bool = False
    """Whether the message says what would help: ``telling me who hasn't paid would be lovely``."""
    said_before: str = ""
    """The user's previous message."""
    earlier_sum: EarlierSum | None = None
    """The last sum that was worked out."""
    read_amounts: Callable[[], Sequence[Told]] = field(default=tuple)

    @cached_property
    def tasks(self) -> tuple[Thing, ...]:
        """Return the user's tasks; read once, when first asked for."""
        return tuple(self.read_tasks())

    @cached_property
    def amounts(self) -> tuple[Told, ...]:
        """Return the amounts that the user told before, the newest first; read when first asked for."""
        return tuple(self.read_amounts())

    @property
    def corrected(self) -> str:
        """Return the kind of act that a correction is about: what the last reply did or took back."""
        return self.undone or self.did

    @property
    def question_is_confirm(self) -> bool:
        """Return whether the last reply asked for a yes."""
        return self.question is not None and self.question.asked is Asked.CONFIRM

    @property
    def listed_agents(self) -> tuple[Thing, ...]:
        """Return the agents that the last list showed."""
        return self.listed if self.listed_kind == "agent" else ()

    @property
    def listed_tasks(self) -> tuple[Thing, ...]:
        """Return the tasks that the last list showed."""
        return self.listed if self.listed_kind == "task" else ()
