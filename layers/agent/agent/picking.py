"""Which of the numbered options just offered a message picks. What comes of it is decided elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from agent.replies import Turn
from agent.wishes import Wish
from conversation.notes import Choice
from intent.answers import pick_in
from intent.patterns import straight

MAX_NAME_WORDS = 4


def picked(turn: Turn, wish: Wish) -> int | None:
    """The place of the option that the message picks: by number, or by nothing but the name of its agent.

    Counted from 1, or from the end when negative; it need not exist. None when nothing is picked.
    """
    choices = turn.note.choices
    place = wish.choice if wish.choice is not None else pick_in(straight(turn.message))
    if not choices or place is not None:
        return place if choices else None
    if wish.agent_id is None or len(turn.message.split()) > MAX_NAME_WORDS or _changes(wish):
        return None
    agents = [choice.entities.get("agent_id") for choice in choices]
    return agents.index(wish.agent_id) + 1 if agents.count(wish.agent_id) == 1 else None


def _changes(wish: Wish) -> bool:
    """Whether the message says what an agent is to be like: it is no mere name then."""
    return any((wish.schedule_text, wish.cron, wish.new_name, wish.delivery))


def choice_at(place: int, choices: Sequence[Choice]) -> Choice | None:
    """The option at a place that `picked` gave; None when there is none."""
    place = len(choices) + 1 + place if place < 0 else place
    return choices[place - 1] if 1 <= place <= len(choices) else None
