"""Messages that put one thing in place of another and say nothing else: ``not payouts, failed payments``,
``Tuesdays, not Mondays``, ``failed payments I meant``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from intent.acts.lexicon import CORRECTIONS, LEADS
from intent.acts.tokens import Token, tokenise

_MARKS = frozenset(",.;:!-\u2013\u2014\u2026?")
_MEANING = frozenset({("i", "mean"), ("i", "meant"), ("we", "meant"), ("we", "mean")})
_FRAMES = frozenset("it's its it is that's but make that be should".split())
_INSTEAD = frozenset({("instead", "of"), ("rather", "than"), ("in", "place")})
_SWEARING = frozenset("argh ugh crap damn dammit gah whoops doh hang on".split())
_MOST_WORDS = 7


class Contrast(NamedTuple):
    """What is wanted, and what it stands in place of."""

    wanted: str
    unwanted: str
    """Empty where nothing is said of it."""


def read_contrast(message: str) -> Contrast | None:
    """Return what a message wants in place of what; None for a message that says anything else."""
    tokens = _stripped(tokenise(message))
    words = [one.word for one in tokens]
    meant = next((at for at, pair in enumerate(pairwise(words)) if pair in _MEANING), None)
    if meant is not None:
        tokens, words = [*tokens[:meant], *tokens[meant + 2 :]], [*words[:meant], *words[meant + 2 :]]
    parts: tuple[Sequence[Token], Sequence[Token]] = ((), ())
    instead = next((at for at, pair in enumerate(pairwise(words)) if at and pair in _INSTEAD), None)
    if instead is not None:
        begin = instead + 2 + (words[instead] == "in")
        parts = tokens[:instead], tokens[begin:]
    elif "not" in words:
        at = words.index("not")
        mark = next((place for place in range(at, len(tokens)) if tokens[place].text in _MARKS), len(tokens))
        parts = (tokens[:at], tokens[at + 1 :]) if at else (tokens[mark:], tokens[1:mark])
    elif meant is not None:
        parts = (tokens, ())
    wanted, unwanted = (_stripped(part) for part in parts)
    if not wanted or any(len(part) > _MOST_WORDS or _has_mark(part) for part in (wanted, unwanted)):
        return None
    return Contrast(
        *("" if not part else message[part[0].start : part[-1].end] for part in (wanted, unwanted))
    )


def _stripped(tokens: Sequence[Token]) -> list[Token]:
    """Return words without what only leads to a correction, and without marks around them."""
    kept = list(tokens)
    while kept and (kept[0].word in LEADS | CORRECTIONS | _FRAMES | _SWEARING or kept[0].text in _MARKS):
        kept.pop(0)
    while kept and (kept[-1].word in LEADS or kept[-1].text in _MARKS):
        kept.pop()
    return kept


def _has_mark(tokens: Sequence[Token]) -> bool:
    return any(one.text in _MARKS or not one.is_word for one in tokens)
