"""Answers to what is known of the user altogether: ``what do you know about me?``

What the user told in this conversation to be kept in mind is quoted. Of earlier conversations nothing is
listed: they are searched by subject.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from agent.dialogue.result import Result
from agent.dialogue.talk import texts
from agent.dialogue.talk.occasion import Occasion
from conversation.messages.models import Role
from intent.acts.act import ActKind
from intent.analysis.unsure_talk import kinds_read

_MOST_SHOWN, _LONGEST = 5, 120


def answer(occasion: Occasion) -> Result:
    """Quote what the user told in this conversation, and say where the rest is."""
    told = list(dict.fromkeys(_told(occasion)))
    return Result(texts.known_of_user(told[-_MOST_SHOWN:], len(told)), tool="search_conversations")


def _told(occasion: Occasion) -> Iterator[str]:
    """Yield what was read as something to remember, in the order said."""
    for message, reply in pairwise(occasion.turn.situation.history):
        if message.role is Role.USER and not message.deleted and ActKind.REMEMBER in kinds_read(reply):
            text = " ".join(message.content.split())
            yield text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"
