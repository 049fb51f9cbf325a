"""Tells a message that is nothing but arithmetic: it needs no model to be understood or answered. Pure."""

from __future__ import annotations

from intent.entities.own_words import own_words
from intent.situation import Situation
from intent.sums.arithmetic_questions import expression_in


def is_plain_sum(situation: Situation) -> bool:
    """Whether the message is plain arithmetic and no draft, question or offer is open."""
    note = situation.last_note()
    is_busy = note.draft is not None or note.pending is not None or bool(note.choices)
    return not is_busy and expression_in(own_words(situation.message)) is not None
