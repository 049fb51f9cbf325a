"""Where the acts of a message may begin: the places at which the learned model decides."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.acts.learned.marked_tokens import MarkedToken

_JOINTS = frozenset(
    "and then but & plus also or so n yet because while if when instead though although once after"
    " as since only"
    " besides whereas".split()
)
_REPLIES = frozenset(
    "yes yep yeah yup ok okay sure no nope nah fine right correct good great perfect thanks ta"
    " cheers please pls thx"
    " one it them that".split()
)
_OPENERS = frozenset("please pls thanks ta cheers now".split())
_GOVERNING = frozenset("to you and not don't i we can will the a my please".split())
_QUOTES = frozenset("'\"\u2018\u2019\u201c\u201d(/")
_FIRST_WORDS = 6
MOST_CUTS = 24


def find_cuts(tokens: Sequence[MarkedToken]) -> list[int]:
    """Return the tokens at which another act may begin, in order."""
    words = [place for place, token in enumerate(tokens) if token.token.is_word or token.token.text == "&"]
    cuts: list[int] = []
    for number, (before, place) in enumerate(pairwise(words)):
        is_new = (
            any(token.token.text not in _QUOTES for token in tokens[before + 1 : place])
            or _may_follow(tokens[before], tokens[place], is_early=number < _FIRST_WORDS)
            or (tokens[place].token.word in _JOINTS and not _is_joint_cut(tokens, before, cuts))
        )
        if is_new:
            cuts.append(place)
    return cuts[:MOST_CUTS]


def _is_joint_cut(tokens: Sequence[MarkedToken], place: int, cuts: Sequence[int]) -> bool:
    """Return whether an act may begin at a joint there already: ``and then`` is one joint."""
    return place in cuts and tokens[place].token.word in _JOINTS


def _may_follow(before: MarkedToken, token: MarkedToken, *, is_early: bool) -> bool:
    """Return whether a word may begin an act with neither mark nor joint before it."""
    if is_early and before.token.word in _REPLIES:
        return True
    if "base verb" in token.classes and before.token.word not in _GOVERNING:
        return True
    return "question word" in token.classes or token.token.word in _OPENERS
