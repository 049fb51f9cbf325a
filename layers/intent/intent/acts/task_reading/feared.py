"""Things that people fear to forget: ``there's this form, and I'm going to forget it`` is a task."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import Span
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, NEGATIONS
from intent.acts.tokens import Token

_SPEAKING = frozenset("i i'm i'll im we we're we'll i'd".split())
_FORGETTING = frozenset({"forget", "forgetting"})
_FORGOTTEN = frozenset({"it", "them", "that", "this"})
_OPENINGS = (("there's",), ("there", "is"), ("there", "are"), ("i've", "got"), ("i", "have"), ("it's",))
_DETERMINERS = frozenset({"this", "that", "these", "a", "an", "the", "some"})
_JOINTS = frozenset("and but so that's thats the one which sort kind of thing things just exactly".split())
_LONGEST_LEAD = 6
_FARTHEST = 6


def fears_forgetting(clause: Clause) -> bool:
    """Return whether a clause names something and says that its speaker will forget it."""
    return title_feared(clause) is not None


def title_feared(clause: Clause) -> Span | None:
    """Return the words for what somebody fears to forget; None where a clause tells of no such fear."""
    tokens = clause.tokens
    place = _fear_place(tokens)
    if place is None or clause.is_question:
        return None
    told = [token for token in tokens[:place] if token.is_word]
    while told and told[0].word in LEADS:
        told = told[1:]
    words = tuple(token.word for token in told)
    begin = _opening_end(words)
    if not begin:
        return None
    told = told[begin:]
    told = told[1:] if told and told[0].word in _DETERMINERS else told
    while told and told[-1].word in _JOINTS:
        told = told[:-1]
    if not told:
        return None
    start, end = told[0].start, told[-1].end
    return Span(clause.message[start:end], start, end)


def _opening_end(words: tuple[str, ...]) -> int:
    """Return where the words behind ``there's`` or ``on Friday I have`` begin; 0 without such an opening."""
    for place in range(min(len(words), _LONGEST_LEAD)):
        if place and (words[0] not in _BEFORE_TIME or words[place - 1] in _SPEAKING):
            return 0
        opening = next((one for one in _OPENINGS if words[place : place + len(one)] == one), None)
        if opening is not None:
            return place + len(opening)
    return 0


_BEFORE_TIME = frozenset({"on", "at", "in", "next", "this", "tomorrow", "today", "by"})


def _fear_place(tokens: Sequence[Token]) -> int | None:
    """Return where the words begin by which somebody fears to forget; None without any."""
    words = [token.word for token in tokens]
    for place, word in enumerate(words):
        if word not in _FORGETTING or NEGATIONS & set(words[max(0, place - _FARTHEST) : place]):
            continue
        behind = words[place + 1 : place + 2]
        is_it = not behind or behind[0] in _FORGOTTEN or not behind[0][0].isalnum()
        before = next(
            (at for at in range(place - 1, max(-1, place - _FARTHEST), -1) if words[at] in _SPEAKING), None
        )
        if is_it and before is not None:
            return before
    return None
