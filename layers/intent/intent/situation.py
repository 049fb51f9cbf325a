"""Everything an utterance may be understood against. Values only; whoever answers a turn fills it in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from conversation.messages.models import Message, Note
from conversation.messages.summaries import Summary


class KnownAgent(NamedTuple):
    """An agent the user may mean: its id, the name they see, and what it does in one line."""

    id: str
    name: str
    summary: str


@dataclass(frozen=True, slots=True)
class Situation:
    """One message and what surrounds it.

    ``message`` is without its secrets, ``said`` with them: for whoever answers it, not for whoever
    understands it; None where that is the same. ``history`` is the assembled context, oldest first, without
    the message itself; ``summary`` is what came before it, None when nothing was summarised yet. ``agents``
    and ``skills`` are what this user can see. ``time_zone`` is an IANA name. ``allowed_models`` None means
    all; ``model`` is the one the request names, None when it names none.
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
    said: str | None = None

    def last_note(self) -> Note:
        """What the newest reply did, offered or asked; an empty note when there is none."""
        for message in reversed(self.history):
            if message.role == "assistant":
                return message.note
        return Note()
