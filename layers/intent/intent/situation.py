"""A message with its context: history, known agents, skills, language and time zone. Values only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pydantic import JsonValue

from conversation.messages.models import Message, Note, Reference, Role
from conversation.messages.summaries import Summary

if TYPE_CHECKING:
    from tasks.task import Task


@cache
def _empty_note() -> Note:
    return Note()


class KnownAgent(NamedTuple):
    """An agent that the user may mean: its id, visible name and one-line summary.

    ``shared_by`` is the colleague who owns it and wrote its name and summary; empty: it is the user's own.
    """

    id: str
    name: str
    summary: str
    shared_by: str = ""


class Lesson(NamedTuple):
    """What a correction taught: the words, masked by `intent.lessons.wording`, and the kind of act that they
    mean (`intent.acts.act.ActKind`).

    ``is_own``: the user taught it, and not a colleague. ``times`` is how often.
    """

    wording: str
    kind: str
    is_own: bool = False
    times: int = 1


@dataclass(frozen=True, slots=True)
class Situation:
    """One message and its context.

    ``message`` has its secrets removed. ``raw_message`` still contains them: it is for answering, not for
    intent analysis, and None when it equals ``message``. ``history`` is the assembled context, oldest first,
    without the message itself. ``summary`` covers what came before ``history``; None when nothing was
    summarised yet. ``agents`` and ``skills`` are those visible to this user. ``time_zone`` is an IANA name.
    ``allowed_models`` None means all. ``model`` is the one the request names, else None. ``has_paste``: the
    message came with a pasted text, which words such as "this" then mean. ``read_tasks`` returns the user's
    tasks, the oldest first, and reads the table the first time only. ``lessons`` are the tenant's, the oldest
    first.
    """

    message: str
    now: datetime
    history: tuple[Message, ...] = ()
    summary: Summary | None = None
    agents: tuple[KnownAgent, ...] = ()
    skills: tuple[str, ...] = ()
    tenant_name: str = ""
    assistant_name: str = "OmniForge"
    language: str = "en"
    time_zone: str = "UTC"
    tone: str = "friendly"
    instructions: str = ""
    allowed_models: frozenset[str] | None = None
    model: str | None = None
    raw_message: str | None = None
    has_paste: bool = False
    read_tasks: Callable[[], Sequence[Task]] = field(default=tuple, compare=False, repr=False)
    lessons: tuple[Lesson, ...] = ()

    def last_note(self) -> Note:
        """Return the note on what the newest reply did, offered or asked; empty when there is none."""
        return next(self.reply_notes(), None) or _empty_note()

    def last_list(self) -> tuple[Reference, ...]:
        """Return what the newest reply with a list listed; empty when no reply did."""
        return next((note.listed for note in self.reply_notes() if note.listed), ())

    def reply_notes(self) -> Iterator[Note]:
        """Yield the notes of the replies, newest first."""
        return (message.note for message in self._newest_first(Role.ASSISTANT))

    def last_text(self, role: Role, *, before: int = 0) -> str:
        """Return what the role said last, or ``before`` messages of the role earlier; empty without one."""
        return next((message.content for message in islice(self._newest_first(role), before, None)), "")

    def last_metadata(self) -> Mapping[str, JsonValue]:
        """Return the metadata of the newest reply; empty when there is none."""
        return next((message.metadata for message in self._newest_first(Role.ASSISTANT)), {})

    def _newest_first(self, role: Role) -> Iterator[Message]:
        return (message for message in reversed(self.history) if message.role is role)
