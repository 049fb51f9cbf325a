"""Tells a message that is nothing but arithmetic: it needs no model to be understood or answered. Pure."""

from __future__ import annotations

from intent.entities.own_words import own_words
from intent.situation import Situation
from intent.sums.arithmetic_questions import expression_in
from intent.sums.thousands import open_figures


def is_plain_sum(situation: Situation) -> bool:
    """Whether the message is plain arithmetic and no draft, question or offer is open. One with a figure such
    as ``48.250``, which can be read in two ways, is not plain.
    """
    note = situation.last_note()
    is_busy = note.draft is not None or note.pending is not None or bool(note.choices)
    words = own_words(situation.message)
    return not is_busy and expression_in(words) is not None and not open_figures(words)
