"""Answers that correct a part of an agent that is being set up, and don't answer what was asked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from intent.acts.lexicon import LEADS, POINTERS
from intent.acts.slots import find_slots
from intent.acts.tokens import Token, tokenise

_ANY_TIME = datetime(2026, 1, 1, tzinfo=UTC)
_CHANGING = frozenset("make change switch move set shift push bring put have".split())
_EMPTY = (
    _CHANGING
    | LEADS
    | POINTERS
    | frozenset(
        "instead rather no not to at on for by the a an of in from time times o'clock send mail email post go"
        " run every each day days".split()
    )
)
_MARKS = frozenset(",;.!-\u2013\u2014(")


def correction_in(text: str, known: Collection[str] = ()) -> str:
    """Return the words of an answer that only change when or where to, without what is said behind them:
    ``make that half 6``; empty for an answer that says something else. ``known`` are the words by which the
    agent is known: ``make the calendar one an hour earlier``.
    """
    tokens = tokenise(text)
    opening = _without_leads(tokens)
    if not opening:
        return ""
    end = next((token.start for token in opening if token.text in _MARKS), len(text))
    words = text[:end]
    used = find_slots(words, tokenise(words), now=_ANY_TIME, zone="UTC").used
    if used and len(opening) > 1 and opening[0].word in _CHANGING and opening[1].word in POINTERS and used:
        return words
    free = [one for one in tokens if not any(start < one.end and one.start < stop for start, stop in used)]
    said = {token.word for token in free if token.text[0].isalpha()} - _EMPTY
    is_shifted = bool(_LATER & said)
    said -= _LATER | _SPANS if is_shifted else frozenset()
    is_named = bool(known) and said - {"one", "agent"} <= set(known)
    return words if not said or (is_named and (used or is_shifted)) else ""


_LATER = frozenset({"earlier", "later", "sooner"})
_SPANS = frozenset(
    "half an hour hours minute minutes min mins quarter bit little couple few day days".split()
)


def _without_leads(tokens: Sequence[Token]) -> list[Token]:
    kept = list(tokens)
    while kept and (kept[0].word in LEADS or not kept[0].is_word):
        kept.pop(0)
    return kept
