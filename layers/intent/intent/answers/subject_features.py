"""Features that tell a question about the product from one about somebody's own work, or about the world.

Pure, and identical in fitting (`training.answers`) and in use.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt

from conversation.search.words import words
from intent.regular_expressions import straighten_quotes

Features = dict[str, float]

TERM = "t "
"""The beginning of a feature's name that stands for a term of the question."""

_PRODUCT_TEXT = """
    you your yours omniforge agents bots chat chats conversation conversations admin admins administrator
    administrators workspace account assistant app application program tool thing page platform system
    software product service here login browser history model models ai llm data password integration
    integrations api
    privacy retention erasure everything
"""
_PRODUCT = frozenset(_PRODUCT_TEXT.split())
_YOU = frozenset({"you", "your", "u", "ur"})
_ASKING_TEXT = """
    what whats who whos which when where wheres why how hows is are am was were do does did can could will
    would should may might has have whose whom cant
"""
_ASKING = frozenset(_ASKING_TEXT.split())
_COMMANDS_TEXT = """
    create set make build add remove delete pause resume run start stop rename share connect watch remind
    show list send move change update switch turn keep give tell please let put mark cancel undo i we
"""
_COMMANDS = frozenset(_COMMANDS_TEXT.split())
_ONE_OFF_TEXT = "did was were happened yesterday overnight today tomorrow tonight next last"
_ONE_OFF = frozenset(_ONE_OFF_TEXT.split())
"""Words of single events: the product is the same on all days."""
_OWNERS_TEXT = "the my our that this his her"
_OWNERS = frozenset(_OWNERS_TEXT.split())
_OWN_THINGS = frozenset(
    each + plural
    for each in ("agent", "bot", "task", "run", "report", "skill", "reminder")
    for plural in ("", "s")
)
_POINTING_TEXT = "it that them second first"
_POINTING = frozenset(_POINTING_TEXT.split())
_HYPHENATED_TEXT = "to-do e-mail e-mails built-in sign-on add-on two-factor real-time follow-up"
_HYPHENATED = frozenset(_HYPHENATED_TEXT.split())
"""Words of everybody; any other word with a hyphen is probably an agent's name."""
_NEAR = 4
"""How many words after "the" or "my" the thing may follow."""
_MANY_WORDS = 30


def subject_features(
    question: str, terms: Sequence[str], *, score: float, margin: float, other: float, unknown: float
) -> Features:
    """Returns the features of a question.

        ``score``: its best answer's; ``margin``: by how much that is better than the second; ``other``: its
    similarity to the nearest question that is not about the product; ``unknown``: the share of its words that
    no answer has.
    """
    said = [word.term for word in words(question)]
    spelt = straighten_quotes(question).lower().split()
    distinct = set(said)
    features = {
        "bias": 1.0,
        "score": score,
        "margin": margin,
        "other": other,
        "unknown": unknown,
        "product words": min(2, len(distinct & _PRODUCT)) / 2,
        "you": float(bool(distinct & _YOU)),
        "question": float(question.rstrip().endswith("?") or (bool(said) and said[0] in _ASKING)),
        "command": float(bool(said) and said[0] in _COMMANDS),
        "one-off": float(bool(distinct & _ONE_OFF)),
        "own thing": float(_names_own_thing(said)),
        "pointing": float(bool(distinct & _POINTING)),
        "hyphen": float(any(_is_hyphenated(word) for word in spelt)),
        "address": float(any(mark in question for mark in ("://", "@", "#"))),
        "number": float(any(character.isdigit() for character in question)),
        "name": float(_has_name(question)),
        "length": min(len(said), 2 * _MANY_WORDS) / _MANY_WORDS,
    }
    part = 1 / sqrt(len(set(terms)) or 1)
    return features | {TERM + term: part for term in terms}


def _names_own_thing(said: Sequence[str]) -> bool:
    owners = (place for place, word in enumerate(said) if word in _OWNERS)
    return any(not _OWN_THINGS.isdisjoint(said[place + 1 : place + 1 + _NEAR]) for place in owners)


def _is_hyphenated(word: str) -> bool:
    bare = word.strip(".,?!\"'()")
    return "-" in bare.strip("-") and bare not in _HYPHENATED


def _has_name(question: str) -> bool:
    """Whether a word within a sentence is written with a capital, other than "I" and abbreviations."""
    said = question.split()
    return any(
        word[0].isupper() and word[1:2].islower() and before[-1] not in ".?!"
        for before, word in pairwise(said)
    )
