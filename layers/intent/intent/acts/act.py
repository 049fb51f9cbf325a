"""The result types of reading a message: its acts, each with its references and slots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple


class ActKind(StrEnum):
    """What a clause of a message does."""

    CREATE_AGENT = "agent.create"
    COPY_AGENT = "agent.copy"
    CHANGE_AGENT = "agent.change"
    PAUSE_AGENT = "agent.pause"
    RESUME_AGENT = "agent.resume"
    DELETE_AGENT = "agent.delete"
    RESTORE_AGENT = "agent.restore"
    SHARE_AGENT = "agent.share"
    UNSHARE_AGENT = "agent.unshare"
    RUN_AGENT = "agent.run"
    CANCEL_RUN = "run.cancel"
    LIST_AGENTS = "agent.list"
    SHOW_AGENT = "agent.show"
    SHOW_RESULT = "run.result"
    ADD_TASK = "task.add"
    COMPLETE_TASK = "task.complete"
    REOPEN_TASK = "task.reopen"
    CHANGE_TASK = "task.change"
    DELETE_TASK = "task.delete"
    LIST_TASKS = "task.list"
    RESTORE_TASK = "task.restore"
    CONNECT = "skill.connect"
    LIST_SKILLS = "skill.list"
    REMOVE_SKILL = "skill.remove"
    ASK_WORKSPACE = "workspace.ask"
    ASK_USAGE = "usage.ask"
    SHOW_POLICY = "policy.show"
    SET_POLICY = "policy.set"
    EXPORT = "data.export"
    ERASE = "data.erase"
    DELETE_CONVERSATION = "chat.delete"
    RECALL = "recall.ask"
    REMEMBER = "remember"
    SUM = "sum"
    CLOCK = "clock"
    ASK_PRODUCT = "product.ask"
    ASK_WORLD = "world.ask"
    DO_IN_WORLD = "world.do"
    SMALL_TALK = "social"
    UNSURE = "unsure"
    YES = "yes"
    NO = "no"
    LATER = "later"
    RESUME_DRAFT = "resume"
    PICK = "pick"
    ANSWER = "answer"
    UNDO = "undo"
    WHY = "why"
    NONE = "none"


class Span(NamedTuple):
    """A part of the message, verbatim."""

    text: str
    start: int
    end: int


class Thing(NamedTuple):
    """An agent or a task that a message may mean."""

    id: str
    name: str
    words: str = ""
    """Further words that describe it."""
    is_done: bool = False
    due: date | None = None
    """The day a task is due; None: it has none, or it isn't known here."""
    due_at: datetime | None = None
    """The moment a task is due; None: it has no time of day, or it isn't known here."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The things that a clause means.

    ``things`` are resolved; ``candidates`` are what it may mean when it is ambiguous. ``words`` describe
    something that wasn't found. All empty: the clause names nothing.
    """

    things: tuple[Thing, ...] = ()
    candidates: tuple[Thing, ...] = ()
    words: str = ""
    is_all: bool = False
    excepted: tuple[Thing, ...] = ()
    is_focus: bool = False
    """Whether it was taken from what was talked about before, by a pronoun or by nothing at all."""
    is_named: bool = False
    """Whether the clause says the exact name."""


@dataclass(frozen=True, slots=True)
class Act:
    """One act of a message, with the span of the clause that carries it."""

    kind: ActKind
    clause: Span
    meant: Meant = field(default_factory=Meant)
    slots: Mapping[str, Span] = field(default_factory=dict)
    several: tuple[Span, ...] = ()
    """The titles of several tasks; empty: at most one."""
    dues: tuple[str, ...] = ()
    """What is said of when each of ``several`` is due; empty: the slots say it of all."""
    adds: bool = False
    """Whether the slots are in addition to what is there."""
    removes: bool = False
    """Whether what the slots name is taken away."""
    is_other: bool = False
    """Whether it asks for another new agent than the act before it."""
    confidence: float = 1.0
    is_doubted: bool = False
    """Whether the user's words don't bear it out, so that it is asked before it is done."""

    def slot(self, name: str) -> str:
        """Return the text of a slot; empty when the clause has none."""
        found = self.slots.get(name)
        return found.text if found else ""


@dataclass(frozen=True, slots=True)
class ProposedAct:
    """An act as a model proposes it: nothing but its form is checked yet."""

    kind: ActKind | None
    """None: the model named none that there is."""
    text: str = ""
    """The part of the message that carries it; empty: the model didn't say."""
    agents: tuple[str, ...] = ()
    excepted: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    slots: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """The acts of a message: as they are to be carried out, and by our own reading of the words alone."""

    acts: tuple[Act, ...]
    own: tuple[Act, ...]
    is_by_model: bool = False
    """Whether ``acts`` are what a model proposes, as far as it fits the message."""
    agents: tuple[str, ...] = ()
    """The ids of the agents that were known."""
    corrected: str = ""
    """The earlier message that these are the acts of, because the present one says how it was meant; empty:
    they are the present message's.
    """
    is_settled: bool = False
    """Whether the user said that these words mean this, so that no model is asked."""
