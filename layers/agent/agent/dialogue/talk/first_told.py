"""Answers to what the user told or asked first, and to how something told was before it was changed."""

from __future__ import annotations

from agent.dialogue.result import Result
from agent.dialogue.talk import texts
from agent.dialogue.talk.earlier_messages import day_of, earlier_messages
from agent.dialogue.talk.occasion import Occasion
from agent.dialogue.talk.statements import (
    asked_part,
    ranked,
    strong_terms_of,
    terms_of,
    without_time_idioms,
)
from agent.dialogue.talk.word_kinship import root
from conversation.messages.models import Role
from conversation.search.words import words
from intent.acts.act import ActKind
from intent.acts.lexicon import LEADS, POINTERS
from intent.acts.tokens import tokenise

_TOOL, _SURE = "search_conversations", 0.5


def asks_for_first(text: str) -> bool:
    """Return whether a question is about what the conversation began with: ``what did I want at first?``"""
    said = {word.term for word in words(text)}
    return bool(said & _BEGINNING) and bool(said & _WISHING) and bool(said & {"i", "we"})


def asks_for_former(text: str) -> bool:
    """Return whether a question asks how something was before it changed: ``what was the rent at first?``,
    ``and before that?``
    """
    if not strong_terms_of(question := asked_part(text)) and _asks_before(question):
        return True
    said = {word.lower().rstrip("?!.,") for word in text.split()}
    has_idiom = without_time_idioms(text) != text
    return has_idiom and bool(said & (_BEGINNING | {"begin"})) and bool(said & {"was", "were", "had"})


def _asks_before(question: str) -> bool:
    """Return whether a question asks what was before: by a last "before", or with "that" behind it."""
    said = [token.word for token in tokenise(question) if token.is_word and token.word not in LEADS]
    at = said.index("before") if "before" in said else -1
    return at >= 0 and (not said[at + 1 :] or said[at + 1] in POINTERS)


_BEGINNING = frozenset({"first", "beginning", "initially", "originally", "start", "outset"})
_WISHING = frozenset(
    {
        "want",
        "wanted",
        "say",
        "said",
        "tell",
        "told",
        "ask",
        "asked",
        "looking",
        "after",
        "request",
        "requested",
    }
)


def first_told(occasion: Occasion) -> Result | None:
    """Return what the user told first about the subject of a question, or before the correction that was
    made or quoted last; None for a question about the whole conversation.
    """
    terms = [term for term in terms_of(occasion.words) if term not in _OF_BEGINNING]
    if terms:
        asked = " ".join(terms)
        told = ranked(earlier_messages(occasion, terms, None, occasion.words), asked)
        fitting = [one for one in told if one.score >= _SURE]
    else:
        last = " ".join(occasion.turn.situation.last_text(Role.USER).split())
        told = [one for one in ranked(occasion.turn.situation.history, "") if one.amended]
        fitting = [one for one in told if last in one.amended or one.amended[-1] in occasion.last_reply]
    first = min(fitting, key=lambda one: one.said_at, default=None)
    if first is None:
        return None
    return Result(
        texts.told(day_of(first.said_at, occasion), first.sentence), tool=_TOOL, kind=ActKind.RECALL,
        quote=first.sentence,
    )  # fmt: skip


_OF_BEGINNING = frozenset(map(root, _BEGINNING | _WISHING | {"before"}))


def first_request(occasion: Occasion) -> Result | None:
    """Return the first thing that the user asked for in this conversation."""
    said = (one for one in occasion.turn.situation.history if one.role is Role.USER and not one.deleted)
    first = next((one for one in said if len(one.content.split()) >= _FEWEST_OF_REQUEST), None)
    if first is None:
        return None
    quote = next(iter(ranked([first], first.content)), None)
    text = quote.sentence if quote is not None else first.content
    return Result(texts.told(day_of(first.created_at, occasion), text), tool=_TOOL)


_FEWEST_OF_REQUEST = 4
