"""Answers to what the assistant said before: ``what did you say it still needs?``"""

from __future__ import annotations

from itertools import pairwise

from agent.dialogue.act_kinds import MAY_BE_RECALL
from agent.dialogue.result import Result
from agent.dialogue.talk import texts
from agent.dialogue.talk.earlier_messages import day_of, earlier_messages
from agent.dialogue.talk.occasion import Occasion
from agent.dialogue.talk.statements import SAYING, ranked, terms_of
from agent.dialogue.talk.word_kinship import root
from conversation.messages.models import Role
from intent.acts.act import ActKind
from intent.acts.lexicon import POINTERS
from intent.acts.tokens import tokenise

_TOOL = "search_conversations"
_SURE = 0.5


def asks_what_was_answered(text: str) -> bool:
    """Return whether a question is about what the assistant said: ``what did you say it still needs?``"""
    said = [token.word for token in tokenise(text) if token.is_word]
    is_asked = any(one == ("did", "you") for one in pairwise(said)) and any(
        root(word) in SAYING for word in said
    )
    is_told = any(who == "you" and verb in _SAID for who, verb in pairwise(said))
    return (is_asked or is_told) and "i" not in said[:3]


_SAID = frozenset({"said", "told", "mentioned", "wrote", "suggested", "recommended", "answered"})


def answered(occasion: Occasion) -> Result | None:
    """Return what the assistant said that a question is about; None for any other question, and where no
    sentence of the assistant's surely fits.
    """
    asked = occasion.words
    if occasion.act.kind not in _MAY_ASK_WHAT_WAS_SAID or not asks_what_was_answered(asked):
        return None
    terms = terms_of(asked)
    if not terms:
        last = occasion.last_reply
        return Result(texts.answered("just now", last), tool=_TOOL) if last else None
    found = ranked(earlier_messages(occasion, terms, None, asked), asked, by=Role.ASSISTANT)
    if not found or found[0].score < _SURE:
        points = bool(POINTERS & {token.word for token in tokenise(asked)}) and bool(occasion.last_reply)
        return Result(texts.answered("just now", occasion.last_reply), tool=_TOOL) if points else None
    return Result(texts.answered(day_of(found[0].said_at, occasion), found[0].sentence), tool=_TOOL)


_MAY_ASK_WHAT_WAS_SAID = MAY_BE_RECALL | {ActKind.RECALL, ActKind.WHY}
