"""Which agent a message means: by name, by its place in a list, or by pointing at the one talked about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from agent.agents import AgentCard
from agent.names import slug
from agent.replies import Turn
from agent.wishes import Wish
from conversation.notes import Note, Reference

_POINTING = re.compile(
    r"\b(it|its|it's|that|this|that one|this one|the one|same|again|him|her|them|(the|that|this"
    r"|my) (agent|bot|one|thing))\b",
    re.IGNORECASE,
)
_GENERIC = frozenset(
    ["the", "my", "our", "a", "an", "agent", "bot", "automation", "one", "please", "assistant"]
)
MAX_POINTING_WORDS = 16

Lookup = Callable[[str], "AgentCard | None"]
"""Finds the caller's own agent of a name that the roster does not know (yet)."""


def find(turn: Turn, wish: Wish, look_up: Lookup) -> AgentCard | None:
    """The one agent that is meant; None when that can't be told."""
    by_id = _by_id(turn.visible(), wish.agent_id)
    if by_id is not None:
        return by_id
    if wish.agent_name is not None:
        return named(turn.visible(), wish.agent_name) or look_up(slug(wish.agent_name))
    if wish.ordinal is not None:
        return _of_reference(turn, _nth(_last_list(turn), wish.ordinal))
    return _of_reference(turn, _last_subject(turn)) if points(turn.message) else None


def named(cards: Sequence[AgentCard], words: str) -> AgentCard | None:
    """The agent of this name, or the only one whose name holds all of the words."""
    wanted = slug(words)
    exact = [card for card in cards if card.name == wanted]
    if exact:
        return exact[0]
    parts = {part for part in wanted.split("-") if part and part not in _GENERIC}
    holding = [card for card in cards if parts and parts <= set(card.name.split("-"))]
    return holding[0] if len(holding) == 1 else None


def points(message: str) -> bool:
    """Whether the words point at something just talked about."""
    return _POINTING.search(message) is not None and len(message.split()) <= MAX_POINTING_WORDS


def _by_id(cards: Sequence[AgentCard], agent_id: str | None) -> AgentCard | None:
    return next((card for card in cards if card.id == agent_id), None)


def _of_reference(turn: Turn, reference: Reference | None) -> AgentCard | None:
    return _by_id(turn.visible(), reference.id) if reference else None


def _last_list(turn: Turn) -> tuple[Reference, ...]:
    return next((note.listed for note in _notes(turn) if note.listed), ())


def _last_subject(turn: Turn) -> Reference | None:
    about = next((note.about for note in _notes(turn) if note.about or note.listed), None)
    return about if about is None or about.kind == "agent" else None


def _nth(listed: Sequence[Reference], ordinal: int) -> Reference | None:
    place = len(listed) + ordinal if ordinal < 0 else ordinal - 1
    return listed[place] if 0 <= place < len(listed) else None


def _notes(turn: Turn) -> Iterator[Note]:
    return (message.note for message in reversed(turn.situation.history) if message.role == "assistant")
