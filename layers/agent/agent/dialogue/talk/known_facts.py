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
from intent.acts.lexicon import LEADS
from intent.acts.tokens import tokenise
from intent.analysis.unsure_talk import kinds_read

_ASKING = (
    "what do you know", "what you know", "what do you remember", "what you remember", "what all do you know",
    "what have you got", "what have i told you", "what did i tell you", "what i told you",
    "what i've told you", "everything you know", "everything i told you", "all you know",
)  # fmt: skip
_AROUND = LEADS | frozenset(
    "tell me show can could you what do know remember about my myself us we i have told did tell got all"
    " everything so far until till already exactly of me anything else stored saved on is there to i've"
    " the things in this chat conversation and say today".split()
)
_MOST_SHOWN, _LONGEST = 5, 120


def asks_what_is_known(text: str) -> bool:
    """Return whether a question is what is known of the user, and names no subject."""
    words = [token.word for token in tokenise(text) if token.is_word]
    line = f" {' '.join(words)} "
    return any(f" {phrase} " in line for phrase in _ASKING) and set(words) <= _AROUND


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
